"""A file that is damaged, missing, cut, replaced, of another program or of a later version: never silently."""

import asyncio
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import behind_its_back, decided, kept, rows, with_store
from tests.support.scale import limit

FILE = "assent.sqlite3"


def last(folder: Path) -> dict[str, object]:
    """The fields of the newest entry."""
    return dict(json.loads(str(rows(folder, "SELECT body FROM entries ORDER BY n DESC LIMIT 1")[0][0])))


def first(folder: Path) -> dict[str, object]:
    """The fields of the oldest entry."""
    return dict(json.loads(str(rows(folder, "SELECT body FROM entries ORDER BY n LIMIT 1")[0][0])))


def write_one(folder: Path, call: str = "next") -> list[str]:
    """Writes an entry with a store of its own, and returns what the user ought to know."""

    async def write(store: Store) -> list[str]:
        await store.write(decided(call))
        return store.notices

    return with_store(folder, write)


def filled(folder: Path, many: int = 40) -> Path:
    """A history of several pages."""
    kept(folder, [decided(f"call-{number}", text="words " * 200) for number in range(many)])
    return folder / FILE


def _garbage(file: Path) -> None:
    file.write_bytes(b"this is no database, and it is long enough to be read as one" * 100)


def _cut_in_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2 // 4096 * 4096)


def _cut_within_a_page(file: Path) -> None:
    os.truncate(file, 5000)


def _header_flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[3] ^= 0xFF
    file.write_bytes(data)


def _pages_of_tables_overwritten(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)


def _version_lost(file: Path) -> None:
    behind_its_back(file.parent, "PRAGMA user_version = 0")


