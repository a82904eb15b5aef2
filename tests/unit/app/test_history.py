"""Looking into the history for a face: nothing yet is no fault, and who goes away is not looked for any longer."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.app.history import KeptHistory
from assent.model.errors import InvalidRequest
from assent.store.query import Filters
from assent.store.reading import HistoryUnreadable, reading
from assent.store.store import Store
from assent.store.verify import Verified
from tests.support.history_entries import decided, kept, random_entries
from tests.support.scale import eventually


async def settled() -> None:
    """There is nothing to wait for."""


def names(folder: Path) -> list[str]:
    """What is in the folder."""
    return [path.name for path in folder.iterdir()]


async def test_where_nothing_was_written_nothing_is_wrong(tmp_path: Path) -> None:
    history = KeptHistory(tmp_path, settled)
    page = await history.query(Filters(tool="bash"))
    assert (page.entries, page.more) == ((), False)
    assert (await history.export(7, None)).last == 7
    assert (await history.metrics(None, None)).endings == ()
    assert await history.verify() == Verified(True, 0)
    assert names(tmp_path) == []


async def test_what_is_still_queued_is_found(tmp_path: Path) -> None:
    store = Store(tmp_path)
    history = KeptHistory(tmp_path, store.settle)
    for number in range(5):
        store.note(decided(f"call-{number}"))
        assert len((await history.query(Filters())).entries) == number + 1
    await store.end()
    assert (await history.verify()).entries == 5


async def test_it_is_looked_at_while_nothing_can_be_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    history = KeptHistory(tmp_path, store.settle)
    await store.write(decided("before"))
    with pytest.MonkeyPatch.context() as patch:

        def fail(path: Path) -> None:
            raise OSError(28, "No space left on device")

        patch.setattr("assent.store.database.alone", fail)
        store.note(decided("lost for now"))
        assert [entry.fields["call_id"] for entry in (await history.query(Filters())).entries] == ["before"]
    await store.write(decided("after"))
    calls = [entry.fields["call_id"] for entry in (await history.query(Filters())).entries]
    assert calls == ["after", "lost for now", "before"]
    await store.end()


async def test_a_time_that_is_none_is_the_fault_of_who_asks(tmp_path: Path) -> None:
    kept_history = KeptHistory(tmp_path, settled)
    await asyncio.to_thread(kept, tmp_path, [decided()])
    with pytest.raises(InvalidRequest) as refused:
        await kept_history.query(Filters(until="soon"))
    assert refused.value.path == "params.until"


async def test_who_goes_away_ends_the_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await asyncio.to_thread(kept, tmp_path, [decided()])
    looking, ended = threading.Event(), threading.Event()

    def look(directory: Path, stopped: Callable[[], bool]) -> Verified:
        looking.set()
        while not stopped():
            ended.wait(0.001)
        ended.set()
        return Verified(True, 0)

    monkeypatch.setattr("assent.app.history.verify.verify", look)
    asked = asyncio.ensure_future(KeptHistory(tmp_path, settled).verify())
    await eventually(looking.is_set, what="the looking")
    asked.cancel()
    await eventually(ended.is_set, what="the end of it")
    assert asked.cancelled() or asked.cancelling()


def test_a_long_statement_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, random_entries(100, 1))
    monkeypatch.setattr("assent.store.reading._STEPS", 10)
    with pytest.raises(HistoryUnreadable, match="interrupted"), reading(tmp_path, lambda: True) as connection:
        connection.execute("SELECT count(*) FROM entries AS a, entries AS b, entries AS c").fetchone()
    with reading(tmp_path, lambda: False) as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (100,)


async def test_one_check_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await asyncio.to_thread(kept, tmp_path, [decided()])
    running, most, gate = 0, 0, threading.Lock()

    def look(directory: Path, stopped: Callable[[], bool]) -> Verified:
        nonlocal running, most
        with gate:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.005)
        with gate:
            running -= 1
        return Verified(True, 1)

    monkeypatch.setattr("assent.app.history.verify.verify", look)
    history = KeptHistory(tmp_path, settled)
    assert len(await asyncio.gather(*(history.verify() for _ in range(5)))) == 5
    assert most == 1
