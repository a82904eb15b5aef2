"""All collections of one workspace and their index, brought up to date before each question. For one thread.

shelf.bring(collections, until, gone)      as far as there is time
shelf.ask(expression, "handbook", 20)
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic, time_ns

from assent.collections.index import Candidate, Found, Index, Known
from assent.collections.reading import MOST_BYTES as LARGEST
from assent.collections.reading import Content, content_of
from assent.collections.walking import Look, Secrets, Stamp, Tree
from assent.model.collections import Collection
from assent.tools.library import State

MOST_BYTES = 256 * 1024 * 1024
"""Of all documents together."""
TOO_MUCH = f"beyond the {MOST_BYTES // (1024 * 1024)} MiB that are indexed at most"
NAMED = 5
_TOGETHER = 32

Gone = Callable[[], bool]
"""Whether nobody waits any more."""
_Members = dict[str, Stamp]


class Shelf:
    """Which documents belong to which collection, and what they say."""

    def __init__(self, file: Path | None, secrets: Secrets) -> None:
        self.index = Index(file)
        self._secrets = secrets
        self._trees: dict[tuple[Collection, str], Tree] = {}
        self._members: dict[str, _Members] = {}
        self._states: dict[str, State] = {}

    def bring(self, collections: Sequence[Collection], until: float, gone: Gone) -> bool:
        """Brings the index up to what is on the disk now. False where there was no time for all of it."""
        names, finished = self._look(collections)
        stale = [path for path in self.index.documents() if path not in names]
        if stale and finished:
            self.index.drop(stale)
        return self._read(names, until, gone) and finished

    def ask(self, expression: str, name: str, most: int) -> list[Candidate]:
        """The passages of this collection that fit, the best first."""
        return self.index.candidates(expression, self._members.get(name, {}), most)

    def shown(self, expression: str, ids: Sequence[int]) -> Mapping[int, Found]:
        """These passages as they are shown."""
        return self.index.shown(expression, ids)

    def state(self, name: str) -> State:
        """What is known of this collection."""
        known = self.index.documents()
        state = self._states.get(name, State())
        left_out = dict(state.left_out)
        indexed = 0
        for path in self._members.get(name, {}):
            one = known.get(path)
            if one is not None and one.fault is None:
                indexed += 1
            elif one is not None and one.fault is not None:
                _leave_out(left_out, one.fault, path)
        return replace(state, indexed=indexed, left_out=left_out)

    def close(self) -> None:
        """Lets go of the file."""
        self.index.close()

    def _look(self, collections: Sequence[Collection]) -> tuple[dict[str, str], bool]:
        """Finds the documents of all. Says by which name each is known, and whether everything was looked at."""
        wanted = {(replace(one, description=""), folder): one.name for one in collections for folder in one.folders}
        self._trees = {key: self._trees.get(key) or Tree(key[1], key[0], self._secrets) for key in wanted}
        self._members, self._states = {}, {}
        names: dict[str, str] = {}
        finished, room = True, MOST_BYTES
        for key, tree in self._trees.items():
            look, start = tree.look(), len(key[1].rstrip(os.sep)) + 1
            finished = finished and look.finished
            members, left_out = self._members.setdefault(wanted[key], {}), dict[str, tuple[int, tuple[str, ...]]]()
            for path, stamp in look.documents.items():
                size = stamp.size if path not in names and stamp.size <= LARGEST else 0
                if size > room:
                    _leave_out(left_out, TOO_MUCH, path)
                    continue
                room -= size
                members[path] = stamp
                names.setdefault(path, path[start:])
            self._note(wanted[key], look, left_out)
        return names, finished

    def _note(self, name: str, look: Look, left_out: dict[str, tuple[int, tuple[str, ...]]]) -> None:
        before = self._states.get(name)
        state = State(len(look.documents), 0, left_out, look.whole, look.hidden)
        if before is not None:
            united = {**before.left_out, **left_out}
            documents = before.documents + state.documents
            whole, hidden = before.whole and state.whole, before.hidden and state.hidden
            state = State(documents, 0, united, whole, hidden)
        self._states[name] = state

    def _read(self, names: Mapping[str, str], until: float, gone: Gone) -> bool:
        """Reads what is new or may have changed, a few documents at a time."""
        known = self.index.documents()
        stamps = {path: stamp for members in self._members.values() for path, stamp in members.items()}
        changed = iter([path for path, stamp in stamps.items() if not _is_current(known.get(path), stamp)])
        while batch := list(islice(changed, _TOGETHER)):
            if gone() or monotonic() > until:
                return False
            # Another process may have read some of them meanwhile.
            known = self.index.documents()
            wanted = (path for path in batch if path not in known or not known[path].is_current(stamps[path]))
            contents = list(self._contents(wanted, names, stamps))
            if contents:
                self.index.put(contents)
        return True

    def _contents(
        self, paths: Iterator[str], names: Mapping[str, str], stamps: Mapping[str, Stamp]
    ) -> Iterator[tuple[str, str, Content, int]]:
        known = self.index.documents()
        for path in paths:
            before = known.get(path)
            digest = before.digest if before is not None and before.fault is None else None
            seen = time_ns()
            content = content_of(path, names[path], stamps[path], digest, self._secrets)
            if content is not None:
                yield path, names[path], content, seen


def is_busy(fault: sqlite3.Error) -> bool:
    """Whether another process is at it."""
    return (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_of_the_disk(fault: sqlite3.Error) -> bool:
    """Whether nothing is wrong with the file, only with the place in which it is."""
    code = (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF
    of_disk = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
    return code in (*of_disk, sqlite3.SQLITE_IOERR)


def _is_current(known: Known | None, stamp: Stamp) -> bool:
    return known is not None and known.is_current(stamp)


def _leave_out(left_out: dict[str, tuple[int, tuple[str, ...]]], why: str, path: str) -> None:
    count, paths = left_out.get(why, (0, ()))
    left_out[why] = count + 1, (*paths, path)[:NAMED]
