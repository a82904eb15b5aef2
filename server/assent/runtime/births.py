"""Which process a number means: numbers are used again, and a time of birth is not."""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

_START_TIME = 21
"""Its place among the fields of /proc/PID/stat, from 0."""
UNKNOWN = "0"


@cache
def own_birth() -> tuple[int, str]:
    """This process, for others to find out later whether it is still there."""
    return os.getpid(), birth_of(os.getpid()) or UNKNOWN


def birth_of(pid: int) -> str | None:
    """When the process began, in words that are the same as long as it lives; None where that cannot be known."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The name of its program stands in brackets and can hold anything.
    return text.rpartition(")")[2].split()[_START_TIME - 2]


def is_alive(pid: int, born: str) -> bool:
    """Whether this very process is still there. Where its birth cannot be known, whether any has its number."""
    now = birth_of(pid)
    if now is not None:
        return born in (now, UNKNOWN)
    if Path("/proc/self/stat").exists():
        return False
    with suppress(ProcessLookupError):
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        return True
    return False
