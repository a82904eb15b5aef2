"""What an editor shows beside the settings of a workspace while they are written.

Names that nobody has, patterns that cannot be used, permissions that never get a chance: none of it decides anything,
so it is looked for only where somebody sees it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from assent.model.json import Json
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.settings.findings import Findings
from assent.settings.layers import Diagnostic, Kind, Layer, Layers
from assent.settings.spelling import PREFIX, spelled_out

_KEYS = {Effect.DENY: "alwaysDenyRules", Effect.ASK: "alwaysAskRules", Effect.ALLOW: "alwaysAllowRules"}
_ALLOWLIST = "toolAllowlist"
# Nobody reads more, and a hostile file can hold tens of thousands.
_MOST_ENTRIES = 2_000
_MOST_AGENTS = 50
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class _Entry:
    """A pattern of the rules, or a tool of the allow-list, and where it stands."""

    layer: Layer
    key: str
    path: tuple[str | int, ...]
    effect: Effect
    tool: str
    value: Json = WHOLE_TOOL

    @property
    def pattern(self) -> str | None:
        pattern = self.value.get("pattern") if isinstance(self.value, Mapping) else self.value
        return pattern if isinstance(pattern, str) else None

    @property
    def agents(self) -> Json:
        return self.value.get("agents") if isinstance(self.value, Mapping) else None

    @property
    def is_for_all(self) -> bool:
        return self.pattern == WHOLE_TOOL and not self.agents


def inspect(layers: Layers, *, tools: Collection[str] = (), agents: Collection[str] = ()) -> tuple[Diagnostic, ...]:
    """What is worth a line under the workspace's settings. Without names of tools or agents, none is called unknown."""
    found = Findings()
    entries = [entry for layer in layers.all for entry in islice(_entries(layer), _MOST_ENTRIES)]
    closed = _closed_tools(entries)
    for layer in layers.of_workspace:
        _look_for_unknown_settings(layer, found)
    for entry in entries:
        if found.full:
            break
        if entry.layer is not layers.user:
            _look_at_names(entry, tools, agents, found)
            _look_at_pattern(entry, found)
            _look_for_shadow(entry, closed, found)
    return found.diagnostics


def _entries(layer: Layer) -> Iterator[_Entry]:
    for effect, key in _KEYS.items():
        for tool, patterns in _members(layer.get(key)):
            for index, value in _items(patterns):
                yield _Entry(layer, key, (tool, index), effect, tool, value)
    for index, name in _items(layer.get(_ALLOWLIST)):
        if isinstance(name, str):
            yield _Entry(layer, _ALLOWLIST, (index,), Effect.ALLOW, name)


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    yield from value.items() if isinstance(value, Mapping) else ()


def _items(value: Json) -> Iterator[tuple[int, Json]]:
    yield from enumerate(value) if isinstance(value, list) else ()


def _look_for_unknown_settings(layer: Layer, found: Findings) -> None:
    from assent.settings.declared import declared

    known = declared().keys()
    families = {name.partition(".")[0] for name in known if "." in name}
    root = layer.document.root if layer.document else None
    for name, member in spelled_out(root) if root else ():
        if found.full:
            return
        if name not in known and name not in families:
            meant = _meant(name, known, f"{PREFIX}.")
            text = f"This version of Assent has no setting {PREFIX}.{_shown(name)}: it has no effect.{meant}"
            found.add_at(text, layer.at(member.start, member.key_end), Kind.UNKNOWN_SETTING)


def _look_at_names(entry: _Entry, tools: Collection[str], agents: Collection[str], found: Findings) -> None:
    if tools and entry.tool not in tools:
        text = f'There is no tool "{_shown(entry.tool)}", so this never applies.{_meant(entry.tool, tools)}'
        found.add(text, entry.layer, entry.key, *entry.path, kind=Kind.UNKNOWN_TOOL)
    for index, name in islice(_items(entry.agents), _MOST_AGENTS) if agents else ():
        if isinstance(name, str) and name not in agents:
            text = f'There is no agent "{_shown(name)}", so this does not apply to it.{_meant(name, agents)}'
            found.add(text, entry.layer, entry.key, *entry.path, "agents", index, kind=Kind.UNKNOWN_AGENT)


def _look_at_pattern(entry: _Entry, found: Findings) -> None:
    if entry.pattern is not None:
        origin = entry.layer.origin(entry.key, *entry.path)
        rule = Rule(entry.effect, entry.tool, entry.pattern, origin.scope.value, origin.file, origin.line)
        for fault in RuleBook((rule,)).faults:
            found.add_at(fault, origin, Kind.PATTERN)


def _closed_tools(entries: list[_Entry]) -> dict[str, _Entry]:
    """The tools of which a rule speaks as a whole, before any permission is looked at."""
    closed: dict[str, _Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.effect is not Effect.DENY):
        if entry.effect.restricts and entry.is_for_all:
            closed.setdefault(entry.tool, entry)
    return closed


def _look_for_shadow(entry: _Entry, closed: Mapping[str, _Entry], found: Findings) -> None:
    over = closed.get(entry.tool)
    if entry.effect is not Effect.ALLOW or over is None:
        return
    does = "forbids" if over.effect is Effect.DENY else "asks for"
    where = over.layer.origin(over.key, *over.path).text
    text = f"This permits nothing: a rule in {where} {does} every call of {_shown(entry.tool)}, and it comes first."
    found.add(text, entry.layer, entry.key, *entry.path, kind=Kind.SHADOWED)


def _meant(name: str, known: Collection[str], prefix: str = "") -> str:
    close = get_close_matches(name, sorted(known), n=1) if len(name) <= _LONGEST_NAME else []
    return f' Did you mean "{prefix}{close[0]}"?' if close else ""


def _shown(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
