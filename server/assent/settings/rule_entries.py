"""The deny, ask and allow rules of all scopes, and the tools that are always allowed.

Restrictions are united: a repository cannot take the user's away. A workspace permits what the user agreed to, and
nothing else. What cannot be understood restricts the whole tool, or permits nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from assent.model.json import Json
from assent.policy.rules.book import RuleBook
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.settings.definitions import Agents, Definitions
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import ALLOWLIST, At, LooseningEntry, rule_entry, tool_entry
from assent.settings.scales import Scales, Standing

KEYS = {Effect.DENY: "alwaysDenyRules", Effect.ASK: "alwaysAskRules", Effect.ALLOW: "alwaysAllowRules"}

_SHAPE = 'an object that maps a tool to a list of patterns, each a text or {"pattern": …, "agents": […]}'


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What the settings say about single tools. `in_doubt`: restrictions are there that name no tool one could tell."""

    rules: tuple[Rule, ...] = ()
    always_allowed: frozenset[str] = frozenset()
    in_doubt: bool = False


def rule_settings(layers: Layers, agents: Agents, scales: Scales, found: Findings) -> RuleSettings:
    """The rules of all layers, the user's first."""
    rules: list[Rule] = []
    in_doubt = False
    for layer in reversed(layers.all):
        for effect, key in KEYS.items():
            value = layer.get(key)
            if value is None:
                continue
            if not isinstance(value, Mapping):
                found.wrong(layer, _SHAPE, key)
                in_doubt |= effect.restricts
            elif effect.restricts:
                rules += (rule for rule, _ in rules_in(layer, effect, found))
            elif layer is layers.user:
                rules += _permissions_of_user(layer, agents, scales, found)
            elif not layer.only_restricts:
                rules += _permissions_agreed_to(layer, agents, scales, found, tuple(rules))
    allowed = _allowlist(layers, scales, found)
    if in_doubt:
        # Nobody can tell what of the user's permissions was meant to be forbidden.
        return RuleSettings(restrictions_of(rules), in_doubt=True)
    return RuleSettings(tuple(dict.fromkeys(rules)), allowed)


def _permissions_of_user(user: Layer, agents: Agents, scales: Scales, found: Findings) -> Iterator[Rule]:
    for rule, entry in permissions_in(user, agents.own, found):
        if scales.standing(user, entry) is Standing.COUNTS:
            yield from _for_own(rule, agents)


def _for_own(rule: Rule, agents: Agents) -> Iterator[Rule]:
    """The user's rule, less the agents that a workspace put in the place of those that the user knows."""
    if rule.agents is None or all(map(agents.is_own, rule.agents)):
        yield rule
    elif own := tuple(filter(agents.is_own, rule.agents)):
        yield replace(rule, agents=own)


def _permissions_agreed_to(
    layer: Layer, agents: Agents, scales: Scales, found: Findings, known: tuple[Rule, ...]
) -> Iterator[Rule]:
    users = {(rule.tool, rule.pattern, rule.agents) for rule in known if rule.effect is Effect.ALLOW}
    for (rule, now), (_, likely) in zip(
        permissions_in(layer, agents.now, found), permissions_in(layer, agents.if_agreed, found), strict=True
    ):
        if {(rule.tool, rule.pattern, rule.agents), (rule.tool, rule.pattern, None)} & users:
            continue
        same = now.consent == likely.consent
        counts = scales.standing(layer, now, asks=same) is Standing.COUNTS
        if not counts and not same:
            scales.standing(layer, likely)
        if counts:
            yield rule


