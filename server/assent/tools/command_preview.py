"""A command for people: its text as it runs, and in words what each part of it does. Nothing here looks at the disk."""

from collections.abc import Iterable, Iterator

from assent.model.approval import Risk, RiskLevel
from assent.model.commands import Command, Part
from assent.model.paths import Access, PathUse
from assent.model.preview import CommandPreview, PartLine
from assent.tools.command_facts import CONTROL
from assent.tools.names import printable

MOST_PARTS = 12
MOST_NOTES = 6
_LONGEST_WRITTEN = 300
_LONGEST_HEADLINE = 80
_VERBS = {Access.READ: "Reads", Access.WRITE: "Changes", Access.DELETE: "Deletes", Access.RUN: "Runs in or starts"}


def headline_of(text: str) -> str:
    """The command in a few words, for a title and for the row of a call."""
    lines = text.strip().splitlines()
    if len(lines) == 1 and len(lines[0]) <= _LONGEST_HEADLINE:
        # A backslash is no rarity in a command, and the text itself stands below.
        return f"Run {printable(lines[0])}".replace(r"\\", "\\")
    size = f"{len(lines)} lines" if len(lines) > 1 else f"{len(text)} characters"
    return f"Run a command of {size}"


def preview_of(command: Command) -> CommandPreview:
    """What the card shows of it."""
    # What does nothing but start the next one is shown by that, unless there is something to be said of it.
    shown = [(part, notes) for part in command.all() if (notes := tuple(_notes(part))) or not part.transparent]
    lines = tuple(_line(part, notes) for part, notes in shown[:MOST_PARTS])
    return CommandPreview(command.text, lines, max(0, len(shown) - MOST_PARTS), command.unreadable)


def risk_of(command: Command) -> Risk | None:
    """What to look out for in the command as a whole. What a single part does is said at that part."""
    if CONTROL.search(command.text):
        note = "The command holds control characters. They are shown as escapes; a terminal would hide what they do."
        return Risk(RiskLevel.HIGH, (note,))
    if command.unreadable is not None:
        return Risk(RiskLevel.MEDIUM, ("It could not be taken apart, so nothing is known of what it would do.",))
    if any(part.dangers or part.unknown or part.dynamic for part in command.all()):
        return Risk(RiskLevel.MEDIUM, ("Parts of it do more than their names say, or cannot be foreseen.",))
    return None


def _line(part: Part, notes: tuple[str, ...]) -> PartLine:
    written = part.written if len(part.written) <= _LONGEST_WRITTEN else part.written[:_LONGEST_WRITTEN] + "…"
    return PartLine(written, part.does or _unknown_program(part), _bounded(notes))


def _unknown_program(part: Part) -> str:
    return "runs what is only known when it runs" if part.dynamic else "runs a program that is not known here"


def _notes(part: Part) -> Iterator[str]:
    for use in part.paths:
        if not use.inside and not _is_harmless_read(use):
            yield f"{_VERBS[use.access]} {use.shown}, outside the workspace."
    yield from part.unknown
    # What cannot be known is a danger, too, and was said already.
    yield from (_sentence(danger.text) for danger in part.dangers if danger.text not in part.unknown)


def _is_harmless_read(use: PathUse) -> bool:
    return use.access is Access.READ and use.real.startswith("/dev/")


def _sentence(text: str) -> str:
    return text if text.endswith(".") and text[:1].isupper() else f"It {text}."


def _bounded(notes: Iterable[str]) -> tuple[str, ...]:
    every = list(dict.fromkeys(notes))
    hidden = len(every) - MOST_NOTES
    return tuple(every) if hidden <= 1 else (*every[:MOST_NOTES], f"And {hidden} more of this kind.")
