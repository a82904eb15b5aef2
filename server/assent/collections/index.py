"""The full-text index of one workspace: a SQLite file of its own, used by one thread, made anew when it is damaged.

It holds nothing that could not be found again, so nothing of it is ever mended: what is wrong with it ends it.
"""

import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from assent.collections.reading import Content
from assent.collections.walking import Stamp
from assent.lazy_dataclasses import dataclass

logger = logging.getLogger(__name__)

VERSION = 1
ENDINGS = ("", "-wal", "-shm")
_BUSY_SECONDS = 5.0
_SNIPPET = 40
_CHECKED = 64 * 1024 * 1024
_TABLES = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    seen INTEGER NOT NULL,
    digest TEXT NOT NULL,
    fault TEXT
);
CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
);
CREATE INDEX places_of ON places (document);
CREATE VIRTUAL TABLE passages USING fts5 (
    name, heading, body, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
_WEIGHTS = "2.0, 4.0, 1.0"
"""A word in a heading says more than one in the text, and one in the name of the file something."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows of a document."""

    id: int
    stamp: Stamp
    seen: int
    digest: str
    fault: str | None

    def is_current(self, stamp: Stamp) -> bool:
        """Whether a file with this stamp holds what is known of it."""
        return stamp == self.stamp and stamp.is_settled(self.seen)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that fits, by its number and that of its document."""

    id: int
    path: str
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """A passage as it is shown."""

    heading: str
    first: int
    last: int
    snippet: str


class Index:
    """The file, open. In memory where there is no place for a file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._identity = (0, 0)
        self._connection: sqlite3.Connection | None = None
        self._known: dict[str, Known] | None = None
        self._version = -1

    def documents(self) -> dict[str, Known]:
        """All that is known, by path; read again only where another process changed something."""
        connection = self._open()
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        if self._known is None or version != self._version:
            rows = connection.execute("SELECT path, id, stamp, seen, digest, fault FROM documents")
            self._known = {row[0]: Known(row[1], _stamp(row[2]), *row[3:]) for row in rows}
            self._version = version
        return self._known

    def put(self, contents: Iterable[tuple[str, str, Content, int]]) -> None:
        """Keeps documents by path, with the name that they are found by and the time at which each was seen."""
        with self._transaction() as (connection, known):
            for path, name, content, seen in contents:
                before = known.get(path)
                same = before is not None and (content.digest, content.fault) == (before.digest, before.fault)
                if before is not None and not same:
                    _forget(connection, before.id)
                known[path] = _keep(connection, before, path, content, seen)
                if not same:
                    _add_passages(connection, known[path].id, name, content)

    def drop(self, paths: Iterable[str]) -> None:
        """Forgets these documents."""
        with self._transaction() as (connection, known):
            for path in paths:
                before = known.pop(path, None)
                if before is not None:
                    _forget(connection, before.id)
                    connection.execute("DELETE FROM documents WHERE id = ?", (before.id,))

    def candidates(self, expression: str, paths: Iterable[str], most: int) -> list[Candidate]:
        """The passages of these documents that fit, the best first."""
        connection, known = self._open(), self.documents()
        connection.execute("CREATE TEMP TABLE IF NOT EXISTS chosen (document INTEGER PRIMARY KEY)")
        connection.execute("DELETE FROM chosen")
        ids = ((known[path].id,) for path in paths if path in known)
        connection.executemany("INSERT OR IGNORE INTO chosen VALUES (?)", ids)
        rows = connection.execute(
            f"SELECT places.id, documents.path, bm25(passages, {_WEIGHTS}) AS score FROM passages"  # noqa: S608 - numbers
            " JOIN places ON places.id = passages.rowid JOIN chosen ON chosen.document = places.document"
            " JOIN documents ON documents.id = places.document"
            " WHERE passages MATCH ? ORDER BY score, places.id LIMIT ?",
            (expression, most),
        ).fetchall()
        connection.commit()
        return [Candidate(*row) for row in rows]

    def shown(self, expression: str, ids: Sequence[int]) -> dict[int, Found]:
        """These passages as they are shown; one that is gone by now is left out."""
        found: dict[int, Found] = {}
        for number in ids:
            row = (
                self._open()
                .execute(
                    "SELECT heading, first, last, snippet(passages, 2, '', '', '…', ?) FROM passages"
                    " JOIN places ON places.id = passages.rowid WHERE passages MATCH ? AND passages.rowid = ?",
                    (_SNIPPET, expression, number),
                )
                .fetchone()
            )
            if row is not None:
                found[number] = Found(*row)
        return found

    def close(self) -> None:
        """Lets go of the file."""
        connection, self._connection = self._connection, None
        self._known = None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def begin_anew(self, why: object) -> None:
        """Throws the file away: what it held is found again."""
        # One that another process has made meanwhile is not the damaged one.
        is_own = self._identity == self._on_disk()
        self.close()
        if self._path is None or not is_own:
            return
        logger.warning("the index of documents was damaged and is made anew (%s)", why)
        for ending in reversed(ENDINGS):
            with suppress(OSError):
                self._path.with_name(self._path.name + ending).unlink()

    def in_memory(self, why: object) -> None:
        """Goes on without a file."""
        self.close()
        logger.warning("the index of documents is kept in memory only (%s)", why)
        self._path = None

    @property
    def is_open(self) -> bool:
        """Whether there is a file, or what stands for it, that can be asked."""
        return self._connection is not None

    @property
    def is_in_memory(self) -> bool:
        """Whether it is gone with this process."""
        return self._path is None

    @contextmanager
    def _transaction(self) -> Iterator[tuple[sqlite3.Connection, dict[str, Known]]]:
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        try:
            # With the lock, nobody else changes any more what is known.
            yield connection, self.documents()
            connection.commit()
        except BaseException:
            self._known = None
            with suppress(sqlite3.Error):
                connection.rollback()
            raise

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._identity == self._on_disk():
            return self._connection
        # Another process threw the file away: what is written to one without a name is lost.
        self.close()
        if self._path is not None:
            _make_private(self._path)
        connection = sqlite3.connect(
            self._path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._identity = self._on_disk()
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        # What is taken out of the index does not stay in the file.
        connection.execute("PRAGMA secure_delete = ON")
        if self._path is not None and self._path.stat().st_size <= _CHECKED:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if said != "ok":
                raise sqlite3.DatabaseError(str(said))
        if _version_of(connection) == VERSION:
            return
        connection.execute("BEGIN IMMEDIATE")
        version = _version_of(connection)
        if version not in (0, VERSION):
            connection.rollback()
            raise sqlite3.DatabaseError(f"it is of version {version}")
        if version == 0:
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            with suppress(sqlite3.OperationalError):
                # Only newer ones know it; in others, words of what is gone stay until they are merged with others.
                connection.execute("INSERT INTO passages (passages, rank) VALUES ('secure-delete', 1)")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.commit()

    def _on_disk(self) -> tuple[int, int]:
        if self._path is None:
            return 0, 0
        try:
            info = os.lstat(self._path)
        except OSError:
            return -1, -1
        return info.st_dev, info.st_ino


def _version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make_private(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    if path.is_symlink() or not path.is_file():
        raise OSError(f"{path.name} is no file")
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _keep(connection: sqlite3.Connection, before: Known | None, path: str, content: Content, seen: int) -> Known:
    values = (" ".join(map(str, content.stamp)), seen, content.digest, content.fault)
    if before is None:
        sql = "INSERT INTO documents (stamp, seen, digest, fault, path) VALUES (?, ?, ?, ?, ?)"
        number = int(connection.execute(sql, (*values, path)).lastrowid or 0)
    else:
        number = before.id
        sql = "UPDATE documents SET stamp = ?, seen = ?, digest = ?, fault = ? WHERE id = ?"
        connection.execute(sql, (*values, number))
    return Known(number, content.stamp, seen, content.digest, content.fault)


def _forget(connection: sqlite3.Connection, document: int) -> None:
    connection.execute("DELETE FROM passages WHERE rowid IN (SELECT id FROM places WHERE document = ?)", (document,))
    connection.execute("DELETE FROM places WHERE document = ?", (document,))


def _add_passages(connection: sqlite3.Connection, document: int, name: str, content: Content) -> None:
    for one in content.passages:
        sql = "INSERT INTO places (document, first, last) VALUES (?, ?, ?)"
        place = connection.execute(sql, (document, one.first, one.last)).lastrowid
        sql = "INSERT INTO passages (rowid, name, heading, body) VALUES (?, ?, ?, ?)"
        connection.execute(sql, (place, name, _clean(one.heading), _clean(one.text)))


def _clean(text: str) -> str:
    """Without halves of characters, which no text in the file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _stamp(text: str) -> Stamp:
    return Stamp(*map(int, text.split()))
