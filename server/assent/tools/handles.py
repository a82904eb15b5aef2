"""Folders by handle: what was checked is what is used, whatever is renamed or linked in between.

A way to a folder has two parts. The first leads from "/" to the anchor, the deepest folder that was there when the call
was looked at. Its path is real, so no link may stand on it, and at its end must be the same folder (device and inode):
a parent that was renamed or replaced since is noticed. The second part, where there is one, is missing folders, made
and entered one by one.

Where the kernel has openat2 the first part is one step that no link, no magic link of /proc and no renamed parent can
lead astray. Elsewhere each segment is opened from the handle before, never through a link. Both refuse the same; the
one step is a single moment instead of several, and costs one call of the system instead of two for each segment. What
neither can prevent: a folder that is moved away after it was opened is still the folder that was agreed to. Mounts are
not looked at: who may mount can change what any path means.

Where the system has no handles on folders (Windows), each folder is checked by its path right before it is used: no
link, and the same folder at the end of the first part. A swap in the instant between is not noticed there.
"""
# ruff: noqa: PTH118, PTH119, PTH206 - pathlib tidies what it is given; here every segment counts as it stands

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools import openat2
from assent.tools.faults import changed, too_many_links
from assent.tools.resolve import Anchor, Target

MOST_NEW_FOLDERS = 50
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_ALWAYS = _NOFOLLOW | _CLOEXEC | getattr(os, "O_BINARY", 0)
# O_PATH, where there is one: a folder on the way needs to be entered, not listed.
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | _DIRECTORY | _NOFOLLOW | _CLOEXEC
_HANDLES = {os.open, os.mkdir, os.rename, os.stat, os.link} <= os.supports_dir_fd
EFFECTIVE = os.access in os.supports_effective_ids
_NO_SYNC = {errno.EINVAL, errno.EACCES, errno.EBADF, errno.ENOTSUP}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is held, and what can be done with the names in it. Names are never followed."""

    path: str
    handle: int | None
    made_in: "Folder | None" = None
    """The folder above, where this one was made just now."""

    def status(self, name: str) -> os.stat_result:
        return os.stat(self._of(name), dir_fd=self.handle, follow_symlinks=False)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(self._of(name), flags | _ALWAYS, mode, dir_fd=self.handle)

    def may_write(self, name: str) -> bool:
        """Whether the system would let the file be written where it stands."""
        return os.access(self._of(name), os.W_OK, dir_fd=self.handle, effective_ids=EFFECTIVE)

    def replace(self, source: str, name: str) -> None:
        os.replace(self._of(source), self._of(name), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def link(self, source: str, name: str) -> None:
        """A second name for a file. It fails where there is something under that name."""
        os.link(self._of(source), self._of(name), src_dir_fd=self.handle, dst_dir_fd=self.handle, follow_symlinks=False)

    def remove(self, name: str) -> None:
        os.unlink(self._of(name), dir_fd=self.handle)

    def remove_folder(self, name: str) -> None:
        os.rmdir(self._of(name), dir_fd=self.handle)

    def make(self, name: str) -> None:
        os.mkdir(self._of(name), dir_fd=self.handle)

    def entries(self) -> "Iterator[os.DirEntry[str]]":
        """What is in it, one by one."""
        # The handle may be one that only leads further: it is opened again for reading.
        readable = self.path if self.handle is None else os.open(".", os.O_RDONLY | _CLOEXEC, dir_fd=self.handle)
        try:
            with os.scandir(readable) as entries:
                yield from entries
        finally:
            if isinstance(readable, int):
                release(readable)

    def sync(self) -> bool:
        """Makes the names last. False where the system failed to; where it cannot be asked, nothing is known better."""
        above = self.made_in is None or self.made_in.sync()
        return self._sync_itself() and above

    def _sync_itself(self) -> bool:
        if self.handle is None:
            return True
        try:
            readable = os.open(".", os.O_RDONLY | _CLOEXEC, dir_fd=self.handle)
            try:
                os.fsync(readable)
            finally:
                os.close(readable)
        except OSError as fault:
            return fault.errno in _NO_SYNC
        return True

    def enter(self, name: str) -> "Folder":
        """The folder of this name, which must not be a link."""
        path = self.path_of(name)
        if self.handle is None:
            _refuse_links(path)
            return Folder(path, None)
        return Folder(path, os.open(name, _STEP, dir_fd=self.handle))

    def path_of(self, name: str) -> str:
        return os.path.join(self.path, name)

    def close(self) -> None:
        if self.handle is not None:
            release(self.handle)

    def _of(self, name: str) -> str:
        return name if self.handle is not None else self.path_of(name)


def release(handle: int) -> None:
    """Closes a handle through which nothing was written: what the system says then is no news about the call."""
    with suppress(OSError):
        os.close(handle)


@contextmanager
def folder_of(target: Target, *, make: bool = False) -> Iterator[Folder]:
    """The folder that holds the target. `make` makes what is missing, and takes it away again where the block fails."""
    if target.anchor.path == target.real:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with _held(target, target.folder, make=make) as folder:
        yield folder


@contextmanager
def folder_itself(target: Target) -> Iterator[Folder]:
    """The target, which must be a folder."""
    with _held(target, target.real, make=False) as folder:
        yield folder


@contextmanager
def _held(target: Target, path: str, *, make: bool) -> Iterator[Folder]:
    if target.loops:
        raise too_many_links(target.real)
    chain = [_anchored(target.anchor)]
    try:
        for name in _below(target.anchor.path, path, make=make):
            chain.append(_entered(chain[-1], name, make=make))
        yield chain[-1]
    except BaseException:
        for folder in reversed(chain):
            _take_away(folder)
        raise
    finally:
        for folder in chain:
            folder.close()


def _take_away(folder: Folder) -> None:
    if folder.made_in is not None:
        with suppress(OSError):
            folder.made_in.remove_folder(os.path.basename(folder.path))


def _below(anchor: str, path: str, *, make: bool) -> list[str]:
    names = [name for name in path[len(anchor) :].split(os.sep) if name]
    if make and len(names) > MOST_NEW_FOLDERS:
        raise too_deep(len(names))
    return names


def too_deep(folders: int) -> ToolFault:
    """Each folder that is made is held until the file stands, and what a process may hold is limited."""
    return ToolFault("too_deep", f"This would make {folders} folders; one call makes {MOST_NEW_FOLDERS} at most.")


def _entered(folder: Folder, name: str, *, make: bool) -> Folder:
    try:
        return folder.enter(name)
    except FileNotFoundError:
        if not make:
            raise
    try:
        folder.make(name)
    except FileExistsError:
        # Another call made it meanwhile, or it is none: entering tells.
        return folder.enter(name)
    try:
        return replace(folder.enter(name), made_in=folder)
    except OSError:
        with suppress(OSError):
            folder.remove_folder(name)
        raise


def _anchored(anchor: Anchor) -> Folder:
    if not _HANDLES:
        _refuse_links(anchor.path)
        _check_same(os.lstat(anchor.path), anchor)
        return Folder(anchor.path, None)
    handle = _descend(anchor.path)
    try:
        _check_same(os.fstat(handle), anchor)
    except BaseException:
        release(handle)
        raise
    return Folder(anchor.path, handle)


def _check_same(status: os.stat_result, anchor: Anchor) -> None:
    if (status.st_dev, status.st_ino) != (anchor.device, anchor.inode):
        raise changed(anchor.path, "it is another folder now, and nothing in it was touched")


def _descend(path: str) -> int:
    handle = os.open("/", _STEP)
    try:
        if openat2.takes(path):
            return openat2.open_beneath(handle, path.strip("/") or ".", _STEP)
        for name in path.split("/"):
            if name:
                below = os.open(name, _STEP, dir_fd=handle)
                release(handle)
                handle = below
        return os.dup(handle)
    finally:
        release(handle)


def _refuse_links(path: str) -> None:
    if os.path.realpath(path) != path and os.path.lexists(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
