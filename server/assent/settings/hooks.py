"""Hooks: the user's own, and those of a workspace to which the user agreed, each with the files that it names.

A hook of a workspace that was not agreed to is none. One of the user's that makes no sense fails whenever it should be
asked, because nobody knows what it would have kept from happening; one whose matcher cannot be read is asked about
everything, and only restricts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from assent.lazy_dataclasses import dataclass
from assent.model.hooks import (
    EVERY_TOOL,
    LONGEST_PATIENCE,
    LONGEST_TIME,
    SHORTEST_TIME,
    USUAL_PATIENCE,
    USUAL_TIME,
    Hook,
    HookEvent,
)
from assent.model.json import Json, JsonObject
from assent.settings.agents import launch_digest
from assent.settings.facts import Facts
from assent.settings.faults import SettingsFault
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import HOOKS as KEY
from assent.settings.loosening import At, LooseningEntry, hook_entry
from assent.settings.scales import Scales, Standing

_MOST = 16
"""Of one event in one workspace: each is a program more that starts with every call."""
_EVENTS = tuple(event.value for event in HookEvent)
_MEMBERS = {
    HookEvent.PRE_TOOL_USE: ("matcher", "command", "timeoutSeconds", "failClosed"),
    HookEvent.POST_TOOL_USE: ("matcher", "command", "timeoutSeconds"),
    HookEvent.NOTIFICATION: ("matcher", "command", "timeoutSeconds", "afterSeconds"),
}
_STRICT = {
    HookEvent.PRE_TOOL_USE: "and neither allows nor changes anything",
    HookEvent.POST_TOOL_USE: "and is told of every result",
    HookEvent.NOTIFICATION: "and is told of all that happens",
}
"""What becomes of one whose matcher cannot be read."""
_WITH_UNKNOWN = "Until it is gone, the hook allows and changes nothing."
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Hooks:
    """What counts now, and the digests under which the files of their commands are known."""

    counting: tuple[Hook, ...] = ()
    digests: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Written:
    """A hook as one layer defines it, and where."""

    hook: Hook
    definition: JsonObject
    path: Path


def hooks_of(layers: Layers, facts: Facts, scales: Scales, found: Findings, *, permit: bool, trusted: bool) -> Hooks:
    """The hooks of all scopes, the user's first; each once. Where nothing may be permitted, none of them allows.

    In a workspace that is not trusted, one of the user's that would start its files fails.
    """
    counting: dict[Hook, None] = {}
    for layer in reversed(layers.all):
        for written in _written_in(layer, found):
            if written.hook.fault or _counts(layer, written, facts, scales, found):
                fault = written.hook.fault or ("" if trusted else _lent(layer, written, facts))
                may_allow = permit and written.hook.may_allow
                counting[replace(written.hook, may_allow=may_allow, fault=fault)] = None
    return Hooks(tuple(counting), frozenset(_digest(hook.command) for hook in counting if not hook.fault))


def without_permissions(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    """The same hooks, none of which can let a call run."""
    return tuple(replace(hook, may_allow=False) for hook in hooks)


def hooks_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """Every hook that one layer defines, as something to agree to."""
    for written in _written_in(layer, found):
        entry = None if written.hook.fault else _entry_of(layer, written, facts)
        if entry is not None:
            yield entry


def hook_commands_in(layer: Layer) -> Iterator[tuple[JsonObject, str]]:
    """The commands of a layer's hooks, in which files may be named, each with the digest under which these are kept."""
    commands = (one.hook.command for one in _written_in(layer, Findings()) if not one.hook.fault)
    yield from (({"command": command}, _digest(command)) for command in dict.fromkeys(commands))


def _digest(command: str) -> str:
    return launch_digest({"command": command})


def _counts(layer: Layer, written: _Written, facts: Facts, scales: Scales, found: Findings) -> bool:
    entry = _entry_of(layer, written, facts)
    if entry is not None:
        return scales.standing(layer, entry) is Standing.COUNTS
    if not layer.only_restricts:
        found.add(f"Too much belongs to the hook {written.hook.name}: it does not count.", layer, KEY, *written.path)
    return False


def _lent(layer: Layer, written: _Written, facts: Facts) -> str:
    """Why it is not started in a workspace that is not trusted, and whose files it names."""
    files = facts.files.get((layer.folder, _digest(written.hook.command)))
    return "" if files == () else "it names files of this workspace, which is not trusted"


