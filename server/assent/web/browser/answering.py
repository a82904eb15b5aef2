"""When a page's requests are answered: a few at a time, up to a measure, and only while a call is under way."""

import asyncio
from collections.abc import Callable
from typing import Any

from assent.runtime.tasks import TaskGroup
from assent.web.browser.pipe import BrowserGone, Pipe
from assent.web.browser.serving import Serving

AT_ONCE = 6
"""As many as browsers ask one host for."""
MOST_WAITING = 200
MOST_BYTES = 64 * 1024 * 1024
"""Sent and received by a page during one call."""
_SECONDS_TO_TAKE = 15.0

Message = dict[str, Any]


class Answering:
    """Keeps what a page asks for in bounds, whatever its scripts do. What is refused, the notes tell."""

    def __init__(self, serving: Serving, stirred: Callable[[], None]) -> None:
        self._serving = serving
        self._stirred = stirred
        """Is called whenever a request comes or is answered."""
        self._tasks = TaskGroup("browser")
        self._few = asyncio.Semaphore(AT_ONCE)
        self._under_way = False
        self._left = 0
        self.busy = 0
        """Requests that are not answered yet."""

    def begin(self) -> None:
        """A call is under way from here on."""
        self._under_way, self._left = True, MOST_BYTES

    def end(self) -> None:
        """No call is under way any more. What was sent already may still be answered, and nothing else is sent."""
        self._under_way = False

    async def stop(self) -> None:
        """Gives up what is not answered yet."""
        await self._tasks.cancel()

    def paused(self, said: Message, pipe: Pipe, session: str, *, of_page: bool) -> None:
        """The page asks for something. `of_page`: it is the page itself."""
        self._left -= _size_of(said)
        why = self._why_not() or ("" if len(self._tasks) < AT_ONCE + MOST_WAITING else _TOO_MANY)
        if why:
            self._refuse(said, pipe, session, why)
        else:
            self._tasks.start(self._answer(said, pipe, session, of_page=of_page), "request")

    def _why_not(self) -> str:
        if not self._under_way:
            return "The page asked for something while no call was under way; nothing was sent."
        return "" if self._left > 0 else _TOO_MUCH

    async def _answer(self, said: Message, pipe: Pipe, session: str, *, of_page: bool) -> None:
        self._stir(1)
        try:
            async with self._few:
                # A call may have ended, and much may have come, while this waited for its turn.
                why = self._why_not()
                if why:
                    self._refuse(said, pipe, session, why)
                    return
                method, answer = await self._serving.answer(said, of_page=of_page)
                self._left -= len(answer.get("body", "")) * 3 // 4
                await self._hand_over(pipe, session, method, answer)
        except (BrowserGone, TimeoutError):
            # Not every answer of a server is one that a browser takes; without any, the page would wait for ever.
            self._refuse(said, pipe, session)
        except asyncio.CancelledError:
            self._refuse(said, pipe, session)
            raise
        finally:
            self._stir(-1)

    async def _hand_over(self, pipe: Pipe, session: str, method: str, answer: Message) -> None:
        async with asyncio.timeout(_SECONDS_TO_TAKE):
            await pipe.ask(method, session, **answer)

    def _refuse(self, said: Message, pipe: Pipe, session: str, why: str = "") -> None:
        if why:
            self._serving.note(why)
        method, answer = self._serving.refusal(said)
        pipe.tell(method, session, **answer)

    def _stir(self, change: int) -> None:
        self.busy += change
        self._stirred()


_TOO_MANY = f"The page asked for more than {MOST_WAITING} things at once; the rest was not sent."
_TOO_MUCH = f"The page moved more than {MOST_BYTES // 1024 // 1024} MB during one call; the rest was not sent."


def _size_of(said: Message) -> int:
    """About how much it would send."""
    request = said.get("request", {})
    return sum(len(one.get("bytes", "")) for one in request.get("postDataEntries", ())) * 3 // 4
