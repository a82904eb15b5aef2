"""The outgoing queue and its writer: nothing is lost, nobody is blocked, memory has an end."""

import asyncio
import os
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from assent.lsp.outbox import BATCH, Outbox
from assent.lsp.pipe_writer import PipeWriter
from tests.support.scale import limit, wait_until


def never() -> None:
    raise AssertionError("this must not happen")


def sockets() -> tuple[int, int]:
    """As some editors have them in the place of a pipe."""
    one, other = socket.socketpair()
    return one.detach(), other.detach()


def make(high_water: int = 100, cap: int = 1000) -> Outbox:
    return Outbox(on_overflow=never, high_water=high_water, cap=cap)


def test_small_messages_go_out_together_and_in_order() -> None:
    outbox = make()
    for number in range(10):
        outbox.put(b"%d" % number)

    assert outbox.take() == b"0123456789"
    assert outbox.take() == b""


def test_a_batch_has_an_end_and_a_large_message_goes_alone() -> None:
    outbox = Outbox(on_overflow=never)
    messages = [b"a" * 10, b"b" * (2 * BATCH), b"c" * 10]
    for message in messages:
        outbox.put(message)

    assert [outbox.take() for _ in messages] == messages


def test_what_is_taken_counts_until_it_is_written() -> None:
    outbox = make(high_water=5)
    outbox.put(b"123456")
    assert outbox.congested

    outbox.take()
    assert outbox.congested

    outbox.written(1)
    assert not outbox.congested
    assert outbox.size == 5


async def test_drained_waits_until_the_queue_is_back_at_its_mark() -> None:
    outbox = make(high_water=5)
    outbox.put(b"1234567")
    waiting = asyncio.create_task(outbox.drained())
    outbox.take()
    outbox.written(1)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()

    outbox.written(1)
    await asyncio.wait_for(waiting, limit(5))


async def test_nobody_waits_for_a_queue_with_room() -> None:
    await asyncio.wait_for(make().drained(), limit(5))
    await asyncio.wait_for(make().emptied(), limit(5))


async def test_closing_lets_everybody_go_and_takes_nothing_more() -> None:
    outbox = make(high_water=1)
    outbox.put(b"12345")
    waiting = [asyncio.create_task(outbox.drained()), asyncio.create_task(outbox.emptied())]
    await asyncio.sleep(0)

    outbox.close()
    outbox.put(b"more")

    await asyncio.wait_for(asyncio.gather(*waiting), limit(5))
    assert (outbox.size, outbox.congested, outbox.take()) == (0, False, b"")


def test_beyond_the_cap_the_client_is_given_up_once() -> None:
    overflows: list[int] = []
    outbox = Outbox(on_overflow=lambda: overflows.append(1), high_water=10, cap=100)
    for _ in range(50):
        outbox.put(b"x" * 10)

    assert overflows == [1]
    assert outbox.closed
    assert outbox.size == 0


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for fd in (reading, writing):
        with suppress(OSError):
            os.close(fd)


def test_the_writer_writes_everything_in_order(pipe: tuple[int, int]) -> None:
    outbox = Outbox(on_overflow=never)
    writer = PipeWriter(pipe[1], outbox, never)
    sent = b"".join(b"%07d," % number for number in range(50_000))
    received = bytearray()

    def read() -> None:
        while len(received) < len(sent):
            received.extend(os.read(pipe[0], 4096))

    reader = threading.Thread(target=read)
    reader.start()
    writer.start()
    for start in range(0, len(sent), 777):
        outbox.put(sent[start : start + 777])
    reader.join(limit(20))

    assert bytes(received) == sent
    wait_until(lambda: outbox.size == 0, what="the queue being empty")
    assert writer.stop(within=limit(5))


