"""How long tests wait and how much they try.

Time limits are generous, and scaled by one factor for slow machines. The long run (`dev.py test --all`) tries all of
what a law, a race or a plan of faults can meet; the short one a part that is the same each time.
"""

import asyncio
import os
import time
from collections.abc import Callable

SCALE = float(os.environ.get("ASSENT_TEST_SCALE", "1"))
ALL = os.environ.get("ASSENT_TEST_ALL") == "1"


def examples(number: int) -> int:
    """So many made-up examples in the long run, and a quarter of them in the short one."""
    return number if ALL else max(number // 4, min(number, 10))


def limit(seconds: float) -> float:
    """So many seconds on this machine."""
    return seconds * SCALE


def wait_until(condition: Callable[[], object], *, within: float = 10, what: str = "the condition") -> None:
    """Returns as soon as the condition holds; fails with its name when it does not in time."""
    end = time.monotonic() + limit(within)
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true within {limit(within):.1f} s")
        time.sleep(0.005)


async def eventually(condition: Callable[[], object], *, within: float = 10, what: str = "the condition") -> None:
    """The same for a test that shares its loop with what it waits for."""
    end = time.monotonic() + limit(within)
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true within {limit(within):.1f} s")
        await asyncio.sleep(0.005)


async def settled() -> None:
    """Returns when what was ready to run has run, with all that it made ready: for tasks that wait for tasks alone.

    A hundred turns are more than any of them takes, and take the same on every machine.
    """
    for _ in range(100):
        await asyncio.sleep(0)
