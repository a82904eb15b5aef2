"""Saving what an open file still holds after its name was taken from it: once closed, the system throws it away."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from assent.store.damage import DAMAGED, free_name
from assent.store.faults import is_damage
from assent.store.head import sync_folder
from assent.store.history import hash_of
from assent.store.seen import Seen

_REPLACED = "replaced"


def was_set_aside(path: Path, file: tuple[int, ...]) -> bool:
    """Whether the database with this device and number was set aside as damaged, by whatever window."""
    for name in path.parent.glob(f"{path.name}.{DAMAGED}-*"):
        with suppress(OSError):
            found = name.lstat()
            if (found.st_dev, found.st_ino) == file:
                return True
    return False


def save_open(connection: sqlite3.Connection, path: Path, seen: Seen) -> str:
    """Copies the open database beside the one that has its name now, and says so. Raises where it may succeed later."""
    saved = _saved_by_another(path, seen)
    if saved is None:
        saved = free_name(path, _REPLACED)
        try:
            _copy(connection, saved)
        except sqlite3.DatabaseError as fault:
            saved.unlink(missing_ok=True)
            if not is_damage(fault):
                raise
            return f"What was still open of it could not be saved: it is damaged ({fault})."
    return f"What was there is saved as {saved.name}."


def drop_log(path: Path, log: tuple[int, ...]) -> None:
    """Takes the log of a saved database away: SQLite would read it as one of the file that has the name now."""
    name = path.with_name(f"{path.name}-wal")
    with suppress(FileNotFoundError):
        found = name.lstat()
        if (found.st_dev, found.st_ino) == log:
            name.unlink()
            path.with_name(f"{path.name}-shm").unlink(missing_ok=True)


def _copy(connection: sqlite3.Connection, saved: Path) -> None:
    os.close(os.open(saved, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(saved)) as target:
        connection.backup(target)
    sync_folder(saved.parent)


def _saved_by_another(path: Path, seen: Seen) -> Path | None:
    """A copy that another window has made, where it holds what this one knows of."""
    for name in sorted(path.parent.glob(f"{path.name}.{_REPLACED}-*")):
        address = f"{name.absolute().as_uri()}?mode=ro&immutable=1"
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
            if hash_of(connection, seen.end.n) == seen.end.hash:
                return name
    return None
