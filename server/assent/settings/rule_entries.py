"""The deny, ask and allow rules of all scopes, and the tools that are always allowed.

Restrictions are united: a repository cannot take the user's away. A workspace permits what the user agreed to, and
nothing else. What cannot be understood restricts the whole tool, or permits nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from assent.settings.definitions import Agents, Definitions
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import ALLOWLIST, At, LooseningEntry, few, rule_entry, tool_entry
from assent.settings.rule_reading import KEYS, SHAPE, Path, in_doubt, rules_in, texts_of
from assent.settings.scales import Scales, Standing


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What the settings say about single tools. `in_doubt`: restrictions are there that name no tool one could tell."""

    rules: tuple[Rule, ...] = ()
    always_allowed: frozenset[str] = frozenset()
    in_doubt: bool = False


def rule_settings(layers: Layers, agents: Agents, scales: Scales, found: Findings) -> RuleSettings:
    """The rules of all layers, the user's first."""
    rules: list[Rule] = []
    for layer in reversed(layers.all):
        for effect, key in KEYS.items():
            value = layer.get(key)
            if value is None:
                continue
            if not isinstance(value, Mapping):
                found.wrong(layer, SHAPE, key)
            elif effect.restricts:
                rules += (rule for rule, _ in rules_in(layer, effect, found))
            elif layer is layers.user:
                rules += _permissions_of_user(layer, agents, scales, found)
            elif not layer.only_restricts:
                rules += _permissions_agreed_to(layer, agents, scales, found, tuple(rules))
    allowed = _allowlist(layers, scales, found)
    if in_doubt(layers):
        # Nobody can tell what of the user's permissions was meant to be forbidden.
        return RuleSettings(restrictions_of(rules), in_doubt=True)
    return RuleSettings(tuple(dict.fromkeys(rules)), allowed)


def _permissions_of_user(user: Layer, agents: Agents, scales: Scales, found: Findings) -> Iterator[Rule]:
    for permission in permissions_in(user, found):
        if scales.standing(user, permission.entry(agents.own)) is Standing.COUNTS:
            yield from _for_own(permission.rule, agents)


def _for_own(rule: Rule, agents: Agents) -> Iterator[Rule]:
    """The user's rule, less the agents that a workspace put in the place of those that the user knows."""
    if rule.agents is None or all(map(agents.is_own, rule.agents)):
        yield rule
    elif own := tuple(filter(agents.is_own, rule.agents)):
        yield replace(rule, agents=own)


def _permissions_agreed_to(
    layer: Layer, agents: Agents, scales: Scales, found: Findings, known: tuple[Rule, ...]
) -> Iterator[Rule]:
    allowed = {(rule.tool, rule.pattern, rule.agents) for rule in known if rule.effect is Effect.ALLOW}
    for permission in permissions_in(layer, found):
        rule = permission.rule
        if {(rule.tool, rule.pattern, rule.agents), (rule.tool, rule.pattern, None)} & allowed:
            continue
        now, likely = permission.entry(agents.now), permission.entry(agents.if_agreed)
        standing = scales.standing(layer, now, asks=now == likely)
        if standing is Standing.COUNTS:
            yield rule
        elif now != likely:
            scales.standing(layer, likely)


def restrictions_of(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """What counts of these rules where permissions do not."""
    return tuple(dict.fromkeys(rule for rule in rules if rule.effect.restricts))


@dataclass(frozen=True, slots=True)
class Permission:
    """An allow rule where it stands."""

    rule: Rule
    at: At

    def entry(self, agents: Definitions) -> LooseningEntry:
        """What a user would agree to, for the agents that it names as these define them."""
        named, pattern = self.rule.agents, self.rule.pattern
        return rule_entry(
            self.at, self.rule, pattern if named is None else {"pattern": pattern, "agents": [*named]}, agents
        )


def permissions_in(layer: Layer, found: Findings) -> Iterator[Permission]:
    """The allow rules of one layer that permit something."""
    for rule, path in few(layer, rules_in(layer, Effect.ALLOW, found), found, KEYS[Effect.ALLOW]):
        if layer.scope is Scope.USER or not _useless(rule, layer, path, found):
            yield Permission(rule, At(layer, KEYS[Effect.ALLOW], path))


def _useless(rule: Rule, layer: Layer, path: Path, found: Findings) -> bool:
    """Whether nothing would come of agreeing to it."""
    faults = RuleBook((rule,)).faults
    for fault in faults:
        found.add(fault, layer, KEYS[Effect.ALLOW], *path, kind=Kind.PATTERN)
    return bool(faults)


def _allowlist(layers: Layers, scales: Scales, found: Findings) -> frozenset[str]:
    allowed: set[str] = set()
    for layer in reversed(layers.all):
        if layer.only_restricts:
            continue
        for tool, entry in tools_in(layer, found):
            if tool not in allowed and scales.standing(layer, entry) is Standing.COUNTS:
                allowed.add(tool)
    return frozenset(allowed)


def tools_in(layer: Layer, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
    """The tools that one layer always allows, each as what a user would agree to."""
    tools = texts_of(layer.get(ALLOWLIST))
    if tools is None:
        found.wrong(layer, "a list of tools' names; until it is, it allows nothing", ALLOWLIST)
    if layer.fault is None:
        for index, tool in few(layer, enumerate(tools or ()), found, ALLOWLIST):
            yield tool, tool_entry(At(layer, ALLOWLIST, (index,)), tool)
