"""JSON-RPC with an agent: requests both ways, each answered at most once, and everything in the order of its lines."""

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, Protocol

from assent.acp.faults import AgentFault, AgentGone, AgentSilent, AgentUnclear
from assent.acp.words import RequestId
from assent.jsontext import line_json, write_json
from assent.model.json import Json
from assent.runtime.json_lines import HEAD, Garbage

logger = logging.getLogger(__name__)

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CANCELLED = -32800

WITHDRAWN = "$/cancel_request"
MOST_OPEN = 1_000
"""Requests of an agent that wait for their answers. More than that nobody reads."""
_LONGEST_ID = 1_000
_LONGEST_MESSAGE = 2_000
_WITHOUT_ERRORS: dict[str, Json] = {"session/request_permission": {"outcome": {"outcome": "cancelled"}}}
"""Requests that an agent may never get over when they are answered with an error: what says no to them instead."""


class Handler(Protocol):
    """Whoever is told what an agent says: in its order, one after the other. Nothing of this may wait."""

    def notified(self, method: str, params: Json) -> None:
        """It told something."""

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        """It wants an answer: `answer` or `refuse` of its connection, at any time."""

    def withdrawn(self, request_id: RequestId) -> None:
        """It does not need the answer any more. The request stays open until it has one all the same."""


