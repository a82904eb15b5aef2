"""Pipes, folders, links and sockets where files belong: words within a moment, never a thread that waits for ever."""

import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store.database import FILE, HEAD_FILE, LOCK_FILE
from assent.store.head import Head, HeadUnreadable
from assent.store.reading import HistoryUnreadable, reading
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import decided, kept, rows, with_store

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such things")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "something").write_text("kept")


def _link(path: Path) -> None:
    target = path.with_name("target")
    target.write_bytes(b"")
    path.symlink_to(target)


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _socket(path: Path) -> None:
    before = Path.cwd()
    # The name of a socket must be short.
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def _huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


THINGS = [_pipe, _folder, _link, _dangling, _socket]
Make = Callable[[Path], None]


def _put(folder: Path, name: str, thing: Make) -> None:
    path = folder / name
    path.unlink(missing_ok=True)
    thing(path)


@pytest.mark.parametrize("thing", [*THINGS, _huge], ids=lambda thing: thing.__name__.strip("_"))
def test_whatever_stands_for_the_head_is_moved_aside(tmp_path: Path, thing: Make) -> None:
    kept(tmp_path, [decided("first")])
    _put(tmp_path, HEAD_FILE, thing)
    with pytest.raises(HeadUnreadable):
        Head(tmp_path / HEAD_FILE).read()
    assert "not known" in str(verify(tmp_path).problem)

    async def use(store: Store) -> list[str]:
        await store.write(decided("next"))
        await store.write(decided("after"))
        return store.notices

    (notice,) = with_store(tmp_path, use)
    assert "not known" in notice
    assert Head(tmp_path / HEAD_FILE).read().n == len(rows(tmp_path)) == 4
    assert os.path.lexists(tmp_path / f"{HEAD_FILE}.unreadable-1")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.__name__.strip("_"))
def test_whatever_stands_for_the_draft_of_a_head_is_moved_aside(tmp_path: Path, thing: Make) -> None:
    thing(tmp_path / f"{HEAD_FILE}.new")
    kept(tmp_path, [decided("first")])
    assert verify(tmp_path).intact


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm", LOCK_FILE])
@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.__name__.strip("_"))
def test_whatever_stands_for_another_file_is_named_and_nothing_is_written(
    tmp_path: Path, name: str, thing: Make
) -> None:
    kept(tmp_path, [decided("first")])
    (tmp_path / FILE).rename(tmp_path / "saved")
    if name != FILE:
        (tmp_path / FILE).write_bytes((tmp_path / "saved").read_bytes())
    _put(tmp_path, name, thing)

    async def refuse(store: Store) -> None:
        with pytest.raises(NotRecorded) as refused:
            await store.write(decided("refused"))
        assert f"cannot write to {tmp_path / name}: it is" in str(refused.value)
        assert "Nothing ran" in str(refused.value) and "Move it away" in str(refused.value)
        (tmp_path / name).rename(tmp_path / "moved")
        if name == FILE:
            (tmp_path / "saved").rename(tmp_path / FILE)
        await store.write(decided("taken"))
        assert store.trouble is None and store.notices == []

    with_store(tmp_path, refuse)
    assert len(rows(tmp_path)) == 2 and verify(tmp_path).intact


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.__name__.strip("_"))
def test_whoever_looks_is_answered_in_words(tmp_path: Path, name: str, thing: Make) -> None:
    kept(tmp_path, [decided("first")])
    _put(tmp_path, name, thing)
    with pytest.raises(HistoryUnreadable, match="and no file"), reading(tmp_path):
        raise AssertionError("it was opened")
    with pytest.raises(HistoryUnreadable, match="and no file"):
        verify(tmp_path)


def test_a_log_that_becomes_a_pipe_while_it_is_open(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await store.write(decided("first"))
        _put(tmp_path, f"{FILE}-wal", _pipe)
        await store.write(decided("after"))
        assert store.notices == []

    with_store(tmp_path, use)
    assert len(rows(tmp_path)) == 2 and verify(tmp_path).intact


def test_a_head_that_may_not_be_opened_is_answered_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, [decided("first")])

    def refuse(path: Path, length: int) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("assent.store.head.read_start", refuse)
    found = verify(tmp_path)
    assert not found.intact and f"{HEAD_FILE} cannot be opened (Permission denied)" in str(found.problem)

    async def write(store: Store) -> None:
        with pytest.raises(NotRecorded, match=f"{HEAD_FILE} .Permission denied"):
            await store.write(decided())

    with_store(tmp_path, write)
    connection = sqlite3.connect(tmp_path / FILE)
    assert connection.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    connection.close()
