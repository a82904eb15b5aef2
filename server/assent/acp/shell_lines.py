"""A command as an agent wraps it for a terminal: a shell with the line in it, in a folder, and how it is to print."""

import shlex
from collections.abc import Mapping

_SHELLS = ("bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/usr/bin/sh")
_FROM_WORDS = ("-c", "-lc")
"""How a shell is given a line. As at a login it first does what it does in every terminal that its user opens, out of
files that no call changes unseen."""
_INERT = frozenset({("NO_COLOR", "1"), ("TERM", "dumb"), ("GIT_TERMINAL_PROMPT", "0")})
"""Variables that change nothing but how a command prints, or that it does not wait for words."""


def wrapped_line(command: str, args: tuple[str, ...], env: tuple[tuple[str, str], ...], directory: str) -> str | None:
    """The line that a shell is to run in this folder, where there is nothing else around it that could matter."""
    if command not in _SHELLS or len(args) != 2 or args[0] not in _FROM_WORDS or not _only_inert(dict(env), command):
        return None
    line = args[1]
    # It runs there already, so going there first changes nothing, however the line goes on.
    for there in (shlex.quote(directory), f"'{directory}'"):
        line = line.removeprefix(f"cd {there} && ") if "'" not in directory else line
    return line or None


def _only_inert(env: Mapping[str, str], shell: str) -> bool:
    return all(one in _INERT or one == ("SHELL", shell) for one in env.items())
