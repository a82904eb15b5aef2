"""The tables, and how an older file becomes one of today. The version stands in the file itself.

`entries` is the history: append-only, chained. `facts` repeats what is looked for in a few bytes an entry, so that a
million entries are looked through in a fraction of a second; it decides nothing, and checking the history compares it
with the text.
"""

import sqlite3
from functools import cache

from assent.store import chats_schema
from assent.store.faults import Damaged

APPLICATION = 0x41737374
"""Written into the file: what says that it is Assent's."""

_HISTORY_1 = (
    "CREATE TABLE entries (n INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL)",
    """CREATE TABLE facts (
        n INTEGER PRIMARY KEY, at INTEGER, stage INTEGER, ending INTEGER, by INTEGER, reason INTEGER, option INTEGER,
        tool INTEGER, agent_id INTEGER, agent_name INTEGER, folder INTEGER, session INTEGER, call INTEGER,
        one INTEGER, asked INTEGER, waited INTEGER, took INTEGER)""",
    "CREATE INDEX facts_of_session ON facts (session)",
    "CREATE INDEX facts_of_call ON facts (call)",
)

VERSIONS: tuple[tuple[str, ...], ...] = ((*_HISTORY_1, *chats_schema.VERSION_1),)
"""What makes a file of version N+1 out of one of version N; version 0 is an empty file."""

VERSION = len(VERSIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of an open file; Damaged where it is somebody else's."""
    try:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except UnicodeDecodeError:
        # What SQLite says of tables that make no sense quotes them, and a turned bit need not leave text.
        raise Damaged("its tables cannot be read") from None
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if version == 0 and application == 0:
        if tables:
            raise Damaged("it is a database, but none of Assent's")
        return 0
    if application != APPLICATION or version < 1:
        raise Damaged("it is a database, but none of Assent's")
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the file up to today's version, inside the transaction that the caller has begun."""
    version = version_of(connection)
    if version >= VERSION:
        return
    for statements in VERSIONS[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def changed(connection: sqlite3.Connection) -> bool:
    """Whether the tables of a file of today's version are other than they were made: a trigger could drop what is
    written, a view could hide it."""
    return _parts(connection) != _as_made()


@cache
def _as_made() -> frozenset[tuple[str, ...]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(connection)
        return _parts(connection)
    finally:
        connection.close()


def _parts(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """All that the file says of its tables, without what SQLite adds for itself."""
    # As bytes: a damaged file may hold anything, and what is no text is no table of ours.
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in ("type", "name", "tbl_name", "sql"))
    rows = connection.execute(f"SELECT {columns} FROM sqlite_master WHERE sql IS NOT NULL").fetchall()  # noqa: S608
    texts = (tuple(part.decode("utf-8", "replace") for part in row) for row in rows)
    return frozenset(text for text in texts if not text[1].startswith("sqlite_"))
