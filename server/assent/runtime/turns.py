"""What is looked up once for as long as the event loop is in one turn, however often it is asked for there."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class OnceATurn(Generic[K, T]):
    """Remembers what a look found, until the loop has come to what was queued when it looked.

    Whoever was woken by something that happened after the look is queued behind the forgetting, so nobody is told of
    what was before that. Outside of a loop, such as in a thread, nothing is remembered.
    """

    def __init__(self, look: Callable[[K], T]) -> None:
        self._look = look
        self._found: tuple[K, T] | None = None

    def at(self, what: K) -> T:
        """What a look at this very thing finds."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return self._look(what)
        if self._found is None:
            loop.call_soon(self._forget)
        if self._found is None or self._found[0] is not what:
            self._found = (what, self._look(what))
        return self._found[1]

    def _forget(self) -> None:
        self._found = None


class OnceTheTurnEnds:
    """Does something once, however often it is asked for until then; outside of a loop at once.

    It comes behind what is queued now, and behind what that begins: whoever was told first, and whatever goes on with
    it, does not wait for this.
    """

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do
        self._queued = False

    def ask(self) -> None:
        """Sees to it that it is done after this."""
        if self._queued:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._do()
            return
        self._queued = True
        loop.call_soon(loop.call_soon, self._run)

    def _run(self) -> None:
        self._queued = False
        self._do()
