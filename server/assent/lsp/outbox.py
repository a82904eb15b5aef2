"""What waits to be sent: one bounded queue for each client, filled by the loop, emptied by one writer.

`put` never blocks and nothing that was put is dropped. Above the high-water mark producers of text wait and merge;
beyond the cap the client counts as dead, because memory must not grow for ever for someone who does not read.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

HIGH_WATER = 4 * 1024 * 1024
CAP = 256 * 1024 * 1024
BATCH = 256 * 1024


class Channel(Protocol):
    """The way to one client, as the protocol sees it."""

    @property
    def congested(self) -> bool:
        """Whether more is waiting to be sent than is good."""

    def put(self, body: bytes) -> None:
        """Queues one message. Never blocks."""

    async def drained(self) -> None:
        """Returns when the channel is not congested, or closed."""


class Outbox:
    """The queue. `put` and the waiting belong to the loop; `take` and `written` to the writer, in whatever thread."""

    def __init__(self, *, on_overflow: Callable[[], None], high_water: int = HIGH_WATER, cap: int = CAP) -> None:
        self.wake: Callable[[], None] = lambda: None
        self._on_overflow = on_overflow
        self._high_water = high_water
        self._cap = cap
        self._lock = threading.Lock()
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._closed = False
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def size(self) -> int:
        """Bytes that are not written yet."""
        return self._size

    @property
    def closed(self) -> bool:
        """Whether nobody writes any more."""
        return self._closed

    @property
    def congested(self) -> bool:
        """Whether the queue is above its high-water mark."""
        return self._size > self._high_water and not self._closed

    def put(self, message: bytes) -> None:
        """Queues a message. When nobody writes any more, it goes nowhere."""
        with self._lock:
            if self._closed:
                return
            self._queue.append(message)
            self._size += len(message)
            overflow = self._size > self._cap
        if overflow:
            self.close()
            self._on_overflow()
        else:
            self.wake()

    def take(self) -> bytes:
        """The next piece to write: small messages together, a large one alone. Empty when nothing waits."""
        with self._lock:
            taken: list[bytes] = []
            size = 0
            while self._queue and (not taken or size + len(self._queue[0]) <= BATCH):
                taken.append(self._queue.popleft())
                size += len(taken[-1])
        return taken[0] if len(taken) == 1 else b"".join(taken)

    def take_one(self) -> bytes | None:
        """The next message by itself."""
        with self._lock:
            return self._queue.popleft() if self._queue else None

    def written(self, count: int) -> None:
        """So many bytes of what was taken are out."""
        with self._lock:
            self._size = max(0, self._size - count)
        self._tell_waiters()

    def close(self) -> None:
        """Nobody writes any more: forgets what waits, and lets everybody go who waits for room."""
        with self._lock:
            self._closed = True
            self._queue.clear()
            self._size = 0
        self._tell_waiters()

    async def drained(self) -> None:
        """Returns when the queue is not above its high-water mark."""
        await self._at_most(self._high_water)

    async def emptied(self) -> None:
        """Returns when everything is written."""
        await self._at_most(0)

    async def _at_most(self, mark: int) -> None:
        future = asyncio.get_running_loop().create_future()
        with self._lock:
            if self._closed or self._size <= mark:
                return
            self._waiters.append((mark, future))
        await future

    def _tell_waiters(self) -> None:
        with self._lock:
            ready = [waiter for waiter in self._waiters if self._closed or self._size <= waiter[0]]
            for waiter in ready:
                self._waiters.remove(waiter)
        for _, future in ready:
            try:
                future.get_loop().call_soon_threadsafe(_resolve, future)
            except RuntimeError:  # the loop is closed, so nobody waits any more
                return


def _resolve(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
