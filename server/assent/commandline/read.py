"""From the text of a command to its parts: what each program in it would do, or why that cannot be known."""

import re
from functools import lru_cache

from assent.commandline.plain import BUILDERS
from assent.commandline.state import State
from assent.commandline.surroundings import Surroundings
from assent.commandline.syntax.tree import NotUnderstood
from assent.commandline.walk import Walker
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command, Part

LONGEST = 256 * 1024
"""Longer texts are not read."""
_SHORT = 2_000
"""What was read of longer texts is not kept: a tree of many parts takes much memory."""
_WORDS = re.compile(r"[^\s;|&()<>`$\"'\\{}=]+")


def read_command(text: str, surroundings: Surroundings) -> Command:
    """What this command would do when it is started in these surroundings."""
    if len(text) > _SHORT or surroundings.git or surroundings.folders:
        return _read(text, surroundings)
    return _read_before(text, surroundings.directory, surroundings.home, surroundings.shell, surroundings.entry)


@dataclass(frozen=True, slots=True)
class Followed:
    """What a command does, and the folders of which one is that of its shell then. None: it has ended before."""

    parts: tuple[Part, ...]
    well: tuple[str, ...] | None
    """Where the command did well. No folder at all: it can be any."""
    badly: tuple[str, ...] | None
    is_strange: bool
    """Words need not mean there what they usually mean."""


def follow(text: str, surroundings: Surroundings) -> Followed | None:
    """The same with where its shell is in the end; None where that cannot be read."""
    walker = Walker(surroundings)
    if len(text) > LONGEST:
        return None
    try:
        parts, _ = walker.read(text.replace("\r\n", "\n"))
    except NotUnderstood:
        return None
    well, badly = walker.end.well, walker.end.badly
    strange = any(one is not None and bool(one.strange) for one in (well, badly))
    return Followed(parts, _folders(well), _folders(badly), strange)


def _folders(end: State | None) -> tuple[str, ...] | None:
    return end.directories if end is not None else None


@lru_cache(maxsize=64)
def _read_before(text: str, directory: str, home: str, shell: str, entry: str) -> Command:
    """A waiting command is read again when the answer comes, and it is the same text in the same place."""
    return _read(text, Surroundings(directory, home, shell=shell, entry=entry))


def _read(text: str, surroundings: Surroundings) -> Command:
    text = text.replace("\r\n", "\n")
    if len(text) > LONGEST:
        return Command(text, (), f"This command is longer than {LONGEST // 1024} KB and is not read.", _words(text))
    try:
        parts, beyond = Walker(surroundings).read(text)
    except NotUnderstood as fault:
        return Command(text, (), f"This command cannot be read: {fault.reason}.", _words(text))
    started = (one.beyond for part in parts for one in part.all() if one.beyond)
    return Command(text, parts, beyond=beyond or next(started, "") or _told_to_builders(parts))


def _told_to_builders(parts: tuple[Part, ...]) -> str:
    programs = {part.steps[0] for part in parts if part.steps}
    return "sets variables for a build" if "export" in programs and programs & BUILDERS else ""


def _words(text: str) -> tuple[str, ...]:
    # What the shell joins again after reading, a restriction must not miss.
    return tuple(_WORDS.findall(text.replace("\\\n", "").replace("\\", "")))
