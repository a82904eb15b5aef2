"""Counts what a command uses, and says when it is too much."""

import os
import time

from assent.runtime.warden.family import descendants, more_than, read
from assent.runtime.warden.words import Order

_SHORTEST, _LONGEST = 0.02, 0.1
"""Seconds until it is counted again: soon at first, and where it is near its limit."""
_LONGER = 1.2
_SHARE = 20
"""Counting takes no more than this fraction of the time."""
_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


class Watch:
    """Looks again and again at everything that a keeper keeps."""

    def __init__(self, order: Order) -> None:
        self._processes = order.processes
        self._memory = order.memory_bytes
        self._next = 0.0
        self._pause = _SHORTEST

    @property
    def pause(self) -> float | None:
        """Seconds until it has to look again. None: never."""
        if self._processes is None and self._memory is None:
            return None
        return max(0.0, self._next - time.monotonic())

    def exceeded(self) -> str | None:
        """What is too much, if something is, and if it is time to look."""
        if self.pause is None or self.pause > 0:
            return None
        # Its own work is what counts, not how long it is kept waiting: that is longest where something multiplies.
        begun = time.process_time()
        if self._processes is not None and more_than(self._processes, os.getpid()):
            return f"more than {self._processes} processes"
        pids = [pid for pid, _ in descendants(os.getpid())]
        memory = used_memory(pids) if self._memory is not None else 0
        near = (self._processes is not None and 2 * len(pids) > self._processes) or (
            self._memory is not None and 2 * memory > self._memory
        )
        worked = time.process_time() - begun
        self._pause = _SHORTEST if near else min(_LONGEST, _LONGER * self._pause)
        self._next = time.monotonic() + max(self._pause, _SHARE * worked)
        # Counted cheaply first, which counts what processes share several times; exactly only where it matters.
        if self._memory is not None and memory > self._memory and shared_memory(pids) > self._memory:
            return f"more than {in_words(self._memory)} of memory"
        return None


def used_memory(pids: list[int]) -> int:
    """Bytes that these processes hold, without files that they read; what they share counts for each."""
    return sum(_own_memory(pid) for pid in pids)


def _own_memory(pid: int) -> int:
    return _sum(f"/proc/{pid}/status", (b"RssAnon:", b"RssShmem:")) or 0


def shared_memory(pids: list[int]) -> int:
    """The same, with what they share counted once. Where that is not told of one, its share is all of it."""
    total = 0
    for pid in pids:
        exact = _sum(f"/proc/{pid}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:"))
        total += _own_memory(pid) if exact is None else exact
    return total


def _sum(path: str, names: tuple[bytes, ...]) -> int | None:
    try:
        lines = read(path).splitlines()
    except OSError:
        return None
    found = [int(line.split()[1]) * 1_024 for line in lines if line.startswith(names)]
    return sum(found) if found else None


def in_words(size: int) -> str:
    """A number of bytes as people say it."""
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"
