"""What other systems than Linux have: groups of processes. It works here as well, and is tried here."""

import asyncio
import ctypes
import errno
import os
import sys
from pathlib import Path

import pytest

from assent.runtime.plain_starter import PlainStarter
from assent.runtime.processes import Bounds, Ended, Lock, Processes, Start
from assent.runtime.windows_job import BasicLimits, ExtendedLimits, limits_for
from tests.support.processes import resident_memory
from tests.support.scale import eventually, limit
from tests.support.stubborn import ENVIRONMENT, named, new_name, script

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, it starts programs in another way")


def plain() -> Processes:
    """As it is where the means of Linux are missing."""
    return Processes(PlainStarter())


async def ran(text: str, *, seconds: float = 60.0, directory: str = "/") -> Ended:
    """The end of a shell command."""
    return await plain().run(Start(("/bin/bash", "-c", text), directory, ENVIRONMENT), limit(seconds), 10_000)


async def test_output_errors_and_exit_code_come_back(tmp_path: Path) -> None:
    ended = await ran("pwd; echo err >&2; read -r line || exit 7", directory=str(tmp_path))

    assert (ended.code, ended.signal, ended.timed_out, ended.held_open) == (7, None, False, False)
    assert (ended.output.text(), ended.errors.text()) == (f"{tmp_path}\n", "err\n")


async def test_an_end_by_a_signal_is_told() -> None:
    assert (await ran("kill -SEGV $$")).signal == "SIGSEGV"


IN_ITS_GROUP = ("plain", "deaf", "nohup")


async def test_when_its_time_is_over_its_group_is_ended() -> None:
    name = new_name()
    ended = await plain().run(Start(script(name, IN_ITS_GROUP, stays=True), "/", ENVIRONMENT), limit(0.5), 100)

    assert (ended.timed_out, ended.signal) == (True, "SIGTERM")
    await eventually(lambda: not named(name), within=10, what="the end of its group")


async def test_when_it_ends_what_is_left_of_its_group_is_ended() -> None:
    name = new_name()
    ended = await plain().run(Start(script(name, IN_ITS_GROUP, stays=False), "/", ENVIRONMENT), limit(60), 100)

    assert (ended.code, ended.held_open) == (0, True)
    await eventually(lambda: not named(name), within=10, what="the end of its group")


async def test_all_can_be_ended_together_and_nothing_more_starts() -> None:
    name, processes = new_name(), plain()
    task = asyncio.create_task(
        processes.run(Start(script(name, IN_ITS_GROUP, stays=True), "/", ENVIRONMENT), limit(60), 100)
    )
    await eventually(lambda: len(named(name)) == 4, within=20, what="all processes")
    await asyncio.to_thread(processes.end_all)

    assert (await task).signal == "SIGKILL"
    await eventually(lambda: not named(name), within=10, what="the end of its group")
    with pytest.raises(OSError, match="nothing more is started"):
        await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)


async def test_being_cancelled_ends_it() -> None:
    name = new_name()
    task = asyncio.create_task(plain().run(Start(script(name, (), stays=True), "/", ENVIRONMENT), limit(60), 100))
    await eventually(lambda: named(name), within=20, what="the process")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not named(name)


async def test_much_output_is_complete_and_waits_for_nobody_in_memory() -> None:
    before = resident_memory(os.getpid())
    ended = await ran("head -c 200000000 /dev/zero; echo; echo last")

    assert ended.output.total == 200_000_006
    assert ended.output.text().endswith("\nlast\n")
    assert resident_memory(os.getpid()) - before < 20_000_000


async def test_the_loop_goes_on_while_it_prints_without_end() -> None:
    task = asyncio.create_task(ran("yes", seconds=1.0))
    turns = 0
    while not task.done():
        await asyncio.sleep(0.01)
        turns += 1

    assert task.result().timed_out
    assert turns >= 10


@pytest.mark.parametrize(
    ("start", "number"),
    [
        pytest.param(Start(("/not/there",), "/", {}), errno.ENOENT, id="no program"),
        pytest.param(Start(("/bin/true",), "/not/there", {}), errno.ENOENT, id="no folder"),
        pytest.param(Start(("/bin/true", "a\0b"), "/", {}), errno.EINVAL, id="words that cannot be"),
        pytest.param(Start(("/bin/true",), "/a\0b", {}), errno.EINVAL, id="a folder that cannot be"),
        pytest.param(Start(("/bin/true",), "/", {}, lock=Lock(0, 0, 0, ())), errno.ENOTSUP, id="a lock"),
        pytest.param(Start(("/bin/true",), "/", {}, files=((3, 0),)), errno.ENOTSUP, id="files"),
    ],
)
async def test_what_cannot_be_done_is_refused(start: Start, number: int) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        await plain().run(start, limit(60), 10)
    assert caught.value.errno == number


async def test_there_is_nothing_to_sweep_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert plain().sweep() == 0
    assert isinstance(Processes()._starter, PlainStarter)


def test_what_windows_is_told_has_the_size_that_it_expects() -> None:
    if ctypes.sizeof(ctypes.c_void_p) == 8:
        assert (ctypes.sizeof(BasicLimits), ctypes.sizeof(ExtendedLimits)) == (64, 144)


@pytest.mark.parametrize(
    ("bounds", "flags", "processes", "memory"),
    [
        (Bounds(), 0x2400, 0, 0),
        (Bounds(processes=7), 0x2408, 7, 0),
        (Bounds(memory_bytes=1 << 33), 0x2600, 0, 1 << 33),
        (Bounds(processes=7, memory_bytes=9, file_bytes=1), 0x2608, 7, 9),
    ],
)
def test_windows_is_told_of_the_bounds(bounds: Bounds, flags: int, processes: int, memory: int) -> None:
    limits = limits_for(bounds)

    assert (limits.basic.flags, limits.basic.active_processes, limits.job_memory) == (flags, processes, memory)
