"""What is told to be written is there, in order, before anyone hears so; and a fault of one hurts nobody else."""

import asyncio
import json
import logging
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.model.records import Entry
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import decided, rows
from tests.support.scale import eventually, limit


def calls(folder: Path) -> list[str]:
    """The calls that the file holds, in order, seen with a connection of our own."""
    return [json.loads(str(body))["call_id"] for (body,) in rows(folder, "SELECT body FROM entries ORDER BY n")]


async def test_what_was_acknowledged_is_in_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    for number in range(5):
        await store.write(decided(f"call-{number}"))
        assert calls(tmp_path / "state")[-1] == f"call-{number}"
    await store.end()
    assert verify(tmp_path / "state").entries == 5


async def test_nothing_is_touched_before_it_is_needed(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    await store.settle()
    await store.end()
    assert not (tmp_path / "state").exists()


async def test_all_is_written_in_the_order_in_which_it_was_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.note(decided("one"))
    store.note(decided("two"))
    await store.write(decided("three"), decided("four"))
    store.note(decided("five"))
    waiting = [asyncio.ensure_future(store.write(decided(f"{number}"))) for number in range(6, 600)]
    await asyncio.gather(*waiting)
    expected = ["one", "two", "three", "four", "five", *map(str, range(6, 600))]
    assert calls(tmp_path) == expected
    await store.end()
    assert verify(tmp_path).intact


async def test_what_nobody_waits_for_is_written_soon(tmp_path: Path) -> None:
    store = Store(tmp_path)
    await store.write(decided("first"))
    store.note(decided("noted"))
    await eventually(lambda: calls(tmp_path) == ["first", "noted"], what="the note")
    await store.end()


async def test_many_that_wait_share_a_commit(tmp_path: Path) -> None:
    store = Store(tmp_path)
    statements: list[str] = []
    held = threading.Event()

    def hold(connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(statements.append)
        held.wait(limit(10))

    first = asyncio.ensure_future(store.ask(hold))
    await eventually(lambda: (tmp_path / "history.head").exists(), what="the thread")
    waiting = [asyncio.ensure_future(store.write(decided(f"{number}"))) for number in range(100)]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(first, *waiting)
    assert len(calls(tmp_path)) == 100
    assert statements.count("COMMIT") <= 2
    await store.end()


async def test_a_write_of_several_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    def refuse(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
        if entries[-1].subject.call.call_id == "bad":
            raise RuntimeError("planted")

    store = Store(tmp_path, refuse)
    outcomes = await asyncio.gather(
        store.write(decided("before")),
        store.write(decided("good"), decided("bad")),
        store.write(decided("after")),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), outcomes[1].__class__, type(None)]
    assert isinstance(outcomes[1], NotRecorded) and "Nothing ran" in str(outcomes[1])
    assert calls(tmp_path) == ["before", "after"]
    await store.end()
    assert verify(tmp_path).intact


async def test_the_follower_writes_in_the_same_transaction(tmp_path: Path) -> None:
    seen: list[str] = []

    def follow(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
        assert connection.in_transaction
        written = connection.execute("SELECT body FROM entries ORDER BY n DESC LIMIT ?", (len(entries),)).fetchall()
        seen.extend(json.loads(body)["call_id"] for (body,) in reversed(written))
        assert seen[-len(entries) :] == [entry.subject.call.call_id for entry in entries]

    store = Store(tmp_path, follow)
    await store.write(decided("a"), decided("b"))
    await store.end()
    assert seen == ["a", "b"]


async def test_a_fault_of_one_job_is_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(tmp_path)
    with caplog.at_level(logging.ERROR), pytest.raises(NotRecorded, match="ZeroDivisionError"):
        await store.ask(lambda connection: 1 // 0)
    store.do(lambda connection: connection.execute("no such statement") and None)
    await store.write(decided("still there"))
    assert calls(tmp_path) == ["still there"] and store.trouble is None
    assert len([record for record in caplog.records if "failed" in record.message]) == 2
    await store.end()


async def test_one_that_ends_the_transaction_hurts_nobody_else_for_long(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(NotRecorded):
        await store.ask(lambda connection: connection.execute("ROLLBACK"))
    await store.write(decided("next"))
    assert calls(tmp_path) == ["next"]
    await store.end()


async def test_who_stops_waiting_disturbs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(tmp_path)
    held = threading.Event()
    store.do(lambda connection: held.wait(limit(10)) and None)
    waiting = asyncio.ensure_future(store.write(decided("given up")))
    await asyncio.sleep(0)
    waiting.cancel()
    held.set()
    await store.write(decided("after"))
    assert waiting.cancelled() and calls(tmp_path)[-1] == "after"
    await store.end()
    assert not caplog.records


def test_a_loop_that_is_gone_disturbs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store, held = Store(tmp_path), threading.Event()

    async def leave() -> None:
        store.do(lambda connection: held.wait(limit(10)) and None)
        waiting = asyncio.ensure_future(store.write(decided("left")))
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(leave())
    held.set()

    async def another() -> None:
        await store.write(decided("of another loop"))
        await store.end()

    asyncio.run(another())
    assert calls(tmp_path) == ["left", "of another loop"] and not caplog.records


async def test_nobody_waits_in_vain_whatever_a_job_does(tmp_path: Path) -> None:
    def exit_thread(connection: sqlite3.Connection) -> None:
        raise SystemExit

    store = Store(tmp_path)
    for job in (exit_thread, lambda connection: connection.execute("COMMIT"), lambda connection: connection.close()):
        with pytest.raises(NotRecorded):
            await asyncio.wait_for(store.ask(job), limit(30))
        await asyncio.wait_for(store.write(decided("after")), limit(30))
    assert calls(tmp_path) == ["after"] * 3
    await store.end()


async def test_what_cannot_be_told_does_not_undo_what_was_written(tmp_path: Path) -> None:
    def fail() -> None:
        raise RuntimeError("planted")

    (tmp_path / "assent.sqlite3").write_bytes(b"no database" * 1000)
    store = Store(tmp_path)
    store.on_notice = fail
    await store.write(decided("kept"))
    assert calls(tmp_path)[-1] == "kept" and len(store.notices) == 1
    await store.end()


async def test_after_the_end_nothing_is_taken(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.note(decided("queued"))
    await store.end()
    await store.end()
    with pytest.raises(NotRecorded, match="ending"):
        await store.write(decided("late"))
    store.note(decided("late"))
    assert calls(tmp_path) == ["queued"]


async def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = Store(folder)
    await store.write(decided())
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert {"assent.sqlite3", "assent.sqlite3-wal", "assent.sqlite3-shm", "history.head"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    await store.end()


async def test_a_file_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "assent.sqlite3").touch(mode=0o644)
    (tmp_path / "assent.sqlite3").chmod(0o644)
    store = Store(tmp_path)
    await store.write(decided())
    assert stat.S_IMODE((tmp_path / "assent.sqlite3").stat().st_mode) == 0o600
    await store.end()


async def test_it_is_on_the_disk_and_not_only_with_the_system(tmp_path: Path) -> None:
    store = Store(tmp_path)
    level = await store.ask(lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0])
    journal = await store.ask(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()[0])
    assert (level, journal) == (2, "wal")
    await store.end()
