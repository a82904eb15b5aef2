"""What a card says of equal answers that were given before: it offers, and neither widens nor answers anything."""

from dataclasses import replace

import pytest

from assent.agent.said_before import Prompt, SaidBefore
from assent.model.approval import Option, OptionKind, Repeated, Risk, RiskLevel
from assent.model.grants import AgentBypass, Grant, KeyGrant, RuleGrant, ToolGrant
from assent.model.verdict import Situation

YES, NO = OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE


def option(kind: OptionKind, grant: Grant | None = None, *, disabled: str = "") -> Option:
    return Option(str(kind), kind, str(kind), grant=grant, disabled=disabled)


NARROW = option(OptionKind.ALLOW_ALWAYS, RuleGrant("bash", "npm test"))
USUAL = (option(YES), option(NO), NARROW, option(OptionKind.ALLOW_ALWAYS, ToolGrant("bash")))
ASKED = Prompt("a", "bash", "d", USUAL, Situation.ORDINARY, None)


def after(*answers: OptionKind, to: Prompt = ASKED) -> SaidBefore:
    said = SaidBefore()
    for answer in answers:
        said.said(to, answer)
    return said


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ((), None),
        ((YES, YES), None),
        ((YES, YES, YES), Repeated(YES, 3)),
        ((YES, YES, YES, YES), Repeated(YES, 4)),
        ((NO, NO), None),
        ((NO, NO, NO), Repeated(NO, 3)),
        ((NO, NO, OptionKind.REJECT_ALWAYS), Repeated(NO, 3)),
        ((YES, YES, YES, NO), None),
        ((NO, NO, NO, YES), None),
        ((YES, YES, OptionKind.ALLOW_SESSION), None),
        ((YES, YES, OptionKind.BACKGROUND), None),
    ],
)
def test_the_third_equal_answer_is_told_of_and_another_one_takes_it_back(
    answers: tuple[OptionKind, ...], told: Repeated | None
) -> None:
    assert after(*answers).repeated(ASKED) == told


@pytest.mark.parametrize(
    "prompt",
    [
        *(replace(ASKED, situation=one) for one in Situation if one is not Situation.ORDINARY),
        replace(ASKED, risk=Risk(RiskLevel.MEDIUM)),
        replace(ASKED, risk=Risk(RiskLevel.HIGH, ("It deletes.",))),
        replace(ASKED, interrupted=True),
        replace(ASKED, options=USUAL[:2]),
        replace(ASKED, options=(replace(NARROW, disabled="Not now."),)),
        replace(ASKED, options=(option(OptionKind.ALLOW_ALWAYS, ToolGrant("bash")),)),
        replace(ASKED, options=(option(OptionKind.ALLOW_ALWAYS, RuleGrant("bash", "*")),)),
        replace(ASKED, options=(option(OptionKind.ALLOW_SESSION, KeyGrant("bash")),)),
        replace(ASKED, options=(option(OptionKind.BYPASS_AGENT, AgentBypass("a")),)),
    ],
)
def test_no_rule_is_offered_for_what_is_no_small_thing(prompt: Prompt) -> None:
    assert after(YES, YES, YES, to=prompt).repeated(prompt) is None
    assert after(YES, YES, YES).repeated(prompt) is None
    # That it was denied can be said of everything.
    assert after(NO, NO, NO, to=prompt).repeated(prompt) == Repeated(NO, 3)


def test_a_low_risk_is_a_small_thing() -> None:
    low = replace(ASKED, risk=Risk(RiskLevel.LOW, ("It writes a file.",)))
    assert after(YES, YES, YES, to=low).repeated(low) == Repeated(YES, 3)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, agent_id="b"),
        replace(ASKED, options=(option(OptionKind.ALLOW_ALWAYS, RuleGrant("bash", "npm start")),)),
        replace(ASKED, options=(option(OptionKind.ALLOW_ALWAYS, RuleGrant("zsh", "npm test")),)),
    ],
)
def test_yes_to_something_else_counts_for_itself(other: Prompt) -> None:
    assert after(YES, YES, YES).repeated(other) is None


@pytest.mark.parametrize("other", [replace(ASKED, doing="e"), replace(ASKED, tool="zsh"), replace(ASKED, agent_id="b")])
def test_no_counts_for_the_very_same_call_alone(other: Prompt) -> None:
    assert after(NO, NO, NO).repeated(other) is None
