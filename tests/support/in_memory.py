"""A folder in memory where the system has one: for tests that make and clear very many files."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A folder of its own, gone afterwards. An ordinary temporary one where there is none in memory."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=place) as folder:
        yield Path(folder)
