"""Where a shell is after a command: by its words, and by what is on the disk. Belongs into a thread."""
# ruff: noqa: PTH112, PTH120 - names as the shell spells them

import os
import re
from collections.abc import Iterator
from pathlib import Path

from assent.acp.habits import Habits
from assent.commandline.surroundings import Surroundings
from assent.model.commands import Part
from assent.model.paths import Access
from assent.tools.command_facts import can_be_gone_to
from assent.tools.places import home_folder

_UNREAD = frozenset({"source", ".", "eval", "alias", "unalias", "trap", "enable"})
"""What these do to the shell that they run in stands in no word of theirs."""
_SETS = frozenset({"cd", "pushd", "popd", "set", "shopt", "export", "declare", "typeset", "readonly", "local"})
"""What these do to it can be followed, unless there is something to be said of it."""
_MOVES = frozenset({"cd", "pushd", "popd"})
_IN_A_PIPE = re.compile(
    r"(?<!\|)\|&?(?!\|)\s*(?:\{|while\b|until\b|for\b|if\b|case\b|(?:(?:builtin|command)\s+)*(?:cd|pushd|popd)\b)"
)
"""Some shells run the last command of a pipe themselves."""
_ENDS = frozenset({"exit", "exec", "return", "logout"})
_REPLACES = frozenset({"ln", "mv", "cp", "install", "rsync"})
_LONGEST_SCRIPT = 64 * 1024
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_GOES = re.compile(
    r"(?<![\w-])(?:cd|chdir|pushd|popd|eval|source|alias|trap|builtin|command|exec|enable|shopt|setopt)(?![\w-])"
    r"|(?:^|[;&|{(]|\b(?:then|else|do)\b)\s*\.\s",
    re.MULTILINE,
)


def folders_after(line: str, folder: str, habits: Habits, *, well: bool) -> tuple[str, ...]:
    """The folders of which one is that of the shell after it has run this, where it began in this one, or anywhere if
    that is empty. None at all: it can be any. `well`: it ran to its end and did well."""
    names = _named(line, folder, habits, well=well)
    real = tuple(dict.fromkeys(one if one == folder else os.path.realpath(one) for one in names))
    return real if all(one == folder or os.path.isdir(one) for one in real) else ()


def may_go_back(habits: Habits, folder: str) -> bool:
    """Whether the agent may be set up to go back to the folder of its session after each command, without a word."""
    name = habits.goes_back_by
    if habits.may_go_back or not name:
        return habits.may_go_back
    return name in os.environ or any(_may_name(one, folder, name) for one in habits.settings)


def _may_name(settings: str, folder: str, name: str) -> bool:
    file = Path(home_folder(), settings[2:]) if settings.startswith("~/") else Path(folder, settings)
    try:
        return file.exists() and (not file.is_file() or name.encode() in file.read_bytes())
    except OSError:
        return True


def _named(line: str, folder: str, habits: Habits, *, well: bool) -> tuple[str, ...]:
    # Much to load, for agents that keep their folder only.
    from assent.commandline.read import follow

    start = Surroundings(folder, home_folder())
    first = follow(line, start)
    if first is None:
        return ()
    # One that begins anywhere would go on anywhere, where that were wrong.
    there = frozenset(filter(can_be_gone_to, _gone_to(first.parts) if folder else ()))
    found = follow(line, Surroundings(folder, start.home, folders=there)) if there else first
    if found is None or found.is_strange:
        return ()
    parts = [one for part in found.parts for one in part.all()]
    searched = habits.keeps_variables or bool(os.environ.get("CDPATH"))
    if _IN_A_PIPE.search(line) and any(one.steps[:1] and one.steps[0] in _MOVES for one in parts):
        return ()
    if any(_is_unsure(one, folder) or (searched and _is_searched(one)) for one in parts):
        return ()
    ends = [found.well] if habits.stays_after_a_failure else [found.well, found.badly]
    names = dict.fromkeys(name for end in ends for name in (end if end is not None else (folder,)))
    if () in ends:
        return ()
    if not well or any(one.steps[:1] and one.steps[0] in _ENDS for one in parts):
        names[folder] = None
    known = all(names) and not any(_is_replaced(name, one, folder) for name in names for one in parts)
    return tuple(names) if known else ()


def _gone_to(parts: tuple[Part, ...]) -> Iterator[str]:
    for one in (inner for part in parts for inner in part.all()):
        if one.steps[:1] in (("cd",), ("pushd",)):
            yield from (os.path.normpath(touch.name) for touch in one.touches if touch.access is Access.RUN)


def _is_unsure(part: Part, folder: str) -> bool:
    """Whether it can do to its shell what nobody sees."""
    name = part.steps[0] if part.steps else ""
    if part.dynamic or (name in _SETS and bool(part.dangers or part.unknown)):
        return True
    return name in _UNREAD and not _only_enters(part, folder)


def _is_searched(part: Part) -> bool:
    """Whether variables say where the folder is looked for that it goes to."""
    goes = part.steps[:1] in (("cd",), ("pushd",))
    return goes and any(not word.text.startswith(("/", ".", "-")) for word in part.words[1:])


def _is_replaced(name: str, part: Part, folder: str) -> bool:
    """Whether this takes away the folder of this name, or can put another one, or a link, in its place."""
    program = part.steps[0] if part.steps else ""
    taken = (
        {touch.at for touch in part.touches if touch.access is Access.READ} if program == "mv" else set[int | None]()
    )
    for touch in part.touches:
        replaces = touch.access is Access.WRITE and (
            touch.at in taken or part.steps[:2] == ("git", "mv") or (name != folder and program in _REPLACES)
        )
        if touch.access is Access.DELETE or replaces:
            place = os.path.normpath(os.path.dirname(touch.name) if touch.glob else touch.name).rstrip("/")
            # What a pattern fits lies below its folder, and is not that folder itself.
            if f"{name}/".startswith(f"{place}/") and not (touch.glob and name == place):
                return True
    return False


def _only_enters(part: Part, folder: str) -> bool:
    """Whether it runs the script that enters a virtual environment of Python, and nothing in that goes elsewhere."""
    words = part.words
    if part.steps[0] not in ("source", ".") or len(words) != 2 or not words[1].exact or "/" not in words[1].text:
        return False
    script = Path(part.directory or "", words[1].text)
    is_entry = script.is_absolute() and script.name == "activate" and (script.parent.parent / "pyvenv.cfg").is_file()
    if not is_entry or not script.is_file():
        return False
    try:
        with script.open(encoding="utf-8") as file:
            text = file.read(_LONGEST_SCRIPT + 1)
    except (OSError, ValueError):
        return False
    return len(text) <= _LONGEST_SCRIPT and _GOES.search(_COMMENT.sub("", text)) is None
