"""What is written to the client without waiting: as much as there is room for, at once, and never more."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from assent.lsp.unwaited import Unwaited
from tests.unit.lsp.test_outbox import sockets

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much a pipe holds")


@pytest.fixture(params=[os.pipe, sockets], ids=["pipe", "socket"])
def ends(request: pytest.FixtureRequest) -> Iterator[tuple[int, int, Unwaited]]:
    """The end that is read from, the one that is written to, and what writes to it."""
    make: Callable[[], tuple[int, int]] = request.param
    reading, writing = make()
    unwaited = Unwaited(writing)
    yield reading, writing, unwaited
    unwaited.close()
    for fd in (reading, writing):
        with suppress(OSError):
            os.close(fd)


def filled(unwaited: Unwaited) -> int:
    """Writes until nothing more is taken. Whoever waited here would wait for ever."""
    total = 0
    while count := unwaited.write(b"x" * 3_000):
        total += count
    return total


@LINUX
def test_a_message_goes_out_in_one_piece_where_nothing_is_before_it(ends: tuple[int, int, Unwaited]) -> None:
    reading, _, unwaited = ends
    for _ in range(5):
        message = os.urandom(40_000)
        assert unwaited.write(message) == len(message)
        assert os.read(reading, 100_000) == message


def test_what_is_full_takes_nothing_and_does_not_wait(ends: tuple[int, int, Unwaited]) -> None:
    reading, _, unwaited = ends
    total = filled(unwaited)
    assert total > 0
    got = 0
    while got < total:
        got += len(os.read(reading, 100_000))
    assert unwaited.write(b"again") == 5
    assert os.read(reading, 100_000) == b"again"


def test_never_more_than_there_is_room_for_whatever_is_read_meanwhile(ends: tuple[int, int, Unwaited]) -> None:
    reading, writing, unwaited = ends
    sent, got = 0, 0
    for size in (1, 4_095, 4_096, 4_097, 9_000, 65_535, 65_536, 65_537, 200_000) * 8:
        sent += unwaited.write(b"x" * size)
        if size % 2:
            got += len(os.read(reading, 5_000)) if sent > got else 0
    os.close(writing)
    unwaited.close()
    while piece := os.read(reading, 100_000):
        got += len(piece)
    assert got == sent


@LINUX
def test_a_pipe_that_holds_little_is_given_little() -> None:
    import fcntl

    reading, writing = os.pipe()
    holds = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4_096)
    unwaited = Unwaited(writing)
    assert unwaited.write(b"x" * (holds + 1)) == holds
    assert unwaited.write(b"x") == 0
    os.close(reading)
    os.close(writing)


def test_a_reader_that_is_gone_is_a_fault(ends: tuple[int, int, Unwaited]) -> None:
    reading, _, unwaited = ends
    os.close(reading)
    with pytest.raises(OSError, match=r"ipe|reset"):
        unwaited.write(b"x")


def test_what_it_holds_for_itself_ends_and_the_descriptor_stays(ends: tuple[int, int, Unwaited]) -> None:
    reading, writing, unwaited = ends
    unwaited.close()
    os.write(writing, b"x")
    assert os.read(reading, 10) == b"x"
