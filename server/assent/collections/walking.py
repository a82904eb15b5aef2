"""Which documents lie below a folder now, found again and again at little cost.

A folder whose own time did not change holds the same names, so that only the documents themselves are looked at. Links
are never followed: what they lead to is found where it lies, or is none of the folder's business.
"""
# ruff: noqa: PTH116, PTH118 - for every document, at every look

import os
import stat
from collections.abc import Callable
from dataclasses import field
from functools import partial
from itertools import islice
from time import time_ns
from typing import NamedTuple

from assent.collections.globs import Membership
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_text
from assent.model.collections import Collection
from assent.policy.protected import is_secret
from assent.tools.ignored import NAME as IGNORE_FILE
from assent.tools.ignored import Ignored, ignored_at

MOST_DOCUMENTS = 20_000
MOST_FOLDERS = 20_000
_MOST_NAMES = 400_000
"""Names that one look may meet in folders that changed. Of a larger tree, the rest is found by the next looks."""
TICK = 2_000_000_000
"""Nanoseconds in which two changes may have the same time."""
_ENVIRONMENT = "pyvenv.cfg"


Secrets = Callable[[], frozenset[str]]
"""Values that are known to be secret at this moment."""


class Stamp(NamedTuple):
    """Changes with a file, and is another one for another file."""

    modified: int
    changed: int
    size: int
    inode: int
    device: int

    def is_settled(self, at: int) -> bool:
        """Whether a later change has another stamp, for who looked at this time."""
        return max(self.modified, self.changed) + TICK < at


def stamp_of(info: os.stat_result) -> Stamp:
    """The stamp of what was looked at."""
    return Stamp(info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_dev)


@dataclass(slots=True)
class Look:
    """What was found: documents by their real paths."""

    documents: dict[str, Stamp] = field(default_factory=dict)
    whole: bool = True
    """Nothing was left out because there is too much."""
    finished: bool = True
    """Everything was looked at that one look can hold; where not, the next ones go on."""
    hidden: bool = False
    """The folder itself lies in what git ignores."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """What is known of a folder."""

    stamp: Stamp
    seen: int
    above: Ignored
    ignored: Ignored
    lists: tuple[Stamp | None, ...]
    """Of the files that say what is ignored in it."""
    documents: tuple[str, ...]
    folders: tuple[str, ...]


class Tree:
    """One folder of a collection. It remembers what it saw; only its owner's thread may ask it."""

    def __init__(self, top: str, collection: Collection, secrets: Secrets) -> None:
        self._top = top
        self._secrets = secrets
        self._members = Membership(collection)
        self._known: dict[str, _Folder] = {}
        self._names = 0

    def look(self) -> Look:
        """What is there now."""
        found, self._names = Look(), 0
        top = _same(ignored_at(self._top), self._known.get(self._top))
        found.hidden = top.everything
        known: dict[str, _Folder] = {}
        ahead: list[tuple[str, Ignored, Callable[[], Ignored]]] = [(self._top, top, lambda: top)]
        while ahead:
            path, above, own = ahead.pop()
            found.whole = len(known) < MOST_FOLDERS
            found.finished = self._names <= _MOST_NAMES
            folder = self._folder(path, above, own) if found.whole and found.finished else None
            if folder is None:
                if found.whole and found.finished:
                    continue
                break
            known[path] = folder
            # Turned round: the first of them is taken from the end.
            ahead += [
                (os.path.join(path, name), folder.ignored, partial(folder.ignored.into, name))
                for name in reversed(folder.folders)
            ]
            if not _stamped(folder.documents, found):
                break
        self._known = known
        return found

    def _folder(self, path: str, above: Ignored, own: Callable[[], Ignored]) -> _Folder | None:
        """What is in it: as it is known, if nothing can have changed."""
        stamp = _stamp_at(path, stat.S_ISDIR)
        if stamp is None:
            return None
        known = self._known.get(path)
        if known is not None and known.above is above and known.stamp == stamp:
            lists = tuple(map(_stamp_at, known.ignored.sources))
            times = (stamp, *filter(None, lists))
            if lists == known.lists and all(time.is_settled(known.seen) for time in times):
                return known
        seen, ignored = time_ns(), _same(own(), known)
        lists = tuple(map(_stamp_at, ignored.sources))
        try:
            documents, folders = self._names_in(path, ignored)
        except OSError:
            return None
        return _Folder(stamp, seen, above, ignored, lists, documents, folders)

    def _names_in(self, path: str, ignored: Ignored) -> tuple[tuple[str, ...], tuple[str, ...]]:
        documents: list[str] = []
        folders: list[str] = []
        names = _below(path, self._top)
        for entry in _entries(path):
            self._names += 1
            if entry.name == _ENVIRONMENT:
                # A Python environment: its texts are those of installed packages.
                return (), ()
            way = (*names, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if self._enters(entry, way, ignored):
                    folders.append(entry.name)
            elif entry.is_file(follow_symlinks=False) and self._takes(entry, way, ignored):
                documents.append(entry.path)
        return tuple(documents), tuple(folders)

    def _enters(self, entry: "os.DirEntry[str]", way: tuple[str, ...], ignored: Ignored) -> bool:
        if ignored.hides(entry.name, is_folder=True) or is_secret(entry.path):
            return False
        return self._members.enters(way)

    def _takes(self, entry: "os.DirEntry[str]", way: tuple[str, ...], ignored: Ignored) -> bool:
        if entry.name == IGNORE_FILE or not self._members.takes(way) or is_secret(entry.path):
            return False
        if ignored.hides(entry.name, is_folder=False) or not _is_text(entry.path):
            return False
        # A path is kept and told as it is, so it must not hold a secret itself.
        return not mask_text("/".join(way), self._secrets())[1]


def _stamped(documents: tuple[str, ...], found: Look) -> bool:
    """Adds those that are there. Says whether there is room for more."""
    for path in documents:
        if len(found.documents) >= MOST_DOCUMENTS:
            found.whole = False
            return False
        stamp = _stamp_at(path)
        if stamp is not None:
            found.documents[path] = stamp
    return True


def _stamp_at(path: str, is_kind: Callable[[int], bool] = stat.S_ISREG) -> Stamp | None:
    """Of a regular file, or of what else is asked for; None where there is none."""
    try:
        info = os.stat(path, follow_symlinks=False)
    except (OSError, ValueError):
        return None
    return stamp_of(info) if is_kind(info.st_mode) else None


def _is_text(path: str) -> bool:
    """Whether the name can be told at all."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _same(ignored: Ignored, known: _Folder | None) -> Ignored:
    """The one that is known already, if it says the same: what was found with it then still counts."""
    return known.ignored if known is not None and known.ignored == ignored else ignored


def _entries(path: str) -> "list[os.DirEntry[str]]":
    with os.scandir(path) as entries:
        return sorted(islice(entries, _MOST_NAMES), key=lambda entry: entry.name)


def _below(path: str, top: str) -> tuple[str, ...]:
    rest = path[len(top.rstrip(os.sep)) :]
    return tuple(name for name in rest.split(os.sep) if name)  # noqa: PTH206
