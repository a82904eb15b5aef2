"""The thread that writes cannot be started: who waits is told so, and the next one that can is."""

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from assent.model.errors import NotRecorded
from assent.store.store import Store
from tests.faults.written import written_in
from tests.support.history_entries import decided
from tests.support.scale import limit


async def test_no_thread_for_the_store_is_told_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    caplog.set_level(logging.CRITICAL)
    store = Store(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", fail)
        store.note(decided("noted"))
        with pytest.raises(NotRecorded, match=r"no further thread.*Nothing ran"):
            await store.write(decided("refused"))
    await asyncio.wait_for(store.write(decided("written")), limit(10))
    await store.end()
    assert [line.fields["call_id"] for line in written_in(tmp_path)] == ["noted", "written"]
