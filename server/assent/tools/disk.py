"""Files, read and written so that what was meant happens: regular ones only, no link followed, all or nothing."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from uuid import uuid4

from assent.model.errors import ToolFault

MISSING = "missing"
_replacing = Lock()
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY
_OLD_FILE = os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _CLOEXEC | _BINARY
# O_PATH, where there is one: a folder on the way needs to be entered, not listed.
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | _CLOEXEC
_HANDLES = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd and os.rename in os.supports_dir_fd


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, or of its first part where it is longer than was asked for."""

    data: bytes
    size: int
    digest: str

    @property
    def whole(self) -> bool:
        return len(self.data) == self.size


def read_regular(real: str, limit: int) -> Content | None:
    """The content of a regular file; None where there is nothing. Never waits on a pipe or a device."""
    parent, name = os.path.split(real)
    try:
        with _folder(parent) as folder:
            return _read_in(folder, parent, name, limit)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise _explained(fault, real) from fault


def names_in(real: str) -> list[str]:
    """The names in a folder, reached without following a link; those of folders end with a slash."""
    try:
        with _folder(real) as folder:
            if folder is None:
                return _names(real)
            # The handle may be one that only leads further: it is opened again for reading.
            readable = os.open(".", os.O_RDONLY | _CLOEXEC, dir_fd=folder)
            try:
                return _names(readable)
            finally:
                os.close(readable)
    except OSError as fault:
        raise _explained(fault, real) from fault


def _names(folder: str | int) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(entry.name + ("/" if _is_folder(entry) else "") for entry in entries)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def replace_file(real: str, data: bytes, *, expected: str, limit: int) -> None:
    """Puts these bytes in the place of what was there, at once; refuses where that is no longer what was expected."""
    parent, name = os.path.split(real)
    try:
        # One at a time: two calls that were looked at together must not both find what they expect.
        with _replacing, _folder(parent, make=expected == MISSING) as folder:
            if _state_in(folder, parent, name, limit) != expected:
                raise ToolFault("changed_since", f"{real} changed after this call was looked at; nothing was written.")
            _write_beside(folder, parent, name, data)
    except OSError as fault:
        raise _explained(fault, real) from fault


def _state_in(folder: int | None, parent: str, name: str, limit: int) -> str:
    try:
        return _read_in(folder, parent, name, limit).digest
    except FileNotFoundError:
        return MISSING


def _read_in(folder: int | None, parent: str, name: str, limit: int) -> Content:
    descriptor = os.open(_path_in(folder, parent, name), _OLD_FILE, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise ToolFault("not_a_file", f"{Path(parent) / name} is not a regular file.")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit)
        identity = f"{status.st_size}:{hashlib.sha256(data).hexdigest()}"
        if len(data) < status.st_size:
            # Only the part within the limit is hashed; time and inode stand for the rest.
            identity += f":{status.st_mtime_ns}:{status.st_ino}"
        return Content(data, max(status.st_size, len(data)), identity)
    finally:
        os.close(descriptor)


def _path_in(folder: int | None, parent: str, name: str) -> str:
    return name if folder is not None else str(Path(parent) / name)


def _write_beside(folder: int | None, parent: str, name: str, data: bytes) -> None:
    # Some of the name, for whoever finds it after a crash; not all, because the whole name may be as long as allowed.
    path = _path_in(folder, parent, f".{name[:40]}.{uuid4().hex[:12]}.tmp")
    target = _path_in(folder, parent, name)
    try:
        mode = _mode_of(target, folder)
        descriptor = os.open(path, _NEW_FILE, mode, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if hasattr(os, "fchmod") and _exists(target, folder):
                os.fchmod(file.fileno(), mode)
        os.replace(path, target, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(path, dir_fd=folder)
        raise


def _mode_of(target: str, folder: int | None) -> int:
    try:
        # Who may read, write and run it; not the bits that lend it its owner's rights: the content is another one now.
        return os.stat(target, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
    except FileNotFoundError:
        return 0o666


def _exists(target: str, folder: int | None) -> bool:
    try:
        os.stat(target, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


@contextmanager
def _folder(path: str, *, make: bool = False) -> Iterator[int | None]:
    """A handle on a folder, reached step by step without following a link; `make` makes what is missing on the way.

    The path is a real one, so a link on the way was put there after it was looked at. Without handles (Windows) the
    path is used as it stands.
    """
    if not _HANDLES:
        _check_unmoved(path)
        if make:
            Path(path).mkdir(parents=True, exist_ok=True)
        yield None
        return
    handle = os.open("/", _STEP)
    try:
        for segment in Path(path).parts[1:]:
            below = _step(handle, segment, make=make)
            os.close(handle)
            handle = below
        yield handle
    finally:
        os.close(handle)


def _step(handle: int, segment: str, *, make: bool) -> int:
    try:
        return os.open(segment, _STEP, dir_fd=handle)
    except FileNotFoundError:
        if not make:
            raise
        with suppress(FileExistsError):
            os.mkdir(segment, dir_fd=handle)
        return os.open(segment, _STEP, dir_fd=handle)


def _check_unmoved(path: str) -> None:
    if os.path.realpath(path) != path and Path(path).exists():
        raise ToolFault("changed_since", f"{path} leads somewhere else now; it was not touched.")


_WORDS = {
    errno.EACCES: ("permission_denied_by_system", "You have no permission for {path}."),
    errno.EPERM: ("permission_denied_by_system", "You have no permission for {path}."),
    errno.EROFS: ("read_only", "{path} is on a read-only file system."),
    errno.ENOSPC: ("disk_full", "The disk is full; {path} is unchanged."),
    errno.EDQUOT: ("disk_full", "Your disk quota is used up; {path} is unchanged."),
    errno.EISDIR: ("is_a_directory", "{path} is a directory."),
    errno.ENOTDIR: ("not_a_directory", "{path} is not a directory, or lies below something that is none."),
    errno.ELOOP: ("changed_since", "{path} is a symbolic link now, or lies behind one; it was not touched."),
    errno.ENAMETOOLONG: ("name_too_long", "The name of {path} is too long for this file system."),
    errno.ENXIO: ("not_a_file", "{path} is not a regular file."),
    errno.ENOENT: ("not_found", "{path} does not exist."),
}


def _explained(fault: OSError, path: str) -> ToolFault:
    code, words = _WORDS.get(fault.errno or 0, ("io_error", "{path} could not be used: {why}."))
    return ToolFault(code, words.format(path=path, why=fault.strerror or type(fault).__name__))
