"""What a rung of the ladder says: an answer, or why it passes the call on."""

from collections.abc import Callable
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts
from assent.model.verdict import Outcome, Reason, RuleOrigin, Situation
from assent.policy.rules.commands.pattern import without_identities
from assent.policy.rules.rule import CHAT, SHELL_TOOL, WEB_TOOL, WHOLE_TOOL, Effect, Rule
from assent.policy.rules_in_force import Rules


@dataclass(frozen=True, slots=True)
class Answer:
    """The rung decides."""

    outcome: Outcome
    reason: Reason
    text: str
    situation: Situation = Situation.ORDINARY
    rule: RuleOrigin | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """The rung does not decide, for a reason that a person may look for."""

    note: str


Rung = Callable[[CallFacts, Rules], Answer | Passed | None]


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that speaks of the call."""

    named: str
    """How a sentence about it begins."""
    origin: RuleOrigin
    note: str = ""
    """What must be said beside, with a blank in front: why it counts where its pattern does not tell."""


def found_rule(effect: Effect, facts: CallFacts, rules: Rules) -> FoundRule | None:
    """The first rule of this effect that speaks of the call."""
    rule = rules.book.first(effect, facts, rules.agent_name)
    if rule is not None:
        return FoundRule(named(rule), origin_of(rule), _note(rule, facts))
    rule = rules.chat_book.first(effect, facts, rules.agent_name)
    return FoundRule(named(rule), origin_of(rule), _note(rule, facts)) if rule is not None else None


def _note(rule: Rule, facts: CallFacts) -> str:
    """Of an unclear address, whatever restricts any counts: nobody would see why."""
    if rule.tool != WEB_TOOL or rule.pattern == WHOLE_TOOL or not rule.effect.restricts:
        return ""
    doubt = next((one.doubt for one in facts.addresses.named if one.doubt), "")
    return f" An address of this call is unclear ({doubt}), so it counts as one that the rule means." if doubt else ""


def named(rule: Rule) -> str:
    """How a sentence about a rule begins. What a file has to be, which it is for, stands in the settings."""
    shown = replace(rule, pattern=without_identities(rule.pattern)) if rule.tool == SHELL_TOOL else rule
    if rule.scope != CHAT:
        return shown.named
    return f"The {rule.effect} rule {shown.pattern!r} for {rule.tool} that you clicked in this chat"


def origin_of(rule: Rule) -> RuleOrigin:
    return RuleOrigin(rule.pattern, rule.scope, rule.file, rule.line)
