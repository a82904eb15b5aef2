"""The database file: opened when it is first needed, held against its head, set aside when it is damaged.

Every change is made alone among all processes, under one lock, and continues what the file holds then. What is read
here is never remembered from one transaction to the next.
"""

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from assent.store import head as heads
from assent.store import history, schema
from assent.store.chain import START, Link
from assent.store.damage import set_aside
from assent.store.faults import BUSY_SECONDS, Damaged, in_words, is_damage, newer, passes_by_itself, without_journal
from assent.store.lock import alone
from assent.store.regular import require_file

logger = logging.getLogger(__name__)

FILE = "assent.sqlite3"
HEAD_FILE = "history.head"
LOCK_FILE = "assent.lock"

_LOG_KEPT = 16 * 1024 * 1024
"""Bytes that the log keeps on the disk when it could be empty."""

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

    def run(self, work: Work) -> None:
        """Does the work in one transaction that survives a power cut when this returns; Unwritable: nothing is kept.

        The work may be done twice, where the file turns out to be damaged and a fresh one is begun.
        """
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with alone(self._lock, self.path):
                self._run_alone(work)
        except (sqlite3.Error, OSError) as fault:
            if not passes_by_itself(fault):
                self.close()
            raise in_words(fault, self.path) from fault

    def close(self) -> None:
        """Lets go of the file; the next transaction opens it again."""
        connection, self._connection = self._connection, None
        self._tables_seen = -1
        if connection is not None:
            connection.close()

    def _run_alone(self, work: Work) -> None:
        try:
            self._transact(work, ())
        except (Damaged, sqlite3.DatabaseError) as fault:
            if not isinstance(fault, Damaged) and not is_damage(fault):
                raise
            words = set_aside(self.path, self.head, str(fault), self.close)
            logger.error("%s", words)  # noqa: TRY400 - the words say it
            self._transact(work, (words,))

    def _transact(self, work: Work, said: tuple[str, ...]) -> None:
        connection = self._open()
        connection.begin()
        try:
            self._refuse_newer(connection)
            schema.migrate(connection)
            self._require_tables(connection)
            anew, found = self._hold_against_head(connection)
            for words in said:
                history.append_notice(connection, START, history.SET_ASIDE, words)
            before = history.end_of(connection)
            work(connection)
            after = history.end_of(connection)
            _require_there(connection.appended or before, after)
            connection.execute("COMMIT")
        except BaseException:
            # A full disk has rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self._remember_head(after, anew=anew, moved=anew or bool(said) or bool(found) or after != before)
        for words in (*said, *found):
            self._tell(words)

    def _hold_against_head(self, connection: sqlite3.Connection) -> tuple[bool, tuple[str, ...]]:
        """Whether the head has to be made anew, and what was found wrong and is written down now."""
        end = history.end_of(connection)
        try:
            head = self.head.read()
        except heads.HeadUnreadable as fault:
            if end == START:
                # Before the first entry: from now on a head that is missing says something.
                self.head.begin()
                return False, ()
            words = f"Whether entries of the history are missing at its end is not known: {fault}."
            history.append_notice(connection, end, history.HEAD_LOST, words)
            return True, (words,)
        found = _disagreement(connection, end, head)
        if found is None:
            return False, ()
        code, after, words = found
        history.append_notice(connection, after, code, words)
        logger.error("%s", words)
        return False, (words,)

    def _remember_head(self, end: Link, *, anew: bool, moved: bool) -> None:
        try:
            if anew:
                self.head.begin(end)
            elif moved:
                self.head.write(end)
        except OSError as fault:
            # What was written stays written; a head that names less is as after a crash.
            logger.error("%s could not be written (%s)", self.head.path, fault.strerror)  # noqa: TRY400

    def _open(self) -> history.Ledger:
        """The open file, if it still is the one that its name leads to."""
        if self._connection is not None and self._identity == _identity(self.path):
            return self._connection
        self.close()
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

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        if schema.version_of(connection) > schema.VERSION:
            raise newer(self.path)

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


def _disagreement(connection: sqlite3.Connection, end: Link, head: Link) -> tuple[str, Link, str] | None:
    """What the head names and the file does not hold: a code, the link to go on from, words. None: all is there."""
    if head.n > end.n:
        missing = f"Entry {head.n} is" if head.n == end.n + 1 else f"Entries {end.n + 1} to {head.n} are"
        words = f"{missing} missing at the end of the history: written once, and removed or lost by the disk since."
        # Numbers are not given twice: the gap stays to be seen.
        return history.CUT, head, words
    if head.n and history.hash_of(connection, head.n) != head.hash:
        words = f"The history is another than was written: its entry {head.n} is not the one that {HEAD_FILE} names."
        return history.REPLACED, end, words
    return None


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """The database and what SQLite keeps beside it. SQLite would wait for a pipe for ever, and follow a link."""
    return path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


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
    for name in files_of(path)[:2]:
        try:
            found = name.lstat()
        except FileNotFoundError:
            known += (0, 0)
        else:
            known += (found.st_dev, found.st_ino)
    return tuple(known)