class Connection:
    """One agent's side of the talk. It is fed with messages, and writes lines."""

    def __init__(self, write: Callable[[bytes], None], handler: Handler, garbage: Callable[[Garbage], None]) -> None:
        self._write = write
        self._handler = handler
        self._garbage = garbage
        self._numbers = count(1)
        self._sent: dict[int, _Sent] = {}
        self._asked: dict[RequestId, str] = {}
        """What the agent has asked and was not answered, with the method."""
        self._closed: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether anything can still be said."""
        return self._closed is None

    @property
    def waits_for(self) -> str | None:
        """The request that has waited longest for its answer."""
        return next((sent.method for sent in self._sent.values()), None)

    async def request(
        self,
        method: str,
        params: Json,
        seconds: float | None,
        arrived: Callable[[Json], None] | None = None,
        *,
        withdraw: bool = False,
    ) -> Json:
        """The agent's answer. Raises AgentFault. None: it may take as long as it likes.

        `arrived` is told of the answer in its place between everything else that the agent says; whoever awaits this
        goes on a little later. `withdraw`: where the wait is cancelled, the other side is told.
        """
        if self._closed is not None:
            raise AgentGone(self._closed)
        number = next(self._numbers)
        sent = self._sent[number] = _Sent(method, asyncio.get_running_loop().create_future(), arrived)
        try:
            self._send({"id": number, "method": method, "params": params})
            async with asyncio.timeout(seconds):
                return await sent.answer
        except asyncio.CancelledError:
            if withdraw:
                self.notify(WITHDRAWN, {"requestId": number})
            raise
        except TimeoutError as fault:
            raise AgentSilent(f"the agent did not answer {method} within {seconds:g} seconds") from fault
        finally:
            # What is answered after this is dropped.
            self._sent.pop(number, None)

    def notify(self, method: str, params: Json) -> None:
        """Tells the agent something. Nothing happens where it has ended."""
        self._send({"method": method, "params": params})

    def answer(self, request_id: RequestId, result: Json) -> bool:
        """Answers what the agent asked. False where that is not open: it was answered, or never asked.

        Raises ValueError for what JSON cannot carry: then the request stays open.
        """
        if request_id not in self._asked:
            return False
        self._send({"id": request_id, "result": result})
        del self._asked[request_id]
        return True

    def refuse(self, request_id: RequestId, code: int, message: str) -> bool:
        """Answers with an error. False where the request is not open."""
        if self._asked.pop(request_id, None) is None:
            return False
        self._send_error(request_id, code, message)
        return True

    def receive(self, message: dict[str, Any]) -> None:
        """What the agent says next."""
        if self._closed is not None:
            return
        is_answer = "result" in message or "error" in message
        if "method" in message and not is_answer:
            self._called(message)
        elif "method" not in message and is_answer and "id" in message:
            self._answered(message)
        else:
            self._invalid(message, "neither a request nor an answer")

    def close(self, why: str) -> None:
        """Every open request comes to nothing, and nothing more is said or heard."""
        if self._closed is not None:
            return
        self._closed = why
        self._asked.clear()
        for sent in self._sent.values():
            sent.fail(AgentGone(why))

    def _called(self, message: dict[str, Any]) -> None:
        method, params = message["method"], message.get("params")
        if not isinstance(method, str):
            self._invalid(message, "a request whose method is no text")
        elif "id" in message:
            self._take_request(message, method, params)
        elif method == WITHDRAWN:
            self._withdraw(params)
        else:
            self._guarded(lambda: self._handler.notified(method, params), method)

    def _take_request(self, message: dict[str, Any], method: str, params: Json) -> None:
        request_id = _id_in(message)
        if request_id is None:
            self._invalid(message, "a request whose id is neither a whole number nor a short text")
        elif request_id in self._asked:
            # The first one stays as it is: its answer is not this one's.
            self._garbage(Garbage("a request with the id of one that is open", _head(message)))
            self._send_error(request_id, INVALID_REQUEST, "a request with this id is open")
        elif len(self._asked) >= MOST_OPEN:
            self._garbage(Garbage(f"a request while {MOST_OPEN} wait for their answers", _head(message)))
            self._asked[request_id] = method
            self._give_up(request_id, method)
        else:
            self._asked[request_id] = method
            if not self._guarded(lambda: self._handler.asked(request_id, method, params), method):
                self._give_up(request_id, method)

    def _give_up(self, request_id: RequestId, method: str) -> None:
        if method in _WITHOUT_ERRORS:
            self.answer(request_id, _WITHOUT_ERRORS[method])
        else:
            self.refuse(request_id, INTERNAL_ERROR, "this could not be dealt with")

    def _withdraw(self, params: Json) -> None:
        request_id = _id_in({"id": params.get("requestId")}) if isinstance(params, dict) else None
        # What was answered meanwhile cannot be withdrawn: both were on their way.
        if request_id is not None and request_id in self._asked:
            self._guarded(lambda: self._handler.withdrawn(request_id), WITHDRAWN)

    def _guarded(self, tell: Callable[[], None], method: str) -> bool:
        """Whether it was dealt with. One message that is not does not end the talk."""
        try:
            tell()
        except Exception:
            logger.exception("what an agent said with %s could not be dealt with", method[:_LONGEST_ID])
            return False
        return True

    def _answered(self, message: dict[str, Any]) -> None:
        number = message["id"]
        sent = self._sent.pop(number, None) if type(number) is int else None
        if sent is not None:
            sent.take(message)
        elif number is None:
            # It could not make anything of what it was told, and does not say of which.
            self._garbage(Garbage("an error that belongs to no request", _head(message)))

    def _invalid(self, message: dict[str, Any], reason: str) -> None:
        self._garbage(Garbage(reason, _head(message)))
        if "method" in message and "id" in message:
            request_id = _id_in(message)
            self._send_error(None if request_id in self._asked else request_id, INVALID_REQUEST, reason)

    def _send_error(self, request_id: RequestId | None, code: int, message: str) -> None:
        self._send({"id": request_id, "error": {"code": code, "message": message}})

    def _send(self, message: dict[str, Any]) -> None:
        if self._closed is None:
            self._write(write_json({"jsonrpc": "2.0", **message}) + b"\n")


class _Sent:
    """A request that waits for its answer."""

    def __init__(self, method: str, answer: "asyncio.Future[Json]", arrived: Callable[[Json], None] | None) -> None:
        self.method = method
        self.answer = answer
        self._arrived = arrived

    def take(self, message: dict[str, Any]) -> None:
        """The agent's answer, whatever it looks like. An error counts, also beside a result."""
        error = message.get("error")
        if error is not None:
            self.fail(_fault_in(error, self.method))
        elif "result" not in message:
            self.fail(AgentUnclear(f"the agent answered {self.method} with neither a result nor an error"))
        elif not self.answer.done():
            self._succeed(message["result"])

    def _succeed(self, result: Json) -> None:
        try:
            if self._arrived is not None:
                self._arrived(result)
        except Exception as fault:  # noqa: BLE001 - it is the caller's own, and is raised there
            self.answer.set_exception(fault)
        else:
            self.answer.set_result(result)

    def fail(self, fault: AgentFault) -> None:
        """There is no result."""
        if not self.answer.done():
            self.answer.set_exception(fault)


def _fault_in(error: Json, method: str) -> AgentFault:
    """The error of an answer, as far as it can be understood."""
    if not isinstance(error, dict):
        return AgentFault(str(error)[:_LONGEST_MESSAGE] or f"the agent refused {method}")
    code, message = error.get("code"), error.get("message")
    return AgentFault(
        message[:_LONGEST_MESSAGE] if isinstance(message, str) and message else f"the agent refused {method}",
        code if type(code) is int else 0,
        error.get("data"),
    )


def _id_in(message: dict[str, Any]) -> RequestId | None:
    """The id of a request, where it is one. True is no number here, and 1.0 is not 1."""
    given = message["id"]
    if type(given) is int or (isinstance(given, str) and len(given) <= _LONGEST_ID):
        return given
    return None


def _head(message: dict[str, Any]) -> str:
    """How a message begins that is not understood: its members by name, because the rest can be long."""
    return line_json({name[:40]: _short(value) for name, value in list(message.items())[:6]})[:HEAD]


def _short(value: Json) -> Json:
    if isinstance(value, str):
        return value[:60]
    return value if isinstance(value, (bool, float)) or value is None else type(value).__name__
