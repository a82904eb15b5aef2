"""Tells of the calls of one turn in the order in which the model made them, however long each is looked at."""

import asyncio
from collections.abc import Callable

from assent.model.modes import Category


class Announcement:
    """Tells of a call once, and after the calls that the model made before it."""

    __slots__ = ("_before", "_next", "_tell")

    def __init__(self, tell: Callable[[Category, str], None], before: "Announcement | None") -> None:
        self._tell: Callable[[Category, str], None] | None = tell
        """None once it is told."""
        self._before = before
        self._next: asyncio.Future[None] | None = None
        """Of the one call that waits to be told of next. Very many calls can wait for people: this is next to nothing
        for each of them, where an event is as much as the rest of it."""

    async def seen(self, category: Category, headline: str) -> None:
        """Tells of the call when it is its turn."""
        if self._before is not None:
            await self._before._is_told()
            self._before = None
        self.end(category, headline)

    def end(self, category: Category, headline: str) -> None:
        """Tells of the call now, if nothing was told yet: it has its result."""
        if self._tell is None:
            return
        self._tell(category, headline)
        self._tell = None
        if self._next is not None and not self._next.done():
            self._next.set_result(None)

    async def _is_told(self) -> None:
        if self._tell is not None:
            self._next = asyncio.get_running_loop().create_future()
            await self._next
            self._next = None
