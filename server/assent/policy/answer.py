"""What a rung of the ladder says: an answer, or why it passes the call on."""

from collections.abc import Callable
from dataclasses import dataclass

from assent.model.calls import CallFacts
from assent.model.verdict import Outcome, Reason, RuleOrigin, Situation
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules_in_force import Rules


@dataclass(frozen=True, slots=True)
class Answer:
    """The rung decides."""

    outcome: Outcome
    reason: Reason
    text: str
    situation: Situation = Situation.ORDINARY
    rule: RuleOrigin | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """The rung does not decide, for a reason that a person may look for."""

    note: str


Rung = Callable[[CallFacts, Rules], Answer | Passed | None]


def found_rule(effect: Effect, facts: CallFacts, rules: Rules) -> tuple[str, RuleOrigin] | None:
    """The first rule of this effect that speaks of the call: how a sentence names it, and where it stands."""
    rule = rules.book.first(effect, facts, rules.agent_name)
    if rule is not None:
        return rule.named, origin_of(rule)
    rule = rules.chat_book.first(effect, facts, rules.agent_name)
    if rule is not None:
        return named_here(rule), origin_of(rule)
    return None


def named_here(rule: Rule) -> str:
    """How a sentence begins that is about a rule which was clicked in this chat."""
    return f"The {rule.effect} rule {rule.pattern!r} for {rule.tool} that you clicked in this chat"


def origin_of(rule: Rule) -> RuleOrigin:
    return RuleOrigin(rule.pattern, rule.scope, rule.file, rule.line)
