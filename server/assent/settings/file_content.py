"""The digest of what a file holds, told only of the very file that was looked at."""

import os
import time
from hashlib import sha256
from typing import BinaryIO

MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_TICK = 2_000_000_000

Stamp = tuple[int, ...]
"""Changes with a file, and is another one for another file."""


def stamp_of(info: os.stat_result) -> Stamp:
    """The stamp of a file that was looked at."""
    return (info.st_dev, info.st_ino, info.st_mtime_ns, info.st_ctime_ns, info.st_size)


def is_young(info: os.stat_result) -> bool:
    """Two changes may share one tick of the file system: what changed just now is read again.

    Anyone can set the time of the last change of a file, nobody that of its entry.
    """
    now = time.time_ns()
    return abs(now - info.st_mtime_ns) < _TICK or abs(now - info.st_ctime_ns) < _TICK


def content_digest(file: str, stamp: Stamp) -> str | None:
    """The digest of the content as long as the stamp is this one before and after; None where it is not.

    The name may lead to another file than it did at the look. Raises OSError where it cannot be read.
    """
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        if stamp_of(os.fstat(descriptor)) != stamp:
            return None
        digest = _read(stream)
        return digest if stamp_of(os.fstat(descriptor)) == stamp else None


def _read(stream: BinaryIO) -> str:
    digest, left = sha256(), MOST_BYTES
    while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()