@pytest.mark.parametrize("ends", [os.pipe, sockets], ids=["pipe", "socket"])
async def test_nothing_overtakes_anything_whoever_writes_it(ends: Callable[[], tuple[int, int]]) -> None:
    """What a turn of the loop says is written by the loop itself, where there is room, and by the thread where not."""
    outbox = Outbox(on_overflow=never)
    reading, writing = ends()
    writer, chance = PipeWriter(writing, outbox, never), random.Random(7)
    messages = [b"%07d," % number * chance.choice([1, 9, 400, 600, 9_000, 40_000]) for number in range(600)]
    sent, received = b"".join(messages), bytearray()

    def read() -> None:
        while len(received) < len(sent):
            received.extend(os.read(reading, chance.choice([1, 500, 4_096, 70_000])))

    reader = threading.Thread(target=read)
    reader.start()
    writer.start()
    while messages:
        for _ in range(chance.choice([1, 1, 3, 20])):
            outbox.put(messages.pop(0)) if messages else None
        await asyncio.sleep(0)
    await asyncio.to_thread(reader.join, limit(60))

    assert bytes(received) == sent
    assert await asyncio.to_thread(writer.stop, limit(5))
    os.close(reading)
    os.close(writing)


async def test_what_a_turn_says_needs_no_other_thread_to_be_written(pipe: tuple[int, int]) -> None:
    outbox = Outbox(on_overflow=never)
    writer = PipeWriter(pipe[1], outbox, never)
    writer.start()
    os.set_blocking(pipe[0], False)
    said, there_at_once = bytearray(), 0
    for number in range(200):
        outbox.put(b"%04d" % number)
        outbox.put(b"more")
        await asyncio.sleep(0)
        with suppress(BlockingIOError):
            said += os.read(pipe[0], 10_000)
        there_at_once += said.endswith(b"%04dmore" % number)

    assert there_at_once, "the thread may be quicker, but not always"
    assert await asyncio.to_thread(writer.stop, limit(5))


@pytest.mark.parametrize("turns", [0, 1], ids=["in one turn", "in many turns"])
@pytest.mark.parametrize("ends", [os.pipe, sockets], ids=["pipe", "socket"])
async def test_put_returns_although_nobody_reads(ends: Callable[[], tuple[int, int]], turns: int) -> None:
    outbox = Outbox(on_overflow=never, high_water=1000)
    reading, writing = ends()
    writer = PipeWriter(writing, outbox, lambda: None)
    writer.start()

    for _ in range(100):
        outbox.put(b"x" * 10_000)
        for _ in range(turns):
            await asyncio.sleep(0)

    assert outbox.congested
    await asyncio.to_thread(writer.stop, 0.05)
    assert not outbox.congested, "whoever waits for room is let go, although the thread may be stuck"
    os.close(reading)
    assert await asyncio.to_thread(writer.stop, limit(5))
    os.close(writing)


def test_a_reader_that_goes_away_is_noticed_in_a_write(pipe: tuple[int, int]) -> None:
    broken = threading.Event()
    outbox = Outbox(on_overflow=never)
    writer = PipeWriter(pipe[1], outbox, broken.set)
    writer.start()
    outbox.put(b"x" * 1_000_000)
    wait_until(lambda: outbox.size < 1_000_000, what="the first piece being written")

    os.close(pipe[0])

    assert broken.wait(limit(5))
    assert outbox.closed


def test_a_reader_that_goes_away_is_noticed_while_nothing_is_said(pipe: tuple[int, int]) -> None:
    broken = threading.Event()
    writer = PipeWriter(pipe[1], Outbox(on_overflow=never), broken.set)
    writer.start()

    os.close(pipe[0])

    assert broken.wait(limit(5))


def test_the_same_with_a_socket_as_some_editors_use_it() -> None:
    broken = threading.Event()
    ours, theirs = socket.socketpair()
    with ours:
        writer = PipeWriter(ours.fileno(), Outbox(on_overflow=never), broken.set)
        writer.start()
        theirs.close()

        assert broken.wait(limit(5))


def test_a_socket_that_is_closed_for_one_direction_only_is_still_written_to() -> None:
    outbox = Outbox(on_overflow=never)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        writer = PipeWriter(ours.fileno(), outbox, never)
        writer.start()
        theirs.shutdown(socket.SHUT_WR)
        outbox.put(b"hello")
        theirs.settimeout(limit(5))

        assert theirs.recv(5) == b"hello"
        assert writer.stop(within=limit(5))


def test_many_puts_from_the_loop_while_the_writer_sleeps_and_wakes(pipe: tuple[int, int]) -> None:
    outbox = Outbox(on_overflow=never)
    writer = PipeWriter(pipe[1], outbox, never)
    writer.start()
    for number in range(2000):
        outbox.put(b"%04d" % number)
        assert os.read(pipe[0], 4) == b"%04d" % number

    assert writer.stop(within=limit(5))
