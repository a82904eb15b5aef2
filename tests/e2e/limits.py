"""Waiting for a condition while the browser goes on, within the limits that all tests share."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.support.scale import limit

T = TypeVar("T")


def milliseconds(seconds: float) -> float:
    return limit(seconds) * 1000


async def until(what: str, look: Callable[[], T | Awaitable[T]], seconds: float = 30) -> T:
    """Looks until there is something to see, and returns it."""
    deadline = time.monotonic() + limit(seconds)
    while True:
        seen = look()
        if isinstance(seen, Awaitable):
            seen = await seen
        if seen:
            return seen
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {limit(seconds):.0f} s in vain for this: {what}")
        await asyncio.sleep(0.05)
