"""The pipes to a browser where a start is stopped in between or nobody reads: nothing is left, none closed twice."""

import asyncio
import gc
import os
import sys
from itertools import count

import pytest

from assent.runtime.processes import Processes
from assent.runtime.running import Printed, Running
from assent.runtime.starts import Start
from assent.web.browser.pipe import BrowserGone, Pipe
from tests.support.scale import limit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no program can be given the two pipes")
SILENT = Start(("/bin/sh", "-c", "exec sleep 1000"), "/", {})


class Stops(Processes):
    """Starts for real; the call is stopped this many turns of the loop later."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0

    async def start(self, start: Start, printed: Printed) -> Running:
        running = await super().start(start, printed)
        call = asyncio.current_task()
        assert call is not None
        _after(self.turns, call)
        return running


def _after(turns: int, call: "asyncio.Task[object]") -> None:
    if turns:
        asyncio.get_running_loop().call_soon(_after, turns - 1, call)
    else:
        call.cancel()


def handles() -> set[str]:
    return set(os.listdir("/dev/fd"))  # noqa: PTH208 - names, not paths


async def turn() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def started(pipe: Pipe, processes: Processes) -> bool:
    """Whether it was, before somebody stopped it."""
    try:
        await asyncio.create_task(pipe.start(processes, SILENT))
    except asyncio.CancelledError:
        return False
    return True


async def test_a_start_that_is_stopped_closes_each_of_its_files_once() -> None:
    processes, stopped = Stops(), 0
    await (await Processes.start(processes, SILENT, lambda *_: None)).end()
    await turn()
    gc.collect()
    before = handles()
    try:
        for processes.turns in count():
            pipe = Pipe(lambda *_: None)
            whole = await started(pipe, processes)
            assert pipe.is_there is whole
            # Whoever opens something now gets the numbers that have just become free.
            others = [os.open(os.devnull, os.O_RDONLY) for _ in range(8)]
            await turn()
            await pipe.end()
            await turn()
            gc.collect()
            for other in others:
                os.close(other)
            assert handles() <= before
            if whole:
                break
            stopped += 1
    finally:
        processes.end_all()
    assert stopped > 2


async def test_a_browser_that_reads_nothing_is_ended_with_what_it_was_not_told() -> None:
    processes = Processes()
    await (await processes.start(SILENT, lambda *_: None)).end()
    await turn()
    gc.collect()
    before = handles()
    pipe = Pipe(lambda *_: None)
    try:
        await pipe.start(processes, SILENT)
        asking = asyncio.create_task(pipe.ask("Page.navigate", text="x" * 4_000_000))
        await turn()
        async with asyncio.timeout(limit(10)):
            await pipe.end()
        with pytest.raises(BrowserGone):
            await asking
        await turn()
        assert handles() <= before
    finally:
        processes.end_all()
