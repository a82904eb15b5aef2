"""Requests of which only the newest of a view counts: what somebody writes, for one, asks with each key."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Latest:
    """The request that is being worked on for each view. A newer one ends it, and it is answered as cancelled."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Any]] = {}

    @contextmanager
    def instead_of_older(self, view_id: str | None) -> Iterator[None]:
        """The work of the task that calls this. What names no view is nobody's successor."""
        task = asyncio.current_task()
        if view_id is None or task is None:
            yield
            return
        older = self._tasks.get(view_id)
        if older is not None:
            older.cancel()
        self._tasks[view_id] = task
        try:
            yield
        finally:
            if self._tasks.get(view_id) is task:
                del self._tasks[view_id]
