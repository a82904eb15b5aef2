"""`python -m tests.bench commands-start`: what it costs to start a command that is watched, and to learn of its end.

Beside it stands what a bare start costs in the same process, in turns, so that both have the same share of whatever
else the machine does.
"""

import argparse
import asyncio
import statistics
import subprocess
import time

from assent.runtime.processes import Processes, Start

TRUE = "/usr/bin/true"


def main(arguments: list[str]) -> int:
    """Prints a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench commands-start", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    figures = asyncio.run(_measured(parser.parse_args(arguments).rounds))
    print(f"{'start to end of a program that does nothing, ms':56}{'median':>12}{'p95':>12}")
    for name, taken in figures.items():
        print(f"{name:>56}{statistics.median(taken):12.2f}{sorted(taken)[len(taken) * 95 // 100]:12.2f}")
    return 0


async def _measured(rounds: int) -> dict[str, list[float]]:
    processes = Processes()
    first = [await _watched(processes)]
    bare: list[float] = []
    watched: list[float] = []
    gone: list[float] = []
    for _ in range(rounds):
        bare.append(_bare())
        watched.append(await _watched(processes))
        gone.append(await _watched(processes, until_gone=True))
    processes.end_all()
    return {"the first, with its warden": first, "watched": watched, "until nothing is left": gone, "bare": bare}


async def _watched(processes: Processes, *, until_gone: bool = False) -> float:
    begun = time.perf_counter()
    running = await processes.start(Start((TRUE,), "/", {}), lambda stream, data: None)
    await running.ended()
    ended = time.perf_counter()
    await running.end()
    return 1_000 * ((time.perf_counter() if until_gone else ended) - begun)


def _bare() -> float:
    begun = time.perf_counter()
    subprocess.Popen(
        [TRUE], cwd="/", env={}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ).communicate()
    return 1_000 * (time.perf_counter() - begun)
