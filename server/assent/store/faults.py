"""What can keep something from being written down, and the sentence that a person reads about it."""

import errno
import sqlite3
from pathlib import Path

from assent.model.errors import NotRecorded
from assent.store.regular import NoFile

BUSY_SECONDS = 5.0
"""How long another window's writing is waited for."""


class Damaged(sqlite3.DatabaseError):
    """The file is no database of Assent, or not a whole one: for whoever meets it, as if SQLite had found it."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class Unwritable(NotRecorded):
    """Why nothing can be written for now, in words."""


def newer(path: Path) -> Unwritable:
    """The file was written by a later version: this one would spoil it."""
    return Unwritable(
        f"A newer version of Assent wrote {path}, and this version cannot continue it. Nothing ran. "
        "Update Assent, or let ASSENT_STATE_DIR name another folder."
    )


def occupied(path: Path) -> Unwritable:
    """Another process writes and does not end."""
    return Unwritable(
        f"Another window has kept {path} to itself for more than {BUSY_SECONDS:.0f} seconds. Nothing ran. "
        "Wait a moment or close the other window, then try again."
    )


def without_journal(path: Path) -> Unwritable:
    """The file system cannot do what several writers need."""
    return Unwritable(
        f"The file system of {path} does not support shared memory, without which nothing is written down safely. "
        "Nothing ran. Let ASSENT_STATE_DIR name a folder on a local disk."
    )


def failed_inside(fault: BaseException) -> Unwritable:
    """A fault of the program, not of the disk."""
    return Unwritable(
        f"It could not be written down because of a fault inside Assent ({type(fault).__name__}; details are in the "
        "log). Nothing ran. Try again; if it stays, restart the server."
    )


def ended() -> Unwritable:
    """The server is on its way out."""
    return Unwritable("Assent is ending, so nothing is written down any more. Nothing ran. Start it again to go on.")


def taken_away(path: Path) -> Unwritable:
    """The file loses its name again and again."""
    return Unwritable(
        f"The file {path} was moved or deleted while Assent wrote to it, several times. Nothing ran. "
        "Find out which program does that and end it, then try again."
    )


def head_unwritable(path: Path, fault: OSError) -> str:
    """What the user is told: it keeps nothing from being written down."""
    return (
        f"Assent cannot write to {path} ({fault.strerror}), where it notes how far the history goes. The history is "
        "written all the same, but should entries be missing at its end, that might not be noticed. Make this file and "
        "its folder writable for you, or free some space; the next entry is noted there again."
    )


def elsewhere() -> Unwritable:
    """Another process has the chat, and may run the call itself."""
    return Unwritable(
        "This chat is open in another window by now, so this call does not run here. Nothing ran. "
        "Go on with the chat in the other window."
    )


def no_thread() -> Unwritable:
    """The system has no room for the thread that writes."""
    return Unwritable(
        "The system lets Assent start no further thread, so nothing can be written down. Nothing ran. "
        "Close programs that need much memory, then try again."
    )


def is_damage(fault: sqlite3.Error) -> bool:
    """Whether the file itself is broken, so that trying again would not help."""
    return _primary(fault) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_of_the_disk(fault: sqlite3.Error) -> bool:
    """Whether it would have met any other job as well."""
    return _primary(fault) in _OF_THE_DISK


def passes_by_itself(fault: sqlite3.Error | OSError) -> bool:
    """Whether the open file is as good as before; after any other fault it is opened anew."""
    passing = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(fault, sqlite3.Error) and _primary(fault) in passing


def in_words(fault: sqlite3.Error | OSError, path: Path) -> Unwritable:
    """The fault as what is told to whoever waits."""
    if isinstance(fault, OSError):
        return _of_system(fault, path)
    match _primary(fault):
        case sqlite3.SQLITE_FULL:
            return _full(path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return occupied(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            return _forbidden(path, str(fault))
    return Unwritable(
        f"The disk did not take it ({path}: {fault}). Nothing ran. Look whether the disk is full or failing, "
        "then try again."
    )


def _of_system(fault: OSError, path: Path) -> Unwritable:
    if isinstance(fault.filename, str) and Path(fault.filename).is_absolute():
        # What really failed, such as a file beside the database.
        path = Path(fault.filename)
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _full(path)
    if isinstance(fault, NoFile):
        return _in_the_way(path, fault)
    return _forbidden(path, fault.strerror or str(fault))


def _in_the_way(path: Path, fault: NoFile) -> Unwritable:
    return Unwritable(
        f"Assent cannot write to {path}: {fault.strerror}. Nothing ran. Move it away, then try again; "
        "the file that belongs there is made by itself."
    )


def _full(path: Path) -> Unwritable:
    return Unwritable(f"The disk is full ({path}). Nothing ran. Free some space and answer again.")


def _forbidden(path: Path, why: str) -> Unwritable:
    return Unwritable(
        f"Assent cannot write to {path} ({why}). Nothing ran. Make this file and its folder writable for you, "
        "then try again."
    )


def _primary(fault: sqlite3.Error) -> int:
    """The code without its finer part; one that SQLite did not raise has none."""
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF


_OF_THE_DISK = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PROTOCOL,
}
