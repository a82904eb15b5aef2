"""All that a process has started, found in /proc, and told to stop or to die. Never anything else."""

import os
import signal
from collections.abc import Iterator

_Member = tuple[int, bytes]
"""The number of a process, and when it started: numbers are given out again, both together are not."""
_STATE, _PARENT, _GROUP, _SESSION, _START = 0, 1, 2, 3, 19
"""Where these stand in the status of a process."""
_MOST_ROUNDS = 8
"""In which what grows is stopped before it is killed."""


def descendants(root: int, without: "frozenset[int] | set[int]" = frozenset()) -> list[_Member]:
    """Everything below a process, except some of its children and what is below those."""
    return [(pid, stat[_START]) for pid, stat in _met(root, without)]


def more_than(most: int, root: int) -> bool:
    """Whether there are more below a process, without counting how many: what multiplies leaves no time for that."""
    return any(number > most for number, _ in enumerate(_met(root), 1))


def _met(root: int, without: "frozenset[int] | set[int]" = frozenset()) -> Iterator[tuple[int, list[bytes]]]:
    """One after the other, as they are found, each with its status."""
    seen = {root}
    waiting = [root]
    while waiting:
        for pid in children(waiting.pop()):
            stat = status(pid)
            # One that is in nobody's care here any more is another process by now, or is met in the next round.
            if pid in seen or pid in without or stat is None or int(stat[_PARENT]) not in seen:
                continue
            seen.add(pid)
            waiting.append(pid)
            yield pid, stat


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
    return [pid for pid, stat in stats if stat is not None and int(stat[_PARENT]) == parent]


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
        if stat is None or stat[_START] != start:
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _tell_by_number(pid: int, start: bytes, number: int) -> bool:
    stat = status(pid)
    if stat is None or stat[_START] != start:
        return False
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True


def kill_all(root: int, without: "frozenset[int] | set[int]" = frozenset()) -> None:
    """Kills everything below a process that is there now."""
    _kill_groups(root, without)
    # What has many groups is stopped before it is killed, so that it does not outrun this.
    stopped: set[_Member] = set()
    for _ in range(_MOST_ROUNDS):
        new = [one for one in _alive(root, without) if one not in stopped]
        if not new:
            break
        for one in new:
            tell(one, signal.SIGSTOP)
        stopped.update(new)
    for one in stopped:
        tell(one, signal.SIGKILL)


def _alive(root: int, without: "frozenset[int] | set[int]") -> Iterator[_Member]:
    return ((pid, stat[_START]) for pid, stat in _met(root, without) if stat[_STATE] != b"Z")


def _kill_groups(root: int, without: "frozenset[int] | set[int]") -> None:
    """Whole groups at a blow, by the first of each that is met: thousands that multiply cannot be told one by one.

    Only groups of sessions that were begun below the process: there is nobody in those who does not belong to it.
    """
    own = os.getsid(0)
    seen: set[int] = set()
    for pid, stat in _met(root, without):
        group = int(stat[_GROUP])
        if group in seen or int(stat[_SESSION]) == own or stat[_STATE] == b"Z":
            continue
        # While one of it is held, the number of the group is not given to another.
        if tell((pid, stat[_START]), signal.SIGSTOP) and (held := status(pid)) and int(held[_GROUP]) == group:
            seen.add(group)
            try:
                os.killpg(group, signal.SIGKILL)
            except OSError:
                # Nobody of it may be told: what else there is of the family is tried one by one.
                continue


def tell_group(root: int, group: int, number: int) -> None:
    """Sends a signal to what is below a process and belongs to this group."""
    for member in descendants(root):
        stat = status(member[0])
        if stat is not None and int(stat[_GROUP]) == group:
            tell(member, number)


_KEPT = os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110
# Pythons that were built for very old systems do not know the newer calls.
_BY_HANDLE = hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal")
