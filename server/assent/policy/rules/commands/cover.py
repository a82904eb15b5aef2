"""Whether a whole command is permitted: every part of it, everything that a part starts, every file it is joined to.

A part is permitted by a rule that names it, or where the mode would run it by itself. A rule on the first words of a
part says nothing of what else the part does: dangers, files that redirections write, reading what lies outside or holds
secrets must be named too, or be permitted by other rules.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Generic, TypeVar

from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command, Part, Touch
from assent.model.modes import Category
from assent.model.paths import Access, PathUse
from assent.policy.rules.commands.pattern import CommandPattern
from assent.policy.rules.commands.permit import Match, permits
from assent.policy.rules.naming import holds_secrets, is_raised

DEEPEST = 40
"""Commands that start commands that start commands, and so on, are not followed further."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ground(Generic[T]):
    """What is permitted: by rules, by the mode, and for single files."""

    rules: Callable[[Part], Iterable[tuple[T, Match]]]
    """The permissions that speak of this part."""
    runs: Callable[[Category], bool] = lambda category: False
    """Whether what is no graver than this runs by itself."""
    touching: Callable[[PathUse], Category] = lambda use: Category.EXTERNAL
    """What touching this path amounts to."""
    excuses: Callable[[PathUse], bool] = lambda use: False
    """Whether this may be touched as if it lay in the workspace."""
    permits_path: Callable[[PathUse], T | None] = lambda use: None
    """The rule for reading or writing files that permits this one."""
    held: bool = False
    """What a part is believed to do by itself it can only do."""
    home: str = ""


@dataclass(slots=True)
class Covering(Generic[T]):
    """The permissions that were used, or the part that nothing permits."""

    used: list[T] = field(default_factory=list)
    uncovered: Part | None = None
    excused: bool = False
    """Something was permitted because it lies where the chat may go."""
    held: bool = False
    """It is permitted as what it is read as, so it must be kept from being anything else."""

    @property
    def complete(self) -> bool:
        return self.uncovered is None

    def uses(self, permission: T | None) -> bool:
        """Whether there is a permission; it is remembered."""
        if permission is not None:
            self.used.append(permission)
        return permission is not None


def cover(command: Command, ground: Ground[T]) -> Covering[T]:
    """Looks at every part; what cannot be read has none, and nothing permits it."""
    covering: Covering[T] = Covering()
    if command.unreadable is not None or not command.parts:
        covering.uncovered = Part((), command.text.strip())
        return covering
    for part in command.parts:
        if not _covered(part, None, ground, covering, 0):
            covering.uncovered = covering.uncovered or part
            return covering
    if not covering.used:
        # What has no effect of its own needs no permission; where one speaks of it all the same, it is that one's.
        covering.used += [found for part in command.parts for found, _ in ground.rules(part)][:1]
    return covering


def text_covers(command: Command) -> bool:
    """Whether a permission that gives the whole text names all that the command does: secrets must stand in it."""
    if command.unreadable is not None or not command.parts:
        return False
    return all(_is_named(use, part, None) for part in command.all() for use in part.paths if is_raised(use))


def _covered(part: Part, given: CommandPattern | None, ground: Ground[T], covering: Covering[T], depth: int) -> bool:
    if depth > DEEPEST:
        return False
    covered = _by_itself(part, ground, covering) and _inner_covered(part, None, ground, covering, depth)
    if not covered and given is not None:
        covered = _by_match(part, permits(given, part, ground.home), ground, covering, depth)
    if not covered:
        covered = _by_rule(part, ground, covering, depth)
    if covered:
        covering.uncovered = None
    return covered


def _by_rule(part: Part, ground: Ground[T], covering: Covering[T], depth: int) -> bool:
    for permission, match in ground.rules(part):
        if _by_match(part, match, ground, covering, depth):
            covering.used.append(permission)
            return True
    return False


def _by_match(part: Part, match: Match | None, ground: Ground[T], covering: Covering[T], depth: int) -> bool:
    fits = match is not None and _fits(part, match, ground, covering)
    return fits and _inner_covered(part, match, ground, covering, depth)


def _inner_covered(part: Part, match: Match | None, ground: Ground[T], covering: Covering[T], depth: int) -> bool:
    if match is not None and match.whole:
        return not any(_is_far(use, ground, covering) for one in part.inner for deep in one.all() for use in deep.paths)
    for number, one in enumerate(part.inner):
        given = match.inner if match is not None and number == 0 else None
        if not _covered(one, given, ground, covering, depth + 1):
            covering.uncovered = covering.uncovered or one
            return False
    return True


