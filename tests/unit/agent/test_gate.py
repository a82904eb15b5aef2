"""The gate with real tools that count: what runs is what was shown and allowed, once; everything else never."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from assent.agent import gate as gate_module
from assent.agent.permit import Permit
from assent.agent.run import Limits
from assent.model.approval import Answer, OptionKind, ResolvedBy, Status
from assent.model.calls import Access, Caller, CallFacts, PathUse, ToolCall
from assent.model.errors import ApprovalAlreadyResolved, DigestMismatch, ToolFault
from assent.model.events import Phase, ToolProgress
from assent.model.grants import DirectoryGrant
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Subject
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.world import CountingTool, World, call, raw_call, settled, until

ONLY_THIS_ONE = {OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.REJECT_ALWAYS}
PROTECTED = (PathUse("/w/.vscode/x", ".vscode/x", Access.WRITE, inside=True),)
OUTSIDE = (PathUse("/etc/x", "/etc/x", Access.WRITE, inside=False),)


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


async def test_nobody_to_ask_is_said_and_nothing_runs() -> None:
    world = World([call("count", n=1)])
    world.client.deaf = True
    chat = world.chat()
    await world.send(chat)

    assert refusal(world, chat)["error"] == "unattended"
    assert world.client.questions == []
    assert world.tool.entered == []


async def test_a_client_that_turns_out_to_be_deaf_ends_the_wait() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    world.client.deaf = True
    world.broker.end(question.approval_id, Status.REJECTED, ResolvedBy.POLICY, "Nobody can be asked.")
    await sent

    assert refusal(world, chat)["error"] == "unattended"
    assert world.tool.entered == []


async def test_an_attended_client_is_asked_while_a_deaf_one_watches() -> None:
    world = World([call("count", n=1)])
    deaf = type(world.client)(deaf=True)
    world.hub.attach(deaf)
    chat = world.chat()
    sent = world.send(chat)

    await world.allow(await world.question())
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


NEVER = ToolFault("is_a_directory", "docs is a directory.")


async def test_nobody_is_asked_for_what_can_never_work() -> None:
    world = World([call("count", n=1)])
    world.tool.impossible = NEVER
    chat = world.chat()
    await world.send(chat)

    assert world.client.questions == []
    assert refusal(world, chat)["error"] == "is_a_directory"


async def test_a_rule_comes_before_the_word_that_it_can_never_work() -> None:
    world = World([call("count", n=1)])
    world.tool.impossible = NEVER
    world.rules = replace(world.rules, book=RuleBook([Rule(Effect.DENY, "count", "*")]))
    chat = world.chat()
    await world.send(chat)

    assert refusal(world, chat)["error"] == "denied_by_rule"


async def test_of_what_lies_outside_nothing_is_told_before_someone_agrees() -> None:
    world = World([call("look")])
    world.reader.paths = (PathUse("/etc/x", "/etc/x", Access.READ, inside=False),)
    world.reader.impossible = NEVER
    chat = world.chat()
    sent = world.send(chat)

    await world.deny(await world.question())
    await sent
    assert refusal(world, chat)["error"] == "permission_denied"


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
