"""Appending to the history. It never changes what is there, and continues the chain from what the file holds."""

import sqlite3
from typing import Any

from assent.jsontext import read_json
from assent.model.approval import ResolvedBy
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage
from assent.runtime.clock import SystemClock
from assent.store import gists
from assent.store.chain import START, Link, link_of, next_link
from assent.store.entry_text import body_of, text_of
from assent.store.facts import NAMES, facts_of
from assent.store.faults import Damaged

SET_ASIDE = "history_set_aside"
CUT = "history_cut"
REPLACED = "history_replaced"
HEAD_LOST = "history_head_lost"
NOTICES = frozenset({SET_ASIDE, CUT, REPLACED, HEAD_LOST})
"""The codes of entries that are about the history itself and about no call."""
ALARMS = NOTICES - {SET_ASIDE}
"""Those that say that entries of this very file are not as they were written."""


class Ledger(sqlite3.Connection):
    """A connection that knows the last link that was appended in its transaction and not taken back."""

    appended: Link | None = None

    def begin(self) -> None:
        """Begins a transaction in which nothing was appended yet."""
        self.execute("BEGIN IMMEDIATE")
        self.appended = None


_END = "SELECT n, typeof(hash), CAST(hash AS BLOB) FROM entries ORDER BY n DESC LIMIT 1"
_ENTRY = "INSERT INTO entries (n, hash, body) VALUES (?, ?, ?)"
_FACTS = f"INSERT INTO facts (n, {', '.join(NAMES)}) VALUES ({', '.join('?' * (len(NAMES) + 1))})"  # noqa: S608


def append(connection: sqlite3.Connection, *entries: Entry, known: frozenset[str] = frozenset()) -> Link:
    """Writes the entries after the last one, without these secrets, and says where the last of them stands."""
    end = end_of(connection)
    for entry in entries:
        end = append_text(connection, end, body_of(entry, known))
    return end


def append_text(connection: sqlite3.Connection, after: Link, body: str) -> Link:
    """Writes an entry's text after this link."""
    link = next_link(after, body)
    written = connection.execute(_ENTRY, (link.n, link.hash, body)).rowcount
    found = connection.execute(_FACTS, (link.n, *facts_of(read_json(body)))).rowcount
    if written != 1 or found != 1:
        raise Damaged(f"entry {link.n} was written and is not there")
    gists.follow(connection, link.n)
    if isinstance(connection, Ledger):
        connection.appended = link
    return link


def append_notice(connection: sqlite3.Connection, after: Link, code: str, words: str) -> Link:
    """Writes down what became of the history itself."""
    return append_text(connection, after, text_of(_notice(code, words)))


def end_of(connection: sqlite3.Connection) -> Link:
    """The last entry's link, or the start of the chain. Damaged where nothing could ever follow it."""
    row = connection.execute(_END).fetchone()
    if row is None:
        return START
    n, kind, digest = row
    link = link_of(n, digest)
    if link is None or kind != "text":
        raise Damaged(f"its last entry has the number {n} and a hash that Assent never gave it")
    return link


def hash_of(connection: sqlite3.Connection, n: int) -> str | None:
    """The hash that is kept of an entry."""
    row = connection.execute("SELECT CAST(hash AS BLOB) FROM entries WHERE n = ?", (n,)).fetchone()
    link = link_of(n, row[0]) if row is not None else None
    return link.hash if link is not None else None


def _notice(code: str, words: str) -> dict[str, Any]:
    empty = dict.fromkeys(
        ("session_id", "run_id", "call_id", "tool", "headline", "directory", "folder", "digest", "args"), ""
    )
    return {
        **empty,
        "at": SystemClock().timestamp(),
        "stage": Stage.FINISHED.value,
        "ending": Ending.UNKNOWN.value,
        "by": ResolvedBy.RESTART.value,
        "agent_id": "assent",
        "agent_name": "Assent",
        "category": Category.INTERNAL.value,
        "mode": Mode.DEFAULT.value,
        "text": words,
        "code": code,
    }
