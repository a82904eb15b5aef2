"""Checking the history: every entry against its hash, every hash against the one before, the end against the head."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.store import schema
from assent.store.chain import START, Link, entry_hash
from assent.store.facts import NAMES, facts_of
from assent.store.faults import is_damage
from assent.store.gists import SPAN, are_kept, gist_of, is_complete, lacks, texts_of
from assent.store.head import HeadUnreadable
from assent.store.history import ALARMS
from assent.store.reading import HistoryDamaged, NoHistory, Stopped, head_in, never, reading

_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether every entry is as it was written; if not, the first that is not, and how that shows."""

    intact: bool
    entries: int
    first_broken: int | None = None
    problem: str | None = None


class _Broken(Exception):
    """The first entry that is not as it was written."""

    def __init__(self, n: int | None, problem: str) -> None:
        super().__init__(problem)
        self.n = n
        self.problem = problem


def verify(directory: Path, stopped: Stopped = never) -> Verified:
    """Walks over the whole history, a piece at a time. NoHistory where there never was one."""
    # The head first: what is written meanwhile is longer than it, never shorter.
    try:
        head: Link | str = head_in(directory).read()
    except HeadUnreadable as fault:
        head = str(fault)
    except OSError as fault:
        head = f"{fault.filename} cannot be opened ({fault.strerror})"
    try:
        with reading(directory, stopped) as connection:
            return _verified(connection, head)
    except NoHistory:
        if isinstance(head, Link) and head.n:
            return Verified(False, 0, 1, f"The history is gone: it had {head.n} entries, and its file holds none.")
        raise
    except HistoryDamaged as fault:
        return Verified(False, 0, None, str(fault))


def _verified(connection: sqlite3.Connection, head: Link | str) -> Verified:
    connection.text_factory = bytes
    walk = _Walk(connection, head)
    try:
        walk.over_all()
    except _Broken as broken:
        return Verified(False, walk.count, broken.n, broken.problem)
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault):
            raise
        return Verified(False, walk.count, walk.end.n + 1, f"The file is damaged from here on: {fault}.")
    return Verified(True, walk.count)


@dataclass(frozen=True, slots=True)
class _Row:
    n: int
    types: bytes
    hash: bytes
    body: bytes
    facts: tuple[object, ...]


