"""Tells of the calls of one turn in the order in which the model made them, however long each is looked at."""

import asyncio
from collections.abc import Callable

from assent.model.modes import Category


class Announcement:
    """Tells of a call once, and after the calls that the model made before it."""

    def __init__(self, tell: Callable[[Category, str], None], before: "Announcement | None") -> None:
        self._tell = tell
        self._before = before
        self._told = asyncio.Event()

    async def seen(self, category: Category, headline: str) -> None:
        """Tells of the call when it is its turn."""
        if self._before is not None:
            await self._before._told.wait()
            self._before = None
        self.end(category, headline)

    def end(self, category: Category, headline: str) -> None:
        """Tells of the call now, if nothing was told yet: it has its result."""
        if not self._told.is_set():
            self._tell(category, headline)
            self._told.set()
