"""A clock that stands still until a test moves it."""

import asyncio
import heapq
import itertools


class FakeClock:
    """Time as a test wants it: `sleep` returns when `advance` has passed its end, in the order of the ends."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def monotonic(self) -> float:
        return self.now

    def timestamp(self, later: float = 0.0) -> str:
        return f"2026-01-01T00:00:{self.now + later:.3f}Z"

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._numbers), future))
        await future

    @property
    def sleeping(self) -> int:
        """How many wait for time to pass."""
        return sum(not future.done() for _, _, future in self._sleepers)

    def advance(self, seconds: float) -> None:
        """Lets so much time pass."""
        self.now += seconds
        while self._sleepers and self._sleepers[0][0] <= self.now:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)
