"""Waiting for a condition while the browser goes on, within the limits that all tests share."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.support.scale import limit

T = TypeVar("T")

BEFORE_ANOTHER_TRY = 3_000
"""Milliseconds after which a person does again what an editor that was busy has lost. They do not scale: it is all the
tries together that have a limit."""


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


async def until_it_counts(
    what: str, act: Callable[[], Awaitable[object]], happened: Callable[[], Awaitable[bool]]
) -> None:
    """Does again what may come to nothing, until it has happened."""
    await act()
    tried_at = time.monotonic()

    async def look() -> bool:
        nonlocal tried_at
        if await happened():
            return True
        if time.monotonic() - tried_at > BEFORE_ANOTHER_TRY / 1000:
            await act()
            tried_at = time.monotonic()
        return False

    await until(what, look, seconds=60)
