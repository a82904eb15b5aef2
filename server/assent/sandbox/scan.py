"""Looking for protected and secret things below a place, and remembering it of folders that have not changed."""

import os
import stat
import time
from collections.abc import Container, Iterator
from dataclasses import field
from enum import IntEnum, auto

from assent.lazy_dataclasses import dataclass
from assent.policy.protected import folded
from assent.sandbox.names import SKIPPED, Names, leads_on
from assent.sandbox.seen import Seen

MOST_ENTRIES = 400_000
MOST_LEVELS = 60
MOST_OF_A_PATH = 3_000
"""Bytes. The system takes 4096, with all that lies in it."""
MOST_KNOWN = 100_000
"""Folders that are remembered."""
_SETTLED = 50_000_000
"""Nanoseconds after which a folder's time of change is sure to differ from that of the next change."""
_GIT_HELD = frozenset({"hooks", "config", "config.worktree", "info", "commondir", "gitdir"})
"""In a folder of git's own: what says which programs git runs, and where it looks. All else is its bookkeeping."""


class _As(IntEnum):
    """What is looked for in a folder. Numbers, because they are looked up thousands of times for each command."""

    PLAIN = auto()
    HELD = auto()
    """All of it is held; what is secret in it is hidden."""
    GIT = auto()
    MODULES = auto()
    """Folders of git's own lie somewhere below."""
    HOME = auto()


@dataclass(slots=True)
class _Folder:
    stamp: tuple[int, int, int]
    settled: bool
    entries: int = 0
    held: list[tuple[str, bool]] = field(default_factory=list)
    secret: list[tuple[str, bool]] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """Files that may have other names elsewhere: of what is held or hidden."""
    links: list[str] = field(default_factory=list)
    below: list[tuple[str, _As]] = field(default_factory=list)
    git: bool = False
    bare: bool = False
    plain: bool = False
    """Nothing in it is of any interest, as in nearly all of them."""


