"""Writes what a program reads, in a thread: not every system's loop can wait for pipes."""

import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import IO


class ThreadWriter:
    """Writes to a pipe, which it owns, until it is closed or nobody reads any more."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        """None: that is all."""
        self._counting = threading.Lock()
        self._bytes = 0
        self._open = True
        self._dropping = False
        threading.Thread(target=self._work, name="write an input", daemon=True).start()

    @property
    def waiting_bytes(self) -> int:
        """What the program has not taken yet."""
        return 0 if self._dropping else self._bytes

    @property
    def is_open(self) -> bool:
        """Whether anything that is written now may still be read."""
        return self._open

    def write(self, data: bytes) -> None:
        """Behind what was written before. It never blocks; what nobody reads any more is dropped."""
        if not self._open or not data:
            return
        with self._counting:
            self._bytes += len(data)
        self._waiting.put(data)

    def finish(self) -> None:
        """Closes behind what was written."""
        self._open = False
        self._waiting.put(None)

    def close(self) -> None:
        """Writes no further. The thread ends with the pipe, at the latest when nobody can read from it any more."""
        self._dropping = True
        self.finish()

    def _work(self) -> None:
        # Closing tells a program the end. It can fail where the program is gone, and then nobody needs it.
        with suppress(OSError), self._pipe:
            while (data := self._waiting.get()) is not None and not self._dropping:
                self._write(memoryview(data))
        self._open = False
        self._dropping = True

    def _write(self, rest: memoryview) -> None:
        while rest and not self._dropping:
            count = self._pipe.write(rest)
            rest = rest[count:]
            with self._counting:
                self._bytes -= count
