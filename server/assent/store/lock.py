"""Alone among all processes for a moment: a lock that the operating system lets go of when its holder dies."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.runtime.file_lock import take
from assent.store.faults import BUSY_SECONDS, occupied
from assent.store.regular import open_file

_FIRST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.01


@contextmanager
def alone(lock_file: Path, about: Path) -> Iterator[None]:
    """Holds the lock, or raises Unwritable after five seconds. `about` is what the lock guards, for the message."""
    descriptor = _opened(lock_file)
    try:
        _wait_for(descriptor, about)
        yield
    finally:
        os.close(descriptor)


def _opened(lock_file: Path) -> int:
    try:
        return open_file(lock_file, os.O_RDWR | os.O_CREAT)
    except (FileNotFoundError, NotADirectoryError):
        # Its folder comes into being with what is first kept in it, or says why it cannot.
        lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_file(lock_file, os.O_RDWR | os.O_CREAT)


def _wait_for(descriptor: int, about: Path) -> None:
    end = time.monotonic() + BUSY_SECONDS
    pause = _FIRST_PAUSE
    while True:
        try:
            take(descriptor)
        except OSError:
            if time.monotonic() >= end:
                raise occupied(about) from None
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            return
