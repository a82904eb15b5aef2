"""Which variables of the environment a program may be given without becoming another program."""

from assent.model.commands import Argument


def harm(name: str, value: Argument) -> str:
    """Why this assignment before a program matters, as the end of a sentence; empty where it does not."""
    return "" if name in _HARMLESS else "which can change what the program does"


_HARMLESS = frozenset({"LANG", "LC_ALL", "TZ", "CI", "NO_COLOR", "FORCE_COLOR", "NODE_ENV"})


def assignment_harm(name: str, value: Argument) -> str:
    """Why setting this variable for the shell itself matters; empty where it does not."""
    return "which can change what programs do" if name in {"PATH", "IFS", "LD_PRELOAD"} else ""
