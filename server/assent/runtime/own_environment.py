"""The server's own environment, which often holds keys: other programs of the user must not find them there."""

import logging
import os
import sys

log = logging.getLogger(__name__)


def keep_to_itself() -> None:
    """Overwrites what this process was started with, which any program of the same user may read (`ps eww` shows it).

    The variables stay: whoever is started with them still gets them.
    """
    if sys.platform != "linux":
        return
    for name, value in os.environ.items():
        os.environ[name] = value  # The system's library copies it to another place.
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - early, where little is loaded
            fields = file.read().rpartition(b")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        with open("/proc/self/mem", "r+b", buffering=0) as memory:  # noqa: PTH123
            memory.seek(start)
            memory.write(bytes(end - start))
    except (OSError, ValueError, IndexError) as fault:
        log.warning("the environment stays readable for other programs: %s", fault)
