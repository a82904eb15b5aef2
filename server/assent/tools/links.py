"""Links below a folder that lead out of the workspace: what a program reaches that follows them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from assent.tools.places import locate

MOST_ENTRIES = 20_000
"""So many entries are looked at for one command."""
MOST_LINKS = 20


@dataclass(slots=True)
class OutwardLinks:
    """Looks for them, within a bound for the whole command."""

    roots: tuple[str, ...]
    whole: bool = True
    """Everything was looked at so far."""
    _left: int = MOST_ENTRIES
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def below(self, folder: str) -> tuple[str, ...]:
        """Names of links below this folder that lead out of the workspace."""
        if folder not in self._found:
            self._found[folder] = tuple(self._outward(folder))
        return self._found[folder]

    def _outward(self, folder: str) -> Iterator[str]:
        found, folders = 0, [folder]
        while folders:
            for entry in self._entries(folders.pop()):
                if entry.is_symlink():
                    if not locate(entry.path, self.roots).inside:
                        found += 1
                        yield entry.path
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                if found >= MOST_LINKS or not self.whole:
                    self.whole = self.whole and found < MOST_LINKS
                    return

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                listed = []
                for entry in entries:
                    if self._left == 0:
                        self.whole = False
                        break
                    self._left -= 1
                    listed.append(entry)
                return listed
        except OSError:
            # What cannot be opened here, the program cannot open either.
            return []
