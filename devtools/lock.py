"""The two lists of exact Python packages: what developers use, and what the installed extension brings."""

from devtools import agents
from devtools.console import say, step
from devtools.places import DEV_LOCK, ROOT, SHIPPED_LOCK, VENV_PYTHON, shown
from devtools.processes import Command, quietly

_COMPILE: Command = (
    VENV_PYTHON.with_name("uv"),
    "pip",
    "compile",
    "--quiet",
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--custom-compile-command",
    "python3 dev.py lock",
    "pyproject.toml",
)


def write(upgrade: bool) -> None:
    """Resolves both anew; versions that still fit are kept, unless `upgrade`."""
    newer = ("--upgrade",) if upgrade else ()
    with step("Resolving the Python packages"):
        everything = ("--extra", "playground", "--group", "dev")
        quietly([*_COMPILE, *everything, *newer, "--output-file", shown(DEV_LOCK)])
        same_versions = ("--constraint", shown(DEV_LOCK), "--no-annotate")
        quietly([*_COMPILE, *same_versions, *newer, "--output-file", shown(SHIPPED_LOCK)], cwd=ROOT)
        for lot in (agents.SUITE, agents.FURTHER):
            lot.write_locks()
    say(f"Wrote {shown(DEV_LOCK)}, {shown(SHIPPED_LOCK)} and those of the agents in {shown(agents.SUITE.locks)}.")
