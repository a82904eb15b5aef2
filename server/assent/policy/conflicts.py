"""Whether calls get into each other's way: what they touch, and who touches the same.

A call that makes calls touches what those touch. Only real paths count, compared as the laxest file system would: to
wait for nothing does less harm than not to wait.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Generic, TypeVar

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Part
from assent.model.modes import Category
from assent.policy.devices import SAFE_DEVICES
from assent.policy.protected import folded
from assent.policy.reach import counts_as_write, effective_category

_HARMLESS = (Category.INTERNAL, Category.READ)


T = TypeVar("T", bound=Hashable)

_NONE: frozenset[str] = frozenset()


class _Paths:
    """Some paths, ready to be compared with others."""

    __slots__ = ("above", "all")

    def __init__(self, paths: Iterable[str]) -> None:
        self.all = frozenset(folded(path).rstrip("/") for path in paths)
        folders = {path[: path.rfind("/")] for path in self.all if "/" in path}
        above = [_from_here_up(folder) for folder in folders]
        self.above = above[0] if len(above) == 1 else _NONE.union(*above) or _NONE


_NO_PATHS = _Paths(())


def _paths(paths: Iterable[str]) -> _Paths:
    """These, ready to be compared: one for all that have none, as most calls start nothing."""
    found = _Paths(paths)
    return found if found.all else _NO_PATHS


@dataclass(frozen=True, slots=True)
class Resources:
    """What a call touches, made ready once to be compared often."""

    touched: _Paths
    changed: _Paths
    started: _Paths
    """Programs that it starts."""
    stands_in: _Paths
    """Folders in which it starts: in its way only where the folder itself is changed."""
    shells: frozenset[str]
    """Those that go on after it and that it talks to."""
    acts: bool
    """It changes something."""
    somewhere: bool
    """It changes something, and it is not fully known where."""


def resources_of(facts: CallFacts) -> Resources:
    """What this call touches, with all that the calls touch which it makes."""
    calls = tuple(_with_steps(facts))
    kept = tuple(use for call in calls for use in call.paths if use.real not in SAFE_DEVICES)
    somewhere = any(map(_acts_somewhere, calls)) or any(map(_is_not_known_yet, calls[1:]))
    touched = _Paths(use.real for use in kept if use.access is not Access.RUN)
    changed = _Paths(use.real for use in kept if use.access in (Access.WRITE, Access.DELETE))
    return Resources(
        touched=touched,
        changed=touched if changed.all == touched.all else changed,
        started=_paths(use.real for use in kept if use.access is Access.RUN and not use.is_directory),
        stands_in=_paths(use.real for use in kept if _is_stood_in(use)),
        shells=frozenset(call.shell for call in calls if call.shell is not None),
        acts=somewhere or any(map(_acts, calls)),
        somewhere=somewhere,
    )


def _with_steps(facts: CallFacts) -> Iterator[CallFacts]:
    yield facts
    for step in facts.steps:
        yield from _with_steps(step)


def _acts(call: CallFacts) -> bool:
    """Whether it changes something by itself, whatever the calls do that it makes."""
    return counts_as_write(replace(call, steps=()) if call.steps else call)


def _is_not_known_yet(step: CallFacts) -> bool:
    """Whether it hangs on what other steps give what this one changes, or it does not say where that is."""
    says = step.paths or step.command is not None or step.shell is not None or step.steps
    return not says and effective_category(step) not in _HARMLESS


class Touched(Generic[T]):
    """Who touches what. Finds those that must keep their order with a call by its places, not by comparing with each.

    Two calls must keep it where they talk to one shell, or one changes what the other touches, starts or stands in.
    """

    def __init__(self) -> None:
        self._who: dict[tuple[str, str], dict[T, None]] = {}

    def add(self, who: T, resources: Resources) -> None:
        """This one touches these."""
        for key in _keys(resources):
            self._who.setdefault(key, {})[who] = None

    def discard(self, who: T, resources: Resources) -> None:
        """It touches them no more."""
        for key in _keys(resources):
            there = self._who.get(key, {})
            there.pop(who, None)
            if not there:
                self._who.pop(key, None)

    def in_the_way_of(self, resources: Resources) -> set[T]:
        """Those that must keep their order with a call that touches these."""
        found: set[T] = set()
        for key in _keys_in_the_way_of(resources):
            found.update(self._who.get(key, ()))
        return found


def _keys(resources: Resources) -> Iterator[tuple[str, str]]:
    for path in resources.changed.all:
        yield "changed", path
    for path in resources.changed.above:
        yield "changed below", path
    for paths in (resources.touched, resources.started):
        for path in paths.all:
            yield "touched", path
        for path in paths.above:
            yield "touched below", path
    for path in resources.stands_in.all | resources.stands_in.above:
        yield "stood in", path
    for shell in resources.shells:
        yield "shell", shell


def _keys_in_the_way_of(resources: Resources) -> Iterator[tuple[str, str]]:
    for path in resources.changed.all:
        yield "touched", path
        yield "touched below", path
        yield "stood in", path
    for path in resources.changed.above:
        yield "touched", path
    for paths in (resources.touched, resources.started):
        for path in paths.all:
            yield "changed", path
            yield "changed below", path
        for path in paths.above:
            yield "changed", path
    for path in resources.stands_in.all | resources.stands_in.above:
        yield "changed", path
    for shell in resources.shells:
        yield "shell", shell


def better_apart(one: Resources, other: Resources) -> bool:
    """Whether both change something and it is not fully known where: in any order, but not at the same time."""
    return one.acts and other.acts and (one.somewhere or other.somewhere)


def _is_stood_in(use: PathUse) -> bool:
    return use.access is Access.RUN and use.is_directory


def _acts_somewhere(facts: CallFacts) -> bool:
    command = facts.command
    if command is None:
        return False
    if command.unreadable is not None:
        return True
    parts = [part for part in command.all() if not (part.transparent and part.inner)]
    return any(part.category not in _HARMLESS for part in parts) and any(map(_is_open, parts))


def _is_open(part: Part) -> bool:
    """Whether more places than are named may be meant."""
    known = part.category in (*_HARMLESS, Category.WRITE)
    return not known or bool(part.unknown or part.dangers) or part.dynamic


@lru_cache(maxsize=1024)
def _from_here_up(folder: str) -> frozenset[str]:
    """The folder and all that it lies in. Calls that wait often touch the same few folders, and share these."""
    above, end = [folder], folder.rfind("/")
    while end >= 0:
        above.append(folder[:end])
        end = folder.rfind("/", 0, end)
    return frozenset(above)
