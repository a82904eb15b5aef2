"""What an answer does beyond its call: grants, bypasses, their storing, and whose answer counts."""

import asyncio
from typing import Any

import pytest

from assent.app import answers as answers_module
from assent.model.approval import Answer, OptionKind, ResolvedBy
from assent.model.errors import ApprovalAlreadyResolved, InvalidOption, SessionNotFound
from assent.model.events import GrantsChanged, Notice
from assent.model.grants import AgentBypass, Grant
from assent.model.ids import SessionId, ViewId
from assent.settings.store import Stored
from tests.support.world import AGENT, World, call, settled, until

YES = Answer(option_id="approve")


async def stored(_: Grant) -> Stored:
    return Stored(True, "settings.json")


async def waiting(world: World, mode: Any = None) -> Any:
    """A chat with a card."""
    chat = world.chat()
    sent = world.send(chat)
    return chat, sent, await world.question()


async def test_an_answer_for_another_chat_does_not_count() -> None:
    world = World([call("count", n=1)])
    _, sent, question = await waiting(world)
    other = world.chat()

    with pytest.raises(SessionNotFound):
        await world.answers.take(question.approval_id, YES, other.session_id, None)
    with pytest.raises(SessionNotFound):
        await world.answers.take(question.approval_id, YES, SessionId("x"), None)
    assert not sent.done()
    await world.answers.take(question.approval_id, YES, question.session_id, None)
    await sent


async def test_an_answer_of_a_view_counts_only_for_the_chat_that_it_shows() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)
    other = world.chat()
    view = ViewId("view")

    with pytest.raises(SessionNotFound):
        await world.answers.take(question.approval_id, YES, None, view)
    world.desk.show(chat.session_id, view)
    world.desk.show(other.session_id, view)
    with pytest.raises(SessionNotFound):
        await world.answers.take(question.approval_id, YES, None, view)
    world.desk.show(chat.session_id, view)
    world.desk.hide(chat.session_id, view)
    with pytest.raises(SessionNotFound):
        await world.answers.take(question.approval_id, YES, None, view)
    world.desk.show(chat.session_id, view)
    await world.answers.take(question.approval_id, YES, chat.session_id, view)
    await sent
    assert len(world.tool.entered) == 1


async def test_once_grants_nothing() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)
    await world.allow(question)
    await sent

    assert chat.grants.all == ()
    assert world.trust.on == set()
    assert world.of(chat, GrantsChanged) == []


async def test_a_grant_is_told_before_anything_else_happens() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)

    await world.answer(question, OptionKind.ALLOW_SESSION)
    await sent

    assert world.of(chat, GrantsChanged) == [GrantsChanged(("count",), bypass_agent=False, bypass_session=False)]


async def test_a_bypass_of_the_chat_reaches_no_other_chat() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)
    other = world.chat()

    await world.answer(question, OptionKind.BYPASS_SESSION)
    await sent

    assert world.of(chat, GrantsChanged)[-1].bypass_session
    assert not other.grants.bypass
    assert world.of(other, GrantsChanged) == []


async def test_a_bypass_of_the_agent_reaches_every_chat_of_it_and_is_stored() -> None:
    world = World([call("count", n=1), call("count", n=2)])
    world.trust.storing = stored
    chat, sent, question = await waiting(world)
    other = world.chat()
    sent_other = world.send(other)
    await world.question(2)

    accepted = await world.answer(question, OptionKind.BYPASS_AGENT)
    await asyncio.gather(sent, sent_other)

    assert accepted.stored == Stored(True, "settings.json")
    assert world.trust.stored == [AgentBypass(AGENT)]
    assert len(world.tool.entered) == 2
    assert {resolution.by for _, resolution in world.client.endings} == {ResolvedBy.USER, ResolvedBy.POLICY}
    for one in (chat, other):
        assert world.of(one, GrantsChanged)[-1].bypass_agent


async def test_a_bypass_that_cannot_be_stored_still_runs_the_call_and_says_so() -> None:
    world = World([call("count", n=1)])

    async def refused(_: Grant) -> Stored:
        return Stored(False, "settings.json", "It is read-only.")

    world.trust.storing = refused
    chat, sent, question = await waiting(world)
    accepted = await world.answer(question, OptionKind.BYPASS_AGENT)
    await sent

    assert accepted.stored is not None
    assert accepted.stored.error == "It is read-only."
    assert len(world.tool.entered) == 1
    assert any("read-only" in notice.text for notice in world.of(chat, Notice))


async def test_a_bypass_whose_storing_fails_unexpectedly_is_an_answer_that_counted() -> None:
    world = World([call("count", n=1)])

    async def broken(_: Grant) -> Stored:
        raise ZeroDivisionError

    world.trust.storing = broken
    chat, sent, question = await waiting(world)
    accepted = await world.answer(question, OptionKind.BYPASS_AGENT)
    await sent

    assert accepted.stored is not None
    assert not accepted.stored.written
    assert any("ZeroDivisionError" in notice.text for notice in world.of(chat, Notice))
    assert len(world.tool.entered) == 1


async def test_storing_never_holds_the_call_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "STORING_SECONDS", 0.01)
    world = World([call("count", n=1)])
    go_on = asyncio.Event()

    async def slow(_: Grant) -> Stored:
        await go_on.wait()
        return Stored(False, "x", "It failed after all.")

    world.trust.storing = slow
    chat, sent, question = await waiting(world)
    answering = asyncio.ensure_future(world.answer(question, OptionKind.BYPASS_AGENT))
    await sent
    assert len(world.tool.entered) == 1

    accepted = await answering
    assert accepted.stored is not None
    assert "unusually long" in (accepted.stored.error or "")
    go_on.set()
    await until(lambda: any("after all" in notice.text for notice in world.of(chat, Notice)), "the late word")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(kind=OptionKind.BACKGROUND),
        Answer(kind=OptionKind.ADD_DIRECTORY),
        Answer(option_id="deny", bypass_all=True),
        Answer(cancelled=True, bypass_all=True),
        Answer(option_id="approve", kind=OptionKind.REJECT_ONCE),
    ],
)
async def test_what_does_not_fit_sets_nothing(answer: Answer) -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)

    with pytest.raises(InvalidOption):
        await world.answers.take(question.approval_id, answer, None, None)

    await settled()
    assert (chat.grants.all, world.trust.on) == ((), set())
    assert world.broker.waiting() == (question,)
    await world.deny(question)
    await sent


async def test_a_late_grant_grants_nothing() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)
    await world.deny(question)

    for kind in (OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION, OptionKind.BYPASS_AGENT):
        with pytest.raises(ApprovalAlreadyResolved):
            await world.answer(question, kind)
    await sent
    assert (chat.grants.all, world.trust.on) == ((), set())
    assert world.tool.entered == []


async def test_a_dismissed_card_is_a_refusal() -> None:
    world = World([call("count", n=1)])
    chat, sent, question = await waiting(world)

    accepted = await world.answers.take(question.approval_id, Answer(cancelled=True), None, None)
    await sent

    assert accepted.option.kind is OptionKind.REJECT_ONCE
    assert [outcome.code for outcome in world.outcomes(chat)] == ["permission_denied"]
