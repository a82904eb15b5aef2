"""A file gets new content at once or not at all, and only where it still is what was looked at."""

import errno
import os
from contextlib import suppress
from threading import Lock
from uuid import uuid4

from assent.lazy_dataclasses import dataclass
from assent.tools.disk import MISSING, Content, content_in
from assent.tools.faults import changed, explained
from assent.tools.handles import Folder, folder_itself, folder_of
from assent.tools.resolve import Target

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_WRITABLE = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)
_NO_LINKS_HERE = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS}
_NOTHING = "nothing was written"
# One at a time: two calls that were looked at together must not both find what they expect.
_placing = Lock()


@dataclass(frozen=True, slots=True)
class Replaced:
    """The bytes are in their place."""

    found: str
    """What stands for that which they replaced."""
    lasting: bool
    """False: the system failed to promise that they will outlast a loss of power."""


def replace_file(target: Target, data: bytes, *, expected: frozenset[str], limit: int) -> Replaced:
    """Puts these bytes in the place of what was there; refuses where that is nothing of what was expected."""
    try:
        with folder_of(target, make=MISSING in expected) as folder:
            return _replace_in(folder, target.name, data, expected, limit)
    except OSError as fault:
        raise explained(fault, target.real) from fault


def remove_file(target: Target, *, expected: str, limit: int) -> None:
    """Takes a file away; refuses where it is not what was expected."""
    try:
        with folder_of(target) as folder:
            before = _current(folder, target.name, limit)
            if before is None or before.digest != expected:
                raise changed(target.real, "it was not removed")
            with _placing:
                _check_unchanged(folder, target.name, before)
                folder.remove(target.name)
            folder.sync()
    except OSError as fault:
        raise explained(fault, target.real) from fault


def remove_empty_folder(above: Target, name: str) -> None:
    """Takes a folder away; the system refuses where anything is in it, and where it is a link."""
    try:
        with folder_itself(above) as folder:
            folder.remove_folder(name)
            folder.sync()
    except OSError as fault:
        raise explained(fault, above.real) from fault


def set_mode(target: Target, mode: int) -> None:
    """Who may read, write and run the file from now on."""
    if not hasattr(os, "fchmod"):
        return
    try:
        with folder_of(target) as folder:
            descriptor = folder.open(target.name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            try:
                os.fchmod(descriptor, mode & 0o777)
            finally:
                os.close(descriptor)
    except OSError as fault:
        raise explained(fault, target.real) from fault


def _replace_in(folder: Folder, name: str, data: bytes, expected: frozenset[str], limit: int) -> Replaced:
    before = _current(folder, name, limit)
    found = before.digest if before else MISSING
    if found not in expected:
        raise changed(folder.path_of(name), _NOTHING)
    if before is not None and not folder.may_write(name):
        # The folder would let it be replaced; whoever took the right to write it away meant something by that.
        os.close(folder.open(name, _WRITABLE))
    # Some of the name, for whoever finds it after a crash; not all, because the whole name may be as long as allowed.
    beside = f".{name[:40]}.{uuid4().hex[:12]}.tmp"
    try:
        _write(folder, beside, data, before.status if before else None)
        with _placing:
            _check_unchanged(folder, name, before)
            _put_in_place(folder, beside, name, is_new=before is None)
    except BaseException:
        with suppress(OSError):
            folder.remove(beside)
        raise
    return Replaced(found, lasting=folder.sync())


def _current(folder: Folder, name: str, limit: int) -> Content | None:
    try:
        return content_in(folder, name, limit)
    except FileNotFoundError:
        return None


def _write(folder: Folder, name: str, data: bytes, like: os.stat_result | None) -> None:
    descriptor = folder.open(name, _NEW_FILE, 0o666 if like is None else 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if like is not None and hasattr(os, "fchmod"):
            _adopt(descriptor, like)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _adopt(descriptor: int, like: os.stat_result) -> None:
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        # Only some may give files away; for all others the file becomes theirs, as with every editor that replaces.
        with suppress(PermissionError):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    # Who may read, write and run it; not the bits that lend it its owner's rights: the content is another one now.
    os.fchmod(descriptor, like.st_mode & 0o777)


def _check_unchanged(folder: Folder, name: str, before: Content | None) -> None:
    """Between the reading and this moment lies the writing of all bytes, so it is looked at once more."""
    try:
        now = _marks(folder.status(name))
    except FileNotFoundError:
        now = None
    if now != (_marks(before.status) if before else None):
        raise changed(folder.path_of(name), _NOTHING)


def _marks(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _put_in_place(folder: Folder, beside: str, name: str, *, is_new: bool) -> None:
    if is_new:
        try:
            # A second name fails where something appeared meanwhile; renaming would replace it.
            folder.link(beside, name)
        except OSError as fault:
            if fault.errno not in _NO_LINKS_HERE:
                raise
        else:
            with suppress(OSError):
                folder.remove(beside)
            return
    folder.replace(beside, name)
