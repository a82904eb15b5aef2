"""What lies below a folder that is read through: its files, links that lead out of the workspace, and secrets."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from fnmatch import fnmatchcase
from itertools import islice

from assent.lazy_dataclasses import dataclass
from assent.model.commands import PassesOver
from assent.policy.protected import is_secret
from assent.tools.ignored import Ignored, ignored_at
from assent.tools.places import locate

MOST_ENTRIES = 50_000
"""So many entries are looked at for one command."""
MOST_FOUND = 20
MOST_NAMED = 10_000
"""Files in a folder, up to which each is told by its name."""
_STRAYS = re.compile(r"[\s'\"\\,](/|~|\.\./|-)")


@dataclass(slots=True)
class Below:
    """Looks for them, within a bound for the whole command."""

    roots: tuple[str, ...]
    whole: bool = True
    """Everything was looked at so far."""
    _left: int = MOST_ENTRIES
    _found: dict[tuple[str, PassesOver], tuple[list[str], list[str]]] = field(default_factory=dict)

    def links(self, folder: str, named: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Links below this folder that lead out of the workspace, or to a secret."""
        return self._some(self._looked(folder)[0], named, self._leads_away)

    def followed(self, folder: str) -> tuple[str, ...]:
        """The same for a program that goes on through links, also below folders inside that these lead to."""
        ahead, seen, found = [folder], {folder}, list[str]()
        while ahead and len(found) <= MOST_FOUND:
            for link in self._looked(ahead.pop())[0]:
                if self._leads_away(link):
                    found.append(link)
                elif os.path.isdir(link) and (real := locate(link, self.roots).real) not in seen:  # noqa: PTH112
                    seen.add(real)
                    ahead.append(real)
        self.whole = self.whole and len(found) <= MOST_FOUND
        return tuple(found[:MOST_FOUND])

    def _leads_away(self, path: str) -> bool:
        place = locate(path, self.roots)
        return not place.inside or is_secret(place.real)

    def secrets(
        self, folder: str, named: tuple[str, ...] = (), passes_over: PassesOver = PassesOver.NOTHING
    ) -> tuple[str, ...]:
        """Files below this folder that look as if they held secrets."""
        return self._some(self._looked(folder, passes_over)[1], named, is_secret)

    def names(self, folder: str, passes_over: PassesOver) -> tuple[str, ...] | None:
        """All that a program meets which goes through this folder; None where that is too much to be told."""
        found = [path for paths in self._looked(folder, passes_over) for path in paths]
        return tuple(found) if self.whole and len(found) <= MOST_NAMED else None

    def strays(self, folder: str) -> bool:
        """Whether a name below this folder, split at its blanks as some programs do, names something elsewhere."""
        start = len(folder.rstrip(os.sep))
        return any(_STRAYS.search(path, start) for paths in self._looked(folder) for path in paths)

    def files(self, folder: str) -> list[str]:
        """All files and links below this folder, by their names relative to it."""
        links, files = self._looked(folder)
        start = len(folder.rstrip(os.sep)) + 1
        return [path[start:] for path in (*links, *files)]

    def _some(self, paths: list[str], named: tuple[str, ...], counts: Callable[[str], bool]) -> tuple[str, ...]:
        patterns = [name.casefold() for name in named]
        fitting = (path for path in paths if not patterns or _fits(path, patterns))
        found = tuple(islice((path for path in fitting if counts(path)), MOST_FOUND + 1))
        self.whole = self.whole and len(found) <= MOST_FOUND
        return found[:MOST_FOUND]

    def _looked(self, folder: str, passes_over: PassesOver = PassesOver.NOTHING) -> tuple[list[str], list[str]]:
        """All links, and all files, below."""
        key = folder, passes_over
        if key not in self._found:
            links: list[str] = []
            files: list[str] = []
            start = None if passes_over is PassesOver.NOTHING else ignored_at(locate(folder, self.roots).real)
            folders = [(folder, start)]
            while folders:
                above, ignored = folders.pop()
                for entry in self._entries(above):
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if ignored is not None and _passed_over(entry.name, ignored, passes_over, is_folder=is_folder):
                        continue
                    if entry.is_symlink():
                        links.append(entry.path)
                    elif is_folder:
                        folders.append((entry.path, None if ignored is None else ignored.into(entry.name)))
                    else:
                        files.append(entry.path)
            self._found[key] = links, files
        return self._found[key]

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        if not self.whole:
            return
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._left -= 1
                    if self._left < 0:
                        self.whole = False
                        return
                    yield entry
        except OSError:
            # What cannot be opened here, the program cannot open either.
            return


def _passed_over(name: str, ignored: Ignored, passes_over: PassesOver, *, is_folder: bool) -> bool:
    return (passes_over is PassesOver.HIDDEN and name.startswith(".")) or ignored.hides(name, is_folder=is_folder)


def _fits(path: str, patterns: list[str]) -> bool:
    name = path.rpartition(os.sep)[2].casefold()
    return any(fnmatchcase(name, pattern) for pattern in patterns)
