"""A command for people: its text as it runs, and in words what each part of it does. Nothing here looks at the disk."""

import posixpath

from assent.model.approval import Risk, RiskLevel
from assent.model.commands import Command, Part
from assent.model.modes import Category
from assent.model.paths import Access
from assent.model.preview import CommandPreview, PartLine
from assent.tools.command_facts import CONTROL
from assent.tools.command_notes import notes_of

MOST_PARTS = 12
"""Where there are more, those that only read are counted, not shown."""
MOST_ACTING_PARTS = 60
"""So many are shown of those that do more than read."""
_LONGEST_WRITTEN = 300
_LONGEST_HEADLINE = 80
_CHANGES = (Access.WRITE, Access.DELETE)
_GRAVEST_FIRST = (Category.EXTERNAL, Category.EXECUTE, Category.WRITE, Category.READ, Category.INTERNAL)


def headline_of(text: str, *, sandbox: str | None = None, background: bool = False) -> str:
    """The first line of the command as it stands, for a title and for the row of a call.

    Whoever draws it marks what cannot be seen, as in every other text.
    """
    start = f"Run{' in the background' if background else ''}{f' in the sandbox ({sandbox})' if sandbox else ''}"
    sign = ":" if sandbox or background else ""
    lines = text.strip(" \t\n").split("\n")
    first = lines[0].rstrip(" \t")
    shown = first if len(first) <= _LONGEST_HEADLINE else f"{first[:_LONGEST_HEADLINE]}…"
    more = "" if len(lines) == 1 else f" (first of {len(lines)} lines)"
    return f"{start}{sign} {shown}{more}"


def preview_of(
    command: Command, folders: frozenset[str] = frozenset(), *, note: str | None = None, sandbox: str | None = None
) -> CommandPreview:
    """What the card shows of it, `folders` as in `notes_of`, with what its text alone does not show."""
    described = [(part, notes_of(part, folders)) for part in command.all()]
    # What does nothing but start the next one is shown by that, unless there is something to be said of it.
    worth = [(part, notes) for part, notes in described if notes or not part.transparent]
    chosen = _chosen(worth)
    hidden = [pair for at, pair in enumerate(worth) if at not in chosen]
    return CommandPreview(
        command.text,
        tuple(_line(*worth[at]) for at in sorted(chosen)),
        len(hidden),
        command.unreadable,
        more_only_read=bool(hidden) and not any(map(_acts, hidden)),
        note=note,
        sandbox=sandbox,
    )


def risk_of(command: Command, preview: CommandPreview) -> Risk | None:
    """What to look out for in the command as a whole, beside what is said of its parts and of why it was not read."""
    if CONTROL.search(command.text):
        note = "A terminal would hide what its control characters do. Here they are shown as escapes."
        return Risk(RiskLevel.HIGH, (note,))
    if preview.more_parts and not preview.more_only_read:
        note = f"It has so many parts that {preview.more_parts} are not described, and not all of these only read."
        return Risk(RiskLevel.HIGH, (note,))
    return None


_Described = tuple[Part, tuple[str, ...]]


def _chosen(worth: list[_Described]) -> set[int]:
    """Which of them are shown: all of a few, and of many those that act, wherever they stand."""
    if len(worth) <= MOST_PARTS:
        return set(range(len(worth)))
    acting = [at for at, described in enumerate(worth) if _acts(described)]
    if not acting:
        return set(range(MOST_PARTS))
    return set(sorted(acting, key=lambda at: _gravity(worth[at]))[:MOST_ACTING_PARTS])


def _gravity(described: _Described) -> tuple[int, int]:
    """The gravest is the lowest."""
    part, notes = described
    return _GRAVEST_FIRST.index(_category(part)), 0 if notes else 1


def _acts(described: _Described) -> bool:
    part, notes = described
    return bool(notes) or _category(part) not in (Category.READ, Category.INTERNAL)


def _category(part: Part) -> Category:
    writes = part.category is Category.READ and any(touch.access in _CHANGES for touch in part.touches)
    return Category.WRITE if writes else part.category


def _line(part: Part, notes: tuple[str, ...]) -> PartLine:
    written = part.written if len(part.written) <= _LONGEST_WRITTEN else part.written[:_LONGEST_WRITTEN] + "…"
    return PartLine(written, part.does or _without_words(part), notes)


def _without_words(part: Part) -> str:
    if part.dynamic:
        return "runs what is only known when it runs"
    environment = next((use.environment for use in part.paths if use.environment), "")
    if environment:
        return f"runs {posixpath.basename(part.words[0].text)} of the workspace's Python environment, {environment}"
    return "runs a program that is not known here" if part.words else "redirects"


def duration(seconds: int) -> str:
    """So many seconds in words."""
    for unit, size in (("hour", 3_600), ("minute", 60)):
        if seconds % size == 0:
            return _counted(seconds // size, unit)
    return _counted(seconds, "second")


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
