"""Arguments that the user changes before approving: they go down the ladder again, and the model is told."""

from dataclasses import replace
from typing import Any

import pytest

from assent.app.answers import Accepted
from assent.model.approval import Answer, OptionKind, Question, Risk, RiskLevel
from assent.model.calls import Access, PathUse
from assent.model.errors import DigestMismatch, InvalidRequest, ToolFault
from assent.model.events import Phase, ToolProgress
from assent.model.json import JsonObject
from assent.model.records import Stage
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.world import World, call

PROTECTED = (PathUse("/w/.vscode/x", ".vscode/x", Access.WRITE, inside=True),)


async def change(world: World, question: Question, args: JsonObject, **more: Any) -> Accepted:
    answer = Answer(kind=OptionKind.ALLOW_ONCE, digest=question.card.digest, edited=args, **more)
    return await world.answers.take(question.approval_id, answer, question.session_id, None)


async def asked(world: World) -> tuple[Any, Any, Question]:
    chat = world.chat()
    sent = world.send(chat)
    return chat, sent, await world.question()


async def test_what_was_changed_runs_and_the_model_is_told() -> None:
    world = World([call("count", n=7)])
    chat, sent, question = await asked(world)

    await change(world, question, {"n": 8})
    await sent

    assert world.tool.entered == [{"n": 8}]
    (outcome,) = world.outcomes(chat)
    assert "The user changed the arguments" in outcome.content
    assert '"n": 8' in outcome.content
    decided = next(entry for entry in world.journal.entries if entry.stage is Stage.DECIDED)
    assert decided.edited
    assert decided.subject.call.args == {"n": 8}
    started = next(entry for entry in world.journal.entries if entry.stage is Stage.STARTED)
    assert started.subject.digest == decided.subject.digest != question.card.digest


async def test_arguments_that_do_not_fit_leave_it_waiting() -> None:
    world = World([call("count", n=7)])
    _, sent, question = await asked(world)

    with pytest.raises(InvalidRequest, match="n must be a number") as fault:
        await change(world, question, {"n": "x"})

    assert fault.value.path == "params.editedArgs"
    assert world.broker.waiting() == (question,)
    await world.allow(question)
    await sent
    assert world.tool.entered == [{"n": 7}]


async def test_a_change_that_a_rule_denies_does_not_run() -> None:
    world = World([call("count", n=7)])
    _, sent, question = await asked(world)
    world.rules = replace(world.rules, book=RuleBook([Rule(Effect.DENY, "count", "*", "user")]))

    with pytest.raises(InvalidRequest, match="would not run"):
        await change(world, question, {"n": 8})

    assert world.tool.entered == []
    await world.deny(question)
    await sent


async def test_a_change_that_can_never_work_is_said_on_the_card() -> None:
    world = World([call("count", n=7)])
    _, sent, question = await asked(world)

    def look_for_eight() -> None:
        world.tool.impossible = ToolFault("not_found", "there is no eight")

    original = world.tool.prepare

    async def prepare(args: JsonObject) -> Any:
        if args.get("n") == 8:
            look_for_eight()
        return await original(args)

    world.tool.prepare = prepare  # type: ignore[method-assign]
    with pytest.raises(InvalidRequest, match="there is no eight"):
        await change(world, question, {"n": 8})
    await world.deny(question)
    await sent


async def test_a_change_that_touches_something_protected_is_shown_before_it_runs() -> None:
    world = World([call("count", n=7)])
    _, sent, question = await asked(world)
    original = world.tool.prepare

    async def prepare(args: JsonObject) -> Any:
        prepared = await original(args)
        return replace(prepared, paths=PROTECTED) if args.get("n") == 8 else prepared

    world.tool.prepare = prepare  # type: ignore[method-assign]
    with pytest.raises(DigestMismatch):
        await change(world, question, {"n": 8})
    assert world.tool.entered == []

    (shown,) = world.broker.waiting()
    assert shown.approval_id == question.approval_id
    assert shown.card.call.args == {"n": 8}
    assert shown.card.reason.value == "protected"
    with pytest.raises(DigestMismatch):
        await world.allow(question)
    await world.allow(shown)
    await sent
    assert world.tool.entered == [{"n": 8}]


@pytest.mark.parametrize("kind", [OptionKind.ALLOW_SESSION, OptionKind.BYPASS_AGENT, OptionKind.REJECT_ONCE])
async def test_a_change_goes_with_approving_this_call_only(kind: OptionKind) -> None:
    world = World([call("count", n=7)])
    chat, sent, question = await asked(world)

    answer = Answer(kind=kind, digest=question.card.digest, edited={"n": 8})
    with pytest.raises(InvalidRequest):
        await world.answers.take(question.approval_id, answer, question.session_id, None)

    assert world.broker.waiting() == (question,)
    assert chat.grants.all == ()
    await world.deny(question)
    await sent


async def test_the_row_says_that_it_was_changed_and_what_runs() -> None:
    world = World([call("count", n=7)])
    chat, sent, question = await asked(world)

    await change(world, question, {"n": 8})
    await sent

    notes = [event.note for event in world.of(chat, ToolProgress) if event.phase is Phase.RUNNING]
    assert notes == ["You changed this call and chose “Approve”. What runs: Count 8 at s0"]


async def test_a_change_of_which_the_card_would_have_warned_is_shown_first() -> None:
    world = World([call("count", n=7)])
    _, sent, question = await asked(world)
    original = world.tool.prepare

    async def prepare(args: JsonObject) -> Any:
        prepared = await original(args)
        return replace(prepared, risk=Risk(RiskLevel.HIGH, ("deletes all",))) if args.get("n") == 8 else prepared

    world.tool.prepare = prepare  # type: ignore[method-assign]
    with pytest.raises(DigestMismatch):
        await change(world, question, {"n": 8})

    (shown,) = world.broker.waiting()
    assert (shown.card.call.args, shown.card.risk) == ({"n": 8}, Risk(RiskLevel.HIGH, ("deletes all",)))
    await change(world, shown, {"n": 8})
    await sent
    assert world.tool.entered == [{"n": 8}]


async def test_a_mark_in_the_place_of_a_secret_is_warned_of() -> None:
    world = World([call("count", n=7, text="key = [masked: GitHub token]")])
    _, sent, question = await asked(world)

    assert question.card.risk is not None
    assert question.card.risk.level is RiskLevel.HIGH
    assert "[masked: …]" in question.card.risk.notes[0]
    await world.deny(question)
    await sent
