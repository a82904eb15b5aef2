"""The checks of the project: run in order, all of them even when one fails, with a summary at the end."""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devtools import client, node_packages, prerequisites, workbench
from devtools.console import Trouble, say
from devtools.places import BOOTSTRAP, CLIENT, ROOT, SERVER, VENV_PYTHON
from devtools.processes import Command, environment, passing_on

_PROGRAMS = VENV_PYTHON.parent


@dataclass(frozen=True)
class Check:
    """One program whose exit code is the verdict."""

    name: str
    command: Command
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=environment)


@dataclass(frozen=True)
class Outcome:
    """How a check went, and its last line, which with pytest is the summary."""

    check: Check
    passed: bool
    seconds: float
    last_line: str


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
    """What runs the code; pytest last, because its summary closes the output."""
    node = node_packages.node_environment(node_packages.node_folder())
    chosen = ["-m", "not e2e"] if fast else []
    return [
        Check("vitest", ["npm", "run", "--silent", "test"], CLIENT, node),
        Check("pytest", [VENV_PYTHON, "-m", "pytest", *chosen, *pytest_arguments]),
    ]


def prepare_tests() -> None:
    """The programs that tests look at the server with. strace and bubblewrap are there on Linux only."""
    watchers = (prerequisites.STRACE, prerequisites.BUBBLEWRAP) if sys.platform == "linux" else ()
    prerequisites.require(prerequisites.GIT, *watchers)


def prepare_end_to_end() -> None:
    """Everything the end-to-end tests need that takes long, so that no test's time limit pays for it."""
    client.build()
    prerequisites.chromium()
    for release in workbench.RELEASES.values():
        workbench.ensure(release)


def run_all(checks: Sequence[Check], troubles: Sequence[str] = ()) -> bool:
    """Runs every check, says how each went, and ends with pytest's own summary if there is one."""
    outcomes = [_run(check) for check in checks]
    say(f"\n{'=' * 30} summary {'=' * 30}")
    for outcome in outcomes:
        say(f"{'passed' if outcome.passed else 'FAILED'}  {outcome.check.name}  ({outcome.seconds:.0f} s)")
    for trouble in troubles:
        say(f"FAILED  {trouble}")
    summary = next((outcome.last_line for outcome in outcomes if outcome.check.name == "pytest"), "")
    if summary:
        say(summary)
    return not troubles and all(outcome.passed for outcome in outcomes)


def _run(check: Check) -> Outcome:
    say(f"\n{'-' * 30} {check.name} {'-' * 30}")
    begin = time.monotonic()
    try:
        code, lines = passing_on(check.command, cwd=check.cwd, env=check.env)
    except Trouble as trouble:
        code, lines = 1, [str(trouble)]
        say(str(trouble))
    last = next((line for line in reversed(lines) if line.strip()), "")
    return Outcome(check, code == 0, time.monotonic() - begin, _without_colour(last))


def _without_colour(line: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", line)
