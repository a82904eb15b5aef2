"""`python -m tests.bench shell-trace [--count N] [--seed N]`: made-up lines; those that the gate lets run, run."""

import argparse
import secrets
import sys
import tempfile
import time
from pathlib import Path

from tests.support.shell_trace.grammar import line_of
from tests.support.shell_trace.sandbox import obstacle
from tests.support.shell_trace.trial import Trial, Trials


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if obstacle():
        print(obstacle(), file=sys.stderr)
        return 2
    began = time.monotonic()
    seeds = range(options.seed, options.seed + options.count)
    print(f"seeds from {options.seed} on", flush=True)
    with tempfile.TemporaryDirectory(prefix="shell-trace") as folder:
        trials = Trials(Path(folder))
        trial = trials.run(((seed, line_of(seed)) for seed in seeds), _tell)
    _report(trial, time.monotonic() - began, told=options.swept)
    return 1 if trial.found else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench shell-trace", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many lines are made up")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="the first line's (a random one)")
    parser.add_argument("--swept", action="store_true", help="also names each secret that was read with its folder")
    return parser.parse_args(arguments)


def _tell(trial: Trial) -> None:
    print(f"{trial.ran} ran, {len(trial.found)} found", file=sys.stderr, flush=True)


def _report(trial: Trial, seconds: float, *, told: bool) -> None:
    for one in trial.found:
        print(one)
    for line in trial.swept if told else ():
        print(line)
    each = 1_000 * seconds / max(1, trial.ran)
    print(f"{trial.made:,} lines made up, {trial.unreadable:,} of them not readable")
    print(f"{trial.ran:,} of them ran by rules or mode ({trial.share:.0%}), {each:.0f} ms each")
    print(", ".join(f"{count:,} {category.value}" for category, count in sorted(trial.by_category.items())))
    worked = trial.worked / max(1, trial.ran)
    print(f"{trial.worked:,} ended with the code 0 ({worked:.0%}), {trial.cut_off:,} were cut off")
    print(f"{trial.deeds:,} deeds were compared")
    print(f"{len(trial.swept):,} times a secret was read with its whole folder")
    print(f"{len(trial.found):,} commands did what nobody had read in them")
