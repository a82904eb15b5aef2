"""The history or its head is taken away or exchanged under a store that goes on: nothing of it is passed over."""

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store import history
from assent.store.chain import Link
from assent.store.database import FILE, HEAD_FILE, Database
from assent.store.head import Head
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import decided, kept, rows, with_store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there, what is open keeps its name")

NAMES = (FILE, f"{FILE}-wal", f"{FILE}-shm", HEAD_FILE)


def _remove_all(folder: Path, older: Path) -> None:
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)


def _remove_the_folder(folder: Path, older: Path) -> None:
    shutil.rmtree(folder)


def _only_the_file(folder: Path, older: Path) -> None:
    (folder / FILE).unlink()


def _file_and_head(folder: Path, older: Path) -> None:
    for name in (FILE, HEAD_FILE):
        (folder / name).unlink()


def _older_copy(folder: Path, older: Path) -> None:
    _remove_all(folder, older)
    for name in (FILE, HEAD_FILE):
        shutil.copy(older / name, folder / name)


def _older_copy_beside_the_log(folder: Path, older: Path) -> None:
    for name in (FILE, HEAD_FILE):
        shutil.copy(older / name, folder / f"{name}.draft")
        (folder / f"{name}.draft").replace(folder / name)


def _another_and_shorter(folder: Path, older: Path) -> None:
    _older_copy(folder, older.with_name("shorter"))


def _another_and_longer(folder: Path, older: Path) -> None:
    _older_copy(folder, older.with_name("longer"))


EXCHANGES = [
    _remove_all,
    _remove_the_folder,
    _only_the_file,
    _file_and_head,
    _older_copy,
    _older_copy_beside_the_log,
    _another_and_shorter,
    _another_and_longer,
]
Exchange = Callable[[Path, Path], None]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A copy of the history with its first three entries; the history itself has five by the time of the exchange.

    Beside it there are two that have nothing to do with it.
    """
    kept(tmp_path / "shorter", [decided(f"other-{number}") for number in range(2)])
    kept(tmp_path / "longer", [decided(f"other-{number}") for number in range(20)])
    kept(tmp_path / "state", [decided(f"call-{number}") for number in range(3)])
    return Path(shutil.copytree(tmp_path / "state", tmp_path / "older"))


def _calls(path: Path) -> list[object]:
    read = path.with_name("read")
    read.mkdir()
    shutil.copy(path, read / FILE)
    return [json.loads(str(body)).get("call_id") for _, _, body in rows(read)]


def _after(folder: Path, exchange: Callable[[], None]) -> list[str]:
    """What is told when two entries follow two that were written before the exchange."""

    async def use(store: Store) -> list[str]:
        await store.write(decided("call-3"))
        await store.write(decided("call-4"))
        exchange()
        await store.write(decided("after"))
        await store.write(decided("and after"))
        return store.notices

    return with_store(folder, use)


@pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda one: one.__name__.strip("_"))
def test_it_is_told_once_saved_and_never_intact_again(tmp_path: Path, older: Path, exchange: Exchange) -> None:
    folder = tmp_path / "state"

    (notice,) = _after(folder, lambda: exchange(folder, older))

    assert "while Assent ran" in notice and "begin new ones" in notice
    for _ in range(2):
        found = verify(folder)
        assert not found.intact and found.first_broken is not None
        # A later server has nothing more to tell, and the alarm stays.
        kept(folder, [decided("later")])
    calls = [json.loads(str(body))["call_id"] for _, _, body in rows(folder)]
    assert calls[-4:] == ["after", "and after", "later", "later"]
    assert [n for n, _, _ in rows(folder)][-1] > 5, "no number is given twice"
    if exchange is not _remove_the_folder:
        (saved,) = folder.glob(f"{FILE}.replaced-*")
        assert saved.name in notice
        assert _calls(saved) == [f"call-{number}" for number in range(5)]


def test_what_is_open_at_the_end_is_saved_too(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await store.write(decided("only"))
        _remove_all(tmp_path, tmp_path)

    with_store(tmp_path, use)
    (saved,) = tmp_path.glob(f"{FILE}.replaced-*")
    assert _calls(saved) == ["only"]
    assert verify(tmp_path).first_broken == 1


def test_a_head_that_is_exchanged_for_an_older_one_is_told(tmp_path: Path, older: Path) -> None:
    folder = tmp_path / "state"
    (notice,) = _after(folder, lambda: shutil.copy(older / HEAD_FILE, folder / HEAD_FILE) and None)
    assert "named entry 5 and names entry 3" in notice
    assert not verify(folder).intact
    assert Head(folder / HEAD_FILE).read().n == 8


def test_a_file_that_is_taken_away_in_the_middle_of_a_write_is_written_to_anew(tmp_path: Path) -> None:
    times: list[int] = []

    async def use(store: Store) -> list[str]:
        await store.write(decided("before"))

        def take_away_once(connection: object) -> None:
            times.append(1)
            if len(times) == 1:
                (tmp_path / FILE).unlink()

        store.do(take_away_once)
        await store.write(decided("in the middle"))
        return store.notices

    (notice,) = with_store(tmp_path, use)
    assert "taken away" in notice
    assert json.loads(str(rows(tmp_path)[-1][2]))["call_id"] == "in the middle"


def test_one_that_is_taken_away_again_and_again_takes_no_write(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        with pytest.raises(NotRecorded, match="several times"):
            await store.ask(lambda connection: (tmp_path / FILE).unlink())
        await store.write(decided("after"))

    with_store(tmp_path, use)
    assert json.loads(str(rows(tmp_path)[-1][2]))["call_id"] == "after"


def test_a_copy_that_cannot_be_made_keeps_the_file_open_until_it_can(
    tmp_path: Path, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"

    async def use(store: Store) -> list[str]:
        await store.write(decided("call-3"))
        await store.write(decided("call-4"))
        _remove_all(folder, older)
        with monkeypatch.context() as at_first:
            at_first.setattr("assent.store.rescue._copy", _full)
            with pytest.raises(NotRecorded, match="disk is full"):
                await store.write(decided("too early"))
        await store.write(decided("after"))
        return store.notices

    (notice,) = with_store(folder, use)
    (saved,) = folder.glob(f"{FILE}.replaced-*")
    assert saved.name in notice and len(_calls(saved)) == 5


def _full(connection: object, saved: Path) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise full


class _Window:
    """One of several servers on the same folder."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self.database = Database(folder, self.told.append)

    def write(self, call: str) -> None:
        self.database.run(lambda connection: history.append(connection, decided(call)) and None)


