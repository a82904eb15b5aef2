"""What an editor shows beside the settings of a workspace while they are written.

Names that nobody has, patterns that cannot be used, permissions that never get a chance: none of it decides anything,
so it is looked for only where somebody sees it.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.settings.findings import Findings
from assent.settings.layers import Diagnostic, Kind, Layer, Layers, Origin
from assent.settings.likeness import closest, meant, shown
from assent.settings.spelling import PREFIX, spelled_out

_KEYS = {Effect.DENY: "alwaysDenyRules", Effect.ASK: "alwaysAskRules", Effect.ALLOW: "alwaysAllowRules"}
_ALLOWLIST = "toolAllowlist"
# Nobody reads more, and a hostile file can hold tens of thousands.
_MOST_ENTRIES = 2_000
_MOST_AGENTS = 50


@dataclass(frozen=True, slots=True)
class Entry:
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


def inspect(
    layers: Layers,
    *,
    tools: Collection[str] = (),
    agents: Collection[str] = (),
    of: Collection[Layer] | None = None,
) -> tuple[Diagnostic, ...]:
    """What is worth a line under these layers, the workspace's where none are named.

    Without names of tools or agents, none is called unknown.
    """
    found = Findings()
    looked_at = layers.of_workspace if of is None else of
    entries = [entry for layer in layers.all for entry in islice(entries_of(layer), _MOST_ENTRIES)]
    closed = _closed_tools(entries)
    for layer in looked_at:
        _look_for_unknown_settings(layer, found)
    named: set[tuple[int, str, str]] = set()
    for entry in entries:
        if found.full:
            break
        if not any(entry.layer is layer for layer in looked_at):
            continue
        if (id(entry.layer), entry.key, entry.tool) not in named:
            named.add((id(entry.layer), entry.key, entry.tool))
            _look_at_tool(entry, tools, found)
        _look_at_agents(entry, agents, found)
        _look_at_pattern(entry, found)
        _look_for_shadow(entry, closed, found)
    return found.diagnostics


def entries_of(layer: Layer) -> Iterator[Entry]:
    """The rules of one layer and the tools of its allow-list, as they are written."""
    for effect, key in _KEYS.items():
        for tool, patterns in _members(layer.get(key)):
            for index, value in _items(patterns):
                yield Entry(layer, key, (tool, index), effect, tool, value)
    for index, name in _items(layer.get(_ALLOWLIST)):
        if isinstance(name, str):
            yield Entry(layer, _ALLOWLIST, (index,), Effect.ALLOW, name)


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
            like = closest(name, known)
            named = f"This version of Assent has no setting {PREFIX}.{shown(name)}"
            text = f"{named}: it has no effect.{meant(like and f'{PREFIX}.{like}')}"
            instead = f"{PREFIX}.{like}" if like and member.key.startswith(f"{PREFIX}.") else like
            found.add_at(text, layer.at(member.start, member.key_end), Kind.UNKNOWN_SETTING, instead=instead)


def _look_at_tool(entry: Entry, tools: Collection[str], found: Findings) -> None:
    if tools and entry.tool not in tools:
        like = closest(entry.tool, tools)
        text = f'There is no tool "{shown(entry.tool)}", so this never applies.{meant(like)}'
        found.add_at(text, _origin_of_tool(entry), Kind.UNKNOWN_TOOL, instead=like)


def _origin_of_tool(entry: Entry) -> Origin:
    """The tool's own name; where its place is not known, that of the first entry below it."""
    if entry.key == _ALLOWLIST:
        return entry.layer.origin(entry.key, *entry.path)
    named = entry.layer.origin_of_name(entry.key, entry.tool)
    return named if named.where else entry.layer.origin(entry.key, *entry.path)


def _look_at_agents(entry: Entry, agents: Collection[str], found: Findings) -> None:
    for index, name in islice(_items(entry.agents), _MOST_AGENTS) if agents else ():
        if isinstance(name, str) and name not in agents:
            like = closest(name, agents)
            text = f'There is no agent "{shown(name)}", so this does not apply to it.{meant(like)}'
            origin = entry.layer.origin(entry.key, *entry.path, "agents", index)
            found.add_at(text, origin, Kind.UNKNOWN_AGENT, instead=like)


def _look_at_pattern(entry: Entry, found: Findings) -> None:
    if entry.pattern is not None:
        origin = entry.layer.origin(entry.key, *entry.path)
        rule = Rule(entry.effect, entry.tool, entry.pattern, origin.scope.value, origin.file, origin.line)
        for fault in RuleBook((rule,)).faults:
            found.add_at(fault, origin, Kind.PATTERN)


def _closed_tools(entries: list[Entry]) -> dict[str, Entry]:
    """The tools of which a rule speaks as a whole, before any permission is looked at."""
    closed: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.effect is not Effect.DENY):
        if entry.effect.restricts and entry.is_for_all:
            closed.setdefault(entry.tool, entry)
    return closed


def _look_for_shadow(entry: Entry, closed: Mapping[str, Entry], found: Findings) -> None:
    over = closed.get(entry.tool)
    if entry.effect is not Effect.ALLOW or over is None:
        return
    does = "forbids" if over.effect is Effect.DENY else "asks for"
    reason = over.layer.origin(over.key, *over.path)
    text = (
        f"This permits nothing: a rule in {reason.text} {does} every call of {shown(entry.tool)}, and it comes first."
    )
    found.add_at(text, entry.layer.origin(entry.key, *entry.path), Kind.SHADOWED, beside=reason)
