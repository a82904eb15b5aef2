"""Every rung does something: its case comes out otherwise when the rung is sawn off."""

from dataclasses import replace

import pytest

from assent.model.calls import Access, CallFacts
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import LADDER, Rules, decide
from assent.policy.rules.rule import Effect
from tests.support import ladder
from tests.support.ladder import without_rung

AUTO = Rules(Mode.AUTO, own_places=("/state",), agent_name="A")
DEFAULT = replace(AUTO, mode=Mode.DEFAULT)
ALLOWED = frozenset({ladder.KEY})
RULED = {effect: ladder.book(ladder.rule(effect, "src/**")) for effect in Effect}

CASES: dict[int, tuple[CallFacts, Rules, Outcome, Reason]] = {
    0: (replace(ladder.READ_INSIDE, arguments_fault="no"), AUTO, Outcome.ERROR, Reason.INVALID_ARGUMENTS),
    1: (replace(ladder.READ_INSIDE, known=False), AUTO, Outcome.ERROR, Reason.TOOL_NOT_FOUND),
    2: (ladder.READ_INSIDE, replace(AUTO, alive=False), Outcome.ERROR, Reason.CANCELLED),
    3: (ladder.READ_INSIDE, replace(AUTO, exhausted_limit="200 calls"), Outcome.ERROR, Reason.LIMIT_REACHED),
    4: (
        ladder.facts(Category.READ, ladder.path("/state/x")),
        AUTO,
        Outcome.BLOCK,
        Reason.BLOCKED_BY_PROTECTION,
    ),
    5: (ladder.WRITE_INSIDE, replace(AUTO, book=RULED[Effect.DENY]), Outcome.BLOCK, Reason.DENIED_BY_RULE),
    6: (ladder.WRITE_INSIDE, replace(AUTO, mode=Mode.PLAN), Outcome.BLOCK, Reason.BLOCKED_IN_PLAN_MODE),
    8: (ladder.WRITE_PROTECTED, AUTO, Outcome.ASK, Reason.PROTECTED),
    9: (ladder.WRITE_OUTSIDE, AUTO, Outcome.ASK, Reason.OUTSIDE_WORKSPACE),
    10: (ladder.INTERNAL, AUTO, Outcome.RUN, Reason.INTERNAL),
    11: (ladder.READ_INSIDE, DEFAULT, Outcome.RUN, Reason.READ_AUTO),
    12: (ladder.WRITE_INSIDE, replace(DEFAULT, bypass_agent=True), Outcome.RUN, Reason.BYPASS_AGENT),
    13: (ladder.WRITE_INSIDE, replace(DEFAULT, bypass_session=True), Outcome.RUN, Reason.BYPASS_SESSION),
    14: (ladder.WRITE_INSIDE, replace(DEFAULT, book=RULED[Effect.ALLOW]), Outcome.RUN, Reason.ALLOW_RULE),
    15: (ladder.WRITE_INSIDE, replace(DEFAULT, always_allowed=ALLOWED), Outcome.RUN, Reason.ALWAYS_ALLOW),
    16: (ladder.WRITE_INSIDE, replace(DEFAULT, session_grants=ALLOWED), Outcome.RUN, Reason.SESSION_ALLOW),
    19: (ladder.WRITE_INSIDE, AUTO, Outcome.RUN, Reason.MODE_AUTO),
    20: (ladder.WRITE_INSIDE, DEFAULT, Outcome.ASK, Reason.NEEDS_APPROVAL),
}


def test_every_rung_has_a_case() -> None:
    assert set(CASES) == {level for level, _, _ in LADDER}


def test_levels_rise() -> None:
    levels = [level for level, _, _ in LADDER]
    assert levels == sorted(set(levels))


@pytest.mark.parametrize("level", CASES)
def test_the_rung_answers_its_case(level: int) -> None:
    facts, rules, outcome, reason = CASES[level]

    decision = decide(facts, rules)

    assert (decision.outcome, decision.reason) == (outcome, reason)
    assert decision.trace[-1].level == level
    assert decision.text


@pytest.mark.parametrize("level", CASES)
def test_without_the_rung_its_case_comes_out_otherwise(level: int) -> None:
    facts, rules, outcome, reason = CASES[level]

    with without_rung(level):
        if level == 20:
            with pytest.raises(AssertionError):
                decide(facts, rules)
            return
        decision = decide(facts, rules)

    assert (decision.outcome, decision.reason) != (outcome, reason)


# All but 10, 11 and 20: there a later rung gives the same outcome, for another reason.
@pytest.mark.parametrize("level", [0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 14, 15, 16, 19])
def test_without_the_rung_the_outcome_changes(level: int) -> None:
    facts, rules, outcome, _ = CASES[level]

    with without_rung(level):
        assert decide(facts, rules).outcome is not outcome


def test_the_ninth_rung_asks_for_rules_as_well_as_for_the_outside() -> None:
    ruled = replace(AUTO, book=RULED[Effect.ASK])

    decision = decide(ladder.WRITE_INSIDE, ruled)
    assert (decision.outcome, decision.reason, decision.trace[-1].level) == (Outcome.ASK, Reason.ASK_RULE, 9)
    with without_rung(9):
        assert decide(ladder.WRITE_INSIDE, ruled).outcome is Outcome.RUN


def test_switched_off_no_tool_runs() -> None:
    decision = decide(ladder.READ_INSIDE, replace(AUTO, enabled=False))

    assert (decision.outcome, decision.reason) == (Outcome.ERROR, Reason.DISABLED)


def test_an_unknown_tool_names_the_nearest_ones_and_hears_nothing_of_its_arguments() -> None:
    facts = replace(ladder.READ_INSIDE, known=False, arguments_fault="no", nearest_tools=("read_file", "list_files"))

    decision = decide(facts, AUTO)

    assert decision.reason is Reason.TOOL_NOT_FOUND
    assert "read_file, list_files" in decision.text


@pytest.mark.parametrize(
    "path",
    [
        ladder.path("a\0b", Access.WRITE),
        ladder.path("/dev/sda", Access.WRITE),
        ladder.path("/dev/mem"),
        ladder.PathUse("/w/a", "a", Access.READ, inside=True, named="/w/a\0"),
    ],
)
def test_the_hard_block_holds_in_the_loosest_mode_with_every_bypass(path: ladder.PathUse) -> None:
    rules = replace(AUTO, bypass_agent=True, bypass_session=True, session_grants=ALLOWED)

    assert decide(ladder.facts(Category.READ, path), rules).reason is Reason.BLOCKED_BY_PROTECTION


def test_texts_name_what_a_person_must_know() -> None:
    assert "/etc/hosts lies outside the workspace" in decide(ladder.READ_OUTSIDE, DEFAULT).text
    assert "secrets" in decide(ladder.READ_SECRET, DEFAULT).text
    assert "Auto-accept read-only" in decide(ladder.EXECUTE, DEFAULT).text
    assert ".vscode/settings.json" in decide(ladder.WRITE_PROTECTED, AUTO).text
    assert "200 calls" in decide(ladder.EXECUTE, replace(AUTO, exhausted_limit="200 calls")).text
