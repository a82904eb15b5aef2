"""What is written to a program: it comes whole and in order, blocks nobody, and ends where it is told to end."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.runtime.plain_starter import PlainStarter
from assent.runtime.processes import Processes, Running, Start, Stream
from tests.support.scale import eventually, limit

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the programs of these tests are POSIX's")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")
MB = 1 << 20
pytestmark = POSIX


@pytest.fixture(params=[pytest.param(Processes, marks=LINUX, id="warden"), pytest.param("plain", id="plain")])
def processes(request: pytest.FixtureRequest) -> Processes:
    """Both ways to start a program, as far as this system has them."""
    make: Callable[[], Processes] | str = request.param
    return Processes(PlainStarter()) if isinstance(make, str) else make()


class Printed:
    """All that a program printed."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.errors = bytearray()

    def __call__(self, stream: Stream, data: bytes) -> None:
        if stream is Stream.OUTPUT:
            self.output += data
        else:
            self.errors += data


async def started(processes: Processes, text: str, printed: Printed, *, talks: bool = True) -> Running:
    """A shell command that is talked to."""
    start = Start(("/bin/bash", "-c", text), "/", {"PATH": "/usr/bin:/bin"}, talks=talks)
    return await processes.start(start, printed)


async def code_of(running: Running) -> int | None:
    """Its code, when it has ended by itself and all of it is read."""
    async with asyncio.timeout(limit(30)):
        end = await running.ended()
    assert await running.silent(limit(10))
    await running.end()
    return end.code


async def test_five_megabytes_come_back_whole_and_in_order(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, "exec cat", printed)
    sent = b"".join(b"%07d\n" % number for number in range(5 * MB // 8))
    for at in range(0, len(sent), 300_001):
        running.write(sent[at : at + 300_001])
    assert running.waiting_bytes > 0
    running.close_input()
    assert not running.takes_input
    running.write(b"too late")

    assert await code_of(running) == 0
    assert bytes(printed.output) == sent
    assert running.waiting_bytes == 0


async def test_a_word_and_its_answer_take_turns(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, 'while read -r line; do echo "got $line"; done', printed)
    for word in (b"one", b"two", b"three"):
        running.write(word + b"\n")
        await eventually(lambda word=word: printed.output.endswith(b"got " + word + b"\n"), what="its answer")
    assert running.takes_input
    running.close_input()

    assert await code_of(running) == 0


async def test_a_program_that_never_reads_holds_nobody_up(processes: Processes) -> None:
    running = await started(processes, "exec sleep 100000", Printed())
    for _ in range(8):
        running.write(b"x" * MB)
    await asyncio.sleep(0)
    assert running.waiting_bytes > 7 * MB
    running.close_input()
    await running.end()

    assert (await running.ended()).signal == "SIGKILL"
    await eventually(lambda: running.waiting_bytes == 0, what="nothing that waits")


async def test_a_program_that_closes_its_input_is_no_fault(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, "exec <&-; echo closed; exec sleep 100000", printed)
    await eventually(lambda: printed.output == b"closed\n", what="the closing")
    running.write(b"nobody reads this")
    await eventually(lambda: not running.takes_input, what="a closed input")
    running.write(b"nor that")

    assert running.waiting_bytes == 0
    running.close_input()
    await running.end()


async def test_a_program_that_ends_while_it_is_written_to_is_no_fault(processes: Processes) -> None:
    running = await started(processes, "head -c 100000 > /dev/null; exit 7", Printed())
    running.write(b"x" * (4 * MB))

    assert await code_of(running) == 7
    await eventually(lambda: not running.takes_input and running.waiting_bytes == 0, what="a closed input")


async def test_whoever_is_not_talked_to_reads_an_end(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, "wc -c; ls -l /proc/self/fd/0 2>/dev/null || true", printed, talks=False)
    with pytest.raises(RuntimeError, match="without talking"):
        running.write(b"x")
    assert not running.takes_input

    assert await code_of(running) == 0
    assert printed.output.split()[0] == b"0"
    assert sys.platform != "linux" or printed.output.endswith(b"/dev/null\n")


async def test_what_nobody_takes_is_held_back_and_comes_later(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, "read -r go; head -c 5000000 /dev/zero; exit 3", printed)
    running.pause(Stream.OUTPUT)
    running.write(b"go\n")
    # The pieces that a thread had read before are all that may still come to memory; none is told.
    assert not await running.silent(limit(0.3), Stream.OUTPUT)
    assert not printed.output
    running.go_on(Stream.OUTPUT)

    assert await code_of(running) == 3
    assert len(printed.output) == 5_000_000


@LINUX
async def test_the_input_and_other_files_keep_their_numbers(tmp_path: Path) -> None:
    printed = Printed()
    (tmp_path / "seven").write_text("kept")
    handle = os.open(tmp_path / "seven", os.O_RDONLY)
    try:
        text = ("/bin/bash", "-c", "cat; cat <&7")
        start = Start(text, "/", {"PATH": "/usr/bin:/bin"}, ((7, handle),), talks=True)
        running = await Processes().start(start, printed)
        running.write(b"said;")
        running.close_input()
        assert await code_of(running) == 0
    finally:
        os.close(handle)

    assert bytes(printed.output) == b"said;kept"


async def test_the_end_of_what_is_printed_comes_behind_what_is_held_back(processes: Processes) -> None:
    printed = Printed()
    running = await started(processes, "read -r go; echo little", printed)
    running.pause(Stream.OUTPUT)
    running.write(b"go\n")
    await running.ended()
    assert not await running.silent(limit(0.2), Stream.OUTPUT)
    running.go_on(Stream.OUTPUT)

    assert await code_of(running) == 0
    assert bytes(printed.output) == b"little\n"
