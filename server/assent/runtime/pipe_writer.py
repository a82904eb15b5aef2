"""Writes what a program reads, as fast as it reads it. Systems with pipes that a loop can wait for."""

import asyncio
import os
from collections import deque
from contextlib import suppress

_PIECE = 64 * 1024
"""Written in one turn of the loop: as much as a pipe holds."""


class PipeWriter:
    """Writes to a handle, which it owns, until it is closed or nobody reads any more."""

    def __init__(self, handle: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._handle = handle
        self._waiting: deque[memoryview] = deque()
        self.waiting_bytes = 0
        self._finishing = False
        try:
            # Only this end: the program waits where there is nothing to read.
            os.set_blocking(handle, False)
        except BaseException:
            os.close(handle)
            raise

    @property
    def is_open(self) -> bool:
        """Whether anything that is written now may still be read."""
        return self._handle >= 0 and not self._finishing

    def write(self, data: bytes) -> None:
        """Behind what was written before. It never blocks; what nobody reads any more is dropped."""
        if not self.is_open or not data:
            return
        first = not self._waiting
        self._waiting.append(memoryview(data))
        self.waiting_bytes += len(data)
        if not first:
            return
        # At once, where the pipe has room for it: an answer need not wait for another turn.
        self._go_on()
        if self._waiting:
            self._loop.add_writer(self._handle, self._go_on)

    def finish(self) -> None:
        """Closes behind what was written."""
        self._finishing = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        """Writes no further. What waits is dropped."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        self._waiting.clear()
        self.waiting_bytes = 0
        # The loop may be closed by now: then it waits for nothing anyway.
        with suppress(RuntimeError):
            self._loop.remove_writer(handle)
        os.close(handle)

    def _go_on(self) -> None:
        piece = self._waiting[0]
        try:
            count = os.write(self._handle, piece[:_PIECE])
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            # Nobody reads any more. That is the program's own affair: its end is told elsewhere.
            self.close()
            return
        self.waiting_bytes -= count
        if count < len(piece):
            self._waiting[0] = piece[count:]
            return
        self._waiting.popleft()
        if not self._waiting:
            self._loop.remove_writer(self._handle)
            if self._finishing:
                self.close()
