"""The editor's two pipes. Threads read and write them: not every system's loop can."""

import asyncio
import os
import queue
import threading
from collections.abc import Callable

_PIECE = 65_536
_MUCH = 4 << 20
"""Bytes that wait to be written, from which on text waits for the editor."""


class Pipes:
    """Nothing of it waits: what is written is queued, and what was read is handed over in the loop."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._loop = asyncio.get_running_loop()
        self._room = asyncio.Event()
        self._room.set()
        self.over = asyncio.Event()
        """The editor is gone."""

    def begin(self, read: Callable[[bytes], None]) -> None:
        """Starts reading and writing."""
        threading.Thread(target=self._read, args=(read,), name="read from the editor", daemon=True).start()
        self._writer = threading.Thread(target=self._write, name="write to the editor", daemon=True)
        self._writer.start()

    @property
    def congested(self) -> bool:
        return self._waiting > _MUCH

    async def drained(self) -> None:
        """Returns when the editor can take more text, or is gone."""
        await self._room.wait()

    def write(self, data: bytes) -> None:
        """Writes it once everything before it is written."""
        self._waiting += len(data)
        if self.congested:
            self._room.clear()
        self._queue.put(data)

    async def finish(self, seconds: float) -> None:
        """Returns when all is written, or after so many seconds."""
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join, seconds)

    def _read(self, take: Callable[[bytes], None]) -> None:
        try:
            while data := os.read(self._incoming, _PIECE):
                self._tell(take, data)
        except OSError:
            # It is gone as well.
            pass
        self._tell(self._end)

    def _write(self) -> None:
        while (data := self._queue.get()) is not None:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._outgoing, rest) :]
            except OSError:
                self._tell(self._end)
                return
            self._tell(self._written, len(data))

    def _written(self, size: int) -> None:
        self._waiting -= size
        if not self.congested:
            self._room.set()

    def _end(self) -> None:
        self._room.set()
        self.over.set()

    def _tell(self, what: Callable[..., None], *given: object) -> None:
        try:
            self._loop.call_soon_threadsafe(what, *given)
        except RuntimeError:
            # The loop is closed: nobody is there to be told.
            return
