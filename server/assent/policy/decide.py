"""The one decision. `decide` climbs the ladder; the first rung that matches answers.

Each rung is a small function from the facts of a call and the rules in force to an answer or None. Their order is the
policy: protection before grants, grants before the mode.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from assent.model.calls import CallFacts, HookAnswer
from assent.model.verdict import Decision, Outcome, Reason, RuleOrigin, Step
from assent.policy import floor, permissions
from assent.policy.answer import Answer, Passed, Rung
from assent.policy.reach import effective_category, is_raised, reaches_near
from assent.policy.rules.rule import WEB_TOOL, WHOLE_TOOL
from assent.policy.rules_in_force import Rules

__all__ = ["LADDER", "Rules", "decide", "effective_category", "is_named", "is_raised"]


def decide(facts: CallFacts, rules: Rules) -> Decision:
    """Whether this call runs, is asked for, is blocked or makes no sense, with the way to that answer."""
    trace: list[Step] = []
    changed = "".join(f"{told} " for told in (facts.hooks.changed, facts.hooks.overlooked) if told)
    for level, name, rung in LADDER:
        if facts.guest.unclear and level in _OF_WHAT_IS_KNOWN:
            trace.append(Step(level, name, False, facts.guest.unclear))
            continue
        match rung(facts, rules):
            case Answer() as answer if too_wide := _too_wide(answer, facts):
                trace.append(Step(level, name, False, too_wide))
            case Answer() as answer:
                # What hooks made of the arguments, and which of them failed, belongs to whatever is said of the call.
                text = changed + answer.text
                trace.append(Step(level, name, True, text))
                if answer.outcome is Outcome.ASK and _is_agreed(facts):
                    return Decision(Outcome.RUN, Reason.AGREED, changed + facts.guest.agreed, tuple(trace))
                return Decision(
                    answer.outcome, answer.reason, text, tuple(trace), answer.situation, answer.rule, answer.held
                )
            case Passed(note):
                trace.append(Step(level, name, False, note))
            case None:
                trace.append(_silent(level, name))
    raise AssertionError("the last rung of the ladder always answers")


def runs(facts: CallFacts, rules: Rules) -> bool:
    """Whether `decide` lets it run. What it would say of a call that does not run is not put into words."""
    return lets_run(first_answer(facts, rules, _ALL_BUT_ASK), facts)


def first_answer(facts: CallFacts, rules: Rules, rungs: Sequence[tuple[int, str, Rung]]) -> Answer | None:
    """What the first of these rungs says that has an answer."""
    for level, _, rung in rungs:
        if facts.guest.unclear and level in _OF_WHAT_IS_KNOWN:
            continue
        said = rung(facts, rules)
        if isinstance(said, Answer) and not _too_wide(said, facts):
            return said
    return None


def lets_run(answer: Answer | None, facts: CallFacts) -> bool:
    """Whether the call runs by this answer; None is to ask."""
    if answer is not None and answer.outcome is not Outcome.ASK:
        return answer.outcome is Outcome.RUN
    return _is_agreed(facts)


def _is_agreed(facts: CallFacts) -> bool:
    """Whatever it is asked for: the user was asked, and said yes to exactly this. What a hook says of this very call
    was not known then."""
    return bool(facts.guest.agreed) and facts.hooks.answer is not HookAnswer.ASK


_NEAR = "This is on this machine or in a network around it: only what names it lets it run without a question."
_UNGUARDED = "It wants to change what is protected, too: nothing lets that run without a question."


def _too_wide(answer: Answer, facts: CallFacts) -> str:
    """Why it does not let the call run; empty where it does. A page near this machine that nothing names is refused by
    the tool, and what is protected is changed by no command that nobody looked at."""
    if answer.outcome is not Outcome.RUN:
        return ""
    if facts.unguarded:
        return _UNGUARDED
    visits = WEB_TOOL in (facts.tool, *facts.also) and reaches_near(facts)
    return _NEAR if visits and not is_named(answer.reason, answer.rule, facts) else ""


def is_named(reason: Reason, rule: RuleOrigin | None, facts: CallFacts) -> bool:
    """Whether what lets a call run names what it is about: a rule that is not for the whole tool, or such a grant."""
    by_rule = rule is not None and rule.pattern != WHOLE_TOOL
    return by_rule or (reason is Reason.SESSION_ALLOW and facts.grant_key != facts.tool)


def _with_steps(rung: Rung) -> Rung:
    """The same rung, which also speaks for a call that would make others, where it speaks of one of those."""

    def of_all(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
        said = rung(facts, rules)
        if said is not None or not facts.steps:
            return said
        for number, step in enumerate(facts.steps, start=1):
            answer = of_all(step, rules)
            if isinstance(answer, Answer):
                return replace(answer, text=f"Step {number} ({step.tool}): {answer.text}")
        return None

    return of_all


@cache
def _silent(level: int, name: str) -> Step:
    """The step of a rung that has nothing to say, as most have to most calls."""
    return Step(level, name, False)


_OF_WHAT_IS_KNOWN = frozenset({11, 14, 15, 16, 17, 18})
"""Rungs that let run what is known to be no more than they are about."""
LADDER: tuple[tuple[int, str, Rung], ...] = (
    (0, "arguments fit", _with_steps(floor.arguments)),
    (1, "tool exists", _with_steps(floor.known)),
    (2, "run goes on", floor.alive),
    (3, "limits", floor.limits),
    (4, "hard block", _with_steps(floor.hard_block)),
    (5, "deny rule", _with_steps(floor.deny_rule)),
    (6, "plan mode", _with_steps(floor.plan)),
    (7, "hooks", floor.hooks),
    (8, "protected path", _with_steps(floor.protected)),
    (9, "ask rule, or outside the workspace", _with_steps(floor.always_asked)),
    (10, "internal", permissions.internal),
    (11, "reading", permissions.reading),
    (12, "bypass for the agent", permissions.bypass_agent),
    (13, "bypass for this chat", permissions.bypass_session),
    (14, "allow rule", permissions.allow_rule),
    (15, "always allowed", permissions.always_allowed),
    (16, "allowed for this chat", permissions.session_grant),
    (17, "hook", permissions.hook_mark),
    (18, "sandbox", permissions.sandbox),
    (19, "mode", permissions.mode),
    (20, "ask", permissions.ask),
)
"""The rungs with their numbers."""
FLOOR = tuple(rung for rung in LADDER if rung[0] < 10)
"""Those that stand before all that can be granted."""


def is_past_floor(decision: Decision) -> bool:
    """Whether none of those had an answer."""
    return bool(decision.trace) and decision.trace[-1].level > FLOOR[-1][0]


def is_left_to_ask(decision: Decision) -> bool:
    """Whether no rung before the question had an answer."""
    return bool(decision.trace) and decision.trace[-1].level == LADDER[-1][0]


_ALL_BUT_ASK = LADDER[:-1]
