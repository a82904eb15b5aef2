"""Which files a folder's .gitignore files leave out. Their texts are handed in."""

from collections.abc import Callable, Sequence

from assent.lazy_dataclasses import dataclass
from assent.tools.globs import Glob, UnusableGlob, glob_of

NAME = ".gitignore"
MOST_BYTES = 1_000_000
"""Of a .gitignore: what is longer is none that a person wrote, and is not read."""
NEVER = frozenset({".git"})
"""Folders that nobody looks through from outside: a repository's own."""
SELDOM = frozenset({"node_modules"})
"""Folders that are left out as what is ignored is."""


@dataclass(frozen=True, slots=True)
class Line:
    """One pattern."""

    glob: Glob
    includes: bool
    """It takes back what an earlier line ignores."""
    folders_only: bool


def lines_of(text: str) -> tuple[Line, ...]:
    """The patterns of a file, in their order. What is no pattern matches nothing."""
    found = (_line(line.removesuffix("\r")) for line in text.removeprefix("\ufeff").split("\n"))
    return tuple(line for line in found if line is not None)


def _line(text: str) -> Line | None:
    pattern = _without_blanks(text)
    if not pattern or pattern.startswith("#"):
        return None
    includes = pattern.startswith("!")
    pattern = pattern[1:] if includes else pattern
    folders_only = pattern.endswith("/")
    body = pattern[:-1] if folders_only else pattern
    if not body.strip("/") or "//" in body:
        return None
    anchored = "/" in body
    try:
        return Line(glob_of(body if anchored else f"**/{_one_name(body)}"), includes, folders_only)
    except UnusableGlob:
        return None


def _one_name(body: str) -> str:
    # Without a slash, two stars are one: they do not reach below.
    return "*" if body and not body.strip("*") else body


def _without_blanks(text: str) -> str:
    """Without blanks at the end, but for one that a backslash keeps."""
    bare = text.rstrip(" ")
    slashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if slashes % 2 and len(bare) < len(text) else bare


class Ignored:
    """Knows of each path below a folder whether it is left out. `read` gives the .gitignore of a folder, or None."""

    def __init__(
        self,
        read: Callable[[tuple[str, ...]], str | None],
        above: tuple[str, ...] = (),
        *,
        everything: bool = False,
    ) -> None:
        self._read = read
        self._above = above
        """Folders whose .gitignore files count as well, above that where all paths start."""
        self._lines: dict[tuple[str, ...], tuple[Line, ...]] = {}
        self._everything = everything
        """Also what is ignored counts."""

    def leaves_out(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        """Whether this name in its folder is left out, where that folder is not."""
        path = (*self._above, *path)
        if is_folder and path[-1] in NEVER:
            return True
        if self._everything:
            return False
        if is_folder and path[-1] in SELDOM:
            return True
        for depth in range(len(path) - 1, -1, -1):
            said = last_word(self._of(path[:depth]), path[depth:], is_folder=is_folder)
            if said is not None:
                return said
        return False

    def hides(self, path: tuple[str, ...]) -> bool:
        """Whether a file is left out, or a folder on the way to it."""
        folders = (self.leaves_out(path[:depth], is_folder=True) for depth in range(1, len(path)))
        return any(folders) or self.leaves_out(path, is_folder=False)

    def _of(self, folder: tuple[str, ...]) -> tuple[Line, ...]:
        found = self._lines.get(folder)
        if found is None:
            text = self._read(folder)
            found = self._lines[folder] = lines_of(text) if text is not None else ()
        return found


def last_word(lines: Sequence[Line], path: Sequence[str], *, is_folder: bool) -> bool | None:
    """Whether the last line that speaks of this path leaves it out; None where none does."""
    for line in reversed(lines):
        if (is_folder or not line.folders_only) and line.glob.matches(path):
            return not line.includes
    return None
