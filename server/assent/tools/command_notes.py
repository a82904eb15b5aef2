"""What is said of one part of a command beyond its name: where it reaches, what it changes, what nobody knows."""

import posixpath
from collections.abc import Iterator

from assent.model.commands import Part, Touch
from assent.model.paths import Access, PathUse

MOST_NOTES = 6
MOST_NAMES = 3
MOST_NAMES_OUTSIDE = 6
_GRAVEST_FIRST = (Access.DELETE, Access.WRITE, Access.RUN, Access.READ)
_CHANGES = {Access.WRITE: "Writes", Access.DELETE: "Deletes"}
_OUTSIDE = {Access.READ: "Reads", Access.WRITE: "Changes", Access.DELETE: "Deletes", Access.RUN: "Runs"}


def notes_of(part: Part, folders: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Sentences, those to look out for first. `folders`: which of the paths of `either_ways` are folders now."""
    not_meant = {folder if folder.real in folders else within for folder, within in _two_meanings(part)}
    uses = [use for use in part.paths if use not in not_meant]
    every = list(dict.fromkeys((*_outside(part, uses), *_unforeseen(part), *_changes(part, uses))))
    hidden = len(every) - MOST_NOTES
    return tuple(every) if hidden <= 1 else (*every[:MOST_NOTES], f"And {hidden} more of this kind.")


def either_ways(part: Part) -> Iterator[str]:
    """What is written where it is no folder, while otherwise something in it is: the last word of `cp a b`."""
    yield from dict.fromkeys(folder.real for folder, _ in _two_meanings(part))


def _two_meanings(part: Part) -> Iterator[tuple[PathUse, PathUse]]:
    """Pairs of paths for which one word stands: itself, and what would lie in it if it were a folder."""
    written = [touch for touch in part.touches if touch.access is Access.WRITE and touch.at is not None]
    if not written:
        return
    uses = {use.named: use for use in part.paths if use.access is Access.WRITE}
    names = {(touch.at, posixpath.normpath(touch.name)) for touch in written}
    for touch in written:
        name = posixpath.normpath(touch.name)
        above = posixpath.dirname(name)
        folder, within = uses.get(above), uses.get(name)
        # A link in it that leads elsewhere is told in any case.
        if folder and within and (touch.at, above) in names and posixpath.dirname(within.real) == folder.real:
            yield folder, within


def _outside(part: Part, uses: list[PathUse]) -> Iterator[str]:
    """The gravest first, and those of a kind in one sentence: many harmless ones must not crowd out another."""
    named: dict[str, list[str]] = {}
    for use in sorted(uses, key=lambda use: _GRAVEST_FIRST.index(use.access)):
        is_of_workspace = use.inside or use.environment
        if not is_of_workspace and not (use.access is Access.READ and use.real.startswith("/dev/")):
            named.setdefault(_verb(part, use), []).append(use.shown)
    for verb, names in named.items():
        yield f"{verb} {_listed(list(dict.fromkeys(names)), MOST_NAMES_OUTSIDE)}, outside the workspace."


def _verb(part: Part, use: PathUse) -> str:
    if use.access is Access.RUN and part.steps[:1] in (("cd",), ("pushd",)):
        return "Goes to"
    return "Works in" if use.access is Access.RUN and use.is_directory else _OUTSIDE[use.access]


def _unforeseen(part: Part) -> Iterator[str]:
    yield from part.unknown
    # What cannot be known is a danger, too; and which files are written is said of all of them together.
    said = {*part.unknown, *(f"{_CHANGES[touch.access].lower()} {touch.written}" for touch in _changing(part))}
    yield from (_sentence(danger.text) for danger in part.dangers if danger.text not in said)


def _changes(part: Part, uses: list[PathUse]) -> Iterator[str]:
    for access, verb in _CHANGES.items():
        names = [use.shown for use in uses if use.access is access and use.inside]
        if not any(use.access is access for use in part.paths):
            # A pattern that fits nothing by now.
            names = [touch.written or touch.name for touch in _changing(part) if touch.access is access]
        if names := list(dict.fromkeys(names)):
            yield f"{verb} {_listed(['the workspace folder' if name == '.' else name for name in names])}."


def _changing(part: Part) -> Iterator[Touch]:
    return (touch for touch in part.touches if touch.access in _CHANGES)


def _listed(names: list[str], most: int = MOST_NAMES) -> str:
    """The first of them; a single further one takes no more room than its number."""
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _sentence(text: str) -> str:
    return text if text.endswith(".") and text[:1].isupper() else f"It {text}."
