"""The deny, ask and allow rules of all scopes, and the tools that are always allowed.

Restrictions are united: a repository cannot take the user's away. A workspace permits nothing by itself. What cannot be
understood restricts the whole tool, or permits nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assent.model.json import Json
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers

KEYS = {Effect.DENY: "alwaysDenyRules", Effect.ASK: "alwaysAskRules", Effect.ALLOW: "alwaysAllowRules"}
ALLOWLIST = "toolAllowlist"

_SHAPE = 'an object that maps a tool to a list of patterns, each a text or {"pattern": …, "agents": […]}'


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What the settings say about single tools. `in_doubt`: restrictions are there that name no tool one could tell."""

    rules: tuple[Rule, ...] = ()
    always_allowed: frozenset[str] = frozenset()
    in_doubt: bool = False


def rule_settings(layers: Layers, found: Findings) -> RuleSettings:
    """The rules of all layers, the user's first."""
    rules: list[Rule] = []
    in_doubt = False
    for layer in reversed(layers.all):
        for effect, key in KEYS.items():
            value = layer.get(key)
            if value is None:
                continue
            if effect is Effect.ALLOW and layer is not layers.user:
                found.add("A workspace cannot allow anything by itself: these rules do not count.", layer, key)
            elif isinstance(value, Mapping):
                rules += _of_tools(effect, value, layer, found)
            else:
                found.wrong(layer, _SHAPE, key)
                in_doubt |= effect.restricts
    allowed = _allowlist(layers, found)
    if in_doubt:
        # Nobody can tell what of the user's permissions was meant to be forbidden.
        return RuleSettings(restrictions_of(rules), in_doubt=True)
    return RuleSettings(tuple(dict.fromkeys(rules)), allowed)


def restrictions_of(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """What counts of these rules where permissions do not."""
    return tuple(dict.fromkeys(rule for rule in rules if rule.effect.restricts))


def _of_tools(effect: Effect, value: Mapping[str, Json], layer: Layer, found: Findings) -> Iterator[Rule]:
    key = KEYS[effect]
    if layer.fault is not None and not effect.restricts:
        return
    for tool, entries in value.items():
        # What is no list is one entry that nobody can understand.
        for entry in entries if isinstance(entries, list) else [None]:
            rule, examples = _rule(effect, tool, entry, layer)
            if rule is None:
                found.wrong(layer, f"a list of patterns, each a text or an object{_until(effect)}", key, tool)
                rule = _whole_tool(effect, tool, layer)
            if rule is not None:
                for sentence in check_examples(rule, examples):
                    found.add(sentence, layer, key, tool)
                yield rule


def _until(effect: Effect) -> str:
    return "; until it is, it holds for the whole tool" if effect.restricts else "; until it is, it allows nothing"


def _whole_tool(effect: Effect, tool: str, layer: Layer) -> Rule | None:
    return _placed(effect, tool, WHOLE_TOOL, layer, None) if effect.restricts else None


def _rule(effect: Effect, tool: str, entry: Json, layer: Layer) -> tuple[Rule | None, Examples]:
    if isinstance(entry, str):
        return _placed(effect, tool, entry, layer, None), Examples()
    if not isinstance(entry, Mapping) or not isinstance(entry.get("pattern"), str):
        return None, Examples()
    agents, match, not_match = (_texts(entry.get(name)) for name in ("agents", "match", "notMatch"))
    if agents is None or match is None or not_match is None:
        return None, Examples()
    pattern = entry["pattern"]
    assert isinstance(pattern, str)
    rule = _placed(effect, tool, pattern, layer, agents if "agents" in entry else None)
    return rule, Examples(match, not_match)


def _texts(value: Json) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(text for text in value if isinstance(text, str))
    return None


def _placed(effect: Effect, tool: str, pattern: str, layer: Layer, agents: tuple[str, ...] | None) -> Rule:
    origin = layer.origin(KEYS[effect], tool)
    return Rule(effect, tool, pattern, origin.scope.value, origin.file, origin.line, agents)


def _allowlist(layers: Layers, found: Findings) -> frozenset[str]:
    for layer in layers.of_workspace:
        if layer.get(ALLOWLIST) is not None:
            found.add("A workspace cannot allow a tool by itself: this list does not count.", layer, ALLOWLIST)
    tools = _texts(layers.user.get(ALLOWLIST))
    if tools is None:
        found.wrong(layers.user, "a list of tools' names; until it is, it allows nothing", ALLOWLIST)
    return frozenset(() if layers.user.fault is not None else tools or ())
