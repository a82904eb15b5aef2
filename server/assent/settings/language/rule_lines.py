"""The rules of all settings in a row: what each does, in words, and which of them changes nothing."""

from collections.abc import Iterable, Sequence

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.policy.rules.words import meaning
from assent.settings.language.hovering import ORDER, rule_written
from assent.settings.language.overlaps import ToolKinds, remark_of_each
from assent.settings.layers import Diagnostic
from assent.settings.stored import StoredGrant, StoredKind

__all__ = ["ORDER", "RuleLine", "rule_lines"]

_EFFECTS = {
    StoredKind.DENY_RULE: Effect.DENY,
    StoredKind.ASK_RULE: Effect.ASK,
    StoredKind.RULE: Effect.ALLOW,
    StoredKind.TOOL: Effect.ALLOW,
}
# Each of them is compared with each.
_MOST_COMPARED = 500
_SENSELESS = "What stands here makes no sense; until it does, {}"
_UNUSABLE = "This pattern cannot be used, so it permits nothing."


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule, or a tool of the allow-list, as it stands in the settings."""

    grant: StoredGrant
    effect: Effect
    tool: str
    pattern: str
    agents: tuple[str, ...] | None
    does: str
    remark: Diagnostic | None = None
    """Why it changes nothing."""


def rule_lines(
    grants: Iterable[StoredGrant], tools: ToolKinds, roots: tuple[str, ...], home: str
) -> tuple[RuleLine, ...]:
    """One for each of these entries that is a rule. Takes some milliseconds: to be done in a thread."""
    read = [(grant, _EFFECTS[grant.kind], _rule(grant)) for grant in grants if grant.kind in _EFFECTS]
    counting = [(grant, rule) for grant, _, rule in read if grant.effective]
    remarks = _remarks(counting, tools, roots, home)
    return tuple(
        RuleLine(
            grant,
            effect,
            rule.tool,
            rule.pattern,
            rule.audience,
            _does(rule, senseless=_is_senseless(grant)),
            remarks.get(grant.key),
        )
        for grant, effect, rule in read
    )


def _remarks(
    counting: Sequence[tuple[StoredGrant, Rule]], tools: ToolKinds, roots: tuple[str, ...], home: str
) -> dict[str, Diagnostic | None]:
    """By the keys of the entries. What does not count is in nobody's way."""
    if len(counting) > _MOST_COMPARED:
        return {}
    found = remark_of_each([(rule, grant.origin) for grant, rule in counting], tools, roots, home)
    return {grant.key: remark for (grant, _), remark in zip(counting, found, strict=True)}


def _rule(grant: StoredGrant) -> Rule:
    effect, place = _EFFECTS[grant.kind], grant.origin
    if grant.kind is StoredKind.TOOL:
        rule = Rule(effect, str(grant.value), WHOLE_TOOL)
    else:
        written = rule_written(effect, grant.path[0], grant.value)
        rule = written or Rule(effect, grant.path[0], WHOLE_TOOL)
    return Rule(effect, rule.tool, rule.pattern, place.scope.value, place.file, place.line, rule.agents)


def _is_senseless(grant: StoredGrant) -> bool:
    return grant.kind is not StoredKind.TOOL and rule_written(Effect.DENY, grant.path[0], grant.value) is None


def _does(rule: Rule, *, senseless: bool) -> str:
    words = meaning(rule) or _UNUSABLE
    return _SENSELESS.format(words[0].lower() + words[1:]) if senseless else words