def _not_ours(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (title TEXT)")
    connection.close()


def _dropping_what_comes(file: Path) -> None:
    behind_its_back(file.parent, "CREATE TRIGGER quiet BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")


DAMAGES = [
    _garbage,
    _cut_in_half,
    _cut_within_a_page,
    _header_flipped,
    _pages_of_tables_overwritten,
    _version_lost,
    _not_ours,
    _dropping_what_comes,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
def test_a_damaged_file_is_set_aside_and_a_fresh_one_says_so(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    file = filled(tmp_path)
    head = (tmp_path / "history.head").read_text()
    damage(file)
    broken = file.read_bytes()
    assert not verify(tmp_path).intact

    notices = write_one(tmp_path)

    aside = [path for path in tmp_path.iterdir() if path.name.startswith(f"{FILE}.damaged-")]
    assert len(aside) == 1 and aside[0].read_bytes() == broken
    said = first(tmp_path)
    assert said["code"] == "history_set_aside"
    assert aside[0].name in str(said["text"]) and "40 entries" in str(said["text"])
    assert max(head.splitlines()).split()[1] in str(said["text"])
    assert notices == [said["text"]]
    assert last(tmp_path)["call_id"] == "next"
    assert verify(tmp_path).intact and verify(tmp_path).entries == 2


def test_damage_is_met_while_the_file_is_open(tmp_path: Path) -> None:
    async def meet(store: Store) -> list[str]:
        for number in range(40):
            await store.write(decided(f"call-{number}", text="words " * 200))
        await store.ask(lambda connection: None)
        # Behind the open connection: what the log holds goes to the file, and the file is overwritten.
        await store.ask(lambda connection: connection.execute("PRAGMA cache_size = 0"))
        behind_its_back(tmp_path, "PRAGMA wal_checkpoint(TRUNCATE)")
        data = bytearray((tmp_path / FILE).read_bytes())
        data[4096:] = b"\xa5" * (len(data) - 4096)
        with (tmp_path / FILE).open("r+b") as stream:
            stream.write(data)
        await store.write(decided("next"))
        return store.notices

    (notice,) = with_store(tmp_path, meet)
    assert "set aside" in notice
    assert last(tmp_path)["call_id"] == "next" and verify(tmp_path).intact


def test_its_log_goes_with_it(tmp_path: Path) -> None:
    live, copy = tmp_path / "live", tmp_path / "copy"

    async def leave_a_log(store: Store) -> None:
        await store.write(decided())
        shutil.copytree(live, copy)

    filled(live)
    with_store(live, leave_a_log)
    assert (copy / f"{FILE}-wal").stat().st_size
    _pages_of_tables_overwritten(copy / FILE)
    log = (copy / f"{FILE}-wal").read_bytes()
    write_one(copy)
    kept_logs = [path for path in copy.iterdir() if path.name.startswith(f"{FILE}-wal.damaged-")]
    assert [path.read_bytes() for path in kept_logs] == [log]
    assert last(copy)["call_id"] == "next" and verify(copy).intact


def test_two_damages_have_two_names(tmp_path: Path) -> None:
    for _ in range(2):
        filled(tmp_path, 1)
        _garbage(tmp_path / FILE)
        write_one(tmp_path)
    assert len([path for path in tmp_path.iterdir() if path.name.startswith(f"{FILE}.damaged-")]) == 2


# Later versions


def test_a_later_version_is_left_alone(tmp_path: Path) -> None:
    file = filled(tmp_path, 3)
    behind_its_back(tmp_path, "PRAGMA user_version = 99", "CREATE TABLE later (x)")
    before = file.read_bytes()

    async def refuse(store: Store) -> None:
        for _ in range(2):
            with pytest.raises(NotRecorded, match=r"newer version of Assent .* Nothing ran\. Update Assent"):
                await store.write(decided())
        with pytest.raises(NotRecorded, match="newer"):
            await store.ask(lambda connection: None)
        assert store.trouble is not None and "newer" in store.trouble

    with_store(tmp_path, refuse)
    assert file.read_bytes() == before
    assert not [path for path in tmp_path.iterdir() if "damaged" in path.name]


def test_a_later_version_that_comes_while_it_is_open(tmp_path: Path) -> None:
    async def meet(store: Store) -> None:
        await store.write(decided())
        behind_its_back(tmp_path, "PRAGMA user_version = 99")
        with pytest.raises(NotRecorded, match="newer"):
            await store.write(decided())

    with_store(tmp_path, meet)
    assert len(rows(tmp_path)) == 1


# What is missing


def test_a_tail_that_was_removed_is_noticed_at_once_and_for_good(tmp_path: Path) -> None:
    filled(tmp_path, 10)
    behind_its_back(tmp_path, "DELETE FROM entries WHERE n > 7", "DELETE FROM facts WHERE n > 7")
    found = verify(tmp_path)
    assert (found.intact, found.first_broken) == (False, 8) and "Entries 8 to 10" in str(found.problem)

    (notice,) = write_one(tmp_path)

    assert "Entries 8 to 10 are missing" in notice
    numbers = [row[0] for row in rows(tmp_path)]
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 11, 12], "no number is given twice"
    for _ in range(2):
        found = verify(tmp_path)
        assert (found.intact, found.first_broken) == (False, 8)
        assert write_one(tmp_path) == []


def test_a_file_that_is_gone_is_noticed(tmp_path: Path) -> None:
    filled(tmp_path, 3).unlink()
    found = verify(tmp_path)
    assert (found.intact, found.first_broken) == (False, 1) and "3 entries" in str(found.problem)
    (notice,) = write_one(tmp_path)
    assert "Entries 1 to 3 are missing" in notice
    assert verify(tmp_path).first_broken == 1


def test_a_file_that_is_empty_is_noticed(tmp_path: Path) -> None:
    os.truncate(filled(tmp_path, 3), 0)
    assert verify(tmp_path).first_broken == 1
    (notice,) = write_one(tmp_path)
    assert "Entries 1 to 3 are missing" in notice


def test_a_history_that_was_written_anew_is_noticed(tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    filled(tmp_path / "real", 5)
    kept(forged, [decided(f"forged-{number}") for number in range(8)])
    for name in (FILE,):
        shutil.copy(forged / name, tmp_path / "real" / name)
    assert verify(tmp_path / "real").first_broken == 5

    (notice,) = write_one(tmp_path / "real")

    assert "another than was written" in notice
    found = verify(tmp_path / "real")
    assert not found.intact and found.first_broken == 9 and "another than was written" in str(found.problem)


@pytest.mark.parametrize("content", [None, b"", b"\x00" * 198, b"nonsense\n" * 22])
def test_a_head_that_is_lost_is_noticed(tmp_path: Path, content: bytes | None) -> None:
    filled(tmp_path, 3)
    head = tmp_path / "history.head"
    head.unlink() if content is None else head.write_bytes(content)
    assert not verify(tmp_path).intact

    (notice,) = write_one(tmp_path)

    assert "not known" in notice and last(tmp_path)["call_id"] == "next"
    assert head.read_text().startswith(f"{5:016d} ")
    found = verify(tmp_path)
    assert not found.intact and found.first_broken == 4


def test_a_crash_between_the_commit_and_the_head_is_no_sign_of_anything(tmp_path: Path) -> None:
    filled(tmp_path, 5)
    behind = (tmp_path / "history.head").read_bytes()
    filled(tmp_path, 3)
    (tmp_path / "history.head").write_bytes(behind)
    assert verify(tmp_path).intact and verify(tmp_path).entries == 8
    assert write_one(tmp_path) == []
    assert verify(tmp_path).intact


def test_a_crash_before_the_first_head_is_no_sign_of_anything(tmp_path: Path) -> None:
    # The head is there before the first entry is.
    async def one(store: Store) -> str:
        head: list[str] = []
        await store.ask(lambda connection: head.append((tmp_path / "history.head").read_text()))
        return head[0]

    assert with_store(tmp_path, one).startswith(f"{0:016d} ")
    assert write_one(tmp_path) == [] and verify(tmp_path).intact


# What happens behind the open file


def test_a_file_that_is_taken_away_while_it_is_open_is_not_written_to(tmp_path: Path) -> None:
    async def take_away(store: Store) -> list[str]:
        await store.write(decided("before"))
        (tmp_path / FILE).rename(tmp_path / "elsewhere")
        await store.write(decided("after"))
        return store.notices

    (notice,) = with_store(tmp_path, take_away)
    assert "Entry 1 is missing" in notice
    assert [json.loads(str(row[2]))["call_id"] for row in rows(tmp_path)][-1] == "after"


def test_a_log_that_is_deleted_while_it_is_open_loses_nothing(tmp_path: Path) -> None:
    async def delete(store: Store) -> None:
        await store.write(decided("before"))
        (tmp_path / f"{FILE}-wal").unlink()
        await store.write(decided("after"))
        await store.write(decided("and after"))

    with_store(tmp_path, delete)
    names = [json.loads(str(row[2])).get("call_id") for row in rows(tmp_path)]
    assert names[-2:] == ["after", "and after"]
    found = verify(tmp_path)
    # Whether the entry could be saved or is missing: it is not passed over.
    assert found.intact == (names == ["before", "after", "and after"])


def test_the_folder_is_made_again_where_it_was_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "state"

    async def delete(store: Store) -> None:
        await store.write(decided("before"))
        shutil.rmtree(folder)
        await store.write(decided("after"))

    with_store(folder, delete)
    assert json.loads(str(rows(folder)[-1][2]))["call_id"] == "after"


# What cannot be written to


def test_a_folder_that_is_a_file_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")

    async def refuse(store: Store) -> None:
        with pytest.raises(NotRecorded, match=r"cannot write to .*/state .*Nothing ran"):
            await store.write(decided())

    with_store(tmp_path / "state", refuse)


def test_a_database_that_is_a_folder_is_said_plainly_and_tried_again(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    async def refuse(store: Store) -> None:
        store.note(decided("noted"))
        with pytest.raises(NotRecorded, match="cannot write to"):
            await store.write(decided("refused"))
        assert store.trouble is not None
        (tmp_path / FILE).rmdir()
        await store.write(decided("taken"))
        assert store.trouble is None

    with_store(tmp_path, refuse)
    names = [json.loads(str(row[2]))["call_id"] for row in rows(tmp_path)]
    assert names == ["noted", "taken"], "what nobody waits for is tried again, what was refused is not"


def test_another_window_that_does_not_let_go_is_said_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path, 1)
    monkeypatch.setattr("assent.store.database.BUSY_SECONDS", 0.1)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def refuse(store: Store) -> None:
        with pytest.raises(NotRecorded, match="Another window"):
            await store.write(decided("refused"))
        other.execute("ROLLBACK")
        await store.write(decided("taken"))

    with_store(tmp_path, refuse)
    other.close()
    assert verify(tmp_path).intact and last(tmp_path)["call_id"] == "taken"


def test_many_that_wait_behind_a_full_queue_are_all_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    async def refuse(store: Store) -> None:
        for number in range(1000):
            store.note(decided(f"{number}"))
        outcomes = await asyncio.wait_for(
            asyncio.gather(*(store.write(decided()) for _ in range(5)), return_exceptions=True), limit(30)
        )
        assert all(isinstance(outcome, NotRecorded) for outcome in outcomes)
        (tmp_path / FILE).rmdir()

    with_store(tmp_path, refuse)
    assert len(rows(tmp_path)) == 1000
