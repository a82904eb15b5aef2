"""The database file: opened when it is first needed, held against its head, set aside when it is damaged.

Every change is made alone among all processes, under one lock, and continues what the file holds then. What is read
here is never remembered from one transaction to the next.
"""

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from assent.store import head as heads
from assent.store import history, schema
from assent.store.chain import START, Link
from assent.store.damage import set_aside
from assent.store.faults import (
    BUSY_SECONDS,
    Damaged,
    Unwritable,
    head_unwritable,
    in_words,
    is_damage,
    newer,
    passes_by_itself,
    taken_away,
    without_journal,
)
from assent.store.lock import alone
from assent.store.regular import require_file
from assent.store.rescue import drop_log, save_open, was_set_aside
from assent.store.seen import Finding, Seen, begun_after_damage, compare

logger = logging.getLogger(__name__)

FILE = "assent.sqlite3"
HEAD_FILE = "history.head"
LOCK_FILE = "assent.lock"
_LOG = "-wal"
"""What SQLite puts behind the name of the database for that of its log."""

_LOG_KEPT = 16 * 1024 * 1024
"""Bytes that the log keeps on the disk when it could be empty."""

_TRIES = 3
"""How often a file is written to anew that loses its name while it is written to."""

Work = Callable[[sqlite3.Connection], None]


