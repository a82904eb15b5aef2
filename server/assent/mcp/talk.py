"""JSON-RPC with an MCP server: requests with a limit of time, each answered at most once. No I/O of its own."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.mcp.faults import McpFault, McpGone, McpRefused, McpSilent, McpUnclear
from assent.model.json import Json, JsonObject

METHOD_NOT_FOUND = -32601
MOST_UNASKED = 20_000
"""Messages that a server may send between two answers. Nobody reads that many."""
_LONGEST = 2_000

Send = Callable[[JsonObject], None]
Told = Callable[[str, Json], None]
Asked = Callable[[str | int, str, Json, object], bool]
"""Takes a request of the server, which is to be answered later; False where it is none that is offered. Last comes for
whom the request of ours was made on whose way this one came; None where it came by itself."""


@dataclass(slots=True)
class _Open:
    """A request of ours that waits for its answer."""

    method: str
    answer: "asyncio.Future[JsonObject]"
    seconds: float
    whose: object
    limit: asyncio.Timeout | None = None

    def hold(self) -> None:
        """Its time stands still."""
        if self.limit is not None and not self.limit.expired():
            self.limit.reschedule(None)

    def go_on(self) -> None:
        """It has all of its time again."""
        if self.limit is not None and not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time() + self.seconds)


class Talk:
    """Our side of the talk. It is fed with messages, and gives messages to be sent."""

    def __init__(self, send: Send, told: Told, asked: Asked, flooded: Callable[[], None]) -> None:
        self._send = send
        self._told = told
        self._asked = asked
        self._flooded = flooded
        self._numbers = count(1)
        self._open: dict[int, _Open] = {}
        self._people = 0
        """How many of the server's questions wait for a person."""
        self._closed: str | None = None
        self._unasked = 0

    async def request(
        self, method: str, params: JsonObject, seconds: float, *, withdraws: bool = True, whose: object = None
    ) -> dict[str, Any]:
        """The server's answer. Raises McpFault. `withdraws`: where nobody waits any more, the server is told; `whose`:
        for whom it is made."""
        if self._closed is not None:
            raise McpGone(self._closed)
        number = next(self._numbers)
        future: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        opened = self._open[number] = _Open(method, future, seconds, whose)
        try:
            self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            async with asyncio.timeout(seconds) as opened.limit:
                return dict(await future)
        except (TimeoutError, asyncio.CancelledError) as fault:
            if withdraws:
                why = "it took too long" if isinstance(fault, TimeoutError) else "the user stopped it"
                self.notify("notifications/cancelled", {"requestId": number, "reason": why})
            if isinstance(fault, TimeoutError):
                raise McpSilent(f"it did not answer {method} within {seconds:g} seconds") from fault
            raise
        finally:
            # What is answered after this is dropped.
            self._open.pop(number, None)

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Tells the server something. Nothing happens where it has ended."""
        if self._closed is None:
            more = {} if params is None else {"params": params}
            self._send({"jsonrpc": "2.0", "method": method, **more})

    @contextmanager
    def waiting_for_person(self) -> Iterator[None]:
        """Meanwhile no request of ours takes too long: its server waits as well."""
        self._people += 1
        for opened in self._open.values():
            opened.hold()
        try:
            yield
        finally:
            self._people -= 1
            if self._people == 0:
                for opened in self._open.values():
                    opened.go_on()

    def answer(self, number: str | int, result: JsonObject) -> None:
        """Answers what the server asked. Nothing happens where it has ended."""
        if self._closed is None:
            self._send({"jsonrpc": "2.0", "id": number, "result": result})

    def refuse(self, number: str | int, code: int, message: str) -> None:
        """Answers that with an error."""
        if self._closed is None:
            self._send({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})

    def receive(self, message: dict[str, Any], through: Json = None) -> None:
        """What the server says next, where that is known on the way of its answer to this request of ours. What makes
        no sense is dropped."""
        if self._closed is not None:
            return
        if "method" in message:
            self._count()
            self._called(message, through)
        elif not self._answered(message):
            self._count()

    def fail(self, number: Json, why: McpFault) -> None:
        """This request of ours could not be sent, or its answer cannot come any more."""
        known = self._open.get(number) if isinstance(number, int) else None
        if known is not None and not known.answer.done():
            known.answer.set_exception(why)

    def close(self, why: str) -> None:
        """Every open request comes to nothing, and nothing more is said or heard."""
        if self._closed is not None:
            return
        self._closed = why
        for opened in self._open.values():
            if not opened.answer.done():
                opened.answer.set_exception(McpGone(why))

    def _count(self) -> None:
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            self._flooded()

    def _called(self, message: dict[str, Any], through: Json) -> None:
        method, number = message["method"], message.get("id")
        if not isinstance(method, str):
            return
        if number is None:
            self._told(method, message.get("params"))
        elif isinstance(number, str | int):
            self._reply(number, method, message.get("params"), through)

    def _reply(self, number: str | int, method: str, params: Json, through: Json) -> None:
        """It may ask whether we are there, and for what was offered to it."""
        if method == "ping":
            self.answer(number, {})
        elif not self._asked(number, method, params, self._whose(through)):
            self.refuse(number, METHOD_NOT_FOUND, f"{method[:100]} is not offered here")

    def _whose(self, through: Json) -> object:
        known = self._open.get(through) if isinstance(through, int) else None
        return known.whose if known is not None else None

    def _answered(self, message: dict[str, Any]) -> bool:
        number = message.get("id")
        known = self._open.get(number) if isinstance(number, int) and not isinstance(number, bool) else None
        if known is None or known.answer.done():
            return False
        self._unasked = 0
        method, future = known.method, known.answer
        result, error = message.get("result"), message.get("error")
        if isinstance(error, dict):
            said = str(error.get("message") or "it gave no reason")[:_LONGEST]
            future.set_exception(McpRefused(f"it refused {method}: {said}"))
        elif isinstance(result, dict):
            future.set_result(result)
        else:
            future.set_exception(McpUnclear(f"its answer to {method} is none"))
        return True
