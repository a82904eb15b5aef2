"""The checks of the project: all of them run even when one fails, with a summary at the end."""

import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from devtools import client, lanes, node_packages, prerequisites, pytest_parts
from devtools.console import say
from devtools.places import BOOTSTRAP, CLIENT, ROOT, SERVER, TESTS, VENV_PYTHON
from devtools.processes import Command, environment

_PROGRAMS = VENV_PYTHON.parent
_PER_CORE = 2
"""Parts of the tests that share a core: most of what they do is to wait for programs that they have started."""
_SCALE = "ASSENT_TEST_SCALE"
_LAST_WORDS = 40
"""Lines of a check that failed, said again in the summary."""


@dataclass(frozen=True)
class Check:
    """One program whose exit code is the verdict; of pytest, together with its summary.

    Those that stand next to each other and may run `beside` others do so.
    """

    name: str
    command: Command
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=environment)
    beside: bool = False
    is_pytest: bool = False


def static() -> list[Check]:
    """What reads the code without running it, quickest first."""
    node = node_packages.node_environment(node_packages.node_folder())
    python_path = environment(PYTHONPATH=str(SERVER))
    return [
        Check("generated files", [VENV_PYTHON, "-m", "codegen", "--check"], env=python_path),
        Check("ruff", [_PROGRAMS / "ruff", "check", "."]),
        Check("ruff format", [_PROGRAMS / "ruff", "format", "--check", "."]),
        Check("layers", [_PROGRAMS / "lint-imports"], env=python_path),
        Check("mypy: the server", [_PROGRAMS / "mypy"]),
        Check("mypy: the tools", [_PROGRAMS / "mypy", "dev.py", "devtools", *sorted(BOOTSTRAP.glob("*.py"))]),
        Check("TypeScript and biome", ["npm", "run", "--silent", "check"], CLIENT, node),
    ]


def tests(fast: bool, pytest_arguments: Sequence[str]) -> list[Check]:
    """What runs the code. With arguments of its own pytest runs once; without, its parts run beside each other."""
    # What shares a core may take longer, unless somebody knows better.
    patient = {_SCALE: os.environ.get(_SCALE, str(2 * _PER_CORE))}
    node = node_packages.node_environment(node_packages.node_folder())
    pytest: list[str | Path] = [VENV_PYTHON, "-m", "pytest", *(["-m", "not e2e and not agents"] if fast else [])]
    vitest = Check("vitest", ["npm", "run", "--silent", "test"], CLIENT, {**node, **patient}, beside=True)
    editors = Check("installing the editors", [VENV_PYTHON, "-m", "devtools.workbench"], beside=True)
    agents = Check("installing the agents", [VENV_PYTHON, "-m", "devtools.agents"], beside=True)
    others = [vitest] if fast else [editors, agents, vitest]
    if pytest_arguments:
        return [*others, Check("pytest", [*pytest, *pytest_arguments], is_pytest=True)]
    pytest += ["-p", "no:cacheprovider"]  # what failed last time is one file that all parts would write
    return others + [
        Check(
            part.name,
            [*pytest, *part.files],
            env=environment(**({} if part.alone else patient)),
            beside=not part.alone,
            is_pytest=True,
        )
        for part in pytest_parts.parts(TESTS)
    ]


def prepare_tests() -> None:
    """The programs that tests look at the server with. strace and bubblewrap are there on Linux only."""
    watchers = (prerequisites.STRACE, prerequisites.BUBBLEWRAP) if sys.platform == "linux" else ()
    prerequisites.require(prerequisites.GIT, *watchers)


def prepare_end_to_end() -> None:
    """What the end-to-end tests need beside the editors, so that no test's time limit pays for it."""
    client.build()
    prerequisites.chromium()


def at_once() -> int:
    """How many of those that may run beside others this machine is given."""
    return lanes.cores() * _PER_CORE


def run_all(checks: Sequence[Check], troubles: Sequence[str] = ()) -> bool:
    """Runs every check, says how each went, and ends with one summary of all runs of pytest if there is one."""
    begin = time.monotonic()
    ended = [
        end
        for beside, some in groupby(checks, key=lambda check: check.beside)
        for end in lanes.run(list(some), at_once() if beside else 1)
    ]
    say(f"\n{'=' * 30} summary {'=' * 30}")
    verdicts = [_verdict(check, end) for check, end in zip(checks, ended, strict=True)]
    shown = zip(checks, ended, verdicts, strict=True)
    for check, end, (well, _) in sorted(shown, key=lambda one: one[2][0], reverse=True):
        say(f"{'passed' if well else 'FAILED'}  {_in_a_line(check, end)}")
        if not well:
            _say_last_words(end)
    runs = [(well, counts) for check, (well, counts) in zip(checks, verdicts, strict=True) if check.is_pytest]
    if runs and not any(set(counts or {"died"}) - {"deselected"} for _, counts in runs):
        troubles = [*troubles, "no test was chosen"]
    for trouble in troubles:
        say(f"FAILED  {trouble}")
    if runs:
        say(pytest_parts.added_up(runs, time.monotonic() - begin))
    return not troubles and all(well for well, _ in verdicts)


def _verdict(check: Check, end: lanes.Ended) -> tuple[bool, Counter[str] | None]:
    """How it went, and what a run of pytest counted."""
    counts = pytest_parts.counted(end.lines) if check.is_pytest else None
    well = pytest_parts.went_well(end.code, counts) if check.is_pytest else end.code == 0
    return well, counts


def _in_a_line(check: Check, end: lanes.Ended) -> str:
    last = next((line.strip("= ") for line in reversed(end.lines) if line.strip()), "")
    said = f": {last}" if check.is_pytest else ""
    return f"{check.name}  ({end.seconds:.0f} s){said}"


def _say_last_words(end: lanes.Ended) -> None:
    """What failed stands at the end of what these programs print. Where it stood first, hours of others follow it."""
    for line in end.lines[-_LAST_WORDS:]:
        say(f"        {line}")
