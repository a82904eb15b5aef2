"""A file of an earlier version is brought up to date, whole or not at all. What version 1 wrote stands here."""

import sqlite3
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store import chats_schema, schema
from assent.store.chain import Link
from assent.store.database import FILE
from assent.store.export import export
from assent.store.head import Head
from assent.store.metrics import figures
from assent.store.query import Filters, look_up
from assent.store.reading import reading
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import behind_its_back, decided, rows, with_store

# What version 1 makes of an empty file around the history. Never changed: such files are out there.
TABLES_1 = """
CREATE TABLE entries (n INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE facts (
        n INTEGER PRIMARY KEY, at INTEGER, stage INTEGER, ending INTEGER, by INTEGER, reason INTEGER, option INTEGER,
        tool INTEGER, agent_id INTEGER, agent_name INTEGER, folder INTEGER, session INTEGER, call INTEGER,
        one INTEGER, asked INTEGER, waited INTEGER, took INTEGER);
CREATE INDEX facts_of_session ON facts (session);
CREATE INDEX facts_of_call ON facts (call);
"""
TABLES_2 = "CREATE TABLE gists (span INTEGER PRIMARY KEY, bits BLOB NOT NULL)"
MARKS_1 = "PRAGMA application_id = 1098085236; PRAGMA user_version = 1;"
BODY_1 = (
    '{"agent_id":"demo","agent_name":"Demo","approval_id":"approval of call-1","args":"{\\"command\\":\\"ls\\"}",'
    '"at":"2030-01-31T12:00:00.000Z","by":"user","call_id":"call-1","category":"execute",'
    f'"digest":"{"d" * 64}","directory":"/home/me/code","ending":"allowed","folder":"/home/me/code",'
    '"headline":"Run a command","mode":"default","option":"allow_once","path":["Demo"],"reason":"needs_approval",'
    '"run_id":"run-1","session_id":"chat-1","stage":"decided","text":"The user allowed it.","tool":"bash",'
    '"waited_ms":1200}'
)
HASH_1 = "382668b86341f1bb2745c5abbbaa41514522c289e9338d996f2c87b5618c52e2"
FACTS_1 = (
    *(1, 1896091200000, 77645278836248, 129046603667297, 2732886250417, 44531391872362, 68636012234846),
    *(30689027600077, 23414697237157, 75962405592462, 24373941158351, 129148736035043, 51387973139000),
    *(4032315334920825404, 1, 1200, None),
)
HEAD_1 = f"0000000000000001 {HASH_1} "


