"""Commands that take too much are killed at their limit, and the reason is told; those that stay within are not."""

import asyncio
import sys
from pathlib import Path

import pytest

from assent.runtime.processes import Bounds, Ended, Exit, Processes, Start
from tests.support.scale import limit
from tests.support.stubborn import ENVIRONMENT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")

MB = 1 << 20


async def ran(argv: tuple[str, ...], bounds: Bounds, directory: str = "/") -> Ended:
    """The end of a program within bounds."""
    return await Processes().run(Start(argv, directory, ENVIRONMENT, bounds=bounds), limit(60), 10_000)


def python(code: str) -> tuple[str, ...]:
    """A program in Python."""
    return (sys.executable, "-I", "-S", "-c", code)


# Each of its processes starts three more, three levels deep at most and 600 in all: it ends by itself if nobody does.
BOMB = """
import os, time
begun, level = time.monotonic(), 0
while level < 5 and time.monotonic() - begun < 20:
    for _ in range(3):
        if os.fork() == 0:
            level += 1
            break
    else:
        break
time.sleep(30)
"""


async def test_what_multiplies_is_killed_with_all_its_processes() -> None:
    ended = await ran(python(BOMB), Bounds(processes=64))

    assert (ended.code, ended.signal, ended.limit) == (None, "SIGKILL", "more than 64 processes")


@pytest.mark.parametrize("stays", ["sleep 30", "true"])
async def test_one_that_multiplies_faster_than_it_can_be_counted_is_killed_with_its_group(stays: str) -> None:
    """Even where the command itself has ended by then. Without an end it goes on for ten seconds."""
    endless = f"f() {{ (( SECONDS > 10 )) || f | f & }}; f 2>/dev/null; {stays}"
    running = await Processes().start(
        Start(("/bin/bash", "-c", endless), "/", ENVIRONMENT, bounds=Bounds(processes=64)), lambda *_: None
    )
    assert await running.silent(limit(60))
    await running.end()

    assert (await running.ended()).limit == "more than 64 processes"


async def test_as_many_processes_as_are_allowed_may_run() -> None:
    ended = await ran(
        ("/bin/bash", "-c", "for i in {1..20}; do sleep 0.5 & done; wait; echo all"), Bounds(processes=64)
    )

    assert (ended.code, ended.limit, ended.output.text()) == (0, None, "all\n")


async def test_processes_that_left_their_session_count() -> None:
    away = "for i in {1..40}; do ( env -i setsid /bin/sleep 30 & ) ; done; exec sleep 30"
    ended = await ran(("/bin/bash", "-c", away), Bounds(processes=30))

    assert ended.limit == "more than 30 processes"


async def test_one_that_takes_too_much_memory_is_killed() -> None:
    hog = "held = bytearray(192 << 20); print(len(held), flush=True); import time; time.sleep(30)"
    ended = await ran(python(hog), Bounds(memory_bytes=128 * MB))

    assert (ended.code, ended.signal, ended.limit) == (None, "SIGKILL", "more than 128 MB of memory")


async def test_several_that_take_too_much_together_are_killed() -> None:
    hogs = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(48 << 20)
        time.sleep(30)
time.sleep(30)
"""
    ended = await ran(python(hogs), Bounds(memory_bytes=128 * MB))

    assert ended.limit == "more than 128 MB of memory"


async def test_memory_without_a_process_of_its_own_counts() -> None:
    """What is shared by its processes is nobody's own, and is memory all the same."""
    shared = "import mmap, time; held = mmap.mmap(-1, 192 << 20); held.write(b'x' * (192 << 20)); time.sleep(30)"
    ended = await ran(python(shared), Bounds(memory_bytes=128 * MB))

    assert ended.limit == "more than 128 MB of memory"


async def test_what_processes_share_is_counted_once() -> None:
    family = """
import os, time
held = bytearray(48 << 20)
children = [os.fork() for _ in range(1)]
while len(children) < 5 and all(children):
    children.append(os.fork())
if all(children):
    for child in children:
        os.waitpid(child, 0)
    print('all')
else:
    time.sleep(1)
"""
    ended = await ran(python(family), Bounds(memory_bytes=128 * MB))

    assert (ended.code, ended.limit, ended.output.text()) == (0, None, "all\n")


async def test_one_that_takes_far_too_much_at_once_does_not_get_it() -> None:
    """Faster than anybody can count: the system itself refuses it."""
    ended = await ran(python("held = bytearray(2 << 30); print('has it')"), Bounds(memory_bytes=128 * MB))

    assert ended.code != 0
    assert "has it" not in ended.output.text()


async def test_memory_that_is_only_set_aside_does_no_harm() -> None:
    reserved = "import mmap; held = mmap.mmap(-1, 1 << 36, mmap.MAP_PRIVATE | 0x4000, mmap.PROT_READ); print('has it')"
    ended = await ran(python(reserved), Bounds(memory_bytes=128 * MB))

    assert (ended.code, ended.output.text()) == (0, "has it\n")


async def test_a_file_that_grows_too_large_is_the_end(tmp_path: Path) -> None:
    ended = await ran(
        ("/bin/bash", "-c", "exec head -c 3000000 /dev/zero > file"), Bounds(file_bytes=MB), str(tmp_path)
    )

    assert (ended.signal, ended.limit) == ("SIGXFSZ", "a file of more than 1 MB")
    assert (tmp_path / "file").stat().st_size == MB


async def test_too_much_in_the_background_is_the_end_of_it_as_well() -> None:
    """The command itself has ended by then."""
    code = "import os, sys, time\nif os.fork(): sys.exit(3)\nheld = bytearray(192 << 20)\ntime.sleep(30)"
    running = await Processes().start(
        Start(python(code), "/", ENVIRONMENT, bounds=Bounds(memory_bytes=128 * MB)), lambda *_: None
    )
    assert await running.ended() == Exit(3, None)
    assert await running.silent(limit(20))
    await running.end()

    assert await running.ended() == Exit(3, None, "more than 128 MB of memory")


async def test_others_are_not_touched_when_one_goes_too_far() -> None:
    processes = Processes()
    other = await processes.start(Start(("/bin/sleep", "1000"), "/", ENVIRONMENT), lambda *_: None)
    ended = await processes.run(Start(python(BOMB), "/", ENVIRONMENT, bounds=Bounds(processes=20)), limit(60), 100)
    assert ended.limit is not None
    ending = asyncio.create_task(other.ended())
    done, _ = await asyncio.wait({ending}, timeout=0)
    assert not done
    await other.end()
    await ending
