"""All that a process has started, found in /proc, and told to stop or to die. Never anything else."""

import os
import signal

_Member = tuple[int, bytes]
"""The number of a process, and when it started: numbers are given out again, both together are not."""
_MOST_ROUNDS = 8
"""In which what grows is stopped before it is killed."""


def descendants(root: int, without: "frozenset[int] | set[int]" = frozenset()) -> list[_Member]:
    """Everything below a process, except some of its children and what is below those."""
    found: list[_Member] = []
    seen = {root}
    waiting = [root]
    while waiting:
        for pid in children(waiting.pop()):
            stat = status(pid)
            # One that is in nobody's care here any more is another process by now, or is met in the next round.
            if pid in seen or pid in without or stat is None or int(stat[1]) not in seen:
                continue
            seen.add(pid)
            waiting.append(pid)
            found.append((pid, stat[19]))
    return found


def children(pid: int) -> list[int]:
    """Of all threads of a process."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - as everywhere here: no pathlib
            text = read(f"/proc/{pid}/task/{thread}/children")
            found.extend(int(number) for number in text.split())
    except FileNotFoundError:
        # The process is gone, or this kernel keeps no such file.
        return [] if _KEPT else _looked_up(pid)
    except OSError:
        pass
    return found


def _looked_up(parent: int) -> list[int]:
    stats = ((int(name), status(int(name))) for name in os.listdir("/proc") if name.isdecimal())  # noqa: PTH208
    return [pid for pid, stat in stats if stat is not None and int(stat[1]) == parent]


def status(pid: int) -> list[bytes] | None:
    """The fields of a process behind its name: its state, its parent, its group, ..., as the 20th its start."""
    try:
        return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return None


def read(path: str) -> bytes:
    """A whole file of /proc."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        pieces = []
        while piece := os.read(handle, 65_536):
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        os.close(handle)


def tell(member: _Member, number: int) -> bool:
    """Sends a signal to exactly this process. False where it is gone, or may not be told."""
    pid, start = member
    if not _BY_HANDLE:
        return _tell_by_number(pid, start, number)
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    except OSError:
        return _tell_by_number(pid, start, number)
    try:
        stat = status(pid)
        if stat is None or stat[19] != start:
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _tell_by_number(pid: int, start: bytes, number: int) -> bool:
    stat = status(pid)
    if stat is None or stat[19] != start:
        return False
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True


def kill_all(root: int, without: "frozenset[int] | set[int]" = frozenset()) -> None:
    """Kills everything below a process that is there now; stopped first, so that what multiplies does not outrun it."""
    stopped: set[_Member] = set()
    for _ in range(_MOST_ROUNDS):
        new = [one for one in descendants(root, without) if one not in stopped]
        if not new:
            break
        for one in new:
            tell(one, signal.SIGSTOP)
        stopped.update(new)
    for one in stopped:
        tell(one, signal.SIGKILL)


def tell_group(root: int, group: int, number: int) -> None:
    """Sends a signal to what is below a process and belongs to this group."""
    for member in descendants(root):
        stat = status(member[0])
        if stat is not None and int(stat[2]) == group:
            tell(member, number)


_KEPT = os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110
# Pythons that were built for very old systems do not know the newer calls.
_BY_HANDLE = hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal")
