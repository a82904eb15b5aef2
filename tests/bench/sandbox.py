"""What confining costs: the same command plain, in each means that this machine has, and guarded."""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from assent.runtime.processes import Processes
from assent.sandbox.confined import Confined
from assent.sandbox.words import Tier, Unheld
from tests.support.confining import Room, room

_OTHERS = 200
"""Files in the workspace beside protected ones."""
_PROTECTED = (".vscode/settings.json", "package.json", ".env")
_REPOSITORY = tuple(f".git/{name}" for name in ("HEAD", "config", "objects/x", "refs/x", "hooks/x", "info/exclude"))
"""As git makes it."""


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench sandbox", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="how often each is run")
    parser.add_argument("--between", type=float, default=0.1, help="seconds from one command to the next")
    given = parser.parse_args(words)
    with room() as place:
        for number in range(_OTHERS):
            place.file(f"source/part{number % 20}/file{number}.py")
        for name in (*_REPOSITORY, *_PROTECTED):
            place.file(name)
        asyncio.run(_measured(place, given.rounds, given.between))
    return 0


async def _measured(place: Room, rounds: int, between: float) -> None:
    processes = Processes()
    ways: dict[str, Callable[[], Awaitable[None]]] = {"plain": lambda: _plain(place, processes)}
    for tier in (Tier.BUBBLEWRAP, Tier.LANDLOCK):
        ways[tier.label] = lambda tier=tier: _inside(place, processes, tier, guard=False)  # type: ignore[misc]
    ways["guarded"] = lambda: _inside(place, processes, Tier.BUBBLEWRAP, guard=True)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        # In turns, so that all have the same share of whatever else the machine does.
        for name, way in ways.items():
            began = time.perf_counter()
            await way()
            taken[name].append((time.perf_counter() - began) * 1_000)
            # What is put away after the answer is nobody else's share, and shared by what comes at once.
            await asyncio.sleep(between)
    processes.end_all()
    plain = statistics.median(taken["plain"])
    print(f"{'the command “true”, ms':40}{'best':>8}{'p50':>8}{'p95':>8}{'more':>8}{'ratio':>8}")
    for name, times in taken.items():
        middle, late = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
        print(f"{name:40}{min(times):8.1f}{middle:8.1f}{late:8.1f}{middle - plain:8.1f}{middle / plain:8.2f}")


async def _plain(place: Room, processes: Processes) -> None:
    await processes.run(place.start("true"), 60, 1_000)


async def _inside(place: Room, processes: Processes, tier: Tier, *, guard: bool) -> None:
    confined = await asyncio.to_thread(place.confine, tier, guard=guard)
    if isinstance(confined, Unheld):
        raise AssertionError(confined.why)
    await _ended(place, processes, confined)


async def _ended(place: Room, processes: Processes, confined: Confined) -> None:
    with confined.applied(place.start("true")) as start:
        ended = await processes.run(start, 60, 1_000)
    await confined.after()
    if ended.code != 0:
        raise AssertionError(ended.errors.text())