class Scanner:
    """Looks below places. A folder whose entries are as they were is not read again."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._known: dict[tuple[str, _As], _Folder] = {}

    def look(self, tops: tuple[str, ...], roots: tuple[str, ...], *, home: bool, met: Container[object] = ()) -> Seen:
        """What is protected and secret below these places; `home`: and in the first levels of the home directory.

        `met`: folders that an earlier look has met. They are looked into however much has come since.
        """
        visited = dict[tuple[str, _As], _Folder]()
        seen = Seen(met=visited)
        for top in tops:
            self._walk(top, _As.PLAIN, Names(top, self._home, roots), seen, visited, met)
        if home and self._home not in tops:
            self._walk(self._home, _As.HOME, Names(self._home, "", roots), seen, visited, met)
        # What was not met is gone, or belongs to other places.
        if len(self._known) > MOST_KNOWN:
            self._known = dict(visited)
        else:
            self._known |= visited
        return seen

    def _walk(
        self,
        top: str,
        how: _As,
        names: Names,
        seen: Seen,
        visited: dict[tuple[str, _As], _Folder],
        met: Container[object],
    ) -> None:
        entries, stack = 0, [((top, how), 0)]
        while stack:
            place, depth = stack.pop()
            if place in visited and place[1] is not _As.HOME:
                continue
            if _is_too_deep(place[0], depth) or (entries > MOST_ENTRIES and _is_new(place[0], met)):
                seen.unseen[place[0]] = True
                continue
            folder = self._folder(place, names)
            if folder is None:
                continue
            visited[place] = folder
            if place not in met:
                entries += folder.entries
                if entries > MOST_ENTRIES:
                    # No more new ones, but all others: nobody can keep a folder from being looked into by filling one.
                    seen.too_large = place[0]
            if not folder.plain:
                _add(place[0], folder, seen)
            if folder.below:
                stack += [(below, depth + 1) for below in folder.below]

    def _folder(self, place: tuple[str, _As], names: Names) -> _Folder | None:
        path, how = place
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            # It lies in a folder that can be listed and not entered. That one can be held.
            return _Folder((0, 0, 0), settled=False, held=[(path.rpartition("/")[0], True)])
        stamp = (found.st_dev, found.st_ino, found.st_ctime_ns)
        known = self._known.get(place)
        if known is not None and known.settled and known.stamp == stamp:
            return known
        folder = _Folder(stamp, settled=time.time_ns() - found.st_ctime_ns > _SETTLED)
        try:
            with os.scandir(path) as entries:
                self._read(path, how, names, entries, folder)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            # A command could make it readable and go on from there, so nothing in it is to be touched.
            folder.settled = False
            folder.held.append((path, True))
        found_any = folder.held or folder.secret or folder.noted or folder.files or folder.links
        folder.plain = not (found_any or folder.git or folder.bare)
        return folder

    def _read(self, path: str, how: _As, names: Names, entries: Iterator["os.DirEntry[str]"], folder: _Folder) -> None:
        seen = set()
        for entry in entries:
            folder.entries += 1
            seen.add(entry.name)
            protected, secret = names.judge(path, entry.name)
            if how in {_As.GIT, _As.MODULES}:
                protected = how is _As.GIT and folded(entry.name) in _GIT_HELD
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.is_symlink():
                if (protected or secret) and how is not _As.HELD:
                    folder.links.append(entry.path)
            elif is_folder:
                self._take_folder(entry, how, folder, protected=protected, secret=secret)
            else:
                _take_file(entry, how, folder, protected=protected, secret=secret)
        folder.bare = how is _As.PLAIN and seen >= {"HEAD", "objects", "refs"}
        folder.git = how is _As.GIT

    def _take_folder(
        self, entry: "os.DirEntry[str]", how: _As, folder: _Folder, *, protected: bool, secret: bool
    ) -> None:
        path, name = entry.path, folded(entry.name)
        if secret:
            folder.secret.append((path, True))
            folder.noted += [path] if protected else []
        elif name == ".git" and how in {_As.PLAIN, _As.HOME}:
            folder.noted.append(path)
            folder.below.append((path, _As.GIT))
        elif protected and how is not _As.HELD:
            folder.held.append((path, True))
            folder.below.extend((path, below) for below in ((_As.HELD,) if how is not _As.HOME else self._on(path)))
        else:
            folder.below.extend((path, below) for below in self._goes_on(path, name, how))

    def _goes_on(self, path: str, name: str, how: _As) -> Iterator[_As]:
        match how:
            case _As.GIT:
                if name in {"modules", "worktrees"}:
                    yield _As.MODULES
            case _As.MODULES:
                yield _As.GIT if os.path.lexists(f"{path}/HEAD") else _As.MODULES
            case _As.HOME:
                yield from self._on(path)
            case _:
                if name not in SKIPPED:
                    yield how

    def _on(self, path: str) -> tuple[_As, ...]:
        return (_As.HOME,) if leads_on(path, self._home) else ()


def _is_too_deep(path: str, depth: int) -> bool:
    """Whether paths below it could be longer than the system takes, or it is one of endlessly many."""
    return depth > MOST_LEVELS or (len(path) > MOST_OF_A_PATH // 4 and len(os.fsencode(path)) > MOST_OF_A_PATH)


def _is_new(path: str, met: Container[object]) -> bool:
    return not any((path, how) in met for how in _As)


def _take_file(entry: "os.DirEntry[str]", how: _As, folder: _Folder, *, protected: bool, secret: bool) -> None:
    if secret:
        folder.secret.append((entry.path, False))
        folder.noted += [entry.path] if protected else []
    elif protected and how is not _As.HELD:
        folder.held.append((entry.path, False))
    if protected or secret or how is _As.HELD:
        folder.files.append(entry.path)


def _add(path: str, folder: _Folder, seen: Seen) -> None:
    seen.held.update(folder.held)
    seen.secret.update(folder.secret)
    seen.noted.update(folder.noted)
    seen.links += folder.links
    if folder.git:
        seen.git.append(path)
    if folder.bare:
        seen.noted.add(f"{path}/HEAD")
    for file in folder.files:
        # Another name changes nothing about the folder, so this is never remembered.
        try:
            found = os.lstat(file)
        except OSError:
            continue
        if found.st_nlink > 1 and stat.S_ISREG(found.st_mode):
            seen.linked.setdefault((found.st_dev, found.st_ino), []).append(file)


def names_elsewhere(seen: Seen) -> str | None:
    """A protected file that has a name beside those that are held, by which it could be written."""
    for paths in seen.linked.values():
        try:
            names = os.lstat(paths[0]).st_nlink
        except OSError:
            continue
        if names > len(set(paths)):
            return paths[0]
    return None
