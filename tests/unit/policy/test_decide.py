"""What beats what: protection, rules and the outside against everything that may be allowed."""

from dataclasses import replace

import pytest

from assent.model.calls import CallFacts
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason, RuleOrigin, Situation
from assent.policy.decide import Rules, decide, effective_category, runs
from assent.policy.rules.rule import Effect, Rule
from tests.support import ladder

CALLS = {
    "read inside": ladder.READ_INSIDE,
    "read outside": ladder.READ_OUTSIDE,
    "secret": ladder.READ_SECRET,
    "write": ladder.WRITE_INSIDE,
    "execute": ladder.EXECUTE,
    "external": ladder.EXTERNAL,
    "internal": ladder.INTERNAL,
}

EVERYTHING = {
    "bypass_agent": True,
    "bypass_session": True,
    "session_grants": frozenset({ladder.KEY}),
    "always_allowed": frozenset({ladder.KEY}),
    "book": ladder.book(ladder.rule(Effect.ALLOW), ladder.rule(Effect.ALLOW, "/etc/**")),
}


def with_rules(*rules: Rule, mode: Mode = Mode.AUTO, **more: object) -> Rules:
    """Everything is allowed, and these rules are there as well."""
    allowed = {**EVERYTHING, "book": ladder.book(ladder.rule(Effect.ALLOW), *rules)}
    return Rules(mode, agent_name="A", **{**allowed, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("call", CALLS)
def test_a_deny_rule_beats_whatever_else_is_said(mode: Mode, call: str) -> None:
    decision = decide(CALLS[call], with_rules(ladder.rule(Effect.ASK), ladder.rule(Effect.DENY), mode=mode))

    assert (decision.outcome, decision.reason) == (Outcome.BLOCK, Reason.DENIED_BY_RULE)
    assert decision.rule == RuleOrigin("*", "user")
    assert "'*'" in decision.text and ladder.KEY in decision.text and "your user settings" in decision.text


@pytest.mark.parametrize("mode", [Mode.ASK, Mode.DEFAULT, Mode.AUTO])
@pytest.mark.parametrize("call", CALLS)
def test_an_ask_rule_beats_every_grant_and_bypass(mode: Mode, call: str) -> None:
    decision = decide(CALLS[call], with_rules(ladder.rule(Effect.ASK), mode=mode))

    assert (decision.outcome, decision.reason) == (Outcome.ASK, Reason.ASK_RULE)
    assert decision.situation is Situation.ASK_RULE
    assert decision.rule == RuleOrigin("*", "user")


@pytest.mark.parametrize("mode", [Mode.ASK, Mode.DEFAULT, Mode.AUTO])
def test_what_wants_to_be_without_its_guard_is_let_run_by_nothing_but_an_answer(mode: Mode) -> None:
    call = replace(ladder.EXECUTE, unguarded=True)

    decision = decide(call, with_rules(mode=mode))

    assert decide(ladder.EXECUTE, with_rules(mode=mode)).outcome is Outcome.RUN
    assert (decision.outcome, decision.reason) == (Outcome.ASK, Reason.NEEDS_APPROVAL)
    assert decision.text.startswith("It wants to run without what keeps protected files from it.")
    assert decide(call, with_rules(ladder.rule(Effect.DENY), mode=mode)).outcome is Outcome.BLOCK
    assert not runs(call, with_rules(mode=mode))


def test_what_is_protected_is_named_before_an_ask_rule() -> None:
    assert decide(ladder.WRITE_PROTECTED, with_rules(ladder.rule(Effect.ASK))).reason is Reason.PROTECTED


def test_an_ask_rule_for_what_lies_outside_leaves_no_lasting_answer_and_both_are_told() -> None:
    """A directory that is opened for the chat would not end the asking."""
    decision = decide(ladder.WRITE_OUTSIDE, with_rules(ladder.rule(Effect.ASK)))

    assert (decision.reason, decision.situation) == (Reason.ASK_RULE, Situation.ASK_RULE)
    assert "'*'" in decision.text and "/etc/hosts lies outside the workspace" in decision.text


def test_a_rule_does_not_lift_what_is_blocked_or_protected() -> None:
    named = ladder.rule(Effect.ALLOW, ".vscode/settings.json")
    assert decide(ladder.WRITE_PROTECTED, with_rules(named)).reason is Reason.PROTECTED
    assert decide(ladder.WRITE_INSIDE, with_rules(mode=Mode.PLAN)).reason is Reason.BLOCKED_IN_PLAN_MODE
    own = with_rules(ladder.rule(Effect.ALLOW, "src/**"), own_places=(f"{ladder.ROOT}/src",))
    assert decide(ladder.WRITE_INSIDE, own).reason is Reason.BLOCKED_BY_PROTECTION


@pytest.mark.parametrize(("agents", "holds"), [(None, True), (("A",), True), (("B",), False), (("B", "A"), True)])
@pytest.mark.parametrize(
    ("effect", "reason"),
    [
        (Effect.DENY, Reason.DENIED_BY_RULE),
        (Effect.ASK, Reason.ASK_RULE),
        (Effect.ALLOW, Reason.ALLOW_RULE),
    ],
)
def test_a_rule_with_agents_holds_for_these(
    effect: Effect, reason: Reason, agents: tuple[str, ...] | None, holds: bool
) -> None:
    rules = Rules(Mode.DEFAULT, agent_name="A", book=ladder.book(ladder.rule(effect, agents=agents)))

    assert (decide(ladder.WRITE_INSIDE, rules).reason is reason) is holds


def test_an_allow_rule_covers_what_is_raised_only_where_it_names_it() -> None:
    def reason(call: CallFacts, pattern: str) -> Reason:
        return decide(call, Rules(Mode.DEFAULT, book=ladder.book(ladder.rule(Effect.ALLOW, pattern)))).reason

    assert reason(ladder.READ_OUTSIDE, "**") is Reason.NEEDS_APPROVAL
    assert reason(ladder.READ_OUTSIDE, "/etc/**") is Reason.ALLOW_RULE
    assert reason(ladder.READ_SECRET, "**") is Reason.NEEDS_APPROVAL
    assert reason(ladder.READ_SECRET, ".env") is Reason.ALLOW_RULE


def test_every_path_of_a_call_must_be_allowed_and_one_that_is_denied_is_enough() -> None:
    both = ladder.facts(ladder.WRITE_INSIDE.category, *(ladder.path(name, ladder.Access.WRITE) for name in ("a", "b")))

    def reason(effect: Effect, *patterns: str) -> Reason:
        rules = ladder.book(*(ladder.rule(effect, pattern) for pattern in patterns))
        return decide(both, Rules(Mode.DEFAULT, book=rules)).reason

    assert reason(Effect.ALLOW, "a") is Reason.NEEDS_APPROVAL
    assert reason(Effect.ALLOW, "a", "b") is Reason.ALLOW_RULE
    assert reason(Effect.DENY, "b") is Reason.DENIED_BY_RULE


@pytest.mark.parametrize("mode", [Mode.ASK, Mode.DEFAULT, Mode.AUTO])
@pytest.mark.parametrize(
    ("call", "reason", "situation"),
    [
        (ladder.WRITE_PROTECTED, Reason.PROTECTED, Situation.PROTECTED),
        (ladder.WRITE_OUTSIDE, Reason.OUTSIDE_WORKSPACE, Situation.OUTSIDE),
    ],
)
def test_protected_and_outside_beat_every_bypass_and_the_loosest_mode(
    mode: Mode, call: CallFacts, reason: Reason, situation: Situation
) -> None:
    decision = decide(call, Rules(mode, **EVERYTHING))  # type: ignore[arg-type]

    assert (decision.outcome, decision.reason, decision.situation) == (Outcome.ASK, reason, situation)


def test_protection_does_not_hinder_reading() -> None:
    decision = decide(ladder.facts(ladder.READ_INSIDE.category, ladder.path(".vscode/tasks.json")), Rules(Mode.DEFAULT))

    assert decision.reason is Reason.READ_AUTO


def test_outside_is_an_ordinary_write_where_the_user_switched_the_confirmation_off() -> None:
    relaxed = Rules(Mode.DEFAULT, confirm_outside_workspace=False, **EVERYTHING)  # type: ignore[arg-type]

    assert decide(ladder.WRITE_OUTSIDE, relaxed).reason is Reason.BYPASS_AGENT


@pytest.mark.parametrize("place", ["/home/me", "/home", "/", ladder.ROOT, "/HOME/me/", "/home/ME"])
def test_deleting_a_root_or_the_home_is_asked_for_whatever_is_switched_off(place: str) -> None:
    use = ladder.path(place, ladder.Access.DELETE)
    rules = Rules(
        Mode.AUTO,
        confirm_outside_workspace=False,
        home="/home/me",
        roots=(ladder.ROOT,),
        **EVERYTHING,  # type: ignore[arg-type]
    )

    assert decide(ladder.facts(ladder.WRITE_INSIDE.category, use), rules).reason is Reason.OUTSIDE_WORKSPACE


def test_deleting_something_else_outside_follows_the_switch() -> None:
    use = ladder.path("/tmp/x", ladder.Access.DELETE)
    rules = Rules(Mode.AUTO, confirm_outside_workspace=False, home="/home/me", roots=(ladder.ROOT,))

    assert decide(ladder.facts(ladder.WRITE_INSIDE.category, use), rules).reason is Reason.MODE_AUTO


@pytest.mark.parametrize(
    "place",
    [
        "/state",
        "/state/consent.json",
        "/STATE/x",
        "/state/deep/er",
        "\\state\\x",
        "/ſtate/x",
        "/st\u200bate/x",
    ],
)
@pytest.mark.parametrize("access", list(ladder.Access))
def test_own_places_are_blocked_in_every_spelling_for_reading_too(place: str, access: ladder.Access) -> None:
    use = ladder.PathUse(place, place, access, inside=True)
    decision = decide(ladder.facts(ladder.READ_INSIDE.category, use), Rules(Mode.AUTO, own_places=("/state",)))

    assert (decision.outcome, decision.reason) == (Outcome.BLOCK, Reason.BLOCKED_BY_PROTECTION)


def test_an_own_place_is_met_in_the_other_unicode_form() -> None:
    decomposed, composed = "/home/jose\u0301/state", "/home/jos\u00e9/state"
    for one, other in ((decomposed, composed), (composed, decomposed)):
        use = ladder.PathUse(f"{one}/x", "x", ladder.Access.WRITE, inside=False)
        decision = decide(ladder.facts(ladder.WRITE_INSIDE.category, use), Rules(Mode.AUTO, own_places=(other,)))
        assert decision.reason is Reason.BLOCKED_BY_PROTECTION


@pytest.mark.parametrize("place", ["/statement/x", "/other/state", "/stat"])
def test_places_that_only_look_like_own_ones_are_not_blocked(place: str) -> None:
    use = ladder.PathUse(place, place, ladder.Access.READ, inside=True)

    assert decide(ladder.facts(ladder.READ_INSIDE.category, use), Rules(Mode.AUTO, own_places=("/state",))).outcome is (
        Outcome.RUN
    )


def test_a_link_that_stands_where_something_protected_does_is_protected_by_its_own_name() -> None:
    use = ladder.PathUse("/w/conf/a.json", "conf/a.json", ladder.Access.WRITE, inside=True, named="/w/.vscode/a.json")

    assert decide(ladder.facts(ladder.WRITE_INSIDE.category, use), Rules(Mode.AUTO)).reason is Reason.PROTECTED


def test_a_link_to_a_secret_is_a_secret_by_either_name() -> None:
    for real, named in (("/w/.env", "/w/plain"), ("/w/plain", "/w/.env")):
        use = ladder.PathUse(real, "plain", ladder.Access.READ, inside=True, named=named)
        assert decide(ladder.facts(ladder.READ_INSIDE.category, use), Rules(Mode.DEFAULT)).outcome is Outcome.ASK


@pytest.mark.parametrize("access", [ladder.Access.WRITE, ladder.Access.DELETE])
@pytest.mark.parametrize("declared", [Category.READ, Category.INTERNAL])
def test_a_call_that_changes_a_file_is_a_write_whatever_its_tool_declares(
    declared: Category, access: ladder.Access
) -> None:
    call = ladder.facts(declared, ladder.path("src/a.py", access))

    assert effective_category(call) is Category.WRITE
    assert decide(call, Rules(Mode.PLAN)).reason is Reason.BLOCKED_IN_PLAN_MODE
    assert decide(call, Rules(Mode.DEFAULT)).reason is Reason.NEEDS_APPROVAL
    assert effective_category(ladder.facts(declared, ladder.path("/etc/hosts"))) is Category.EXTERNAL
    assert effective_category(ladder.facts(Category.EXECUTE, ladder.path("a", access))) is Category.EXECUTE


def test_modes_that_hold_together_each_count_whichever_is_named() -> None:
    def reason(call: CallFacts, mode: Mode, *beside: Mode) -> Reason:
        return decide(call, Rules(mode, beside=frozenset(beside))).reason

    assert reason(ladder.WRITE_INSIDE, Mode.AUTO, Mode.DEFAULT) is Reason.NEEDS_APPROVAL
    assert reason(ladder.WRITE_INSIDE, Mode.AUTO, Mode.PLAN) is Reason.BLOCKED_IN_PLAN_MODE
    assert reason(ladder.READ_INSIDE, Mode.PLAN, Mode.ASK) is Reason.NEEDS_APPROVAL
    assert reason(ladder.READ_INSIDE, Mode.PLAN, Mode.AUTO) is Reason.READ_AUTO
