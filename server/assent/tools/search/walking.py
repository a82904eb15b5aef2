"""The files below a folder, from handle to handle: what is swapped for a link meanwhile is not followed."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools.disk import content_in
from assent.tools.handles import Folder, folder_itself, folder_of
from assent.tools.resolve import Target, resolve
from assent.tools.search.ignored import MOST_BYTES, NAME, Ignored

DEEPEST = 100
"""Each folder on the way is held, and what a process may hold is limited."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file, and the folder that is held and has it."""

    folder: Folder
    path: tuple[str, ...]
    status: os.stat_result

    @property
    def name(self) -> str:
        return self.path[-1]


@dataclass(slots=True)
class Walk:
    """Goes through a folder in the order of the names, within bounds."""

    most: int
    missed: str = ""
    """Why not everything was looked at."""
    stopped: Callable[[], bool] = field(default=lambda: False)
    """Whether nobody wants the rest."""
    _seen: int = field(default=0)

    def files(self, target: Target, ignored: Ignored) -> Iterator[Found]:
        """The files and links that are not left out. Raises ToolFault and OSError of the folder itself."""
        with folder_itself(target) as folder:
            yield from self._below(folder, (), ignored)

    def _below(self, folder: Folder, path: tuple[str, ...], ignored: Ignored) -> Iterator[Found]:
        try:
            names = sorted(self._names(folder), key=os.fsencode)
        except OSError:
            if not path:
                raise
            return
        for name in names:
            if self.stopped():
                return
            with suppress(OSError):
                status = folder.status(name)
                way = (*path, name)
                is_folder = stat.S_ISDIR(status.st_mode)
                if ignored.leaves_out(way, is_folder=is_folder):
                    continue
                if not is_folder:
                    yield Found(folder, way, status)
                elif len(way) >= DEEPEST:
                    self.missed = f"there are more than {DEEPEST} folders inside each other"
                else:
                    yield from self._entered(folder, way, ignored)

    def _entered(self, folder: Folder, way: tuple[str, ...], ignored: Ignored) -> Iterator[Found]:
        try:
            below = folder.enter(way[-1])
        except OSError:
            return
        try:
            yield from self._below(below, way, ignored)
        finally:
            below.close()

    def _names(self, folder: Folder) -> Iterator[str]:
        for entry in folder.entries():
            self._seen += 1
            if self._seen > self.most:
                self.missed = f"there are more than {self.most} names"
                return
            yield entry.name


def ignored_below(target: Target, root: str, *, everything: bool) -> Ignored:
    """What is left out below this folder: by its own .gitignore files, and by those of folders above it, up to root.

    A folder that they leave out themselves was meant by its name: then only what is in it counts.
    """
    above = tuple(part for part in target.real[len(root.rstrip(os.sep)) :].split(os.sep) if part)  # noqa: PTH206 - as it stands
    whole = Ignored(lambda folder: _read(root, folder))
    if any(whole.leaves_out(above[:depth], is_folder=True) for depth in range(1, len(above) + 1)):
        return Ignored(lambda folder: _read(target.real, folder), everything=everything)
    return Ignored(lambda folder: _read(root, folder), above, everything=everything)


def _read(root: str, folder: tuple[str, ...]) -> str | None:
    """The .gitignore of a folder, where it is a plain file that no link on the way leads to."""
    path = os.path.join(root, *folder, NAME)  # noqa: PTH118 - as the system spells it
    target = resolve(path)
    if target.real != path or target.mode is None:
        return None
    try:
        with folder_of(target) as held:
            content = content_in(held, target.name, MOST_BYTES)
    except (OSError, ToolFault):
        return None
    return content.data.decode("utf-8", "surrogateescape") if content.whole else None
