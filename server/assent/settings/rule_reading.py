"""Reads the rules of one layer. What cannot be understood restricts the whole tool, or permits nothing."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.settings.findings import Findings
from assent.settings.judging import check_item
from assent.settings.layers import Kind, Layer, Layers

KEYS = {Effect.DENY: "alwaysDenyRules", Effect.ASK: "alwaysAskRules", Effect.ALLOW: "alwaysAllowRules"}
SHAPE = 'an object that maps a tool to a list of patterns, each a text or {"pattern": …, "agents": […]}'

Path: TypeAlias = tuple[str | int, ...]
"""Where a rule stands below its setting: the tool, and its number in the list."""

# Each of them is tried, and a hostile file can hold tens of thousands.
_MOST_EXAMPLES = 500


@dataclass(frozen=True, slots=True)
class _Entry:
    """A rule as it is written."""

    pattern: str
    agents: tuple[str, ...] | None = None
    examples: Examples = Examples()


def rules_in(layer: Layer, effect: Effect, found: Findings) -> Iterator[tuple[Rule, Path]]:
    """The rules of one effect in one layer, each with the path to it. What is wrong with them is told."""
    key = KEYS[effect]
    value = layer.get(key)
    if not isinstance(value, Mapping) or (layer.fault is not None and not effect.restricts):
        return
    examples = _MOST_EXAMPLES
    for tool, path, written in _entries(value):
        entry = _entry(key, written)
        if entry is None:
            expected = f"a list of patterns, each a text or an object{_UNTIL[effect.restricts]}"
            found.add(f"assent.{key}.{tool} should be {expected}.", layer, key, *path, kind=Kind.WRONG_VALUE)
            if effect.restricts:
                yield _placed(effect, tool, _Entry(WHOLE_TOOL), layer, path), path
            continue
        rule = _placed(effect, tool, entry, layer, path)
        examples -= len(entry.examples.match) + len(entry.examples.not_match)
        told = _contradictions(rule, entry.examples) if examples >= 0 else [_TOO_MANY]
        for sentence in told:
            found.add(sentence + _SO[effect.restricts], layer, key, *path, kind=Kind.EXAMPLE)
        if effect.restricts or not told:
            yield rule, path


def in_doubt(layers: Layers) -> bool:
    """Whether there are restrictions that nobody can tell: of no tool, or in what was never read. They may be about
    anything. What was last read of a text that broke still restricts."""
    if any(layer.fault is not None and not layer.restricts_as_last_read for layer in layers.all):
        return True
    said = (layer.get(key) for layer in layers.all for effect, key in KEYS.items() if effect.restricts)
    return any(value is not None and not isinstance(value, Mapping) for value in said)


def texts_of(value: Json) -> tuple[str, ...] | None:
    """A list of texts; None where it is something else. What is not there is an empty one."""
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(text for text in value if isinstance(text, str))
    return None


_UNTIL = {True: "; until it is, it holds for the whole tool", False: "; until it is, it allows nothing"}
_SO = {True: "", False: " Until that is settled, the rule allows nothing."}
_TOO_MANY = f"There are more than {_MOST_EXAMPLES} examples here, so this rule's own were not tried."
_NO_EXAMPLES = Examples()


def _entries(value: Mapping[str, Json]) -> Iterator[tuple[str, Path, Json]]:
    for tool, entries in value.items():
        if isinstance(entries, list):
            yield from ((tool, (tool, index), entry) for index, entry in enumerate(entries))
        else:
            # What is no list is one entry that nobody can understand.
            yield tool, (tool,), None


def _entry(key: str, written: Json) -> _Entry | None:
    if isinstance(written, str):
        return _Entry(written)
    if not isinstance(written, Mapping) or not isinstance(pattern := written.get("pattern"), str):
        return None
    # A word that nobody knows may be a limit that was spelled wrong: "agent" for "agents".
    if check_item(key, dict(written)) is not None:
        return None
    agents, match, not_match = (texts_of(written.get(name)) for name in ("agents", "match", "notMatch"))
    if agents is None or match is None or not_match is None:
        return None
    return _Entry(pattern, agents if "agents" in written else None, Examples(match, not_match))


def _placed(effect: Effect, tool: str, entry: _Entry, layer: Layer, path: Path) -> Rule:
    origin = layer.origin(KEYS[effect], *path)
    return Rule(effect, tool, entry.pattern, origin.scope.value, origin.file, origin.line, entry.agents)


def _contradictions(rule: Rule, examples: Examples) -> list[str]:
    """Where the rule does otherwise than its examples say: then it is not what its owner means it to be."""
    return [] if examples == _NO_EXAMPLES else check_examples(rule, examples)
