"""Calls that wait: what a grant, a bypass, a rule or another state of things makes of them."""

import asyncio

import pytest

from assent.agent import gate as gate_module
from assent.model.approval import OptionKind, ResolvedBy, Status
from assent.model.calls import Access, PathUse
from assent.model.errors import DigestMismatch
from assent.model.modes import Mode
from tests.support.world import CountingTool, World, call, settled, until

ONLY_THIS_ONE = {OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.REJECT_ALWAYS}


PROTECTED = (PathUse("/w/.vscode/x", ".vscode/x", Access.WRITE, inside=True),)


OUTSIDE = (PathUse("/etc/x", "/etc/x", Access.WRITE, inside=False),)


async def test_a_grant_for_the_chat_settles_the_other_waiting_calls_of_that_tool() -> None:
    other = CountingTool("other")
    calls = [*call("count", n=1), *call("count", n=2, index=2), *call("other", index=3), *call("count", n=4, index=4)]
    world = World([calls], tools=[other])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(4)
    clicked = world.broker.waiting()[1]

    await world.answer(clicked, OptionKind.ALLOW_SESSION)
    await until(lambda: len(world.tool.entered) == 3, "the three calls")

    (left,) = world.broker.waiting()
    assert left.card.call.tool == "other"
    assert other.entered == []
    endings = {question.approval_id: resolution for question, resolution in world.client.endings}
    assert sorted((end.status, end.by) for end in endings.values()) == [
        (Status.ALLOWED, ResolvedBy.POLICY),
        (Status.ALLOWED, ResolvedBy.POLICY),
        (Status.ALLOWED, ResolvedBy.USER),
    ]
    assert endings[clicked.approval_id].by is ResolvedBy.USER
    await world.deny(left)
    await sent
    assert len(world.tool.entered) == 3


async def test_a_grant_holds_for_this_chat_only() -> None:
    world = World([call("count", n=1), call("count", n=2), call("count", n=3)])
    one, other = world.chat(), world.chat()
    sent = world.send(one)
    await world.answer(await world.question(), OptionKind.ALLOW_SESSION)
    await sent
    assert len(world.tool.entered) == 3
    assert len(world.client.questions) == 1

    world.model.requests.clear()
    again = world.send(other)
    question = await world.question()
    assert question.session_id == other.session_id
    await world.desk.stop(other.session_id)
    await again


async def test_a_bypass_settles_what_waits_but_not_what_is_protected() -> None:
    guarded, far = CountingTool("guarded"), CountingTool("far")
    guarded.paths, far.paths = PROTECTED, OUTSIDE
    calls = [*call("count"), *call("guarded", index=2), *call("far", index=3)]
    world = World([calls], tools=[guarded, far])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(3)
    by_tool = {question.card.call.tool: question for question in world.broker.waiting()}

    await world.answer(by_tool["count"], OptionKind.BYPASS_SESSION)
    await until(lambda: len(world.tool.entered) == 1, "the call")
    await settled()

    assert [question.card.call.tool for question in world.broker.waiting()] == ["guarded", "far"]
    assert (guarded.entered, far.entered) == ([], [])
    assert {option.kind for option in by_tool["guarded"].card.options} == ONLY_THIS_ONE
    await world.allow(by_tool["guarded"])
    await world.deny(by_tool["far"])
    await sent
    assert (len(guarded.entered), far.entered) == (1, [])


async def test_what_policy_settles_is_looked_at_anew() -> None:
    """Nobody agreed to the old state; what runs is what the rules say of the new one."""
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)
    first, _ = world.broker.waiting()
    looks = world.tool.looks

    await world.answer(first, OptionKind.ALLOW_SESSION)
    world.tool.paths = PROTECTED
    await until(lambda: len(world.client.questions) == 3, "the card of what became protected")

    await until(lambda: len(world.tool.entered) == 1, "the clicked call")
    assert world.tool.looks > looks
    await world.deny(world.broker.waiting()[0])
    await sent
    assert len(world.tool.entered) == 1


async def test_a_bypass_goes_by_what_a_refreshed_card_shows() -> None:
    """Under its card the call became one that touches something protected: it stays, and is not even asked anew."""
    world = World([[*call("count", n=1), *call("look", index=2)]])
    chat = world.chat(Mode.ASK)
    sent = world.send(chat)
    await world.question(2)
    by_tool = {question.card.call.tool: question for question in world.broker.waiting()}
    world.tool.paths, world.tool.state = PROTECTED, "s1"
    with pytest.raises(DigestMismatch):
        await world.allow(by_tool["count"])

    await world.answer(by_tool["look"], OptionKind.BYPASS_SESSION)
    await settled()

    (left,) = world.broker.waiting()
    assert left.approval_id == by_tool["count"].approval_id
    assert {option.kind for option in left.card.options} == ONLY_THIS_ONE
    await world.deny(left)
    await sent
    assert world.tool.entered == []


@pytest.mark.parametrize("end", ["allow", "deny", "stop"])
async def test_the_gate_remembers_nothing_of_what_ended(end: str) -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    await (world.desk.stop(chat.session_id) if end == "stop" else getattr(world, end)(question))
    await sent

    assert world.gate._waiting == {}


async def test_a_card_says_how_many_waiting_calls_each_answer_would_settle_as_well() -> None:
    guarded = CountingTool("guarded")
    guarded.paths = PROTECTED
    turn = [*call("count", n=1), *call("count", n=2, index=2), *call("guarded", index=3)]
    world = World([turn, turn], tools=[guarded])
    one, other = world.chat(), world.chat()
    sent = [world.send(one), world.send(other)]
    await world.question(6)
    before = len(world.client.questions)
    await world.gate.count_settled()

    told = {question.approval_id: question for question in world.client.questions}
    question = next(q for q in told.values() if q.session_id == one.session_id and q.card.call.tool == "count")
    kinds = {option.option_id: option.kind for option in question.card.options}
    settles = {kinds[option_id]: count for option_id, count in question.also_settles.items()}
    # In this chat there is one more of its kind; of the agent and the tool there are three. Protected ones stay.
    assert settles == {
        OptionKind.ALLOW_SESSION: 1,
        OptionKind.ALLOW_ALWAYS: 3,
        OptionKind.BYPASS_SESSION: 1,
        OptionKind.BYPASS_AGENT: 3,
        OptionKind.REJECT_ALWAYS: 3,
    }
    assert not question.refreshed
    assert len(world.client.questions) == before + 6
    await world.gate.count_settled()
    assert len(world.client.questions) == before + 6, "nothing new, nothing told"

    accepted = await world.answer(question, OptionKind.ALLOW_SESSION)
    assert accepted.option.kind is OptionKind.ALLOW_SESSION
    await until(lambda: len(world.broker.waiting()) == 4, "the two calls of this chat")
    await world.desk.shut_down()
    await asyncio.gather(*sent, return_exceptions=True)


async def test_beyond_a_few_cards_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    sent = world.send(world.chat())
    await world.question(2)
    await world.gate.count_settled()
    assert all(question.also_settles for question in world.broker.waiting())

    monkeypatch.setattr(gate_module, "COUNTED_CARDS", 1)
    await world.gate.count_settled()
    assert not any(question.also_settles for question in world.broker.waiting())
    await world.desk.shut_down()
    await sent


async def test_what_cards_say_alike_is_kept_once_however_many_wait() -> None:
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)

    one, other = (question.card for question in world.broker.waiting())
    assert len(one.options) > 4
    for mine, its in zip(one.options, other.options, strict=True):
        assert mine is its, mine.option_id
    assert one.reason_text is other.reason_text

    await world.desk.stop(chat.session_id)
    await sent
