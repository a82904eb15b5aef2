"""A call whose surroundings change under its card: what runs is the state that was shown and answered."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from assent.model.approval import Answer
from assent.model.errors import ApprovalAlreadyResolved, DigestMismatch
from assent.model.events import ToolProgress
from assent.model.modes import Mode
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.world import World, call, settled, until


def refusal(world: World, chat: Any) -> dict[str, str]:
    """The one refusal that the model was given."""
    (outcome,) = world.outcomes(chat)
    assert outcome.is_error
    assert not outcome.ran
    body = json.loads(outcome.content)
    assert body["error"] == outcome.code
    return dict(body)


async def test_a_state_that_changed_is_shown_again_before_it_can_be_allowed() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    first = await world.question()
    world.tool.state = "s1"

    with pytest.raises(DigestMismatch):
        await world.allow(first)
    await settled()
    assert world.tool.entered == []
    shown = await world.question()
    assert shown.card.headline == "Count 1 at s1"
    await world.allow(shown)
    await sent

    assert world.tool.entered_states == ["s1"]


async def test_a_state_that_changed_back_runs_as_it_was_shown() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    first = await world.question()
    for state in ("s1", "s0"):
        world.tool.state = state
        with pytest.raises(DigestMismatch):
            await world.allow(world.broker.waiting()[0])

    assert world.broker.waiting()[0].card.digest == first.card.digest
    await world.allow(world.broker.waiting()[0])
    await sent

    assert world.tool.entered_states == ["s0"]


async def test_answers_during_slow_looks_run_only_the_state_whose_card_was_answered() -> None:
    """One answer looks while the state changes; a second one waits for its turn and finds what the first one left."""
    for seen in ("s0", "s1"):
        world = World([call("count", n=1)])
        chat = world.chat()
        sent = world.send(chat)
        question = await world.question()
        looks: list[asyncio.Event] = []

        async def slowly(looks: list[asyncio.Event] = looks) -> None:
            looks.append(asyncio.Event())
            await looks[-1].wait()

        world.tool.look_hold = slowly
        world.tool.state = seen
        answers = [asyncio.ensure_future(world.allow(question)) for _ in range(2)]
        await until(lambda looks=looks: len(looks) == 1, "the look")
        world.tool.state = "s1"
        looks[0].set()
        results = await asyncio.gather(*answers, return_exceptions=True)

        if seen == "s0":
            # The look still saw what the card showed: that state was allowed, and that state runs.
            await sent
            assert world.tool.entered_states == ["s0"]
            assert isinstance(results[1], ApprovalAlreadyResolved)
        else:
            # The new state was shown: nothing was agreed to, by neither of the two.
            assert all(isinstance(result, DigestMismatch) for result in results)
            assert world.tool.entered_states == []
            world.tool.look_hold = None
            await world.allow(world.broker.waiting()[0])
            await sent
            assert world.tool.entered_states == ["s1"]


async def test_an_answer_does_not_outlast_a_rule_that_forbids_the_call_meanwhile() -> None:
    """Settings are read when the answer comes, also where nobody was told that they changed."""
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    world.rules = replace(world.rules, enabled=False)

    await world.allow(question)
    await sent

    assert world.tool.entered == []
    assert refusal(world, chat)["error"] == "disabled"


@pytest.mark.parametrize("digest", [None, "other", ""])
async def test_after_a_refresh_only_the_right_digest_counts(digest: str | None) -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    world.tool.state = "s1"
    with pytest.raises(DigestMismatch):
        await world.allow(question)

    with pytest.raises(DigestMismatch):
        await world.answers.take(question.approval_id, Answer(option_id="approve", digest=digest), None, None)
    assert world.tool.entered == []
    await world.desk.stop(chat.session_id)
    await sent


async def test_a_rule_that_forbids_a_call_that_already_runs_is_told_and_does_not_end_it() -> None:
    world = World([call("count", n=1), call("count", n=2)])
    world.tool.hold = asyncio.Event()
    chat = world.chat(Mode.AUTO)
    sent = world.send(chat)
    await until(lambda: world.tool.entered, "the call runs")
    before = len(world.of(chat, ToolProgress))

    world.rules = replace(world.rules, book=RuleBook([Rule(Effect.DENY, "count", "*")]))
    world.gate.reconsider()
    world.gate.reconsider()
    notes = [event.note for event in world.of(chat, ToolProgress)[before:]]
    world.tool.hold.set()
    await sent

    assert len(notes) == 1
    assert "goes on" in str(notes[0])
    first, second = world.outcomes(chat)
    assert (first.content, first.is_error) == ("counted 1", False)
    assert (second.code, second.ran) == ("denied_by_rule", False)
