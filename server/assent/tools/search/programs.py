"""The programs that look through files: our own, and ripgrep where there is one."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.runtime.processes import Bounds, Start
from assent.tools.search.order import MOST_BYTES, End, Hit, Order, heard, to_text
from assent.tools.shell import environment_for, is_usable

_MEMORY = 1024 * 1024 * 1024
_NAME = "rg.exe" if sys.platform == "win32" else "rg"
_FAILED = 2

Reading = Callable[[Iterator[bytes]], Iterator[Hit | End]]


@dataclass(frozen=True, slots=True)
class Program:
    """How it is started, and how that which it prints is read."""

    start: Start
    read: Reading
    silent_end: End
    """What it means where it ends without a word on that."""


def own(order: Order) -> Program:
    """Ours, which finds everything."""
    main = str(Path(__file__).with_name("__main__.py"))
    argv = (sys.executable, "-I", "-S", "-X", "utf8", "-W", "ignore", main, to_text(order))
    # It finds its own way to the folder: wherever it starts makes no difference to it.
    start = Start(argv, Path(main).anchor, _environment(), bounds=_bounds())
    return Program(start, heard, End(whole=False, why="the program that searched ended unexpectedly"))


def ripgrep(path: str, order: Order) -> Program:
    """The editor's or the system's, for a folder and a pattern in the common words. Nothing given can be an option."""
    many = ("--count",) if not order.most_lines else ("--line-number", f"--max-count={order.most_lines}")
    everything = ("--no-ignore",) if order.ignored else ("--glob=!**/node_modules/",)
    argv = (path, *_ALWAYS, *many, *everything, f"--regexp={order.pattern}", "--", f".{os.sep}")
    return Program(Start(argv, order.folder.real, _environment(), bounds=_bounds()), _Found().read, End())


def in_other_encodings(path: str, order: Order) -> Program:
    """Ripgrep again, for the names of the files that are not in UTF-8: in those it would find only what is ASCII.

    Of most of them that do not have to be texts at all; whoever reads them sees it at once.
    """
    rest = tuple(one for one in _ALWAYS if one not in ("--engine=default", "--sort=path"))
    everything = ("--no-ignore",) if order.ignored else ("--glob=!**/node_modules/",)
    argv = (path, *rest, "--text", "--encoding=none", "--files-with-matches", *everything, f"--regexp={_NOT_UTF_8}")
    return Program(
        Start((*argv, "--", f".{os.sep}"), order.folder.real, _environment(), bounds=_bounds()), _names, End()
    )


def version(path: str) -> Start:
    """Ripgrep, to say which one it is."""
    return Start((path, "--no-config", "--version"), Path(path).anchor, _environment(), bounds=_bounds())


def obeys(said: str) -> bool:
    """Whether this version does all that it is told here: before 14, `--no-ignore-dot` left `.rgignore` in force, by
    which a repository hides files from who searches it."""
    found = re.match(r"ripgrep (\d+)\.", said)
    return found is not None and int(found[1]) >= _OBEYS


_OBEYS = 14
_NOT_UTF_8 = (
    r"(?-u:[\xc2-\xf4](?:[^\x80-\xbf]|$)|[\xc0\xc1\xf5-\xff]|(?:^|[\x00-\x7f])[\x80-\xbf]"
    # UTF-16 without a mark.
    r"|^(?:[\t\r\x20-\x7e]\x00){2}|^(?:\x00[\t\r\x20-\x7e]){2})"
)


def _names(lines: Iterator[bytes]) -> Iterator[Hit]:
    for line in lines:
        for name in line.split(b"\0"):
            if name:
                yield Hit(os.fsdecode(name).replace(os.sep, "/").removeprefix("./"))


_ALWAYS = (
    # No file, no variable and no folder above says anything more.
    "--no-config",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--no-require-git",
    # No other program, nothing packed, no links.
    "--no-pre",
    "--no-search-zip",
    "--no-follow",
    "--no-mmap",
    "--hidden",
    "--glob=!**/.git/",
    f"--max-filesize={MOST_BYTES}",
    "--case-sensitive",
    "--engine=default",
    "--no-multiline",
    "--no-crlf",
    "--sort=path",
    "--color=never",
    "--no-heading",
    "--no-messages",
    "--with-filename",
    "--null",
    # The numbers are what is asked for; the lines are read where nothing can be swapped.
    "--max-columns=1",
    "--no-max-columns-preview",
)


class _Found:
    """Reads names and numbers: a name, NUL, a number. A name may hold line ends."""

    def __init__(self) -> None:
        self._begun = b""

    def read(self, lines: Iterator[bytes]) -> Iterator[Hit]:
        for line in lines:
            name, nul, rest = line.partition(b"\0")
            if not nul:
                self._begun = b"" if _NO_TEXT in line else self._begun + line + b"\n"
                continue
            path = os.fsdecode(self._begun + name).replace(os.sep, "/").removeprefix("./")
            self._begun = b""
            number = rest.partition(b":")[0].strip()
            if number.isdigit():
                yield Hit(path, (int(number),), int(number))


_NO_TEXT = b": binary file matches (found "
"""Said of a file that fits and turns out to be no text: those are not told of."""


def ended_badly(code: int | None) -> bool:
    """Whether ripgrep could not do what it was told: then ours does it."""
    return code is None or code >= _FAILED


class Ripgrep:
    """Finds the program, outside of all that is open."""

    def __init__(self, given: Mapping[str, str], of_editor: Callable[[], str | None] = lambda: None) -> None:
        self._given = given
        self._of_editor = of_editor
        self._on_path = cache(self._looked_for)

    def path(self, roots: tuple[str, ...]) -> str | None:
        """The editor's own, else the first one that the system would start."""
        own = self._of_editor()
        if own is not None and os.path.isabs(own) and is_usable(own, roots):  # noqa: PTH117 - names as the system spells them
            return own
        return self._on_path(roots)

    def _looked_for(self, roots: tuple[str, ...]) -> str | None:
        folders = environment_for(roots, self._given)["PATH"].split(os.pathsep)
        candidates = (os.path.join(folder, _NAME) for folder in folders)  # noqa: PTH118 - names as the system spells them
        return next((path for path in candidates if is_usable(path, roots)), None)


def _environment() -> dict[str, str]:
    """Nothing that could tell either of them what to do; Windows starts no program without its own folder."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}


def _bounds() -> Bounds:
    return Bounds(processes=64, memory_bytes=_MEMORY)
