"""Grants with an end, from the click to the last call that runs by them: never one call more, and nothing is lost."""

import asyncio
from typing import Any

import pytest

from assent.model.approval import Answer, OptionKind, Question, ResolvedBy
from assent.model.calls import Access, PathUse
from assent.model.errors import InvalidRequest
from assent.model.events import GrantsChanged
from assent.model.grants import Limits
from assent.model.records import Stage
from tests.support.world import World, call, settled, until

MANY = 20
PROTECTED = (PathUse("/w/.vscode/x", ".vscode/x", Access.WRITE, inside=True),)


async def allow(world: World, question: Question, limits: Limits | None, option: str = "allow_session") -> None:
    answer = Answer(option_id=option, digest=question.card.digest, limits=limits)
    await world.answers.take(question.approval_id, answer, question.session_id, None)


def calls(count: int, start: int = 0) -> list[Any]:
    return [step for n in range(start, start + count) for step in call("count", index=n + 1, n=n)]


@pytest.mark.parametrize("option", ["allow_session", "bypass_session"])
@pytest.mark.parametrize("uses", [1, 5, MANY])
async def test_of_parallel_calls_run_as_many_as_there_are_uses_and_the_one_that_was_clicked(
    uses: int, option: str
) -> None:
    world = World([calls(MANY)])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(MANY)
    ids = [question.approval_id for question in world.broker.waiting()]

    await allow(world, await world.question(), Limits(uses=uses), option)
    runs = min(1 + uses, MANY)
    await until(lambda: len(world.tool.entered) == runs, "the calls that may run")
    await settled()

    assert len(world.tool.entered) == runs
    # The others are still the same questions.
    assert [question.approval_id for question in world.broker.waiting()] == ids[runs:]
    assert len([1 for _, end in world.client.endings if end.by is ResolvedBy.POLICY]) == runs - 1
    for question in world.broker.waiting():
        await world.deny(question)
    await sent
    assert len(world.tool.entered) == runs
    assert len(world.outcomes(chat)) == MANY


async def test_calls_that_come_later_use_up_what_is_left_and_then_ask() -> None:
    world = World([call("count", n=0), calls(MANY, start=1)])
    chat = world.chat()
    sent = world.send(chat)
    await allow(world, await world.question(), Limits(uses=3))
    await until(lambda: len(world.broker.told()) == MANY - 3, "those that ask")

    await until(lambda: len(world.tool.entered) == 4, "those that run")
    assert world.of(chat, GrantsChanged)[-1] == GrantsChanged((), bypass_agent=False, bypass_session=False)
    for question in world.broker.waiting():
        await world.deny(question)
    await sent
    assert len(world.tool.entered) == 4


async def test_after_its_time_a_grant_counts_no_more() -> None:
    world = World([call("count", n=1), call("count", n=2), call("count", n=3)])
    chat = world.chat()
    held = asyncio.Event()
    world.model.turns[2].insert(0, held.wait)  # type: ignore[arg-type]
    sent = world.send(chat)
    await allow(world, await world.question(), Limits(minutes=15))
    await until(lambda: len(world.tool.entered) == 2, "the second call")

    world.clock.advance(15 * 60)
    held.set()
    await world.deny(await world.question())
    await sent
    assert len(world.tool.entered) == 2


async def test_a_grant_until_the_run_ends_is_gone_with_it() -> None:
    world = World([call("count", n=1), call("count", n=2), [], call("count", n=3)])
    chat = world.chat()
    sent = world.send(chat)
    await allow(world, await world.question(), Limits(until_run_ends=True))
    await sent
    assert len(world.tool.entered) == 2
    assert world.of(chat, GrantsChanged)[-1].grants == ()

    sent = world.send(chat)
    await world.deny(await world.question())
    await sent
    assert len(world.tool.entered) == 2


async def test_a_grant_until_the_run_ends_is_gone_when_it_is_stopped() -> None:
    world = World([calls(2), call("count", n=3)])
    world.tool.hold = asyncio.Event()
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)
    await allow(world, await world.question(), Limits(until_run_ends=True), "bypass_session")
    await until(lambda: len(world.tool.entered) == 2, "both calls")
    assert chat.grants.bypass
    await world.desk.stop(chat.session_id)
    await sent

    assert not chat.grants.bypass
    assert world.of(chat, GrantsChanged)[-1].bypass_session is False
    sent = world.send(chat)
    await world.deny(await world.question())
    await sent


async def test_an_end_goes_with_nothing_but_what_is_allowed_for_the_chat() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    for kind in (OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.BYPASS_AGENT, OptionKind.ALLOW_ALWAYS):
        option = next((one for one in question.card.options if one.kind is kind), None)
        if option is None:
            continue
        with pytest.raises(InvalidRequest) as fault:
            await allow(world, question, Limits(uses=1), option.option_id)
        assert fault.value.path == "params.limits"
    assert world.broker.waiting() == (question,)
    assert chat.grants.all == ()
    await world.deny(question)
    await sent


async def test_what_a_click_allowed_is_written_down_with_its_end() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    await allow(world, await world.question(), Limits(minutes=15, uses=5))
    await sent
    (entry,) = [entry for entry in world.journal.entries if entry.stage is Stage.GRANTED]
    assert entry.grant == "Allow count for this chat (for 15 minutes, for the next 5 calls)"
    assert entry.subject.caller.session_id == chat.session_id


async def test_a_use_that_was_set_aside_and_not_used_goes_to_a_call_that_waits() -> None:
    world = World([calls(3)])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(3)
    first, second, third = world.broker.waiting()
    asked_again = asyncio.Event()
    looks = 0

    async def look() -> None:
        # The second call is looked at again before it runs, and touches something protected by now.
        nonlocal looks
        looks += 1
        world.tool.paths = PROTECTED if looks == 2 else ()
        if looks > 2:
            await asked_again.wait()

    world.tool.look_hold = look
    await allow(world, first, Limits(uses=1))
    await until(lambda: second not in world.broker.told(), "the second call is settled")
    assert [question.approval_id for question in world.broker.waiting()] == [third.approval_id]
    await until(lambda: third not in world.broker.told(), "the third call's turn")
    asked_again.set()
    (again,) = world.broker.waiting()
    assert again.approval_id not in (second.approval_id, third.approval_id)
    await until(lambda: len(world.tool.entered) == 2, "the first and the third call")
    await world.deny(again)
    await sent
    assert {args["n"] for args in world.tool.entered} == {0, 2}
    assert chat.grants.all == ()