class Database:
    """The file and its head. Used by one thread. `tell` is given what the user ought to know of the file."""

    def __init__(self, directory: Path, tell: Callable[[str], None]) -> None:
        self.path = directory / FILE
        self.head = heads.Head(directory / HEAD_FILE)
        self._lock = directory / LOCK_FILE
        self._tell = tell
        self._connection: history.Ledger | None = None
        self._identity: tuple[int, ...] = ()
        self._tables_seen = -1
        self._seen: Seen | None = None
        self._saved = ""
        self._head_trouble: str | None = None

    def run(self, work: Work) -> None:
        """Does the work in one transaction that survives a power cut when this returns; Unwritable: nothing is kept.

        The work may be done twice, where the file turns out to be damaged and a fresh one is begun.
        """
        try:
            with alone(self._lock, self.path):
                self._run_alone(work)
        except (sqlite3.Error, OSError) as fault:
            if not passes_by_itself(fault):
                self.close()
            raise in_words(fault, self.path) from fault

    def end(self) -> None:
        """Closes the file for good. One that lost its name would be gone with that, so it is saved before."""
        if self._connection is not None and self._identity != _identity(self.path):
            with suppress(Unwritable):
                self.run(lambda connection: None)
        self.close()

    def close(self) -> None:
        """Lets go of the file; the next transaction opens it again."""
        connection, self._connection = self._connection, None
        self._tables_seen = -1
        if connection is not None:
            connection.close()

    def _run_alone(self, work: Work) -> None:
        for _ in range(_TRIES):
            self._transact_or_begin_anew(work)
            # What was written to a file without a name is not written.
            if self._identity == _identity(self.path):
                return
        raise taken_away(self.path)

    def _transact_or_begin_anew(self, work: Work) -> None:
        try:
            self._transact(work, ())
        except (Damaged, sqlite3.DatabaseError) as fault:
            if not isinstance(fault, Damaged) and not is_damage(fault):
                raise
            if self._seen is not None and _identity(self.path)[:2] == self._seen.file:
                self._seen = None
            words = set_aside(self.path, self.head, str(fault), self.close)
            logger.error("%s", words)  # noqa: TRY400 - the words say it
            self._transact(work, (words,))

    def _transact(self, work: Work, said: tuple[str, ...]) -> None:
        connection = self._open()
        connection.begin()
        try:
            if self._refuse_newer(connection) < schema.VERSION:
                schema.migrate(connection)
            self._require_tables(connection)
            for words in said:
                self.head.begin()
                history.append_notice(connection, START, history.SET_ASIDE, words)
            before = history.end_of(connection)
            head, found = self._hold_against_head(connection, before)
            work(connection)
            after = history.end_of(connection)
            _require_there(connection.appended or before, after)
            connection.execute("COMMIT")
        except BaseException:
            # A full disk has rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        anew = found is not None and found.head_anew
        if anew or found is not None or after != head:
            head = self._remember_head(after, anew=anew) or head
        self._remember(connection, after, head)
        for words in said:
            self._tell(words)
        if found is not None:
            self._tell(found.words)

    def _hold_against_head(self, connection: sqlite3.Connection, end: Link) -> tuple[Link, Finding | None]:
        """What the head says, and what was found wrong and is written down now. The history ends in this link."""
        self._forget_set_aside(connection)
        head = self._read_head()
        found = compare(connection, end, head, self._seen, self._saved)
        if found is None and isinstance(head, heads.HeadUnreadable):
            # Before the first entry: from now on a head that is missing says something.
            self.head.begin()
        elif found is not None and not found.is_written:
            history.append_notice(connection, found.after, found.code, found.words)
            logger.error("%s", found.words)
        return START if isinstance(head, heads.HeadUnreadable) else head, found

    def _forget_set_aside(self, connection: sqlite3.Connection) -> None:
        """Another window may have set the file aside, which this one remembers, and have told of it."""
        seen = self._seen
        if seen is None or seen.file == self._identity[:2]:
            return
        if begun_after_damage(connection) and was_set_aside(self.path, seen.file):
            self._seen = None

    def _read_head(self) -> Link | heads.HeadUnreadable:
        try:
            return self.head.read()
        except heads.HeadUnreadable as fault:
            return fault

    def _remember_head(self, end: Link, *, anew: bool) -> Link | None:
        try:
            if anew:
                self.head.begin(end)
            else:
                self.head.write(end)
        except OSError as fault:
            # What was written stays written; a head that names less is as after a crash.
            words = head_unwritable(self.head.path, fault)
            if words != self._head_trouble:
                logger.error("%s", words)  # noqa: TRY400 - the words say it
                self._tell(words)
            self._head_trouble = words
            return None
        self._head_trouble = None
        return end

    def _remember(self, connection: sqlite3.Connection, end: Link, head: Link) -> None:
        seen, file = self._seen, self._identity
        first = seen.first if seen is not None and seen.file == file[:2] else None
        self._seen = Seen((file[0], file[1]), first or history.hash_of(connection, 1), end, head)
        self._saved = ""

    def _let_go(self) -> None:
        """Closes what is open, where its name leads elsewhere now; what would be lost with that is saved before."""
        connection, seen, file = self._connection, self._seen, self._identity[:2]
        if connection is not None and seen is not None and seen.file == file != _identity(self.path)[:2]:
            self._save(connection, seen)
        self.close()

    def _save(self, connection: history.Ledger, seen: Seen) -> None:
        if not was_set_aside(self.path, seen.file):
            self._saved = save_open(connection, self.path, seen)
            drop_log(self.path, self._identity[2:])

    def _open(self) -> history.Ledger:
        """The open file, if it still is the one that its name leads to."""
        if self._connection is not None and self._identity == _identity(self.path):
            return self._connection
        self._let_go()
        for name in files_of(self.path):
            require_file(name)
        _make_private(self.path)
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, factory=history.Ledger)
        # Kept even if it turns out to be damaged: closing it would write to the file that is to be set aside.
        self._connection, self._identity = connection, ()
        self._set_up(connection)
        self._identity = _identity(self.path)
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        self._refuse_newer(connection)
        if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
            raise without_journal(self.path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT}")
        # The write-ahead log comes into being with the first look, and belongs to what is compared later.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def _refuse_newer(self, connection: sqlite3.Connection) -> int:
        version = schema.version_of(connection)
        if version > schema.VERSION:
            raise newer(self.path)
        return version

    def _require_tables(self, connection: sqlite3.Connection) -> None:
        """Looks at the tables once, and again whenever they were changed."""
        cookie = int(connection.execute("PRAGMA schema_version").fetchone()[0])
        if cookie != self._tables_seen:
            difference = schema.changed(connection)
            if difference is not None:
                raise Damaged(f"its tables are not those that Assent made: {difference}")
            self._tables_seen = cookie


def _require_there(expected: Link, end: Link) -> None:
    """Before anybody is told that it is written down."""
    if end != expected:
        raise Damaged(f"entry {expected.n} was written and is not there")


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """The database and what SQLite keeps beside it. SQLite would wait for a pipe for ever, and follow a link."""
    return path, path.with_name(f"{path.name}{_LOG}"), path.with_name(f"{path.name}-shm")


def _make_private(path: Path) -> None:
    """The file, for its owner alone. It is not opened where it exists: that would take SQLite's locks away."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)


def _identity(path: Path) -> tuple[int, ...]:
    """Which files the database and its log are now; whoever has others open writes where nobody will look."""
    known: list[int] = []
    for name in (str(path), f"{path}{_LOG}"):
        try:
            found = os.lstat(name)
        except FileNotFoundError:
            known += (0, 0)
        else:
            known += (found.st_dev, found.st_ino)
    return tuple(known)
