"""A last entry that nothing can follow: damage that is set aside in words, and no fault of the program."""

import sqlite3
from pathlib import Path

import pytest

from assent.store.database import FILE
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import decided, kept, rows, with_store

BODY = '{"stage": "finished"}'
LAST = "n = (SELECT max(n) FROM entries)"


def _added(n: int, digest: str = "a" * 64) -> str:
    return f"INSERT INTO entries VALUES ({n}, '{digest}', '{BODY}')"


IMPOSSIBLE = {
    "the greatest number": _added(2**63 - 1),
    "a number beyond all": _added(10**15),
    "only a negative number": f"UPDATE entries SET n = -5 WHERE {LAST}; DELETE FROM entries WHERE n > 0",
    "no number from the start": f"UPDATE entries SET n = 0 WHERE {LAST}; DELETE FROM entries WHERE n > 0",
    "bytes for a hash": f"UPDATE entries SET hash = x'00ff' WHERE {LAST}",
    "the hash as bytes": f"UPDATE entries SET hash = CAST(hash AS BLOB) WHERE {LAST}",
    "a number for a hash": f"UPDATE entries SET hash = 17 WHERE {LAST}",
    "text that is none": f"UPDATE entries SET hash = CAST(x'ff' AS TEXT) WHERE {LAST}",
    "a hash of other letters": f"UPDATE entries SET hash = '{'x' * 64}' WHERE {LAST}",
    "a hash and a line break": f"UPDATE entries SET hash = hash || char(10) WHERE {LAST}",
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_it_is_set_aside_and_a_fresh_file_says_so(tmp_path: Path, name: str) -> None:
    kept(tmp_path, [decided(f"call-{number}") for number in range(3)])
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(IMPOSSIBLE[name])
    connection.commit()
    connection.close()
    assert not verify(tmp_path).intact

    async def write(store: Store) -> list[str]:
        await store.write(decided("next"))
        await store.write(decided("after"))
        return store.notices

    (notice,) = with_store(tmp_path, write)

    assert "could not be read" in notice and "set aside as" in notice and "never gave it" in notice
    assert [row[0] for row in rows(tmp_path)] == [1, 2, 3]
    assert verify(tmp_path).intact
    assert len(list(tmp_path.glob(f"{FILE}.damaged-*"))) == 1


def test_a_greater_number_that_comes_while_it_is_open(tmp_path: Path) -> None:
    async def write(store: Store) -> list[str]:
        await store.write(decided("before"))
        connection = sqlite3.connect(tmp_path / FILE)
        connection.executescript(_added(2**63 - 1))
        connection.close()
        await store.write(decided("next"))
        return store.notices

    (notice,) = with_store(tmp_path, write)
    assert "set aside" in notice and verify(tmp_path).intact
