"""`python -m tests.bench collections`: how long it takes until many documents can be asked, and an answer then.

Each answer includes the look whether any document changed. Beside it: for how long the event loop was held meanwhile.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path

from assent.collections.librarian import Holding, Librarian
from assent.collections.walking import TICK
from assent.model.collections import Collection
from tests.support.scale import limit

NAME = "docs"
MOST_SECONDS = 10.0
MOST_MS = 100.0
_SYLLABLES = ("ba", "co", "de", "fi", "gu", "la", "me", "no", "pi", "ro", "sa", "te", "vu", "we", "xi", "yo")
_WORDS = ["".join(word) for word in product(_SYLLABLES, repeat=3)]
_USUAL = [1 / (rank + 1) for rank in range(len(_WORDS))]
"""A few words are everywhere, most of them seldom, as in any language."""


def main(arguments: list[str]) -> int:
    """Prints what was measured; 1 where it took longer than it should."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench collections", description=__doc__)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--queries", type=int, default=200)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), options.documents, options.queries))


async def _measure(folder: Path, documents: int, queries: int) -> int:
    chance = random.Random(1)
    top = folder / "workspace"
    size = _write(top, documents, chance)
    collection = Collection(NAME, (str(top),))
    librarian = Librarian(folder / "state", lambda: Holding((str(top),), (collection,)), frozenset)

    async def ask(query: str) -> int:
        reply = await librarian.find([NAME], query, 8, lambda: lambda *_: True)
        return len(reply.hits[NAME]) if reply.finished else -1

    try:
        held = _Held()
        await held.during(lambda: _until_finished(ask))
        print(f"{documents:,} documents, {size / 1e6:.1f} MB")
        print(f"{'until all of them can be asked, s':56}{held.seconds:12.2f}{held.cpu_seconds:12.2f} of the processor")
        print(f"{'the longest that the event loop was held meanwhile, ms':56}{held.longest * 1000:12.1f}")
        # What changed in the same moment as the look is looked into again; that has passed.
        await asyncio.sleep(TICK / 1e9)
        await ask(_WORDS[0])
        warm = [await _timed(ask, " ".join(chance.sample(_WORDS[:300], 3))) for _ in range(queries)]
        changed = [await _timed_change(ask, top, number) for number in range(20)]
    finally:
        await librarian.end()
    print(f"{'an answer, ms':56}{'median':>12}{'slowest':>12}")
    for what, times in (("nothing changed", warm), ("one document changed before", changed)):
        print(f"{what:>56}{statistics.median(times):12.1f}{max(times):12.1f}")
    return int(held.seconds > limit(MOST_SECONDS) or statistics.median(warm) > limit(MOST_MS))


async def _until_finished(ask: Callable[[str], Awaitable[int]]) -> None:
    while await ask(_WORDS[0]) < 0:
        pass


async def _timed(ask: Callable[[str], Awaitable[int]], query: str) -> float:
    begun = time.perf_counter()
    assert await ask(query) >= 0
    return (time.perf_counter() - begun) * 1000


async def _timed_change(ask: Callable[[str], Awaitable[int]], top: Path, number: int) -> float:
    (top / "0/0/0.md").write_text(f"# Changed\n\nThe word is changed{number}.\n")
    assert await ask(f"changed{number}") == 1
    (top / "0/0/0.md").write_text(f"# Changed\n\nThe word is changed again, {number}.\n")
    return await _timed(ask, f"changed{number}")


class _Held:
    """Watches the event loop while something is done."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.seconds = self.cpu_seconds = 0.0

    async def during(self, work: Callable[[], Awaitable[None]]) -> None:
        begun, worked = time.perf_counter(), time.process_time()
        watching = asyncio.create_task(self._watch())
        try:
            await work()
        finally:
            watching.cancel()
        self.seconds, self.cpu_seconds = time.perf_counter() - begun, time.process_time() - worked

    async def _watch(self) -> None:
        pause = 0.005
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(pause)
            self.longest = max(self.longest, time.perf_counter() - begun - pause)


def _write(top: Path, documents: int, chance: random.Random) -> int:
    """Documents as people write them, in folders; says how many characters they have."""
    size = 0
    for number in range(documents):
        file = top / str(number % 10) / str(number // 10 % 10) / f"{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join(_section(chance, depth) for depth in (1, 2, 2, 3, 2, 3))
        file.write_text(text)
        size += len(text)
    return size


def _section(chance: random.Random, depth: int) -> str:
    lines = [" ".join(chance.choices(_WORDS, _USUAL, k=12)) + "." for _ in range(9)]
    return "\n".join([f"{'#' * depth} {' '.join(chance.choices(_WORDS, _USUAL, k=3)).title()}", "", *lines])
