"""Requests that are being worked on: one answer each, and none that is older than what was told before it."""

import asyncio
from typing import Any

from assent.lsp.faults import RpcFault
from assent.lsp.inflight import Inflight
from assent.protocol.methods import ErrorCode


class Said:
    """What went out, in its order."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self.something = asyncio.Event()
        self.inflight = Inflight(self._answered)

    def _answered(self, number: Any, result: Any, fault: RpcFault | None) -> None:
        self.all.append((number, fault.code if fault else result))
        self.something.set()


async def test_what_a_handler_found_goes_out_before_what_happens_next() -> None:
    said, now = Said(), asyncio.Event()

    async def work() -> str:
        await now.wait()
        return "nothing waits"

    async def another() -> None:
        await now.wait()
        said.all.append("something waits")

    said.inflight.start_request(1, "list", work)
    await asyncio.sleep(0)
    task = asyncio.create_task(another())
    await asyncio.sleep(0)
    now.set()
    await task
    assert said.all == [(1, "nothing waits"), "something waits"]


async def test_each_request_is_answered_once_whatever_becomes_of_it() -> None:
    said = Said()

    async def refused() -> None:
        raise RpcFault(ErrorCode.INVALID_PARAMS, "no")

    async def broken() -> None:
        raise ValueError("secret")

    async def endless() -> None:
        await asyncio.Event().wait()

    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "all the same"
        return "never"

    async def at_once() -> str:
        return "here"

    for number, work in enumerate([refused, broken, endless, stubborn, at_once], start=1):
        said.inflight.start_request(number, "m", work)
    never_begun = 6
    await asyncio.sleep(0)
    said.inflight.start_request(never_begun, "m", at_once)
    assert said.inflight.cancel(never_begun)
    for _ in range(2):
        said.inflight.cancel(3)
        said.inflight.cancel(4)
    await said.inflight.settled(range(1, 7), within=20)
    await asyncio.sleep(0)
    assert sorted(said.all) == [
        (1, ErrorCode.INVALID_PARAMS),
        (2, ErrorCode.INTERNAL_ERROR),
        (3, ErrorCode.REQUEST_CANCELLED),
        (4, "all the same"),
        (5, "here"),
        (never_begun, ErrorCode.REQUEST_CANCELLED),
    ]


async def test_a_number_can_be_used_again_once_it_was_answered() -> None:
    said = Said()

    async def work() -> str:
        return "here"

    for _ in range(2):
        said.inflight.check_new(1)
        said.inflight.start_request(1, "m", work)
        await said.inflight.settled([1], within=20)
    assert said.all == [(1, "here")] * 2


async def test_a_request_that_another_follows_under_its_number_is_answered_by_its_own_work_alone() -> None:
    """The first has been answered, and its task is not over yet."""
    said = Said()

    async def work() -> str:
        return "first"

    async def later() -> str:
        await asyncio.sleep(0)
        return "second"

    said.inflight.start_request(1, "m", work)
    await said.something.wait()
    said.inflight.start_request(1, "m", later)
    await said.inflight.settled([1], within=20)
    await asyncio.sleep(0)
    assert said.all == [(1, "first"), (1, "second")]
