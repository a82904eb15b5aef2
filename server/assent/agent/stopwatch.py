"""How long a run has worked: the time in which its model streams or a tool is carried out, each moment once.

It stands still while the run only waits for people. One belongs to a root run and all its sub-agents:

    with watch.working(): ...              # around a request to the model, and around carrying out a call
    await watch.worked(seconds)            # returns when it has worked so long: one task sees to the limit
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from assent.runtime.clock import Clock


class Stopwatch:
    """Runs while at least one thing is at work."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._at_work = 0
        self._before = 0.0
        self._since = 0.0
        self._starts = asyncio.Event()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Something is at work, perhaps beside others."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        if self._at_work == 0:
            self._since = self._clock.monotonic()
            self._starts.set()
        self._at_work += 1

    def _leave(self) -> None:
        self._at_work -= 1
        if self._at_work == 0:
            self._before += self._clock.monotonic() - self._since
            self._starts.clear()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """One of those that are at work only waits for a person meanwhile."""
        self._leave()
        try:
            yield
        finally:
            self._enter()

    @property
    def running(self) -> bool:
        """Whether anything is at work."""
        return self._at_work > 0

    @property
    def seconds(self) -> float:
        """How long it has worked."""
        return self._before + (self._clock.monotonic() - self._since if self.running else 0.0)

    async def worked(self, seconds: float) -> None:
        """Returns when it has worked so long. While it stands still, no timer runs."""
        while (left := seconds - self.seconds) > 0:
            if self.running:
                # It may stand still meanwhile: then this is too early, and it is looked at again.
                await self._clock.sleep(left)
            else:
                await self._starts.wait()
