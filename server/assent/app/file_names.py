"""The names of the workspace's files for somebody who writes one: walked through once, and kept for a moment.

Who writes asks with each key. All who ask meanwhile wait for one walk, and it ends when none of them waits any more.
"""

import asyncio
import stat
from collections.abc import Callable

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.runtime.beside import Stopped, in_thread
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup
from assent.tools.places import locate
from assent.tools.resolve import resolve
from assent.tools.search.scope import Scope
from assent.tools.search.walking import Walk, ignored_below

KEPT_SECONDS = 3.0
"""So long a walk counts after its end: about what it takes to write a name."""
KEPT_FOR_EACH_SECOND = 4.0
"""So much longer for each second that it took: a slow disk is not walked through all the time."""
_MOST_NAMES = 50_000


@dataclass(frozen=True, slots=True)
class NamesBelow:
    """The paths of the files below one folder, as they were a moment ago."""

    scope: Scope
    paths: tuple[str, ...]

    def is_there(self, path: str) -> bool:
        """Whether that is a file still, which no link leads to."""
        real = self.scope.use(path).real
        target = resolve(real)
        return target.real == real and target.mode is not None and stat.S_ISREG(target.mode)


Names = tuple[NamesBelow, ...]
LookThrough = Callable[[tuple[str, ...], Stopped], Names]


@dataclass(slots=True, eq=False)
class _Walking:
    folders: tuple[str, ...]
    task: "asyncio.Task[Names]"
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class _Kept:
    folders: tuple[str, ...]
    names: Names


class FileNames:
    """Keeps the names of the last walk for a moment. What of them may be told is decided by who tells."""

    def __init__(self, clock: Clock, look_through: LookThrough | None = None) -> None:
        self._clock = clock
        self._look_through = look_through or names_below
        self._tasks = TaskGroup("names of files")
        self._walking: _Walking | None = None
        self._kept: _Kept | None = None

    async def of(self, folders: tuple[str, ...]) -> Names:
        """Those below these folders: of a walk that ended just now, of one under way, or of a new one."""
        kept, walking = self._kept, self._walking
        if kept is not None and kept.folders == folders:
            return kept.names
        if walking is None or walking.folders != folders:
            walking = self._walking = _Walking(folders, self._tasks.start(self._walk(folders), "walk"))
        walking.waiting += 1
        try:
            return await asyncio.shield(walking.task)
        finally:
            walking.waiting -= 1
            if walking.waiting == 0:
                walking.task.cancel()
                if self._walking is walking:
                    self._walking = None

    async def end(self) -> None:
        """Nobody asks any more."""
        await self._tasks.cancel()

    async def _walk(self, folders: tuple[str, ...]) -> Names:
        began = self._clock.monotonic()
        names = await in_thread(lambda stopped: self._look_through(folders, stopped))
        kept = self._kept = _Kept(folders, names)
        took = self._clock.monotonic() - began
        self._tasks.start(self._forget(kept, max(KEPT_SECONDS, KEPT_FOR_EACH_SECOND * took)), "forget")
        return names

    async def _forget(self, kept: _Kept, seconds: float) -> None:
        await self._clock.sleep(seconds)
        if self._kept is kept:
            self._kept = None


def names_below(folders: tuple[str, ...], stopped: Stopped) -> Names:
    """Looks through the folders, as far as somebody waits for it."""
    scopes = (Scope.of(locate(folder, folders), folders) for folder in folders)
    return tuple(NamesBelow(scope, _paths(scope, stopped)) for scope in scopes)


def _paths(scope: Scope, stopped: Stopped) -> tuple[str, ...]:
    walk = Walk(_MOST_NAMES, stopped=stopped)
    try:
        files = walk.files(scope.folder, ignored_below(scope.folder, scope.root, everything=False))
        return tuple("/".join(one.path) for one in files if stat.S_ISREG(one.status.st_mode))
    except (OSError, ToolFault):
        return ()
