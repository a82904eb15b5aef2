"""A newer request of a view ends the older one, which is answered as cancelled; others are nobody's business."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from assent.lsp.faults import RpcFault
from assent.lsp.inflight import Inflight
from assent.lsp.latest import Latest
from assent.protocol.methods import ErrorCode
from tests.support.scale import eventually


class Desk:
    """Requests that are worked on until a test lets them end, and how each was answered."""

    def __init__(self) -> None:
        self.latest = Latest()
        self.answers: dict[Any, Any] = {}
        self.begun: list[str] = []
        self.let_go = asyncio.Event()
        self._inflight = Inflight(self._answered)

    def ask(self, name: str, view: str | None) -> None:
        self._inflight.start_request(name, "chat/files", self._work(name, view))

    def _work(self, name: str, view: str | None) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            with self.latest.instead_of_older(view):
                self.begun.append(name)
                await self.let_go.wait()
                return name

        return work

    def _answered(self, request_id: Any, result: Any, fault: RpcFault | None) -> None:
        self.answers[request_id] = result if fault is None else fault.code


async def test_only_the_newest_of_a_view_is_worked_on() -> None:
    desk = Desk()
    for name, view in (("a", "left"), ("b", "right"), ("ab", "left"), ("abc", "left"), ("c", None), ("d", None)):
        desk.ask(name, view)
    await eventually(lambda: len(desk.answers) == 2)
    assert desk.answers == {"a": ErrorCode.REQUEST_CANCELLED, "ab": ErrorCode.REQUEST_CANCELLED}
    desk.let_go.set()
    await eventually(lambda: len(desk.answers) == 6)
    assert {name: desk.answers[name] for name in ("b", "abc", "c", "d")} == {"b": "b", "abc": "abc", "c": "c", "d": "d"}


async def test_one_that_was_answered_is_not_in_the_way() -> None:
    desk = Desk()
    desk.let_go.set()
    for name in ("a", "b"):
        desk.ask(name, "left")
        await eventually(lambda: desk.answers.get(name) == name)  # noqa: B023 - asked before the next one begins
    assert desk.begun == ["a", "b"]
