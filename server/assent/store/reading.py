"""Looking into the database beside the one that writes: a connection of its own that can change nothing."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from assent.jsontext import NotJson, read_json
from assent.model.errors import InvalidRequest
from assent.store import schema
from assent.store.database import FILE, HEAD_FILE, files_of
from assent.store.faults import BUSY_SECONDS, Damaged, is_damage
from assent.store.head import Head
from assent.store.regular import require_file

Looking: TypeAlias = sqlite3.Connection
"""A connection that changes nothing, for those who need not know what kind of database it leads to."""


_STEPS = 20_000
"""Steps of SQLite's machine, some of which take a microsecond, between two looks whether to go on."""


class NoHistory(InvalidRequest):
    """Nothing was written down yet."""


class HistoryUnreadable(InvalidRequest):
    """There is a history, and it cannot be read for now, or not by this version."""


class HistoryDamaged(HistoryUnreadable):
    """What is there is no history that anybody could read."""


def head_in(directory: Path) -> Head:
    """The head that belongs to the history in this folder."""
    return Head(directory / HEAD_FILE)


Stopped = Callable[[], bool]
"""Asked now and then, from the thread that looks, whether nobody wants to know any more."""


def never() -> bool:
    """Looks until all is seen."""
    return False


@contextmanager
def reading(directory: Path, stopped: Stopped = never) -> Iterator[sqlite3.Connection]:
    """The history in this state directory, only to be read."""
    path = directory / FILE
    try:
        for name in files_of(path):
            require_file(name)
        path.stat()
    except FileNotFoundError:
        raise NoHistory(f"There is no history yet: {path} does not exist.") from None
    except OSError as fault:
        raise HistoryUnreadable(f"The history in {fault.filename} cannot be opened ({fault.strerror}).") from fault
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    except sqlite3.Error as fault:
        raise HistoryUnreadable(f"The history in {path} cannot be opened ({fault}).") from fault
    try:
        connection.set_progress_handler(stopped, _STEPS)
        _require_known(connection, path)
        yield connection
    except (sqlite3.Error, Damaged) as fault:
        raise _unreadable(fault, path) from fault
    finally:
        connection.close()


def fields_of(body: object) -> dict[str, object]:
    """The fields of an entry's text. One that somebody broke says so; checking the history says more."""
    try:
        fields = read_json(body) if isinstance(body, str | bytes) else None
    except NotJson:
        fields = None
    if isinstance(fields, dict):
        return fields
    return {"stage": "finished", "text": "This entry cannot be read: it is not as it was written."}


def _require_known(connection: sqlite3.Connection, path: Path) -> None:
    """Every earlier version had the tables that are looked into, so only a later one is refused."""
    version = schema.version_of(connection)
    if version == 0:
        raise NoHistory(f"There is no history yet: {path} is empty.")
    if version > schema.VERSION:
        raise HistoryUnreadable(f"A newer version of Assent wrote {path}, and this one cannot read it. Update Assent.")


def _unreadable(fault: Exception, path: Path) -> HistoryUnreadable:
    if isinstance(fault, Damaged) or (isinstance(fault, sqlite3.Error) and is_damage(fault)):
        return HistoryDamaged(
            f"The history in {path} is damaged ({fault}). It is set aside, and a fresh one begun, with the next write."
        )
    return HistoryUnreadable(f"The history in {path} cannot be read for now ({fault}). Try again.")
