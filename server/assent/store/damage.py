"""Setting a damaged database aside, so that nothing of it is lost and a fresh one can begin."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from assent.runtime.clock import SystemClock
from assent.store.head import Head, HeadUnreadable, sync_folder

DAMAGED = "damaged"
"""What names of files begin with that were set aside, after the name of the database."""


def set_aside(path: Path, head: Head, why: str, close: Callable[[], None]) -> str:
    """Renames the database, its log and its head, and says in words what was done. The caller holds the lock."""
    kept = free_name(path, DAMAGED)
    suffix = kept.name.removeprefix(path.name)
    said = _what_head_says(head)
    if sys.platform == "win32":
        # There, what is open keeps its name.
        close()
    # First the database itself: a log whose database is gone is never read again.
    path.rename(kept)
    for name in (f"{path.name}-wal", head.path.name):
        with suppress(FileNotFoundError):
            path.with_name(name).rename(path.with_name(f"{name}{suffix}"))
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}-shm").unlink()
    # Only now: under its own name, SQLite would have written the log into the file before it let go of it.
    close()
    sync_folder(path.parent)
    return (
        f"The database could not be read ({why}). It was set aside as {kept.name}; a fresh one begins here. "
        f"{said} Chats that were kept in it do not come back by themselves."
    )


def _what_head_says(head: Head) -> str:
    try:
        link = head.read()
    except HeadUnreadable as fault:
        return f"How many entries its history had is not known: {fault}."
    return f"Its history had {link.n} entries, the last with the hash {link.hash}."


def free_name(path: Path, why: str) -> Path:
    """A name beside the database that nothing has yet, with the time in it."""
    mark = f"{why}-{re.sub('[-:]', '', SystemClock().timestamp())[:15]}Z"
    name = path.with_name(f"{path.name}.{mark}")
    number = 2
    while name.exists():
        name = path.with_name(f"{path.name}.{mark}-{number}")
        number += 1
    return name
