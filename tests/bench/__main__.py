"""`python -m tests.bench [--rounds N]`: medians of several rounds, and how they stand to the floor of the same run.

`python -m tests.bench NAME` does something else: `shell-trace` looks whether commands do what was read in them,
`history` how long looking into a long history takes, `interleavings` plays approvals in very many orders, `forgeries`
sends answers that nobody gave, `waiting` lets ten thousand calls wait at once, `chats` has many models talk at the
same time, `long-calls` reads very long arguments, `collections` indexes many documents and asks them,
`commands-start` starts commands, `sandbox` runs commands confined, `greedy` runs some that take all they can get,
`page` looks how smooth the chat page is with much on it,
`agents` looks what the gate adds to public agents, and `faults` breaks things.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from typing import Any

from tests.bench import (
    agents,
    chats,
    collections,
    commands_start,
    faults,
    forgeries,
    greedy,
    history,
    interleavings,
    long_calls,
    page,
    sandbox,
    shell_trace,
    waiting,
)
from tests.bench.server import ASSENT, FLOOR, GATED_READS, GATED_WRITES, Figures, measure, start_once
from tests.support.processes import ROOT

_OTHERS = {
    "agents": agents.main,
    "faults": faults.main,
    "history": history.main,
    "shell-trace": shell_trace.main,
    "interleavings": interleavings.main,
    "forgeries": forgeries.main,
    "waiting": waiting.main,
    "chats": chats.main,
    "long-calls": long_calls.main,
    "collections": collections.main,
    "page": page.main,
    "sandbox": sandbox.main,
    "commands-start": commands_start.main,
    "greedy": greedy.main,
}


def main() -> None:
    other = _OTHERS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if other is not None:
        sys.exit(other(sys.argv[2:]))
    options = _options()
    rounds: dict[str, list[Figures]] = {"assent": [], "floor": []}
    for contestant in (FLOOR, ASSENT):
        start_once(contestant)
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        # In turns, so that both have the same share of whatever else the machine does.
        rounds["floor"].append(measure(FLOOR))
        rounds["assent"].append(measure(ASSENT))
    _print_table(_medians(rounds["assent"]), _medians(rounds["floor"]))
    _print_decisions()
    _print_commands()
    _print_agent()
    chats.main(["--seconds", "3"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how many processes of each kind are measured")
    return parser.parse_args()


def _medians(rounds: list[Figures]) -> Figures:
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def _print_table(assent: Figures, floor: Figures) -> None:
    print(f"{'medians; ms where nothing else is said':56}{'assent':>12}{'bare pygls':>12}{'ratio':>8}")
    for name, figure in assent.items():
        # The floor has nothing to write, so calls that write are compared with the same exchange.
        least = floor[name.replace(GATED_WRITES, GATED_READS)]
        print(f"{name:56}{figure:12.1f}{least:12.1f}{figure / least:8.2f}")


def _print_decisions() -> None:
    found = _measured("decisions")
    print(f"{'a decision among rules that cannot match, us':56}{'p50':>12}{'p99':>12}{'growth':>8}{'ready, ms':>12}")
    _print_by_rules(found)


def _print_commands() -> None:
    found = _measured("commands")
    grammar = found["grammar"]
    print(f"{'a typical shell command, us':56}{'median':>12}{'slowest':>12}{'ratio':>8}")
    for name, what in (("grammar", "its grammar alone"), ("reading", "what it does"), ("looking", "on the disk, too")):
        one = found[name]
        print(f"{what:>56}{one['median']:12.1f}{one['slowest']:12.1f}{one['median'] / grammar['median']:8.2f}")
    print(f"{'a command of 10,000 parts, ms':56}{'grammar':>12}{'what it does':>14}")
    for one in found["long"]:
        words = f"{one['piece']} ..." + (" (refused)" if one["refused"] else "")
        print(f"{words:>56}{one['grammar'] or 0:12.1f}{one['reading']:14.1f}")
    print(f"{'a decision about a command among such rules, us':56}{'p50':>12}{'p99':>12}{'growth':>8}{'ready, ms':>12}")
    _print_by_rules(found["decisions"])


def _print_agent() -> None:
    print(f"{'the agent and a model over HTTP on this machine, ms':56}{'median':>12}")
    for name, figure in _measured("agent").items():
        print(f"{name:56}{figure:12.1f}")


def _print_by_rules(found: list[dict[str, float]]) -> None:
    for one in found:
        growth = one["p50"] / found[0]["p50"]
        print(f"{one['rules']:>56,}{one['p50']:12.1f}{one['p99']:12.1f}{growth:8.2f}{one['ready']:12.1f}")


def _measured(module: str) -> Any:
    """What one of the modules beside this one prints, run in a process of its own."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{module}"], env=env, cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


main()
