"""Which process a chat belongs to: one lock file a process, held by the operating system for as long as it lives."""

import os
import time
from contextlib import suppress
from pathlib import Path

from assent.runtime.file_lock import take
from assent.runtime.ids import new_id

_SUFFIX = ".lock"
_TRIES = 50
_PAUSE_SECONDS = 0.01


class Owners:
    """This process among those that share the state directory. Everything here blocks: call it from the store's thread.

    A process is alive where its file cannot be locked. Its name is used once, so that a file without a living process
    never comes to stand for another one.
    """

    def __init__(self, folder: Path) -> None:
        self.name = new_id()
        self._folder = folder
        self._file = folder / f"{self.name}{_SUFFIX}"
        self._held: int | None = None

    def claim(self) -> str:
        """The name of this process, from here on known as alive. Raises OSError where the file cannot be made.

        Every time anew: somebody may have tidied up the folder, and a file without a name says nothing to others.
        """
        if self._held is not None and not self._is_named(self._held):
            os.close(self._held)
            self._held = None
        if self._held is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._held = self._hold()
        return self.name

    def alive(self, name: str) -> bool:
        """Whether the process with this name lives. What cannot be told counts as alive: nothing is taken from it."""
        if name == self.name:
            return True
        # The name comes from a file that can be damaged: one that names no file of ours names no process.
        return _could_be(name) and not self._gone(self._folder / f"{name}{_SUFFIX}", remove=False)

    def sweep(self) -> None:
        """Takes away the files of processes that are gone."""
        for file in self._folder.glob(f"*{_SUFFIX}"):
            if file.stem != self.name:
                self._gone(file, remove=True)

    def release(self) -> None:
        """Lets go of everything, because this process ends."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
            with suppress(OSError):
                self._file.unlink()

    def _is_named(self, descriptor: int) -> bool:
        """Whether others who look for this process find the file that it holds."""
        try:
            return os.path.samestat(os.fstat(descriptor), self._file.stat())
        except OSError:
            return False

    def _hold(self) -> int:
        """Another process that looks around may lock, and even remove, the new file in the moment before it is ours."""
        file = self._file
        for _ in range(_TRIES):
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                take(descriptor)
                if os.path.samestat(os.fstat(descriptor), file.stat()):
                    return descriptor
            except OSError:
                time.sleep(_PAUSE_SECONDS)
            os.close(descriptor)
        raise OSError(f"the lock file {file} cannot be held")

    def _gone(self, file: Path, *, remove: bool) -> bool:
        try:
            descriptor = os.open(file, os.O_RDWR)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            take(descriptor)
            if remove:
                # While it is locked: whoever is about to hold this very file notices that it is none any more.
                with suppress(OSError):
                    file.unlink()
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return True


def _could_be(name: str) -> bool:
    return bool(name) and all(char.isascii() and (char.isalnum() or char == "-") for char in name)
