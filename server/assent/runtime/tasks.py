"""Someone owns every task: it has a name, its failure is seen, and it is ended with its owner."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")


class TaskGroup:
    """Tasks that end together. Unlike asyncio's own, one that fails does not take its siblings with it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Runs the work beside the caller, under this owner."""
        task = asyncio.get_running_loop().create_task(work, name=f"{self._name}/{name}")
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def cancel(self) -> None:
        """Ends all tasks and waits until they have ended."""
        # One round of the loop, so that a task started just now has entered its own clean-up before it is cancelled.
        await asyncio.sleep(0)
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def finish(self, within: float) -> None:
        """Lets all tasks come to their own end; those that have not after so many seconds are ended."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within)
        await self.cancel()

    def __len__(self) -> int:
        return len(self._tasks)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            logger.error("task %s failed: %s", task.get_name(), type(fault).__name__, exc_info=fault)
