"""A bit that makes the very words of the tables unreadable: damage like any other, named, and set aside."""

from pathlib import Path

from assent.store.store import Store
from assent.store.verify import verify
from tests.faults.written import DATABASE
from tests.support.history_entries import decided


async def test_tables_whose_words_are_no_text_are_damage(tmp_path: Path) -> None:
    store = Store(tmp_path)
    await store.write(decided("old"))
    await store.end()
    file = tmp_path / DATABASE
    data = file.read_bytes()
    file.write_bytes(data.replace(b"CREATE TABLE entries (n", b"CREATE TABLE \xf4ntries (n\x1f".ljust(23), 1))

    found = verify(tmp_path)
    assert not found.intact, found
    store = Store(tmp_path)
    await store.write(decided("new"))
    await store.end()
    assert list(tmp_path.glob("*damaged-*"))  # noqa: ASYNC240 - one look at the folder
    assert verify(tmp_path).intact
