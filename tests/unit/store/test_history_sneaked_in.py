"""What somebody put among the tables to drop or hide entries: found, named, and never believed."""

import json
import sqlite3
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store.database import FILE
from assent.store.history import append
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import behind_its_back, decided, kept, rows, with_store


def filled(folder: Path, many: int) -> None:
    """A history of a few entries."""
    kept(folder, [decided(f"call-{number}") for number in range(many)])


def last(folder: Path) -> dict[str, object]:
    """The fields of the newest entry."""
    return dict(json.loads(str(rows(folder)[-1][2])))


def write_one(folder: Path) -> list[str]:
    """Writes an entry with a store of its own, and returns what the user ought to know."""

    async def write(store: Store) -> list[str]:
        await store.write(decided("next"))
        return store.notices

    return with_store(folder, write)


def _sneak_in(folder: Path, kind: str, name: str, words: str) -> None:
    """Puts a part among the tables under a name that SQLite keeps for itself."""
    table = name if kind == "view" else "entries"
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    try:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, 0, ?)", (kind, name, table, words))
        cookie = connection.execute("PRAGMA schema_version").fetchone()[0]
        connection.execute(f"PRAGMA schema_version = {cookie + 1}")
    finally:
        connection.close()


_IGNORE = "BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END"
_UNNOTICED = [
    ("trigger", "sqlite_x", f"CREATE TRIGGER sqlite_x {_IGNORE}"),
    ("trigger", "sqlite_stat1", f"CREATE TRIGGER sqlite_stat1 {_IGNORE}"),
    ("table", "sqlite_stat1", f"CREATE TRIGGER sqlite_stat1 {_IGNORE}"),
    ("view", "sqlite_v", "CREATE VIEW sqlite_v AS SELECT * FROM entries"),
]


@pytest.mark.parametrize(("kind", "name", "words"), _UNNOTICED)
def test_a_part_under_a_name_of_sqlite_is_no_part_of_ours(tmp_path: Path, kind: str, name: str, words: str) -> None:
    filled(tmp_path, 3)
    _sneak_in(tmp_path, kind, name, words)
    found = verify(tmp_path)
    assert not found.intact and name in str(found.problem)

    (notice,) = write_one(tmp_path)

    assert name in notice and last(tmp_path)["call_id"] == "next"


def test_what_sqlite_counts_for_itself_is_no_change(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    behind_its_back(tmp_path, "ANALYZE")
    assert verify(tmp_path).intact
    assert write_one(tmp_path) == []


@pytest.mark.parametrize(
    "effect",
    [
        "BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END",
        "BEFORE INSERT ON facts BEGIN SELECT RAISE(IGNORE); END",
        "AFTER INSERT ON facts BEGIN DELETE FROM entries WHERE n = new.n; END",
    ],
)
def test_what_was_appended_is_there_or_nobody_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    # Even if the look at the tables missed it.
    monkeypatch.setattr("assent.store.schema.changed", lambda connection: None)
    filled(tmp_path, 3)
    behind_its_back(tmp_path, f"CREATE TRIGGER quiet {effect}")

    (notice,) = write_one(tmp_path)

    assert "not there" in notice and last(tmp_path)["call_id"] == "next"
    assert [row[0] for row in rows(tmp_path)] == [1, 2]


def test_a_job_that_is_taken_back_takes_its_entry_with_it(tmp_path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        append(connection, decided("taken back"))
        raise ValueError("on purpose")

    async def use(store: Store) -> None:
        await store.write(decided("before"))
        with pytest.raises(NotRecorded):
            await store.ask(fail)
        await store.write(decided("after"))
        assert store.notices == []

    with_store(tmp_path, use)
    assert [json.loads(str(row[2]))["call_id"] for row in rows(tmp_path)] == ["before", "after"]
