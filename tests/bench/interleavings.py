"""`python -m tests.bench interleavings [--orders N]`: one fate each, in very many orders of what can happen."""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from assent.model.approval import Resolution
from tests.support import gate_interleavings, interleavings

T = TypeVar("T")


def main(arguments: list[str]) -> int:
    """Prints how often each end was met. A wrong order ends it with a fault that names its seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench interleavings", description=__doc__)
    parser.add_argument("--orders", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds; tests begin at 0")
    options = parser.parse_args(arguments)
    of_questions, of_runs = options.orders, options.orders // 20
    _print("orders of questions", of_questions, _played(interleavings.play, options.seed, of_questions, _of_questions))
    _print("orders of whole runs", of_runs, _played(gate_interleavings.play, options.seed, of_runs, _of_runs))
    return 0


def _of_questions(order: interleavings.Play) -> Iterable[Resolution]:
    return order.fates.values()


def _of_runs(order: gate_interleavings.GatePlay) -> Iterable[Resolution]:
    return (resolution for _, resolution in order.world.client.endings)


def _played(
    play: Callable[[int], Awaitable[T]], first: int, count: int, fates_of: Callable[[T], Iterable[Resolution]]
) -> Counter[str]:
    async def all_of_them() -> Counter[str]:
        met: Counter[str] = Counter()
        for number in range(count):
            order = await play(first + number)
            met.update(f"{fate.status} by {fate.by}" for fate in fates_of(order))
            if number % 10_000 == 9_999:
                print(f"{number + 1:,} of {count:,}", file=sys.stderr, flush=True)
        return met

    return asyncio.run(all_of_them())


def _print(what: str, count: int, met: Counter[str]) -> None:
    print(f"{count:,} {what}, one fate each and nothing left over:")
    for name, times in met.most_common():
        print(f"{times:>12,}  {name}")
