"""The tables, and how an older file becomes one of today. The version stands in the file itself.

`entries` is the history: append-only, chained. `facts` repeats what is looked for in a few bytes an entry, so that a
million entries are looked through in a fraction of a second; `gists` say where words need not be looked for. Both
decide nothing, and checking the history compares them with the text.
"""

import sqlite3
from functools import cache

from assent.store import chats_schema, gists, workflow_rows
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

VERSIONS: tuple[tuple[str, ...], ...] = (
    (*_HISTORY_1, *chats_schema.VERSION_1),
    gists.VERSION_2,
    workflow_rows.VERSION_3,
)
"""What makes a file of version N+1 out of one of version N; version 0 is an empty file."""

VERSION = len(VERSIONS)

_OF_SQLITE = frozenset(
    ("table", name, name, f"CREATE TABLE {name}({columns})")
    for name, columns in (
        ("sqlite_stat1", "tbl,idx,stat"),
        ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample"),
        ("sqlite_sequence", "name,seq"),
    )
)
"""What SQLite makes for itself, word by word: a name or a kind alone says nothing, for SQLite follows the words."""

_MOST_NAMED = 5


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
    _bring_to(connection, VERSION)


def _bring_to(connection: sqlite3.Connection, wanted: int) -> None:
    version = version_of(connection)
    if version >= wanted:
        return
    for statements in VERSIONS[version:wanted]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {wanted}")


def changed(connection: sqlite3.Connection) -> str | None:
    """What is other in the file than its version makes it, in words: a trigger could drop what is written, a view
    could hide it. None: all is as it was made."""
    there, made = _parts(connection), _as_made(version_of(connection))
    added, lost = sorted(there - made - _OF_SQLITE), sorted(made - there)
    said = [f"{_named(part)} is none of Assent's" for part in added]
    # A part that was altered is there with other words: it is named once.
    names = {part[1] for part in added}
    said += [f"{_named(part)} is missing" for part in lost if part[1] not in names]
    return "; ".join(said[:_MOST_NAMED]) or None


def _named(part: tuple[str, ...]) -> str:
    kind, name = ("".join(char if char.isprintable() else "?" for char in text[:60]) for text in part[:2])
    return f"the {kind} “{name}”"


@cache
def _as_made(version: int) -> frozenset[tuple[str, ...]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _bring_to(connection, version)
        return _parts(connection)
    finally:
        connection.close()


def _parts(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """All that the file says of its tables, without the indices that SQLite adds for itself and that have no words."""
    # As bytes: a damaged file may hold anything, and what is no text is no table of ours.
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in ("type", "name", "tbl_name", "sql"))
    rows = connection.execute(f"SELECT {columns} FROM sqlite_master WHERE sql IS NOT NULL").fetchall()  # noqa: S608
    return frozenset(tuple((part or b"").decode("utf-8", "replace") for part in row) for row in rows)
