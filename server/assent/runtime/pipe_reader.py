"""Reads what a program prints, as the loop finds the time. Systems with pipes that a loop can wait for."""

import asyncio
import os
from contextlib import suppress

from assent.runtime.running import Printed
from assent.runtime.starts import Stream

_PIECE = 64 * 1024
"""Read in one turn of the loop: as much as a pipe holds."""


class PipeReader:
    """Reads from a handle, which it owns, until there is no more."""

    def __init__(self, handle: int, stream: Stream, printed: Printed) -> None:
        self.ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._handle = handle
        self.stream = stream
        self._printed = printed
        try:
            # Only this end: the program waits where nobody takes what it prints.
            os.set_blocking(handle, False)
            self._loop.add_reader(handle, self._read)
        except BaseException:
            os.close(handle)
            raise

    def pause(self) -> None:
        """Reads nothing for now: whoever prints has to wait."""
        if self._handle >= 0:
            self._loop.remove_reader(self._handle)

    def go_on(self) -> None:
        """Reads again."""
        if self._handle >= 0:
            self._loop.add_reader(self._handle, self._read)

    def close(self) -> None:
        """Reads no further."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        # The loop may be closed by now: then it waits for nothing anyway.
        with suppress(RuntimeError):
            self._loop.remove_reader(handle)
        os.close(handle)
        self.ended.set()

    def _read(self) -> None:
        try:
            data = os.read(self._handle, _PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self._printed(self.stream, data)
        else:
            self.close()
