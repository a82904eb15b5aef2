"""Changes the product in small ways and says which changes no unit test notices.

`python -m tests.mutation [PACKAGE...] [--sample 300 --seed 7] [--least 90]`; a package is `policy`, `approvals`, `acp`
or `settings/loosening`. Accepted survivors stand in `accepted.txt`, each with its reason.
"""

import argparse
import asyncio  # noqa: F401 - imported before anything is forked, with the rest of what all tests need
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

import hypothesis  # noqa: F401
import pytest
import pytest_asyncio  # noqa: F401

from devtools.lanes import cores
from tests.mutation.coverage import Reached, Recorder
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.running import A_NAP, KILLED, OPTIONS, SURVIVED, begin, ending, result_of
from tests.support.scale import limit

ROOT = Path(__file__).parents[2]
ACCEPTED = Path(__file__).with_name("accepted.txt")
TESTS = {
    "policy": ("tests/unit/policy", "tests/laws/test_decide_laws.py"),
    "approvals": ("tests/unit/approvals",),
    "settings/loosening": ("tests/unit/settings/test_loosening.py", "tests/unit/settings/test_mcp_servers.py"),
    "acp": ("tests/unit/acp", "tests/laws/test_guest_laws.py"),
}
_MOST_FIRST = 40
"""Tests of one line that are tried first: most mutants are seen by any of them."""
_SECONDS_FIRST, _SECONDS_ALL = 30.0, 240.0
_PER_CORE = 2
"""Mutants that share a core: many wait for something that they never do."""


def main() -> int:
    """Runs it, and says with its exit code whether enough mutants were noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("packages", nargs="*", default=["policy", "approvals"], choices=TESTS, metavar="PACKAGE")
    parser.add_argument("--sample", type=int, help="as many mutants of each package, drawn by the seed; otherwise all")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--least", type=float, default=90.0, help="percent that have to be noticed")
    wanted = parser.parse_args()
    accepted = {line.partition(" # ")[0].strip() for line in ACCEPTED.read_text().splitlines() if " # " in line}
    enough = True
    for package in wanted.packages:
        share = measured(package, wanted.sample, wanted.seed, accepted)
        enough = enough and share >= wanted.least
    return 0 if enough else 1


def measured(package: str, sample: int | None, seed: int, accepted: set[str]) -> float:
    """How many percent of a package's mutants its tests notice. Survivors are printed."""
    files = _files(package)
    # Without this a run of tests that are not there would fail, and every mutant would seem to be noticed.
    missing = [test for test in TESTS[package] if not (ROOT / test).exists()]
    if missing:
        raise SystemExit(f"{package}: these tests are not there: {', '.join(missing)}")
    reached, failed = result_of(lambda: _recorded(package, files))
    if failed:
        print(f"{package}: tests fail without a mutant: {', '.join(failed[:5])}")
        return 0.0
    mutants = [one for file in files for one in mutants_of(file, ROOT) if one.key.strip() not in accepted]
    if sample is not None and sample < len(mutants):
        mutants = random.Random(seed).sample(mutants, sample)
    began = time.monotonic()
    ends = _tried([(one, _first(one, reached, package)) for one in mutants], limit(_SECONDS_FIRST))
    left = [one for one, end in ends if end == SURVIVED]
    again = dict(_tried([(one, TESTS[package]) for one in left], limit(_SECONDS_ALL)))
    survivors = [one for one in left if again[one] == SURVIVED]
    for one in sorted(survivors, key=lambda one: (one.file, one.line)):
        print(f"{one.file}:{one.line} {one.key.partition(' ')[2]}")
    counted = Counter(end for _, end in ends)
    share = 100.0 * (1 - len(survivors) / max(1, len(mutants)))
    drawn = "all" if sample is None else f"a sample by seed {seed}"
    print(
        f"{package}: {share:.1f} % of {len(mutants)} mutants noticed ({drawn}), {len(survivors)} survived, "
        f"{counted[KILLED]} by the first tests, in {time.monotonic() - began:.0f} s"
    )
    sys.stdout.flush()
    return share


def _files(package: str) -> list[Path]:
    place = ROOT / "server/assent" / package
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return [file.relative_to(ROOT) for file in found]


def _recorded(package: str, files: list[Path]) -> tuple[Reached, list[str]]:
    recorder = Recorder(frozenset(str(ROOT / file) for file in files))
    pytest.main([*(one for one in OPTIONS if one != "-x"), *TESTS[package]], plugins=[recorder])
    return dict(recorder.reached), recorder.failed


def _first(mutant: Mutant, reached: Reached, package: str) -> tuple[str, ...]:
    """Some of the tests that reach its line; all of the package's, where it is reached by importing alone."""
    found = reached.get((str(ROOT / mutant.file), mutant.line), [])
    if not found:
        return TESTS[package]
    return tuple(found[:: -(-len(found) // _MOST_FIRST)])


def _tried(work: list[tuple[Mutant, tuple[str, ...]]], seconds: float) -> list[tuple[Mutant, str]]:
    waiting, running, ends = list(reversed(work)), {}, []
    while waiting or running:
        while waiting and len(running) < cores() * _PER_CORE:
            mutant, tests = waiting.pop()
            running[begin(mutant, tests, ROOT)] = mutant, time.monotonic() + seconds
        for process, (mutant, until) in tuple(running.items()):
            end = ending(process, until)
            if end is not None:
                del running[process]
                ends.append((mutant, end))
        time.sleep(A_NAP)
    return ends


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
