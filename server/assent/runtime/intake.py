"""Hands on what a program prints, in slices: however much it is, everybody else has a turn between."""

import asyncio
from collections import deque
from collections.abc import Callable

from assent.runtime.json_lines import MOST, Garbage, Lines, Message
from assent.runtime.processes import Running, Stream

_SLICE = 16
"""Messages between which nobody else has a turn."""
_LITTLE = 64 * 1024
"""Bytes that are handed on in the turn in which they come."""
_MOST_AHEAD = 1 << 20
"""Bytes that wait here. Behind them the program has to wait itself."""


class Intake:
    """Takes bytes at any time, and gives messages in their order, one slice after the other."""

    def __init__(
        self,
        take: Callable[[Message | Garbage], None],
        most: int = MOST,
        too_long: Callable[[], None] = lambda: None,
    ) -> None:
        self._take = take
        self._lines = Lines(most)
        self._too_long = too_long
        """Told while a line comes that is longer than any may be; it may never end."""
        self._pieces: deque[bytes] = deque()
        self._waiting = 0
        self._paused: Running | None = None
        self._source: Running | None = None
        self._more = asyncio.Event()
        self.idle = asyncio.Event()
        """Set while everything is handed on that came."""
        self.idle.set()
        self.total = 0
        self._fault: Exception | None = None
        self._hands_on = False
        """Somebody meets the faults. Without them nothing more is handed on: whoever said `idle` does not change it."""

    def printed(self, data: bytes) -> None:
        """The next bytes."""
        if self.idle.is_set() and self._hands_on and self._is_little(data):
            # Nothing waits before it: handed on in this turn, it is there two turns earlier.
            self.total += len(data)
            self._hand_on_little(data)
            return
        self._pieces.append(data)
        self._waiting += len(data)
        self.total += len(data)
        self.idle.clear()
        self._more.set()
        if self._waiting > _MOST_AHEAD and self._paused is None and self._source is not None:
            self._paused = self._source
            self._paused.pause(Stream.OUTPUT)

    @staticmethod
    def _is_little(data: bytes) -> bool:
        return len(data) <= _LITTLE and data.count(b"\n") < _SLICE

    def _hand_on_little(self, data: bytes) -> None:
        try:
            for said in self._lines.take(data):
                self._take(said)
            if self._lines.is_too_long:
                self._too_long()
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is met where all else is handed on
            self._fault = fault
            self._hands_on = False
            self.idle.clear()
            self._more.set()

    async def hand_on(self, source: Running) -> None:
        """Hands on what has come and what comes from there, until it is cancelled."""
        self._source, self._hands_on = source, True
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                if self._fault is not None:
                    raise self._fault
                while self._pieces:
                    await self._hand_on(self._pieces.popleft())
                self.idle.set()
        finally:
            self._hands_on = False

    def end(self) -> Garbage | None:
        """What was left of a line when there was no more."""
        return self._lines.end()

    async def _hand_on(self, piece: bytes) -> None:
        for number, said in enumerate(self._lines.take(piece), start=1):
            self._take(said)
            if number % _SLICE == 0:
                await asyncio.sleep(0)
        if self._lines.is_too_long:
            self._too_long()
        self._waiting -= len(piece)
        if self._paused is not None and 2 * self._waiting < _MOST_AHEAD:
            paused, self._paused = self._paused, None
            paused.go_on(Stream.OUTPUT)
        await asyncio.sleep(0)
