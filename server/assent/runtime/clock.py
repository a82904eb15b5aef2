"""Time as a port, so that tests can own it."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Monotonic seconds for deadlines, wall time for people, and a way to wait."""

    def monotonic(self) -> float: ...

    def timestamp(self, later: float = 0.0) -> str:
        """The time now, or so many seconds later."""

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        return time.monotonic()

    def timestamp(self, later: float = 0.0) -> str:
        return (datetime.now(UTC) + timedelta(seconds=later)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