def restrictions_of(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """What counts of these rules where permissions do not."""
    return tuple(dict.fromkeys(rule for rule in rules if rule.effect.restricts))


def rules_in(layer: Layer, effect: Effect, found: Findings) -> Iterator[tuple[Rule, tuple[str | int, ...]]]:
    """The rules of one effect in one layer, each with the path to it. What is wrong with them is told."""
    key = KEYS[effect]
    value = layer.get(key)
    if not isinstance(value, Mapping) or (layer.fault is not None and not effect.restricts):
        return
    for tool, entries in value.items():
        # What is no list is one entry that nobody can understand.
        for index, entry in enumerate(entries) if isinstance(entries, list) else [(None, None)]:
            path = (tool,) if index is None else (tool, index)
            rule, examples = _rule(effect, tool, entry, layer, path)
            if rule is None:
                found.wrong(layer, f"a list of patterns, each a text or an object{_until(effect)}", key, tool)
                rule = _placed(effect, tool, WHOLE_TOOL, layer, path, None) if effect.restricts else None
            if rule is not None and (_keeps_its_word(rule, examples, layer, path, found) or effect.restricts):
                yield rule, path


def permissions_in(layer: Layer, agents: Definitions, found: Findings) -> Iterator[tuple[Rule, LooseningEntry]]:
    """The allow rules of one layer that permit something, each as what a user would agree to."""
    for rule, path in rules_in(layer, Effect.ALLOW, found):
        if layer.scope is Scope.USER or not _useless(rule, layer, path, found):
            after: Json = rule.pattern if rule.agents is None else {"pattern": rule.pattern, "agents": [*rule.agents]}
            yield rule, rule_entry(At(layer, KEYS[Effect.ALLOW], path), rule, after, agents)


def _useless(rule: Rule, layer: Layer, path: tuple[str | int, ...], found: Findings) -> bool:
    """Whether nothing would come of agreeing to it."""
    faults = RuleBook((rule,)).faults
    for fault in faults:
        found.add(fault, layer, KEYS[Effect.ALLOW], *path, kind=Kind.PATTERN)
    return bool(faults)


def _keeps_its_word(rule: Rule, examples: Examples, layer: Layer, path: tuple[str | int, ...], found: Findings) -> bool:
    """Whether the rule matches what its examples say. One that does not is not what its owner means it to be."""
    contradictions = check_examples(rule, examples) if examples != _NO_EXAMPLES else []
    for sentence in contradictions:
        ending = "" if rule.effect.restricts else " Until that is settled, the rule allows nothing."
        found.add(sentence + ending, layer, KEYS[rule.effect], *path, kind=Kind.EXAMPLE)
    return not contradictions


_NO_EXAMPLES = Examples()


def _until(effect: Effect) -> str:
    return "; until it is, it holds for the whole tool" if effect.restricts else "; until it is, it allows nothing"


def _rule(
    effect: Effect, tool: str, entry: Json, layer: Layer, path: tuple[str | int, ...]
) -> tuple[Rule | None, Examples]:
    if isinstance(entry, str):
        return _placed(effect, tool, entry, layer, path, None), _NO_EXAMPLES
    if not isinstance(entry, Mapping) or not isinstance(entry.get("pattern"), str):
        return None, _NO_EXAMPLES
    agents, match, not_match = (_texts(entry.get(name)) for name in ("agents", "match", "notMatch"))
    if agents is None or match is None or not_match is None:
        return None, _NO_EXAMPLES
    pattern = entry["pattern"]
    assert isinstance(pattern, str)
    rule = _placed(effect, tool, pattern, layer, path, agents if "agents" in entry else None)
    return rule, Examples(match, not_match)


def _texts(value: Json) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(text for text in value if isinstance(text, str))
    return None


def _placed(
    effect: Effect, tool: str, pattern: str, layer: Layer, path: tuple[str | int, ...], agents: tuple[str, ...] | None
) -> Rule:
    origin = layer.origin(KEYS[effect], *path)
    return Rule(effect, tool, pattern, origin.scope.value, origin.file, origin.line, agents)


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
    tools = _texts(layer.get(ALLOWLIST))
    if tools is None:
        found.wrong(layer, "a list of tools' names; until it is, it allows nothing", ALLOWLIST)
    if layer.fault is None:
        for index, tool in enumerate(tools or ()):
            yield tool, tool_entry(At(layer, ALLOWLIST, (index,)), tool)
