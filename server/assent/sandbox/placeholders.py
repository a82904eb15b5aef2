"""Stand-ins for protected things that do not exist, so that a command cannot make them: what is there can be held.

Each is made for as long as some command needs it, noted on the disk before, and removed when nobody needs it any more.
The note is locked by every process that needs the stand-in; what a crashed one has left is removed by the next.
"""
# ruff: noqa: PTH102, PTH103, PTH106, PTH108, PTH116, PTH118 - names as the system spells them, and its own errors

import errno
import hashlib
import json
import os
import stat
import sys
import threading
from contextlib import suppress

from assent.lazy_dataclasses import dataclass

if sys.platform != "win32":
    import fcntl

NAMES = (".vscode", ".git", ".assent")
"""What a workspace folder always has while a command runs in it."""
GIT_FOLDERS = ("hooks", "info")
GIT_FILES = {"config": "", "commondir": ".\n", "config.worktree": ""}
"""With these words git does what it does without the file."""


@dataclass(slots=True)
class _Standing:
    users: int
    note: int
    identity: tuple[int, int] | None
    """None where it was there before: it is not ours to remove."""


class Placeholders:
    """The stand-ins that this process needs now."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._standing: dict[str, _Standing] = {}
        self._lock = threading.Lock()
        self._swept = False

    def make(self, path: str, content: str | None) -> bool:
        """Sees to it that something stands there until `release`: a folder, or a file. Whether it does.

        Where it could not be made because the folder cannot be written to, nobody else can make it either. Everything
        else that goes wrong raises OSError.
        """
        with self._lock:
            known = self._standing.get(path)
            if known is not None:
                known.users += 1
                return True
            note = self._noted(path)
            try:
                identity = _made(path, content)
            except (PermissionError, NotADirectoryError, FileNotFoundError):
                _dropped(note, self._note(path))
                return False
            except OSError as fault:
                _dropped(note, self._note(path))
                if fault.errno == errno.EROFS:
                    return False
                raise
            if identity is not None:
                os.pwrite(note, json.dumps([path, *identity]).encode(), 0)
            self._standing[path] = _Standing(1, note, identity)
            return True

    def is_known(self, path: str) -> bool:
        """Whether some command of this process needs it now."""
        with self._lock:
            return path in self._standing

    def release(self, path: str) -> None:
        """One command less needs it. Removed where nobody does and it is as it was made."""
        with self._lock:
            known = self._standing.get(path)
            if known is None:
                return
            known.users -= 1
            if known.users == 0:
                del self._standing[path]
                _cleared(known.note, self._note(path))

    def _noted(self, path: str) -> int:
        """The note about this path, open and locked together with others who need it."""
        name = self._note(path)
        while True:
            try:
                note = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except FileNotFoundError:
                os.makedirs(self._directory, mode=0o700, exist_ok=True)
                continue
            fcntl.flock(note, fcntl.LOCK_SH)
            if _is_same(note, name):
                return note
            os.close(note)

    def _note(self, path: str) -> str:
        return os.path.join(self._directory, hashlib.sha256(os.fsencode(path)).hexdigest()[:32])

    def sweep(self) -> None:
        """Removes what processes that are gone have left. Once is enough: nobody leaves anything while we live."""
        with self._lock:
            if self._swept:
                return
            self._swept = True
            with suppress(OSError):
                for name in os.listdir(self._directory):  # noqa: PTH208 - names, not paths
                    path = os.path.join(self._directory, name)
                    with suppress(OSError):
                        _cleared(os.open(path, os.O_RDWR | os.O_CLOEXEC), path)


def _made(path: str, content: str | None) -> tuple[int, int] | None:
    """Makes it and says what it is. None where something is there."""
    try:
        if content is None:
            os.mkdir(path, 0o755)
        else:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            try:
                os.write(descriptor, content.encode())
            finally:
                os.close(descriptor)
    except FileExistsError:
        return None
    return _identity(path)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _cleared(note: int, name: str) -> None:
    """Removes what the note is about, and the note, where no other process needs them."""
    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(note)
        return
    with suppress(OSError, ValueError, TypeError):
        path, *identity = json.loads(os.pread(note, 8_192, 0))
        if _identity(path) == tuple(identity):
            _removed(path)
    _dropped(note, name)


def _removed(path: str) -> None:
    found = os.lstat(path)
    if stat.S_ISDIR(found.st_mode):
        os.rmdir(path)
        return
    with open(path, "rb") as file:  # noqa: PTH123
        content = file.read(64)
    if content.decode("utf-8", "replace") == GIT_FILES.get(os.path.basename(path)):  # noqa: PTH119
        os.unlink(path)


def _dropped(note: int, name: str) -> None:
    with suppress(OSError):
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_same(note, name):
            os.unlink(name)
    os.close(note)


def _is_same(descriptor: int, name: str) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), os.stat(name))
    return False
