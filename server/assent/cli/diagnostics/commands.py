"""What commands run with: their shell, their Python, and the variables that they do not get, by name only."""

import os
from pathlib import Path

from assent.masking import Json
from assent.model.limits import ShellLimits
from assent.tools.command_environment import Given, given_to_commands
from assent.tools.python_environment import python_environment
from assent.tools.shell import Shell, find_shell


def commands_shown(folder: Path, limits: ShellLimits, secrets: frozenset[str]) -> dict[str, Json]:
    """For a workspace of this one folder, in the environment of this process."""
    given = given_to_commands(os.environ, limits.passed, limits.withheld, secrets)
    roots = (str(folder),)
    shell = find_shell(roots, os.environ, limits.path, given)
    if not isinstance(shell, Shell):
        return {"problem": str(shell)}
    python = python_environment(str(folder), roots, shell.environment, limits.interpreter)
    return {
        "shell": shell.path,
        "python": None if python is None else {"folder": python.folder, "comesFirst": python.comes_first},
        "withheld": [
            {"why": why, "names": list(named)}
            for why, names in _reasons(given)
            if (named := [name for name in names if name in shell.withheld])
        ],
    }


def _reasons(given: Given) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("it looks like a secret", given.secret),
        ("it changes what programs do", given.redirecting),
        ("the settings withhold it", given.unwanted),
    )
