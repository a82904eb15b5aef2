"""Opening what has to be a file of ours: never waiting for a pipe, never following a link to somewhere else."""

import errno
import os
import stat
from pathlib import Path

_CAREFULLY = (
    getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
)


class NoFile(OSError):
    """Something else than a file stands where a file belongs."""

    def __init__(self, path: Path, mode: int) -> None:
        super().__init__(errno.EINVAL, f"it is {_kind(mode)} and no file", str(path))


def open_file(path: Path, flags: int, mode: int = 0o600) -> int:
    """The open file's descriptor. NoFile where something else stands there; OSError of the system for all else."""
    require_file(path)
    descriptor = os.open(path, flags | _CAREFULLY, mode)
    found = os.fstat(descriptor).st_mode
    # Between the two looks it may have become something else.
    if not stat.S_ISREG(found):
        os.close(descriptor)
        raise NoFile(path, found)
    return descriptor


def require_file(path: Path) -> None:
    """NoFile where something stands there that is no file; a missing one is none of its business."""
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found):
        raise NoFile(path, found)


def read_start(path: Path, length: int) -> bytes:
    """No more than the first bytes of a file."""
    descriptor = open_file(path, os.O_RDONLY)
    try:
        return os.read(descriptor, length)
    finally:
        os.close(descriptor)


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")
