"""The lines of a `.gitignore`: which paths below its folder they hide, and which they show again. No disk."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.tools.path_globs import PathGlob, path_glob

MOST_PATTERNS = 2_000
"""Of one file. Each is compared with every name below it, and a stranger can write as many as they like."""


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """One line."""

    glob: PathGlob
    shows: bool
    """It takes back what an earlier line hides."""
    folders_only: bool


@dataclass(frozen=True, slots=True)
class IgnoreList:
    """The lines of one file, in their order."""

    patterns: tuple[IgnorePattern, ...] = ()

    def hides(self, names: Sequence[str], *, is_folder: bool) -> bool | None:
        """Whether the path, name by name from the file's folder on, is hidden; None where no line speaks of it.

        Only of the path itself: what lies in a hidden folder is hidden with it, whatever any line says.
        """
        for pattern in reversed(self.patterns):
            if (is_folder or not pattern.folders_only) and pattern.glob.fits(names):
                return not pattern.shows
        return None


def ignore_list(text: str) -> IgnoreList:
    """What this text hides. A line that makes no sense hides nothing."""
    found: list[IgnorePattern] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        if len(found) == MOST_PATTERNS:
            break
        pattern = _pattern(line.removesuffix("\r"))
        if pattern is not None:
            found.append(pattern)
    return IgnoreList(tuple(found))


def _pattern(line: str) -> IgnorePattern | None:
    if line.startswith("#"):
        return None
    text = _without_blanks(line)
    shows = text.startswith("!")
    text = text[1:] if shows else text
    if not text.strip("/"):
        return None
    glob = path_glob(text)
    return IgnorePattern(glob, shows, text.endswith("/")) if glob is not None else None


def _without_blanks(line: str) -> str:
    """Blanks at the end do not count, unless a backslash stands before them."""
    text = line.rstrip(" ")
    backslashes = len(text) - len(text.rstrip("\\"))
    return text + " " if backslashes % 2 and len(text) < len(line) else text
