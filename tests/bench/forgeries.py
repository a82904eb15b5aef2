"""`python -m tests.bench forgeries [--answers N]`: forged, mangled and replayed answers; none of them may count."""

import argparse
import random
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.forgeries import Scene, counted, forge, scene
from tests.support.room import Room
from tests.support.server import Server

AT_A_TIME = 500


def main(arguments: list[str]) -> int:
    """Prints for which reasons they did not count; 1 where one did."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench forgeries", description=__doc__)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    random_ = random.Random(options.seed)
    with TemporaryDirectory() as folder, Server(Path(folder), cold="as users have it") as server:
        server.meet()
        staged = scene(Room(server, "room"))
        began = time.perf_counter()
        reasons, wrong = _try_all(server, staged, random_, options.answers)
        seconds = time.perf_counter() - began
        stands = staged.still_stands()
        if stands:
            staged.end()
        lines = [line for line in server.client.stderr.splitlines() if "did not count" in line]
    print(f"{options.answers:,} answers that nobody gave, in {seconds:.1f} s: {len(wrong)} counted")
    print(f"nothing ran, both calls waited on, and were answered then: {stands}")
    print(f"{len(lines)} lines in the log")
    for reason, times in reasons.most_common():
        print(f"{times:>10,}  {reason}")
    return 1 if wrong or not stands else 0


def _try_all(server: Server, staged: Scene, random_: random.Random, count: int) -> tuple[Counter[str], list[str]]:
    reasons: Counter[str] = Counter()
    wrong: list[str] = []
    for start in range(0, count, AT_A_TIME):
        made = [forge(staged, random_) for _ in range(min(AT_A_TIME, count - start))]
        sent = [(name, method, server.client.start(method, params)) for name, method, params in made]
        for name, method, pending in sent:
            message = pending.answer(60)
            if counted(method, message):
                wrong.append(name)
            reasons[f"{message['error']['code'] if 'error' in message else 'together'}: {name}"] += 1
    return reasons, wrong
