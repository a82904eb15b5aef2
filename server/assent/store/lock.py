"""Alone among all processes for a moment: a lock that the operating system lets go of when its holder dies."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.store.faults import BUSY_SECONDS, occupied

_FIRST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.01

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone(lock_file: Path, about: Path) -> Iterator[None]:
    """Holds the lock, or raises Unwritable after five seconds. `about` is what the lock guards, for the message."""
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _wait_for(descriptor, about)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, about: Path) -> None:
    end = time.monotonic() + BUSY_SECONDS
    pause = _FIRST_PAUSE
    while True:
        try:
            _take(descriptor)
        except OSError:
            if time.monotonic() >= end:
                raise occupied(about) from None
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            return
