"""The order of the ladder: a rung that is missing, moved or turned round is noticed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from assent.model.calls import Access, CallFacts, HookAnswer, Hooks, OfGuest
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.answer import Answer, Rung
from assent.policy.decide import LADDER, Rules, decide, runs
from assent.policy.rules.rule import Effect
from tests.support import ladder
from tests.support.ladder import another_ladder, without_rung

ALLOWED = frozenset({ladder.KEY})
AUTO = Rules(Mode.AUTO, own_places=("/state",), agent_name="A", roots=(ladder.ROOT,), home=ladder.HOME)
DEFAULT = replace(AUTO, mode=Mode.DEFAULT)
PLAN = replace(AUTO, mode=Mode.PLAN)
RULED = {effect: ladder.book(ladder.rule(effect)) for effect in Effect}
DENIED = replace(AUTO, book=RULED[Effect.DENY])
ASKED = replace(AUTO, book=RULED[Effect.ASK])
DEVICE = ladder.facts(Category.READ, ladder.path("/dev/sda"))

# Every rung's own case; each is also met by the rung after it, and by later ones, as far as that is possible.
CASES: dict[int, tuple[CallFacts, Rules, Outcome, Reason]] = {
    0: (replace(ladder.READ_INSIDE, arguments_fault="no", known=False), AUTO, Outcome.ERROR, Reason.INVALID_ARGUMENTS),
    1: (replace(ladder.READ_INSIDE, known=False), replace(AUTO, alive=False), Outcome.ERROR, Reason.TOOL_NOT_FOUND),
    2: (ladder.READ_INSIDE, replace(AUTO, alive=False, exhausted_limit="200"), Outcome.ERROR, Reason.CANCELLED),
    3: (DEVICE, replace(AUTO, exhausted_limit="200 calls"), Outcome.ERROR, Reason.LIMIT_REACHED),
    4: (DEVICE, DENIED, Outcome.BLOCK, Reason.BLOCKED_BY_PROTECTION),
    5: (ladder.WRITE_INSIDE, replace(DENIED, mode=Mode.PLAN), Outcome.BLOCK, Reason.DENIED_BY_RULE),
    6: (replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.DENY)), PLAN, Outcome.BLOCK, Reason.BLOCKED_IN_PLAN_MODE),
    7: (replace(ladder.WRITE_PROTECTED, hooks=Hooks(HookAnswer.DENY)), AUTO, Outcome.BLOCK, Reason.DENIED_BY_HOOK),
    8: (ladder.WRITE_PROTECTED, ASKED, Outcome.ASK, Reason.PROTECTED),
    9: (ladder.INTERNAL, ASKED, Outcome.ASK, Reason.ASK_RULE),
    10: (ladder.INTERNAL, replace(DEFAULT, bypass_agent=True), Outcome.RUN, Reason.INTERNAL),
    11: (ladder.READ_INSIDE, replace(DEFAULT, bypass_agent=True), Outcome.RUN, Reason.READ_AUTO),
    12: (
        ladder.WRITE_INSIDE,
        replace(DEFAULT, bypass_agent=True, bypass_session=True),
        Outcome.RUN,
        Reason.BYPASS_AGENT,
    ),
    13: (
        ladder.WRITE_INSIDE,
        replace(DEFAULT, bypass_session=True, book=RULED[Effect.ALLOW]),
        Outcome.RUN,
        Reason.BYPASS_SESSION,
    ),
    14: (
        ladder.WRITE_INSIDE,
        replace(DEFAULT, book=RULED[Effect.ALLOW], always_allowed=ALLOWED),
        Outcome.RUN,
        Reason.ALLOW_RULE,
    ),
    15: (
        ladder.WRITE_INSIDE,
        replace(DEFAULT, always_allowed=ALLOWED, session_grants=ALLOWED),
        Outcome.RUN,
        Reason.ALWAYS_ALLOW,
    ),
    16: (
        replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.ALLOW)),
        replace(DEFAULT, session_grants=ALLOWED),
        Outcome.RUN,
        Reason.SESSION_ALLOW,
    ),
    17: (
        replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.ALLOW), sandbox="bubblewrap"),
        replace(DEFAULT, sandbox_auto=True),
        Outcome.RUN,
        Reason.HOOK_ALLOW,
    ),
    18: (
        replace(ladder.EXECUTE, sandbox="bubblewrap"),
        replace(AUTO, sandbox_auto=True),
        Outcome.RUN,
        Reason.SANDBOXED,
    ),
    19: (ladder.WRITE_INSIDE, AUTO, Outcome.RUN, Reason.MODE_AUTO),
    20: (ladder.WRITE_INSIDE, DEFAULT, Outcome.ASK, Reason.NEEDS_APPROVAL),
}

# Nothing is both internal and read: the order of these two shows in the trace and nowhere else.
NEVER_BOTH = 10

# The same call, each rung's own reason alone: without the rung it must come out better for the agent.
ALONE: dict[int, tuple[CallFacts, Rules]] = {
    0: (replace(ladder.READ_INSIDE, arguments_fault="no"), AUTO),
    1: (replace(ladder.READ_INSIDE, known=False), AUTO),
    2: (ladder.READ_INSIDE, replace(AUTO, alive=False)),
    3: (ladder.READ_INSIDE, replace(AUTO, exhausted_limit="200")),
    4: (DEVICE, AUTO),
    5: (ladder.WRITE_INSIDE, DENIED),
    6: (ladder.WRITE_INSIDE, replace(PLAN, bypass_agent=True)),
    7: (replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.DENY)), AUTO),
    8: (ladder.WRITE_PROTECTED, AUTO),
    9: (ladder.WRITE_OUTSIDE, AUTO),
}


def outcomes() -> list[object]:
    """What comes of every case; a ladder that gives no answer at all is told apart as well."""
    return [_outcome(*case[:2]) for case in CASES.values()]


def _outcome(facts: CallFacts, rules: Rules) -> object:
    try:
        decision = decide(facts, rules)
    except AssertionError:
        return "no answer"
    return decision.outcome, decision.reason


EXPECTED = [case[2:] for case in CASES.values()]


def test_the_rungs_are_those_of_the_model_in_their_order() -> None:
    assert [level for level, _, _ in LADDER] == list(range(21)) == list(CASES)


@pytest.mark.parametrize("level", CASES)
def test_the_rung_answers_its_case(level: int) -> None:
    facts, rules, outcome, reason = CASES[level]

    decision = decide(facts, rules)

    assert (decision.outcome, decision.reason) == (outcome, reason)
    assert decision.trace[-1].level == level
    assert decision.text


@pytest.mark.parametrize("level", CASES)
def test_a_rung_that_is_missing_is_noticed(level: int) -> None:
    with without_rung(level):
        assert outcomes() != EXPECTED


@pytest.mark.parametrize("level", [14, 15, 16, 17, 18])
def test_what_is_not_known_well_enough_is_let_run_by_no_rung_that_goes_by_what_is_known(level: int) -> None:
    facts, rules = CASES[level][:2]
    # The case of a rung is also met by later ones, whose turn it would be: nothing but this rung is to speak.
    alone = replace(DEFAULT, sandbox_auto=rules.sandbox_auto)
    if level in (14, 15, 16):
        name = {14: "book", 15: "always_allowed", 16: "session_grants"}[level]
        alone, facts = replace(alone, **{name: getattr(rules, name)}), replace(facts, hooks=Hooks())
    facts = replace(facts, sandbox=None) if level != 18 else facts
    assert decide(facts, alone).trace[-1].level == level

    unclear = replace(facts, guest=OfGuest(unclear="Nobody knows what it would do."))
    decision = decide(unclear, alone)
    assert decision.outcome is Outcome.ASK
    assert not runs(unclear, alone)
    assert [step.note for step in decision.trace if step.level == level] == ["Nobody knows what it would do."]


@pytest.mark.parametrize("level", [12, 13])
def test_a_bypass_lets_run_what_is_not_known_well_enough(level: int) -> None:
    facts, rules = CASES[level][:2]

    assert decide(replace(facts, guest=OfGuest(unclear="Nobody knows.")), rules).trace[-1].level == level


@pytest.mark.parametrize(
    ("said", "outcome", "reason"),
    [
        (HookAnswer.NONE, Outcome.RUN, Reason.AGREED),
        (HookAnswer.ALLOW, Outcome.RUN, Reason.HOOK_ALLOW),
        (HookAnswer.ASK, Outcome.ASK, Reason.ASK_RULE),
        (HookAnswer.DENY, Outcome.BLOCK, Reason.DENIED_BY_HOOK),
        (HookAnswer.PENDING, Outcome.NEED_HOOKS, Reason.HOOKS_PENDING),
    ],
)
def test_an_earlier_yes_counts_unless_a_hook_says_of_this_very_call_that_it_be_asked_for(
    said: HookAnswer, outcome: Outcome, reason: Reason
) -> None:
    facts = replace(ladder.WRITE_INSIDE, guest=OfGuest(agreed="You agreed to this."), hooks=Hooks(said))

    decision = decide(facts, DEFAULT)

    assert (decision.outcome, decision.reason) == (outcome, reason)
    assert runs(facts, DEFAULT) is (outcome is Outcome.RUN)


@pytest.mark.parametrize("level", ALONE)
def test_without_a_rung_of_the_floor_its_call_would_run_or_be_asked_for(level: int) -> None:
    facts, rules = ALONE[level]
    assert decide(facts, rules).outcome is not Outcome.RUN

    with without_rung(level):
        assert decide(facts, rules).outcome is Outcome.RUN


@pytest.mark.parametrize("level", [level for level in CASES if level < 20])
def test_two_neighbours_that_change_places_are_noticed(level: int) -> None:
    rungs = list(LADDER)
    rungs[level], rungs[level + 1] = rungs[level + 1], rungs[level]

    with another_ladder(tuple(rungs)):
        if level == NEVER_BOTH:
            assert outcomes() == EXPECTED
            assert [step.level for step in decide(ladder.INTERNAL, AUTO).trace][-2:] == [11, 10]
        else:
            assert outcomes() != EXPECTED


@pytest.mark.parametrize("level", CASES)
def test_a_rung_that_is_turned_round_is_noticed(level: int) -> None:
    facts, rules, _, _ = CASES[level]
    rungs = list(LADDER)
    number, name, rung = rungs[level]
    rungs[level] = number, name, _turned_round(rung, facts, rules)

    with another_ladder(tuple(rungs)):
        assert outcomes() != EXPECTED


def _turned_round(rung: Rung, facts: CallFacts, rules: Rules) -> Callable[[CallFacts, Rules], Answer | None]:
    answer = rung(facts, rules)
    assert isinstance(answer, Answer)
    return lambda facts, rules: None if isinstance(rung(facts, rules), Answer) else answer


def test_switched_off_no_tool_runs() -> None:
    decision = decide(ladder.READ_INSIDE, replace(AUTO, enabled=False))

    assert (decision.outcome, decision.reason) == (Outcome.ERROR, Reason.DISABLED)


def test_an_unknown_tool_names_the_nearest_ones() -> None:
    decision = decide(replace(ladder.READ_INSIDE, known=False, nearest_tools=("read_file", "list_files")), AUTO)

    assert decision.reason is Reason.TOOL_NOT_FOUND
    assert "read_file, list_files" in decision.text


@pytest.mark.parametrize(
    "path",
    [
        ladder.path("a\0b", Access.WRITE),
        ladder.path("/dev/sda", Access.WRITE),
        ladder.path("/dev/mem"),
        ladder.PathUse("/w/a", "a", Access.READ, inside=True, named="/w/a\0"),
        ladder.PathUse("/w/a", "a", Access.WRITE, inside=True, named="/state/link"),
        ladder.PathUse("/w/a", "a", Access.READ, inside=True, named="/dev/sda"),
        ladder.PathUse("/w/a", "/proc/1/mem", Access.READ, inside=True, named="/w/a"),
        ladder.path("/", Access.DELETE),
        ladder.PathUse("/opt", "/opt", Access.WRITE, inside=False, is_directory=True),
        ladder.PathUse("/state", "x", Access.WRITE, inside=False, is_directory=True),
    ],
)
def test_the_hard_block_holds_in_the_loosest_mode_with_everything_allowed(path: ladder.PathUse) -> None:
    rules = replace(
        AUTO,
        bypass_agent=True,
        bypass_session=True,
        session_grants=ALLOWED,
        book=RULED[Effect.ALLOW],
        directory_grants=(DirectoryGrant("/state", Access.DELETE), DirectoryGrant("/opt", Access.DELETE)),
        own_places=("/state", "/opt/product"),
        confirm_outside_workspace=False,
    )

    assert decide(ladder.facts(Category.READ, path), rules).reason is Reason.BLOCKED_BY_PROTECTION


def test_reading_the_folder_above_an_own_place_or_writing_a_file_beside_it_is_no_matter() -> None:
    assert decide(ladder.facts(Category.READ, ladder.path("/")), AUTO).outcome is Outcome.RUN
    listing = ladder.PathUse("/", "/", Access.READ, inside=False, is_directory=True)
    assert decide(ladder.facts(Category.READ, listing), AUTO).outcome is Outcome.RUN


@pytest.mark.parametrize("answer", [HookAnswer.NONE, HookAnswer.NOTHING])
def test_hooks_that_say_nothing_change_nothing(answer: HookAnswer) -> None:
    for facts, rules, outcome, reason in (CASES[level] for level in (5, 8, 9, 11, 14, 19, 20)):
        decision = decide(replace(facts, hooks=Hooks(answer, "words")), rules)
        assert (decision.outcome, decision.reason) == (outcome, reason)


def test_hooks_are_needed_where_nothing_earlier_settles_the_call() -> None:
    pending = Hooks(HookAnswer.PENDING)
    for level, (facts, rules, outcome, reason) in CASES.items():
        decision = decide(replace(facts, hooks=pending), rules)
        expected = (outcome, reason) if level < 7 else (Outcome.NEED_HOOKS, Reason.HOOKS_PENDING)
        assert (decision.outcome, decision.reason) == expected


def test_what_a_hook_says_is_told() -> None:
    for answer, reason in [
        (HookAnswer.DENY, Reason.DENIED_BY_HOOK),
        (HookAnswer.ASK, Reason.ASK_RULE),
        (HookAnswer.ALLOW, Reason.HOOK_ALLOW),
    ]:
        decision = decide(replace(ladder.WRITE_INSIDE, hooks=Hooks(answer, "not on Fridays")), DEFAULT)
        assert (decision.reason, "not on Fridays" in decision.text) == (reason, True)
        assert decide(replace(ladder.WRITE_INSIDE, hooks=Hooks(answer)), DEFAULT).text.endswith(".")


def test_a_hook_that_asks_leaves_no_lasting_answer_and_beats_every_bypass() -> None:
    rules = replace(AUTO, bypass_agent=True, bypass_session=True, session_grants=ALLOWED, book=RULED[Effect.ALLOW])

    decision = decide(replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.ASK)), rules)

    assert (decision.outcome, decision.situation, decision.rule) == (Outcome.ASK, Situation.ASK_RULE, None)


def test_a_bypass_that_does_not_count_is_told_of() -> None:
    rules = replace(DEFAULT, bypass_agent=True, bypass_session=True, bypass_available=False)

    notes = {step.level: step.note for step in decide(ladder.WRITE_INSIDE, rules).trace}
    assert "assent.bypassAvailable" in notes[12] and "assent.bypassAvailable" in notes[13]
    for only in ({"bypass_agent": False}, {"bypass_session": False}):
        notes = {step.level: step.note for step in decide(ladder.WRITE_INSIDE, replace(rules, **only)).trace}
        assert sorted((bool(notes[12]), bool(notes[13]))) == [False, True]
    bare = decide(ladder.WRITE_INSIDE, replace(DEFAULT, bypass_available=False))
    assert not any(step.note for step in bare.trace if step.level in (12, 13))


@pytest.mark.parametrize("call", [ladder.READ_OUTSIDE, ladder.READ_SECRET])
def test_asking_for_what_is_raised_is_a_situation_of_its_own(call: CallFacts) -> None:
    assert decide(call, DEFAULT).situation is Situation.RAISED
    assert decide(ladder.READ_INSIDE, replace(AUTO, mode=Mode.ASK)).situation is Situation.ORDINARY


def test_texts_name_what_a_person_must_know() -> None:
    assert "/etc/hosts lies outside the workspace" in decide(ladder.READ_OUTSIDE, DEFAULT).text
    assert "secrets" in decide(ladder.READ_SECRET, DEFAULT).text
    assert "Auto-accept read-only" in decide(ladder.EXECUTE, DEFAULT).text
    assert ".vscode/settings.json" in decide(ladder.WRITE_PROTECTED, AUTO).text
    assert "200 calls" in decide(ladder.EXECUTE, replace(AUTO, exhausted_limit="200 calls")).text
