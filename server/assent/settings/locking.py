"""A lock between processes: held by the operating system, so that a process that dies lets go of it."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.runtime.file_lock import take
from assent.settings.faults import SettingsFault

# Whoever holds the lock needs milliseconds. The number of tries bounds the wait at about three seconds.
_TRIES = 300
_PAUSE_SECONDS = 0.01


@contextmanager
def locked(lock_file: Path) -> Iterator[None]:
    """Alone with what this file stands for, among all processes and threads; a SettingsFault after three seconds.

    The lock's folder and the state directory around it are made where they are missing, for their owner alone.
    """
    try:
        for folder in (lock_file.parent.parent, lock_file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise SettingsFault(f"the lock file {lock_file} cannot be made ({fault.strerror})") from None
    try:
        _wait_for(descriptor, lock_file)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, lock_file: Path) -> None:
    for _ in range(_TRIES):
        try:
            take(descriptor)
        except OSError:
            time.sleep(_PAUSE_SECONDS)
        else:
            return
    raise SettingsFault(f"another window holds the lock {lock_file} for too long; try again")
