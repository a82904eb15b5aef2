"""What is on the disk, read so that what was meant is what is read: regular files only, no link, never a wait."""

import errno
import hashlib
import heapq
import os
import stat
from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.tools.faults import changed, explained, not_a_file
from assent.tools.handles import Folder, folder_itself, folder_of, release
from assent.tools.resolve import Target

MISSING = "missing"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, or of its first part where it is longer than was asked for."""

    data: bytes
    size: int
    digest: str
    status: os.stat_result

    @property
    def whole(self) -> bool:
        return len(self.data) == self.size


@dataclass(frozen=True, slots=True)
class Listing:
    """The first names of a folder in their order, those of folders with a slash; `total` counts all."""

    names: tuple[str, ...]
    total: int


def read_regular(target: Target, limit: int) -> Content | None:
    """The content of a regular file; None where there is nothing. Never waits on a pipe or a device."""
    try:
        with folder_of(target) as folder:
            return content_in(folder, target.name, limit)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise explained(fault, target.real) from fault


def list_folder(target: Target, most: int) -> Listing:
    """What a folder holds. However many names there are, no more than `most` are kept."""
    total = 0

    def names(folder: Folder) -> Iterator[str]:
        nonlocal total
        for entry in folder.entries():
            total += 1
            yield entry.name + ("/" if _is_folder(entry) else "")

    try:
        with folder_itself(target) as folder:
            return Listing(tuple(heapq.nsmallest(most, names(folder))), total)
    except OSError as fault:
        raise explained(fault, target.real) from fault


def content_in(folder: Folder, name: str, limit: int) -> Content:
    """The content of a regular file in a folder that is held. Raises OSError and ToolFault."""
    # Asked before it is opened: opening a device can already do something.
    seen = folder.status(name)
    path = folder.path_of(name)
    if not stat.S_ISREG(seen.st_mode):
        raise _irregular(seen.st_mode, path)
    descriptor = folder.open(name, _READ)
    try:
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) != (seen.st_dev, seen.st_ino) or not stat.S_ISREG(status.st_mode):
            raise changed(path)
        return _content(descriptor, seen, status.st_size, limit)
    finally:
        release(descriptor)


def digest_of(data: bytes) -> str:
    """What stands for a file that holds just these bytes."""
    return f"{len(data)}:{hashlib.sha256(data).hexdigest()}"


def _content(descriptor: int, seen: os.stat_result, size: int, limit: int) -> Content:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        data = file.read(limit)
    identity = digest_of(data)
    if len(data) < size:
        # Only the part within the limit is hashed; size, time and inode stand for the rest.
        identity += f":{size}:{seen.st_mtime_ns}:{seen.st_ino}"
    return Content(data, max(size, len(data)), identity, seen)


def _irregular(mode: int, path: str) -> Exception:
    if stat.S_ISDIR(mode):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(mode):
        return OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return not_a_file(path)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