def test_what_another_window_sets_aside_is_no_alarm(tmp_path: Path) -> None:
    one, two = _Window(tmp_path), _Window(tmp_path)
    one.write("first")
    two.write("second")
    one.write("third")
    one.database.close()
    _spoil(tmp_path / FILE)
    one.write("fourth")
    two.write("fifth")
    assert len(one.told) == 1 and "set aside" in one.told[0]
    assert two.told == []
    assert [json.loads(str(body))["call_id"] for _, _, body in rows(tmp_path)] == ["", "fourth", "fifth"]
    assert verify(tmp_path).intact
    for window in (one, two):
        window.database.end()


def _spoil(file: Path) -> None:
    """Its first page says nothing any more, for whoever opens it."""
    file.with_name(f"{FILE}-wal").unlink(missing_ok=True)
    with file.open("r+b") as stream:
        stream.write(b"\x00" * 4096)


def test_two_windows_tell_the_same_and_write_it_down_once(tmp_path: Path) -> None:
    one, two = _Window(tmp_path), _Window(tmp_path)
    one.write("first")
    two.write("second")
    one.write("third")
    _remove_all(tmp_path, tmp_path)
    one.write("fourth")
    two.write("fifth")
    assert one.told == two.told and len(one.told) == 1
    numbers = [n for n, _, _ in rows(tmp_path)]
    assert numbers == [4, 5, 6]
    assert len(list(tmp_path.glob(f"{FILE}.replaced-*"))) == 1
    for window in (one, two):
        window.database.end()


def test_a_head_that_cannot_be_written_is_told_once_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = tmp_path / HEAD_FILE

    async def use(store: Store) -> list[str]:
        await store.write(decided("before"))
        with monkeypatch.context() as for_a_while:
            for_a_while.setattr(Head, "write", _refused)
            await store.write(decided("one"))
            await store.write(decided("two"))
        await store.write(decided("three"))
        return store.notices

    (notice,) = with_store(tmp_path, use)
    assert str(head) in notice and "Make this file" in notice
    assert Head(head).read().n == 4 and verify(tmp_path).intact


def _refused(head: Head, link: Link) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", str(head.path))
