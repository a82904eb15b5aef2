"""Work beside the loop that ends with who waits for it: a thread cannot be cancelled, but it can ask."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

Stopped = Callable[[], bool]
"""Whether nobody waits any more. Any thread may ask."""


async def in_thread(work: Callable[[Stopped], T]) -> T:
    """Works in a thread, which ends soon after the one who waits for it has gone."""
    gone = threading.Event()
    try:
        return await asyncio.to_thread(work, gone.is_set)
    finally:
        gone.set()