def _by_itself(part: Part, ground: Ground[T], covering: Covering[T]) -> bool:
    """The mode would run it, or it does nothing at all but start what is looked at for itself."""
    if not _is_resolved(part):
        return False
    if part.transparent and not part.dangers:
        return all(_harmless(use, part, ground, covering) for use in part.paths)
    if not ground.runs(part.category) or (part.loose and not ground.held):
        return False
    categories: list[Category] = []
    for use in part.paths:
        if _is_change(use) and _by_redirect(use, part):
            if not _redirect_permitted(use, ground, covering):
                return False
        elif not (is_raised(use) and _excused(use, ground, covering)):
            categories.append(ground.touching(use))
    return all(map(ground.runs, categories))


def _harmless(use: PathUse, part: Part, ground: Ground[T], covering: Covering[T]) -> bool:
    if use.access is Access.RUN:
        return ground.touching(use) is not Category.EXECUTE
    if _is_far(use, ground, covering):
        return False
    return ground.runs(ground.touching(use)) or covering.uses(ground.permits_path(use))


def _fits(part: Part, match: Match, ground: Ground[T], covering: Covering[T]) -> bool:
    """Whether the permission that speaks of the part names all that it does."""
    if match.whole:
        return not any(_is_far(use, ground, covering) for use in part.paths)
    if not _is_resolved(part):
        return False
    if any(danger.at not in match.named for danger in part.dangers):
        return False
    return all(_use_fits(use, part, match, ground, covering) for use in part.paths)


def _use_fits(use: PathUse, part: Part, match: Match, ground: Ground[T], covering: Covering[T]) -> bool:
    if use.access is Access.RUN:
        return True
    if is_raised(use):
        return _is_named(use, part, match.named) or not _is_far(use, ground, covering)
    if not _by_redirect(use, part):
        return True
    return _redirect_permitted(use, ground, covering)


def _redirect_permitted(use: PathUse, ground: Ground[T], covering: Covering[T]) -> bool:
    return (use.inside and ground.runs(ground.touching(use))) or covering.uses(ground.permits_path(use))


def _is_change(use: PathUse) -> bool:
    return use.access in (Access.WRITE, Access.DELETE)


def _is_far(use: PathUse, ground: Ground[T], covering: Covering[T]) -> bool:
    """Reading it needs a permission that names the place."""
    return is_raised(use) and not _excused(use, ground, covering)


def _excused(use: PathUse, ground: Ground[T], covering: Covering[T]) -> bool:
    if covering.uses(ground.permits_path(use)):
        return True
    excused = ground.excuses(use)
    covering.excused = covering.excused or excused
    return excused


def _is_resolved(part: Part) -> bool:
    """Where a part names paths, somebody has looked where they lead."""
    return bool(part.paths) or not part.touches


def _by_redirect(use: PathUse, part: Part) -> bool:
    """Whether a redirection touches it, or nobody knows how it comes to be touched."""
    touches = list(_touches_of(use, part))
    if not touches:
        return True
    return any(touch.redirected for touch in touches)


def _is_named(use: PathUse, part: Part, named: frozenset[int] | None) -> bool:
    """Whether words that were spelled out name this path, or a folder above it; a secret only by its own name."""
    own_name = holds_secrets(use)
    for touch in _touches_of(use, part):
        if named is not None and touch.at not in named:
            continue
        if not touch.glob and (not own_name or any(_plain(touch.name) == name for name in _names(use))):
            return True
    return False


def _touches_of(use: PathUse, part: Part) -> Iterator[Touch]:
    names = _names(use)
    for touch in part.touches:
        if touch.access is not use.access:
            continue
        place = _plain(_before_wildcards(touch.name)) if touch.glob else _plain(touch.name)
        wide = touch.glob or touch.whole
        if any(name == place or (wide and name.startswith(place.rstrip("/") + "/")) for name in names):
            yield touch


def _names(use: PathUse) -> set[str]:
    return {_plain(name) for name in (use.named, use.real) if name}


def _plain(name: str) -> str:
    return posixpath.normpath(name)


def _before_wildcards(name: str) -> str:
    found = min((at for at in map(name.find, "*?[") if at >= 0), default=len(name))
    return name[:found].rpartition("/")[0] or "/"
