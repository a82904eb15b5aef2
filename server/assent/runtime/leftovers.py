"""What servers left running that are gone: each command carries a mark that says whose it is. Linux only.

The mark names a server by its number, by when it started, and by the space in which both numbers count, so that another
server, of another time or in another container, is never taken for it.
"""

import os
import signal
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from assent.runtime.warden import family

NAME = "ASSENT_COMMAND"
_ROUNDS = 20
_PAUSE = 0.02
_PREFIX = NAME.encode() + b"="


@cache
def _mark_of(pid: int) -> str:
    status = family.status(pid)
    start = int(status[19]) if status is not None else 0
    return f"{pid}-{start}-{_space('self')}"


def own_mark() -> str:
    """The mark of this server. Its commands' marks begin with it and a dash."""
    return _mark_of(os.getpid())


def sweep() -> int:
    """Kills all processes of this user that carry the mark of a server that is gone. How many that were."""
    killed: set[tuple[int, bytes]] = set()
    for _ in range(_ROUNDS):
        found = [member for member, mark in _marked() if server_is_gone(mark)]
        if not found:
            break
        killed.update(found)
        _kill(found)
    return len(killed)


def kill_marked(mark: str) -> None:
    """Kills all processes of this user that carry exactly this mark."""
    for _ in range(_ROUNDS):
        found = [member for member, one in _marked() if one == mark]
        if not found:
            return
        _kill(found)


def _kill(members: list[tuple[int, bytes]]) -> None:
    # Stopped first, so that one cannot start another while they are killed one by one.
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for member in members:
            family.tell(member, number)
    time.sleep(_PAUSE)


def _marked() -> list[tuple[tuple[int, bytes], str]]:
    """Every living process of this user that carries a mark, but neither this one nor one that led to it."""
    spared = _line_of(os.getpid())
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdecimal() or int(entry.name) in spared:
            continue
        with suppress(OSError):
            if entry.stat().st_uid != os.geteuid():
                continue
            status = family.status(int(entry.name))
            mark = _mark_in(family.read(f"/proc/{entry.name}/environ"))
            if mark is not None and status is not None and status[0] not in (b"Z", b"X"):
                found.append(((int(entry.name), status[19]), mark))
    return found


def _mark_in(environment: bytes) -> str | None:
    for entry in environment.split(b"\0"):
        if entry.startswith(_PREFIX):
            return entry[len(_PREFIX) :].decode("ascii", "replace")
    return None


def _line_of(pid: int) -> set[int]:
    line = {pid}
    while (status := family.status(pid)) is not None and (pid := int(status[1])) not in line | {0}:
        line.add(pid)
    return line


def server_is_gone(mark: str) -> bool:
    """Only what is surely a mark of this very space counts; all else is somebody else's."""
    numbers = mark.split("-")
    if len(numbers) < 4 or not all(number.isascii() and number.isdecimal() for number in numbers):
        return False
    pid, start, space = numbers[:3]
    if space == "0" or space != _space("self"):
        return False
    status = family.status(int(pid))
    return status is None or status[19] != start.encode() or status[0] in (b"Z", b"X")


def _space(process: str) -> str:
    try:
        return str(Path(f"/proc/{process}/ns/pid").stat().st_ino)
    except OSError:
        return "0"
