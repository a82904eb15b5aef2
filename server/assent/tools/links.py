"""What lies below a folder that is read through: links that lead out of the workspace, and secrets."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from fnmatch import fnmatchcase
from itertools import islice

from assent.lazy_dataclasses import dataclass
from assent.policy.protected import is_secret
from assent.tools.places import locate

MOST_ENTRIES = 50_000
"""So many entries are looked at for one command."""
MOST_FOUND = 20
_STRAYS = re.compile(r"[\s'\"\\,](/|~|\.\./|-)")


@dataclass
class Below:
    """Looks for them, within a bound for the whole command."""

    roots: tuple[str, ...]
    whole: bool = True
    """Everything was looked at so far."""
    _left: int = MOST_ENTRIES
    _found: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)

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

    def secrets(self, folder: str, named: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Files below this folder that look as if they held secrets."""
        return self._some(self._looked(folder)[1], named, is_secret)

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

    def _looked(self, folder: str) -> tuple[list[str], list[str]]:
        """All links, and all files, below."""
        if folder not in self._found:
            links: list[str] = []
            files: list[str] = []
            folders = [folder]
            while folders:
                for entry in self._entries(folders.pop()):
                    if entry.is_symlink():
                        links.append(entry.path)
                    elif entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        files.append(entry.path)
            self._found[folder] = links, files
        return self._found[folder]

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


def _fits(path: str, patterns: list[str]) -> bool:
    name = path.rpartition(os.sep)[2].casefold()
    return any(fnmatchcase(name, pattern) for pattern in patterns)
