"""The client's calls that are being worked on: each in a task of its own, each request answered exactly once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from assent.lsp.envelope import MessageId
from assent.lsp.faults import RpcFault, where_it_happened
from assent.protocol.methods import ErrorCode

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[Any]]
SendAnswer = Callable[[MessageId, Any, RpcFault | None], None]


class Inflight:
    """Owns the tasks of the handlers. Each request is answered once, whatever became of its task.

    What a handler found goes out before anything else happens: an answer that came behind the news of what happened
    after it would look as if it were newer.
    """

    def __init__(self, send_answer: SendAnswer) -> None:
        self._send_answer = send_answer
        self._requests: dict[MessageId, asyncio.Task[Any]] = {}
        self._others: set[asyncio.Task[Any]] = set()

    def check_new(self, request_id: MessageId) -> None:
        """Raises the fault of a request whose id is taken: nobody could tell the two answers apart."""
        if request_id in self._requests:
            raise RpcFault(ErrorCode.INVALID_REQUEST, "another request with this id has not been answered yet")

    def start_request(self, request_id: MessageId, method: str, work: Work) -> None:
        """Works on a request. Where its task is cancelled, maybe before it gets to run, that is the answer."""
        task = asyncio.create_task(self._work(request_id, method, work), name=f"request {method}")
        self._requests[request_id] = task
        task.add_done_callback(lambda done: self._answer(request_id, done, None, cancelled()))

    def start_notification(self, method: str, work: Work) -> None:
        """Works on a notification. A fault is logged; nobody waits for an answer."""
        task = asyncio.create_task(guarded(method, work), name=f"notification {method}")
        self._others.add(task)
        task.add_done_callback(lambda done: self._forget(method, done))

    def cancel(self, request_id: MessageId) -> bool:
        """Cancels the work on a request. A handler that goes on nevertheless is answered with what it returns."""
        task = self._requests.get(request_id)
        return task is not None and task.cancel()

    async def cancel_all(self, within: float) -> None:
        """Cancels everything but the task that calls this, and waits so long for it to end."""
        await self._end(self._tasks(), within)

    async def settled(self, request_ids: Iterable[MessageId], within: float) -> None:
        """Waits so long for these requests to be answered."""
        if tasks := [self._requests[one] for one in request_ids if one in self._requests]:
            await asyncio.wait(tasks, timeout=within)

    def _tasks(self) -> list[asyncio.Task[Any]]:
        me = asyncio.current_task()
        return [task for task in (*self._requests.values(), *self._others) if task is not me]

    async def _end(self, tasks: list[asyncio.Task[Any]], within: float) -> None:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=within)

    async def _work(self, request_id: MessageId, method: str, work: Work) -> None:
        me = asyncio.current_task()
        try:
            result = await guarded(method, work)
        except RpcFault as fault:
            self._answer(request_id, me, None, fault)
        else:
            self._answer(request_id, me, result, None)

    def _answer(
        self, request_id: MessageId, by: "asyncio.Task[Any] | None", result: Any, fault: RpcFault | None
    ) -> None:
        # The number may stand for another request by now.
        if self._requests.get(request_id) is by:
            del self._requests[request_id]
            self._send_answer(request_id, result, fault)

    def _forget(self, method: str, task: asyncio.Task[Any]) -> None:
        self._others.discard(task)
        if not task.cancelled() and isinstance(fault := task.exception(), RpcFault):
            log.warning("the notification %s had no effect: error %d", method, fault.code.value)


async def guarded(method: str, work: Work) -> Any:
    """The handler's result. Whatever it raises that is not meant for the client is logged here and told in general."""
    try:
        return await work()
    except (RpcFault, asyncio.CancelledError):
        raise
    except BaseException as fault:  # noqa: BLE001 SystemExit too: a handler must not end the server
        log.error("the handler of %s failed: %s", method, where_it_happened(fault))  # noqa: TRY400 its text may quote
        raise internal_error() from None


def cancelled() -> RpcFault:
    """What a client learns of a request whose work was given up."""
    return RpcFault(ErrorCode.REQUEST_CANCELLED, "the request was cancelled")


def internal_error() -> RpcFault:
    """What a client learns about a fault of ours: no traceback, no path, no text of an exception."""
    return RpcFault(
        ErrorCode.INTERNAL_ERROR,
        "the server failed while it worked on this request; its log says where. Trying again may help.",
    )
