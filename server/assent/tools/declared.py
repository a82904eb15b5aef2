"""Which encoding settings name for which files, as it also goes along to the program that looks through them."""

from collections.abc import Iterable
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.tools.globs import Glob, UnusableGlob, alternatives, glob_of


@dataclass(frozen=True, slots=True)
class Declared:
    """Of the files of one folder."""

    encoding: str | None = None
    names: tuple[tuple[str, str | None], ...] = ()
    """Patterns of names, and what counts for them instead: the first that fits."""

    def of(self, path: str) -> str | None:
        """Of the file with this path."""
        if not self.names:
            return self.encoding
        parts = tuple(path.lower().split("/"))
        fitting = (encoding for pattern, encoding in self.names if any(_fits(pattern, parts)))
        return next(fitting, self.encoding)


NOTHING_DECLARED = Declared()


def _fits(pattern: str, parts: tuple[str, ...]) -> Iterable[bool]:
    return (glob.matches(parts) for glob in _globs(pattern))


@lru_cache(maxsize=1024)
def _globs(pattern: str) -> tuple[Glob, ...]:
    """As editors read it: without a slash it is of a file's name alone, and letters are the same large and small."""
    try:
        return tuple(glob_of(f"**/{one.lstrip('/')}") for one in alternatives(pattern.lower()) if one)
    except UnusableGlob:
        return ()