def file_of_version_1(folder: Path) -> None:
    """A file as version 1 left it, with one entry, made of nothing but text."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(TABLES_1 + ";".join(chats_schema.VERSION_1) + ";" + MARKS_1)
    connection.execute("INSERT INTO entries VALUES (1, ?, ?)", (HASH_1, BODY_1))
    connection.execute(f"INSERT INTO facts VALUES ({', '.join('?' * 17)})", FACTS_1)
    connection.close()
    Head(folder / "history.head").begin(Link(1, HASH_1))


def found_in(folder: Path, **filters: str) -> list[int]:
    with reading(folder) as connection:
        return [kept.n for kept in look_up(connection, Filters(**filters)).entries]


def write(folder: Path, call: str) -> list[str]:
    async def one(store: Store) -> list[str]:
        await store.write(decided(call))
        return store.notices

    return with_store(folder, one)


def test_an_old_file_is_read_and_continued(tmp_path: Path) -> None:
    file_of_version_1(tmp_path)
    assert (tmp_path / "history.head").read_text().startswith(HEAD_1)
    assert verify(tmp_path).intact and verify(tmp_path).entries == 1
    assert write(tmp_path, "new") == []
    assert verify(tmp_path).intact and verify(tmp_path).entries == 2
    assert found_in(tmp_path, tool="bash", agent="Demo", by="user") == [2, 1]


def test_an_old_file_can_be_looked_into_before_anything_is_written_to_it(tmp_path: Path) -> None:
    file_of_version_1(tmp_path)
    before = rows(tmp_path, "SELECT sql FROM sqlite_master")
    for filters in ({}, {"text": "allowed"}, {"call_id": "call-1", "text": "LS Run"}):
        assert found_in(tmp_path, **filters) == [1]
    assert found_in(tmp_path, text="nowhere") == []
    with reading(tmp_path) as connection:
        assert export(connection, None, None).done
        assert dict(figures(connection, None, None).decisions) == {"needs_approval": 1}
    assert verify(tmp_path).intact
    assert rows(tmp_path, "SELECT sql FROM sqlite_master") == before
    assert rows(tmp_path, "PRAGMA user_version") == [(1,)]


def test_what_was_put_among_the_tables_of_an_old_file_is_named(tmp_path: Path) -> None:
    file_of_version_1(tmp_path)
    behind_its_back(tmp_path, "CREATE TABLE gists (span INTEGER PRIMARY KEY, bits BLOB NOT NULL)")
    found = verify(tmp_path)
    assert not found.intact and "the table “gists” is none of Assent's" in str(found.problem)


def test_a_table_of_version_2_that_is_gone_is_named(tmp_path: Path) -> None:
    write(tmp_path, "one")
    behind_its_back(tmp_path, "DROP TABLE gists")
    assert found_in(tmp_path, text="allowed") == [1]
    found = verify(tmp_path)
    assert not found.intact and "the table “gists” is missing" in str(found.problem)


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the next version had another table."""
    more = ("CREATE TABLE notes (n INTEGER PRIMARY KEY, said TEXT)", "INSERT INTO notes VALUES (1, 'brought along')")
    monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, more))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    schema._as_made.cache_clear()


@pytest.fixture(autouse=True)
def forget_what_was_made() -> object:
    yield
    schema._as_made.cache_clear()


@pytest.mark.usefixtures("next_version")
def test_the_next_version_takes_it_over(tmp_path: Path) -> None:
    file_of_version_1(tmp_path)
    assert verify(tmp_path).intact and found_in(tmp_path, tool="bash", text="allowed it") == [1]
    assert write(tmp_path, "new") == []
    assert rows(tmp_path, "SELECT said FROM notes") == [("brought along",)]
    assert rows(tmp_path, "PRAGMA user_version") == [(schema.VERSION,)]
    assert verify(tmp_path).intact and verify(tmp_path).entries == 2
    assert write(tmp_path, "newer") == []
    assert rows(tmp_path, "SELECT count(*) FROM notes") == [(1,)]


@pytest.mark.usefixtures("next_version")
def test_one_that_fails_halfway_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file_of_version_1(tmp_path)
    before = rows(tmp_path, "SELECT sql FROM sqlite_master")
    monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS[:-1], ("CREATE TABLE notes (n)", "no statement at all")))
    with pytest.raises(NotRecorded, match="Nothing ran"):
        write(tmp_path, "new")
    assert rows(tmp_path, "SELECT sql FROM sqlite_master") == before
    assert rows(tmp_path, "PRAGMA user_version") == [(1,)] and len(rows(tmp_path)) == 1


def test_a_fresh_file_has_the_tables_of_every_version(tmp_path: Path) -> None:
    write(tmp_path, "one")
    made = {" ".join(str(sql).split()) for (sql,) in rows(tmp_path, "SELECT sql FROM sqlite_master WHERE sql <> ''")}
    wanted = {" ".join(sql.split()) for sql in (TABLES_1 + TABLES_2).split(";") if sql.strip()}
    assert wanted <= made
    assert rows(tmp_path, "PRAGMA application_id") == [(1098085236,)]


def test_what_version_1_writes_is_still_written(tmp_path: Path) -> None:
    write(tmp_path, "call-1")
    assert rows(tmp_path) == [(1, HASH_1, BODY_1)]
    assert rows(tmp_path, "SELECT * FROM facts") == [FACTS_1]
