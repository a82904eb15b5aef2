"""What a thread prepares for somebody who may no longer wait for it."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Handover(Generic[_T]):
    """Work in a thread whose result is given back where nobody takes it: whoever waited for it was cancelled."""

    def __init__(self, work: Callable[[], _T], give_back: Callable[[_T], None]) -> None:
        self._work = work
        self._give_back = give_back
        self._made: list[_T] = []
        self._gone = False
        self._lock = threading.Lock()

    async def result(self) -> _T:
        """The result of the work. Cancelled, it is given back when it comes, even where the server ends meanwhile."""
        try:
            return await asyncio.to_thread(self._make)
        except BaseException:
            self._leave()
            raise

    def _make(self) -> _T:
        made = self._work()
        with self._lock:
            self._made.append(made)
            wanted = not self._gone
        if not wanted:
            self._give_back(made)
        return made

    def _leave(self) -> None:
        with self._lock:
            self._gone = True
            made = tuple(self._made)
        for one in made:
            self._give_back(one)
