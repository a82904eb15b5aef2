"""The gate with real tools that count: what runs is what was shown and allowed, once; everything else never."""

import json
from typing import Any

import pytest

from assent.agent.permit import Permit
from assent.agent.run import Limits
from assent.model.approval import OptionKind, ResolvedBy, Status
from assent.model.calls import Access, Caller, CallFacts, PathUse, ToolCall
from assent.model.errors import ApprovalAlreadyResolved
from assent.model.events import Phase, ToolProgress
from assent.model.grants import DirectoryGrant
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Subject
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide
from tests.support.world import CountingTool, World, call, raw_call, until


def refusal(world: World, chat: Any) -> dict[str, str]:
    """The one refusal that the model was given."""
    (outcome,) = world.outcomes(chat)
    assert outcome.is_error
    assert not outcome.ran
    body = json.loads(outcome.content)
    assert body["error"] == outcome.code
    return dict(body)


async def test_allowed_it_runs_once_with_what_was_shown() -> None:
    world = World([call("count", n=7)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    assert question.card.headline == "Count 7 at s0"
    assert world.tool.entered == []

    await world.allow(question)
    await sent

    assert world.tool.entered == [{"n": 7}]
    (outcome,) = world.outcomes(chat)
    assert (outcome.content, outcome.is_error, outcome.ran) == ("counted 7", False, True)


async def test_denied_it_never_runs_and_the_model_is_told_why() -> None:
    world = World([call("count", n=7)])
    chat = world.chat()
    sent = world.send(chat)

    await world.deny(await world.question(), "use 8")
    await sent

    assert world.tool.entered == []
    assert refusal(world, chat) == {
        "error": "permission_denied",
        "message": "The user did not allow this call.",
        "feedback": "use 8",
    }


async def test_a_read_runs_without_a_card() -> None:
    world = World([call("look")])
    chat = world.chat()
    await world.send(chat)

    assert len(world.reader.entered) == 1
    assert world.client.questions == []


@pytest.mark.parametrize(
    ("tool", "text", "code"),
    [
        ("count", '{"n": "seven"}', "invalid_arguments"),
        ("count", '{"n": ', "invalid_arguments"),
        ("count", "[]", "invalid_arguments"),
        ("count", '{"n": NaN}', "invalid_arguments"),
        ("Count", "{}", "tool_not_found"),
        ("count ", "{}", "tool_not_found"),
        ("", "{}", "tool_not_found"),
        ("rm", "not even json", "tool_not_found"),
    ],
)
@pytest.mark.parametrize("mode", [Mode.ASK, Mode.AUTO])
async def test_a_call_that_makes_no_sense_shows_no_card_and_does_not_run(
    tool: str, text: str, code: str, mode: Mode
) -> None:
    world = World([raw_call(tool, text)])
    chat = world.chat(mode)
    await world.send(chat)

    assert refusal(world, chat)["error"] == code
    assert world.client.questions == []
    assert world.tool.entered == []
    assert world.tool.looks == 0


async def test_the_nearest_name_is_told_and_not_run() -> None:
    world = World([raw_call("COUNT", "{}")])
    chat = world.chat(Mode.AUTO)
    await world.send(chat)

    assert "count" in refusal(world, chat)["message"]
    assert world.tool.entered == []


async def test_allow_once_leaves_nothing_behind() -> None:
    world = World([call("count", n=1), call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    first = await world.question()
    await world.allow(first)
    await until(lambda: len(world.client.questions) == 2, "the second card")

    second = await world.question()
    assert second.approval_id != first.approval_id
    assert len(world.tool.entered) == 1
    with pytest.raises(ApprovalAlreadyResolved):
        await world.allow(first)
    await world.deny(second)
    await sent
    assert len(world.tool.entered) == 1


async def test_a_timeout_is_a_refusal_of_its_own() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    world.broker.end(question.approval_id, Status.TIMEOUT, ResolvedBy.TIMEOUT, "late")
    await sent

    assert refusal(world, chat)["error"] == "approval_timeout"
    with pytest.raises(ApprovalAlreadyResolved):
        await world.allow(question)
    assert world.tool.entered == []


async def test_a_tool_that_cannot_even_look_does_not_run() -> None:
    world = World([call("count", n=1)])
    world.tool.look_fails = OSError("broken")
    chat = world.chat(Mode.AUTO)
    await world.send(chat)

    assert refusal(world, chat)["error"] == "internal_error"
    assert world.tool.entered == []


async def test_the_limit_of_calls_is_named_and_holds() -> None:
    world = World([[*call("look"), *call("look", index=2), *call("look", index=3)]], limits=Limits(tool_calls=2))
    chat = world.chat()
    await world.send(chat)

    codes = [outcome.code for outcome in world.outcomes(chat)]
    assert codes == [None, None, "limit_reached"]
    assert len(world.reader.entered) == 2
    assert "2 tool calls" in world.outcomes(chat)[2].content


async def test_the_phases_of_a_call_are_told_in_order() -> None:
    world = World([call("count", n=1), call("look")])
    chat = world.chat()
    sent = world.send(chat)
    await world.allow(await world.question())
    await sent

    phases: dict[CallId, list[Phase]] = {}
    for progress in world.of(chat, ToolProgress):
        phases.setdefault(progress.call_id, []).append(progress.phase)
    asked, free = phases.values()
    assert asked == [Phase.PRE_TOOL_USE, Phase.AWAITING_APPROVAL, Phase.RUNNING, Phase.POST_TOOL_USE]
    assert free == [Phase.PRE_TOOL_USE, Phase.RUNNING, Phase.POST_TOOL_USE]


async def test_a_permit_is_good_once() -> None:
    tool = CountingTool()
    facts = CallFacts("count", known=True, category=Category.WRITE)
    subject = Subject(
        ToolCall(CallId("c"), "count", {}),
        Caller("Agent", "Agent", SessionId("s"), RunId("r")),
        Category.WRITE,
        Mode.DEFAULT,
    )
    permit = Permit(subject, await tool.prepare({}), facts, "", still=lambda: None)
    permit.take()

    with pytest.raises(RuntimeError):
        permit.take()


async def test_the_category_on_the_card_is_what_the_call_touches() -> None:
    world = World([call("look")])
    world.reader.paths = (PathUse("/etc/x", "/etc/x", Access.READ, inside=False),)
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    assert question.card.category is Category.EXTERNAL
    # A grant for the tool would not cover such a call, so none is offered, but one for the directory.
    assert {option.grant for option in question.card.options if option.kind is OptionKind.ALLOW_SESSION} == {
        DirectoryGrant("/etc", Access.READ)
    }
    assert decide(
        world.gate._waiting[question.approval_id].facts,
        Rules(Mode.DEFAULT, session_grants=frozenset({"look"})),
    ).outcome is (Outcome.ASK)
    await world.deny(question)
    await sent