def _entry_of(layer: Layer, written: _Written, facts: Facts) -> LooseningEntry | None:
    """What a user would agree to; None where it cannot be told what belongs to it."""
    at, hook = At(layer, KEY, written.path), written.hook
    if layer.scope is Scope.USER:
        return hook_entry(at, hook, written.definition, ())
    files = facts.files.get((layer.folder, _digest(hook.command)))
    return None if files is None else hook_entry(at, hook, written.definition, files)


def _written_in(layer: Layer, found: Findings) -> Iterator[_Written]:
    said = layer.get(KEY)
    if said is None:
        return
    if not isinstance(said, Mapping):
        found.wrong(layer, "an object that maps an event to a list of hooks", KEY)
        yield from _broken(layer, HookEvent.PRE_TOOL_USE, ())
        return
    for name in said:
        if name not in _EVENTS:
            words = f"Hooks are for {', '.join(_EVENTS)}: these are never started."
            found.add(words, layer, KEY, name, kind=Kind.WRONG_VALUE)
    for event in HookEvent:
        yield from _of_event(layer, event, said.get(event.value), found)


def _of_event(layer: Layer, event: HookEvent, entries: Json, found: Findings) -> Iterator[_Written]:
    if entries is None:
        return
    if not isinstance(entries, list):
        found.wrong(layer, "a list of hooks", KEY, event.value)
        yield from _broken(layer, event, (event.value,))
        return
    most = None if layer.scope is Scope.USER else _MOST
    for index, entry in enumerate(islice(entries, most)):
        path = (event.value, index)
        hook = _hook(layer, event, entry, path, found)
        if hook is None:
            found.wrong(layer, "an object with a command, as text", KEY, *path)
            yield from _broken(layer, event, path)
        else:
            yield hook
    if most is not None and len(entries) > most:
        found.add(f"Only the first {most} hooks count here; the others do not.", layer, KEY, event.value)


def _broken(layer: Layer, event: HookEvent, path: Path) -> Iterator[_Written]:
    """Stands for something that may have been meant to keep any call from running."""
    if layer.scope is Scope.USER and event is HookEvent.PRE_TOOL_USE:
        named = ".".join(map(str, (KEY, *path)))
        yield _Written(Hook(event, named, fault="its definition in your settings cannot be read"), {}, path)


def _hook(layer: Layer, event: HookEvent, entry: Json, path: Path, found: Findings) -> _Written | None:
    from assent.hooks.matching import fault_of

    if not isinstance(entry, Mapping):
        return None
    command = entry.get("command")
    if not isinstance(command, str) or not command.strip() or "\0" in command:
        return None
    try:
        launch_digest(entry)
    except SettingsFault:
        return None
    unknown = [name for name in entry if name not in _MEMBERS[event]]
    for name in unknown:
        words = f"A hook of {event.value} has {', '.join(_MEMBERS[event])}: this does not count. {_WITH_UNKNOWN}"
        found.add(words, layer, KEY, *path, name, kind=Kind.WRONG_VALUE)
    fault = fault_of(entry.get("matcher", EVERY_TOOL))
    if fault is not None:
        words = f"This hook is for everything until its matcher can be read, {_STRICT[event]}: {fault}."
        found.add(words, layer, KEY, *path, "matcher", kind=Kind.WRONG_VALUE)
    number = _Numbers(layer, entry, path, found)
    hook = Hook(
        event,
        command,
        EVERY_TOOL if fault is not None else str(entry.get("matcher", EVERY_TOOL)),
        number.between("timeoutSeconds", SHORTEST_TIME, LONGEST_TIME, USUAL_TIME),
        event is HookEvent.PRE_TOOL_USE and _fails_closed(layer, entry, path, found),
        number.between("afterSeconds", 0, LONGEST_PATIENCE, USUAL_PATIENCE) if event is HookEvent.NOTIFICATION else 0,
        # Meant for some calls, it may be asked about all of them: nobody knows for which ones its yes was meant.
        may_allow=fault is None and not unknown,
        may_change=fault is None and not unknown,
    )
    return _Written(hook, dict(entry), path)


def _fails_closed(layer: Layer, entry: JsonObject, path: Path, found: Findings) -> bool:
    value = entry.get("failClosed", True)
    if not isinstance(value, bool):
        found.wrong(layer, "true or false; until it is, true counts", KEY, *path, "failClosed")
    return value is not False


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Reads the numbers of one hook."""

    layer: Layer
    entry: JsonObject
    path: Path
    found: Findings

    def between(self, name: str, least: float, most: float, usual: float) -> float:
        """The number of this name, or the usual one where it is none that can be."""
        value = self.entry.get(name, usual)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        expected = f"a number of seconds from {least:g} to {most:g}; until it is, {usual:g} counts"
        self.found.wrong(self.layer, expected, KEY, *self.path, name)
        return usual
