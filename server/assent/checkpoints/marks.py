"""The marks of roll backs that go on: each stands in its run's folder from before the first file until it is told.

A mark is a file of its own beside the index, so that whether there is one is seen without reading anything, and so that
nothing else that is written down of the run touches it.
"""

import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from assent.checkpoints.begun import MOST_MARK_BYTES, Begun, mark_text, read_mark, without
from assent.checkpoints.kept import Checkpoint, Unreadable, folder_name
from assent.masking import mask_text
from assent.runtime.known_secrets import KnownSecrets

logger = logging.getLogger(__name__)

_MARK = "rolling-back.json"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Marks:
    """Any thread may call; for one run, one at a time."""

    def __init__(self, folder: Path, secrets: KnownSecrets, index: Callable[[Path], Checkpoint | None]) -> None:
        self._folder = folder
        self._secrets = secrets
        self._index = index

    def begin(self, begun: Begun, copies: Iterable[str]) -> None:
        """Writes it down, so that it outlasts a loss of power; what it needs of the run as well. Raises OSError."""
        hidden = [one for one in begun.files if mask_text(one.path, self._secrets.values)[1]]
        folder = self._folder / folder_name(begun.run_id)
        for one in (self._folder, folder):
            one.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in copies:
            # Where that cannot be done, a copy that is not whole later is seen to be none.
            with suppress(OSError):
                _sync(folder / name, os.O_RDONLY)
        beside = folder / f"{_MARK}.new"
        with suppress(FileNotFoundError):
            beside.unlink()
        try:
            with os.fdopen(os.open(beside, _NEW, 0o600), "wb") as stream:
                stream.write(mark_text(without(begun, hidden)))
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(folder / _MARK)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise
        for one in (folder, self._folder):
            _sync_folder(one)

    def over(self, run_id: str) -> None:
        """It is done with, and told. A mark that cannot be taken away is found once more: that harms nobody."""
        folder = self._folder / folder_name(run_id)
        try:
            (folder / _MARK).unlink()
        except FileNotFoundError:
            return
        except OSError as fault:
            logger.warning("the mark of a roll back could not be taken away (%s)", type(fault).__name__)
        _sync_folder(folder)

    def all_of(self, session_id: str) -> list[Begun]:
        """The roll backs of a chat that were begun and are not known to be over."""
        try:
            with os.scandir(self._folder) as entries:
                marked = sorted(Path(entry.path) for entry in entries if is_marked(Path(entry.path)))
        except OSError:
            return []
        found = [one for one in map(self._read, marked) if one is not None]
        return [one for one in found if one.session_id == session_id]

    def _read(self, folder: Path) -> Begun | None:
        try:
            with os.fdopen(os.open(folder / _MARK, _READ), "rb") as stream:
                begun = read_mark(stream.read(MOST_MARK_BYTES + 1))
            if folder_name(begun.run_id) == folder.name:
                return begun
        except (OSError, Unreadable):
            pass
        # What it was to do is not known any more; that there was one still has to be said.
        kept = self._index(folder)
        return None if kept is None else Begun(kept.run_id, kept.session_id, readable=False)


def is_marked(folder: Path) -> bool:
    """Whether a roll back of this run was begun and is not known to be over."""
    return os.path.lexists(folder / _MARK)


def _sync_folder(folder: Path) -> None:
    # Not every system lets a folder be opened for this.
    with suppress(OSError):
        _sync(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