class _Walk:
    """How far the check has come."""

    def __init__(self, connection: sqlite3.Connection, head: Link | str) -> None:
        self.count = 0
        self.end = START
        self._connection = connection
        self._head = head
        self._alarm: _Broken | None = None
        self._span = 0
        self._said: list[tuple[str, ...]] = []
        self._has_gists = False

    def over_all(self) -> None:
        """Raises _Broken at the first entry that is not as it was written."""
        # A server may bring an older file up to date meanwhile: its version and its tables are looked at together.
        self._connection.execute("BEGIN")
        difference = schema.changed(self._connection)
        self._connection.execute("ROLLBACK")
        if difference is not None:
            words = "The tables themselves were changed, so that entries could be hidden or dropped"
            raise _Broken(None, f"{words}: {difference}.")
        self._has_gists = are_kept(self._connection)
        for row in self._rows():
            self._take(row)
        self._compare_gist(self.end.n)
        self._compare_end()
        self._find_loose_facts()
        if self._alarm is not None:
            raise self._alarm

    def _rows(self) -> Iterator[_Row]:
        """All entries in their order, those with impossible numbers first, without holding the file for long."""
        after = -(1 << 63)
        first = True
        while True:
            sign = ">=" if first else ">"
            rows = self._connection.execute(_ROWS.format(sign), (after, _AT_ONCE)).fetchall()
            if not rows:
                return
            for row in rows:
                yield _Row(row[0], row[1], row[2], row[3], tuple(row[4:]))
            after, first = rows[-1][0], False

    def _take(self, row: _Row) -> None:
        expected = self.end.n + 1
        if row.n < expected:
            raise _Broken(row.n, f"Entry {row.n} was added: no entry is ever given this number.")
        if row.n > expected:
            words = f"Entry {expected} is" if row.n == expected + 1 else f"Entries {expected} to {row.n - 1} are"
            raise _Broken(expected, f"{words} missing; the next one that is there is {row.n}.")
        if row.types != b"text,text" or row.hash != entry_hash(self.end.hash, row.n, row.body).encode():
            raise self._not_following(row)
        if row.n // SPAN != self._span:
            self._compare_gist(row.n)
            self._span = row.n // SPAN
        self._compare_facts(row)
        self.count += 1
        self.end = Link(row.n, row.hash.decode())
        if isinstance(self._head, Link) and self._head.n == row.n and self._head != self.end:
            raise _Broken(row.n, f"Entry {row.n} is not the one that the head names: entries were written anew.")

    def _not_following(self, row: _Row) -> _Broken:
        """How it shows that this is not the entry that stood here."""
        n = row.n
        after = self._connection.execute("SELECT hash, body FROM entries WHERE n = ?", (n + 1,)).fetchone()
        if _follows(after, row.hash, n):
            return _Broken(n, f"Entry {n} was changed: its text is not the one that its hash was made of.")
        if _follows(after, entry_hash(self.end.hash, n, row.body).encode(), n):
            return _Broken(n, f"Entry {n} was changed: its hash is not the one of its text.")
        return _Broken(n, f"Entry {n} does not follow the one before it: it was changed, moved here or added.")

    def _compare_facts(self, row: _Row) -> None:
        try:
            fields = json.loads(row.body)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise _Broken(row.n, f"Entry {row.n} was added: its text is no entry of a history.")
        if row.facts[0] is None:
            raise _Broken(row.n, f"Entry {row.n} cannot be found: what it is looked up by was removed.")
        if row.facts[1:] != facts_of(fields):
            raise _Broken(row.n, f"Entry {row.n} is found as something else than it says: its facts were changed.")
        self._said.append(texts_of(fields))
        if self._alarm is None and fields.get("code") in ALARMS and fields.get("tool") == "":
            self._alarm = _Broken(row.n, f"Entry {row.n} tells what was found before: {fields.get('text')}")

    def _compare_gist(self, end: int) -> None:
        """Whether the entries since the last look can be found by their words. One that is not complete is not used."""
        said, self._said = self._said, []
        if not self._has_gists or not is_complete(self._span, end):
            return
        row = self._connection.execute("SELECT bits FROM gists WHERE span = ?", (self._span,)).fetchone()
        if row is not None and lacks(row[0], gist_of(said)):
            first, last = max(self._span * SPAN, 1), (self._span + 1) * SPAN - 1
            raise _Broken(
                first, f"Entries {first} to {last} cannot be found by their words: what tells of them was changed."
            )

    def _compare_end(self) -> None:
        if isinstance(self._head, str):
            if self.end != START:
                raise _Broken(None, f"Whether entries are missing at the end is not known: {self._head}.")
        elif self._head.n > self.end.n:
            first, last = self.end.n + 1, self._head.n
            words = f"Entry {first} is" if first == last else f"Entries {first} to {last} are"
            raise _Broken(first, f"{words} missing: the history was cut off at its end.")

    def _find_loose_facts(self) -> None:
        row = self._connection.execute(
            "SELECT f.n FROM facts AS f LEFT JOIN entries AS e ON e.n = f.n WHERE e.n IS NULL ORDER BY f.n LIMIT 1"
        ).fetchone()
        if row is not None and row[0] <= self.end.n:
            raise _Broken(row[0], f"Entry {row[0]} was added: it has facts and no text.")
        if row is not None and not self._written_meanwhile(row[0]):
            raise _Broken(row[0], f"Entry {row[0]} is missing: only its facts are there.")

    def _written_meanwhile(self, n: int) -> bool:
        return self._connection.execute("SELECT 1 FROM entries WHERE n = ?", (n,)).fetchone() is not None


_ROWS = (
    f"SELECT e.n, typeof(e.hash) || ',' || typeof(e.body), e.hash, e.body, f.n, {', '.join('f.' + n for n in NAMES)} "  # noqa: S608
    "FROM entries AS e LEFT JOIN facts AS f ON f.n = e.n WHERE e.n {} ? ORDER BY e.n LIMIT ?"
)


def _follows(row: tuple[bytes, bytes] | None, before: bytes, n: int) -> bool:
    if row is None or not all(isinstance(value, bytes) for value in row):
        return False
    return row[0] == entry_hash(before.decode("utf-8", "replace"), n + 1, row[1]).encode()
