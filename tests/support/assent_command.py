"""Runs a command of Assent to its end, such as `explain`."""

import subprocess
from pathlib import Path

from tests.support.forked import ASSENT, forked, started
from tests.support.processes import ROOT, environment_with
from tests.support.scale import limit

Done = subprocess.CompletedProcess[str]


def run_assent(
    *arguments: str,
    env: dict[str, str | None] | None = None,
    cwd: Path = ROOT,
    given: bytes = b"",
    within: float = 60,
    cold: str = "",
) -> "subprocess.CompletedProcess[str]":
    """What it printed, and its exit code. `cold` says why it has to be started instead of forked."""
    argv = [*ASSENT, *arguments]
    with (started if cold else forked())(argv, environment_with(env), cwd) as process:
        try:
            out, errors = process.communicate(given, limit(within))
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(argv, process.returncode, out.decode(), errors.decode())
