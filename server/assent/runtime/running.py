"""A program that runs, whatever holds it: who waits for it, what it prints, how it is ended."""

import asyncio
import errno
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from assent.runtime.starts import Exit, Start, Stream

logger = logging.getLogger(__name__)

GRACE_TO_GO = 2.0
"""Seconds for which the end of what was killed is waited for: it may wait for a device, and then nothing helps."""
GRACE_TO_FLUSH = 0.5
"""Seconds for which what killed programs had still printed is read."""

Printed = Callable[[Stream, bytes], None]
"""Is told what a program prints, piece by piece, in the loop."""


class Hold(Protocol):
    """What has a program in its hand, and all that the program started."""

    def terminate(self) -> None:
        """Asks the program, and what is in its group, to end."""

    def kill(self) -> None:
        """Kills all of it. Any thread may call, as often as it likes."""

    def close(self) -> None:
        """Lets go of it, which kills what is left."""


class Reader(Protocol):
    """Reads one stream of a program until it ends."""

    ended: asyncio.Event
    stream: Stream

    def pause(self) -> None:
        """Reads nothing for now: whoever prints has to wait. It may be told of a little that was read before."""

    def go_on(self) -> None:
        """Reads again."""

    def close(self) -> None:
        """Reads no further."""


class Writer(Protocol):
    """Writes to the input of a program, in the loop. Whatever cannot be written any more is dropped."""

    @property
    def waiting_bytes(self) -> int:
        """What the program has not taken yet."""

    @property
    def is_open(self) -> bool:
        """Whether anything that is written now may still be read."""

    def write(self, data: bytes) -> None:
        """Behind what was written before. It never blocks."""

    def finish(self) -> None:
        """The program reads an end behind what was written."""

    def close(self) -> None:
        """Writes no further."""


class Starter(Protocol):
    """A way to start programs on this system."""

    async def start(self, start: Start, printed: Printed) -> "Running":
        """Raises OSError where it cannot be started."""

    def end_all(self) -> None:
        """Kills everything that was started here, and lets nothing more start. Any thread may call."""


class Life:
    """What is known of a program by now. Told in the loop only."""

    def __init__(self) -> None:
        self.exit: Exit | None = None
        self.ended = asyncio.Event()
        self.gone = asyncio.Event()

    def tell_ended(self, end: Exit) -> None:
        """The program has ended. What is told first counts."""
        if self.exit is None:
            self.exit = end
            self.ended.set()

    def tell_gone(self, limit: str | None = None) -> None:
        """Nothing is left of it, nor of what it had started; the reason, where that had too much after its end."""
        self.tell_ended(Exit(None, None))
        if limit is not None and self.exit is not None:
            self.exit = replace(self.exit, limit=limit)
        self.gone.set()


class Running:
    """A program that was started."""

    def __init__(
        self, pid: int, hold: Hold, life: Life, readers: tuple[Reader, ...], writer: Writer | None = None
    ) -> None:
        self.pid = pid
        """Of the program itself, as this system sees it."""
        self._hold = hold
        self._life = life
        self._readers = readers
        self._writer = writer
        self._over = False

    async def ended(self) -> Exit:
        """How the program ended, as soon as it has; what it had started may still run. Several may wait.

        Where that is then killed for having too much, the reason is told to whoever asks after the end of all.
        """
        await self._life.ended.wait()
        if self._life.exit is None:
            raise AssertionError("it is known when it is told")
        return self._life.exit

    async def silent(self, seconds: float | None, *streams: Stream) -> bool:
        """Whether nobody can print any more, there or anywhere, within so many seconds. None: it waits for that."""
        readers = [reader for reader in self._readers if not streams or reader.stream in streams]
        return all(await asyncio.gather(*(happens(reader.ended, seconds) for reader in readers)))

    def pause(self, stream: Stream) -> None:
        """Takes nothing of this for now, so that whoever prints it has to wait."""
        for reader in self._readers:
            if reader.stream is stream:
                reader.pause()

    def go_on(self, stream: Stream) -> None:
        """Takes what is printed again."""
        for reader in self._readers:
            if reader.stream is stream:
                reader.go_on()

    def write(self, data: bytes) -> None:
        """To its input, behind what was written before. It never blocks, and what nobody reads any more is dropped."""
        self._input().write(data)

    @property
    def waiting_bytes(self) -> int:
        """What was written and is not taken yet."""
        return self._input().waiting_bytes

    @property
    def takes_input(self) -> bool:
        """Whether what is written may still be read: until its input was closed, by us or by the program."""
        return self._writer is not None and self._writer.is_open

    def close_input(self) -> None:
        """It reads an end, behind all that was written."""
        self._input().finish()

    def _input(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("nothing can be written to a program that was started without talking to it")
        return self._writer

    def terminate(self) -> None:
        """Asks it to end."""
        self._hold.terminate()

    def kill(self) -> None:
        """Kills all of it, and waits for nothing. Any thread may call."""
        self._hold.kill()

    async def end(self) -> None:
        """Kills all that is left of it, and returns when nothing is, with all that was printed read."""
        if self._over:
            return
        self._hold.kill()
        try:
            if await happens(self._life.gone, GRACE_TO_GO):
                await self.silent(GRACE_TO_FLUSH)
            else:
                logger.warning("process %d, or what it started, was killed and is not gone yet", self.pid)
        finally:
            self._over = True
            self._hold.close()
            for reader in self._readers:
                reader.close()
            if self._writer is not None:
                self._writer.close()
            self._life.tell_ended(Exit(None, None))


def all_over() -> OSError:
    """Why nothing is started any more."""
    return OSError(errno.ECANCELED, "the server ends, and nothing more is started")


async def happens(event: asyncio.Event, seconds: float | None) -> bool:
    """Whether it happens within so many seconds. None: however long that takes."""
    if not event.is_set():
        # Not wait_for, which on Python 3.11 loses a cancellation that comes in the same moment as the event.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()
    return event.is_set()
