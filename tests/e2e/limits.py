"""How long to wait for a condition: generous, and longer on a slow machine by one factor."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

SCALE = float(os.environ.get("ASSENT_TEST_SCALE", "1"))


def limit(seconds: float) -> float:
    return seconds * SCALE


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
