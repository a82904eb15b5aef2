"""A call that nobody answers in time: what the model is told, what is written down, and who wins a race."""

import asyncio
import json
from collections import Counter

from assent.model.approval import Answer, OptionKind, ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved
from assent.model.events import DoneReason, ToolFinished
from assent.model.patience import Allowance, TimeoutWhen
from assent.model.records import Ending, Stage
from tests.support.scale import limit
from tests.support.world import World, call, say, settled

FIVE = Allowance(5, TimeoutWhen.ALWAYS)


async def test_the_model_is_told_and_the_run_goes_on() -> None:
    world = World([call("count", n=1), call("count", n=2), say("done")])
    world.timekeeper.allow(FIVE)
    chat = world.chat()
    sent = world.send(chat)
    first = await world.question()
    world.clock.advance(5)
    await settled()
    (second,) = world.broker.waiting()
    await world.allow(second)
    async with asyncio.timeout(limit(30)):
        assert (await sent).end.reason is DoneReason.STOP

    late, ran = world.outcomes(chat)
    assert (late.code, late.is_error, late.ran) == ("approval_timeout", True, False)
    assert json.loads(late.content) == {
        "error": "approval_timeout",
        "message": "Nobody answered in time, so this call did not run.",
    }
    assert ran.content == "counted 2"
    assert [event.code for event in world.of(chat, ToolFinished)] == ["approval_timeout", None]
    assert world.tool.entered == [{"n": 2}]
    assert [entry.ending for entry in world.journal.entries if entry.approval_id == first.approval_id] == [
        None,
        Ending.TIMEOUT,
    ]
    await world.timekeeper.end()


async def test_a_thousand_answers_that_come_with_the_timeout() -> None:
    winners: Counter[ResolvedBy] = Counter()
    for number in range(1_000):
        winners[await _race(number)] += 1
    assert min(winners[ResolvedBy.USER], winners[ResolvedBy.TIMEOUT]) > 50, winners


async def _race(number: int) -> ResolvedBy:
    """Both in one tick, or some rounds of the loop apart: one wins, and everybody says the same of it."""
    world = World([call("count", n=1), say("done")])
    world.timekeeper.allow(FIVE)
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    kind = OptionKind.ALLOW_ONCE if number % 2 else OptionKind.REJECT_ONCE
    answer = world.answers.take(
        question.approval_id, Answer(kind=kind, digest=question.card.digest), question.session_id, None
    )
    ahead = number // 2 % 12 - 6
    if ahead < 0:
        world.clock.advance(5)
    for _ in range(-ahead):
        await asyncio.sleep(0)
    answering = asyncio.ensure_future(answer)
    for _ in range(ahead):
        await asyncio.sleep(0)
    if ahead >= 0:
        world.clock.advance(5)
    (outcome,) = await asyncio.gather(answering, return_exceptions=True)
    await sent

    fate = world.broker.fate(question.approval_id)
    assert fate is not None
    assert [resolution for _, resolution in world.client.endings] == [fate]
    decided = [entry for entry in world.journal.entries if entry.stage is Stage.DECIDED]
    assert decided[-1].ending == fate.status.value
    assert (decided[-1].by, decided[-1].approval_id) == (fate.by, question.approval_id)
    assert len(world.tool.entered) == (fate.status is Status.ALLOWED)
    if fate.by is ResolvedBy.TIMEOUT:
        assert isinstance(outcome, ApprovalAlreadyResolved)
        assert (outcome.status, outcome.resolved_by, outcome.at) == (Status.TIMEOUT, ResolvedBy.TIMEOUT, fate.at)
    else:
        assert not isinstance(outcome, BaseException)
    assert (len(world.timekeeper), world.broker.waiting()) == (0, ())
    await world.timekeeper.end()
    return fate.by
