"""What the files hold that a definition names: of those that a workspace can change, at this very moment."""

import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from assent.settings.facts import FilesOf, NamedFile
from assent.settings.file_content import Stamp, content_digest, is_young, stamp_of
from assent.settings.named_paths import BEGINNINGS, NamedPath

_MOST_REMEMBERED = 4_096
_MOST_FILES = 512
_MOST_IN_FOLDER = 64
"""Files of a folder that is a program. Of one that holds more, those are meant with which it begins."""


class _Seen(NamedTuple):
    name: str
    asked: str
    real: str
    info: os.stat_result


class _Way(NamedTuple):
    stamp: Stamp
    real: str
    within: tuple[str, ...]
    """The folders, when it was found out whether it lies in one of them."""
    lies: bool


class NamedFiles:
    """Remembers what was found, and reads a file anew only when it changed."""

    def __init__(self) -> None:
        self._digests: dict[str, tuple[Stamp, str]] = {}
        self._led_to: dict[str, _Way] = {}
        """Where a name led when it was this very file."""
        self._held: dict[str, tuple[Stamp, tuple[str, ...]]] = {}

    def found(
        self, paths: Iterable[NamedPath], folder: Path, roots: Mapping[Path, str], budget: int
    ) -> tuple[FilesOf, int] | None:
        """Those of the paths at which a file is now, as seen from the folder, and their size; None for too much."""
        within = _beginnings_of(roots)
        files: dict[str, _Seen] = {}
        # For every word of every definition, at every look: nothing is made here that is not needed.
        for path in paths:
            try:
                info = os.stat(path.asked)  # noqa: PTH116
                way = self._way(path.asked, path.spelled, info, within)
            except (OSError, ValueError):
                continue
            if not way.lies:
                continue
            for seen in self._at(path, way, info, within):
                files[seen.name] = seen
                if len(files) > _MOST_FILES:
                    return None
        size = sum({seen.real: seen.info.st_size for seen in files.values()}.values())
        if size > budget:
            return None
        root = roots.get(folder) or os.path.realpath(folder)
        bound = (NamedFile(name, self._bound(seen, root, within), seen.real) for name, seen in sorted(files.items()))
        return tuple(bound), size

    def _at(self, path: NamedPath, way: _Way, info: os.stat_result, within: tuple[str, ...]) -> Iterable[_Seen]:
        """The files at a path that a workspace can change: one that stands in it, or that a name in it leads to."""
        if stat.S_ISREG(info.st_mode):
            return (_Seen(path.name, path.asked, way.real, info),)
        return self._in_folder(path, info, within) if stat.S_ISDIR(info.st_mode) and not path.is_start else ()

    def _in_folder(self, path: NamedPath, info: os.stat_result, within: tuple[str, ...]) -> Iterator[_Seen]:
        for name in self._program_files(path.asked, info):
            asked = os.path.join(path.asked, name)  # noqa: PTH118
            with suppress(OSError, ValueError):
                inner = os.stat(asked)  # noqa: PTH116
                if stat.S_ISREG(inner.st_mode):
                    real = self._way(asked, asked, inner, within).real
                    yield _Seen(os.path.join(path.name, name), asked, real, inner)  # noqa: PTH118

    def _program_files(self, folder: str, info: os.stat_result) -> tuple[str, ...]:
        """What stands directly in a folder that can be run as a whole; nothing of any other folder."""
        stamp = stamp_of(info)
        known = self._held.get(folder)
        if known is None or known[0] != stamp or is_young(info):
            if len(self._held) >= _MOST_REMEMBERED:
                self._held.clear()
            known = self._held[folder] = (stamp, _program_files(folder))
        return known[1]

    def _way(self, path: str, spelled: str, info: os.stat_result, within: tuple[str, ...]) -> _Way:
        """Another way to the same file, such as a link that is new, shows in the file's own stamp or in its number."""
        stamp = stamp_of(info)
        known = self._led_to.get(path)
        if known is not None and known.stamp == stamp and known.within == within:
            return known
        real = known.real if known is not None and known.stamp == stamp else os.path.realpath(path)
        if len(self._led_to) >= _MOST_REMEMBERED:
            self._led_to.clear()
        way = self._led_to[path] = _Way(stamp, real, within, _lies(spelled, within) or _lies(real, within))
        return way

    def _bound(self, seen: _Seen, root: str, within: tuple[str, ...]) -> str:
        """What an agreement is bound to: the content, and where the file is, if that is not where its name says."""
        if not _lies(seen.real, within):
            # A link of the workspace to a file elsewhere: that file is not the workspace's to change, nor ours to read.
            return f"outside: {seen.real}"
        digest = self._digest(seen.asked, seen.real, seen.info)
        return digest if seen.real == os.path.join(root, seen.name) else f"{digest} at {seen.real}"  # noqa: PTH118

    def _digest(self, asked: str, real: str, info: os.stat_result) -> str:
        stamp = stamp_of(info)
        known = self._digests.get(real)
        if known is not None and known[0] == stamp and not is_young(info):
            return known[1]
        try:
            digest = content_digest(real, stamp)
        except OSError:
            # It may be a program all the same: another one that cannot be read is not the one that was agreed to.
            return f"unreadable: {stamp}"
        if digest is None:
            # Exchanged while it was looked at. What was seen is like nothing that was seen or will be: nobody can have
            # agreed to it, and the next look looks at everything again.
            self._led_to.pop(asked, None)
            return f"changing: {time.time_ns()}"
        if len(self._digests) >= _MOST_REMEMBERED:
            self._digests.clear()
        self._digests[real] = (stamp, digest)
        return digest


def _program_files(folder: str) -> tuple[str, ...]:
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries if not entry.is_dir(follow_symlinks=False)}
    except OSError:
        # Its names are hidden: whoever knows one may run it all the same.
        return tuple(sorted(BEGINNINGS))
    beginnings = names & BEGINNINGS
    return tuple(sorted(names if beginnings and len(names) <= _MOST_IN_FOLDER else beginnings))


def _beginnings_of(roots: Mapping[Path, str]) -> tuple[str, ...]:
    """How paths of files in these folders begin, as they are spelled and as they really are."""
    spelled = (os.path.abspath(folder) for folder in roots)  # noqa: PTH100
    places = {os.path.normcase(place) for place in (*spelled, *roots.values())}
    return tuple(place if place.endswith(os.sep) else place + os.sep for place in places)


def _lies(path: str, within: tuple[str, ...]) -> bool:
    """Whether the path is below one of these. It is absolute and tidy already, as `os.path` gives it."""
    return os.path.normcase(path).startswith(within)
