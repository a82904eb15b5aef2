"""One maker at a time, whatever happens to it."""

import errno
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from packed import Problem

PATIENCE_SECONDS = 300


@contextmanager
def alone(lock: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Held by one process at a time. The system lets go of it when that process ends, however it ends: never stale.

    Where the file system knows no locks the work is done all the same: then two windows may make the same thing, and
    the rename decides.
    """
    with lock.open("a+b") as file:
        deadline = time.monotonic() + PATIENCE_SECONDS
        told = False
        while not _taken(file):
            if not told:
                waiting()
                told = True
            if time.monotonic() > deadline:
                raise Problem(
                    f"Another process has been preparing the environment for {PATIENCE_SECONDS // 60} minutes.",
                    f"End it, or restart the editor. It holds the file {lock}.",
                )
            time.sleep(0.1)
        yield


def _taken(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        return fault.errno not in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
    return True
