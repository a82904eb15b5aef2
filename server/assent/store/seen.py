"""What this process knows of the history from its own writing, and what the file and its head say against it.

The head alone shows what was done to the database. Where both are exchanged together, only a process that wrote before
can tell: it remembers how far it had come, and in which file.
"""

import sqlite3

from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass
from assent.store import history
from assent.store.chain import START, Link
from assent.store.head import HeadUnreadable


@dataclass(frozen=True, slots=True)
class Seen:
    """How things were when this process last let go of the lock."""

    file: tuple[int, int]
    """Device and number of the database's file."""
    first: str | None
    """The hash of entry 1."""
    end: Link
    head: Link
    """What the head named."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is not as it was, and how the history goes on from there."""

    code: str
    after: Link
    """The link that the next entry is chained to. Numbers are not given twice: a gap stays to be seen."""
    words: str
    head_anew: bool = False
    is_written: bool = False
    """Whether another window has written it down already."""


def compare(
    connection: sqlite3.Connection, end: Link, head: Link | HeadUnreadable, seen: Seen | None, saved: str
) -> Finding | None:
    """The gravest thing that is wrong with the file or its head; None: all is as it was written.

    `saved` is what became of a file that was taken away, in words.
    """
    lost = isinstance(head, HeadUnreadable)
    known = START if isinstance(head, HeadUnreadable) else head
    if seen is not None and end != seen.end and history.hash_of(connection, seen.end.n) != _hash(seen.end):
        return _exchanged(connection, end, known, seen, saved, lost=lost)
    if isinstance(head, HeadUnreadable):
        if end == START:
            return None
        words = f"Whether entries of the history are missing at its end is not known: {head}."
        return Finding(history.HEAD_LOST, end, words, head_anew=True)
    if seen is not None and head.n < seen.head.n:
        words = (
            f"The file beside the history that says how far it goes was exchanged for an older one while Assent ran: "
            f"it named entry {seen.head.n} and names entry {head.n} now. No entry that was written here is missing."
        )
        return Finding(history.HEAD_LOST, end, words)
    return _short_of_head(connection, end, head)


def _short_of_head(connection: sqlite3.Connection, end: Link, head: Link) -> Finding | None:
    if head.n > end.n:
        words = (
            f"{_missing(end.n, head.n)} at the end of the history: written once, and removed or lost by the disk since."
        )
        return Finding(history.CUT, head, words)
    if head.n and history.hash_of(connection, head.n) != head.hash:
        words = f"The history is another than was written: its entry {head.n} is not the one that its head names."
        return Finding(history.REPLACED, end, words)
    return None


def _exchanged(connection: sqlite3.Connection, end: Link, head: Link, seen: Seen, saved: str, *, lost: bool) -> Finding:
    told = _told_already(connection, seen.end.n)
    if told is not None:
        return Finding(history.CUT, end, told, is_written=True)
    after = max(end, seen.end, head, key=lambda link: link.n)
    is_another = end != START and history.hash_of(connection, 1) != seen.first
    if end == START:
        what = f"The history was taken away while Assent ran. {_missing(0, seen.end.n)} now."
    elif is_another:
        what = f"The history was exchanged for another one while Assent ran: entry {seen.end.n} is not what it was."
    elif end.n < seen.end.n:
        what = f"The history was exchanged for an older copy while Assent ran. {_missing(end.n, seen.end.n)} now."
    else:
        what = f"The history was changed while Assent ran: entry {seen.end.n} is not what it was."
    words = (
        f"{what} {saved} New entries go on after entry {after.n}, and checking the history will show this break from "
        "now on. Chats that are open now are not kept over a restart; begin new ones. If you or a program of yours "
        "did this, nothing else is to be done; if not, find out who can write to the folder of the history."
    )
    code = history.REPLACED if is_another or end.n >= seen.end.n else history.CUT
    return Finding(code, after, words, head_anew=lost)


def begun_after_damage(connection: sqlite3.Connection) -> bool:
    """Whether the file says that it began because the one before was set aside."""
    return _notice_after(connection, 0)[0] == history.SET_ASIDE


def _told_already(connection: sqlite3.Connection, after: int) -> str | None:
    """The words of another window that met the same, where they are what follows the last entry that was known."""
    code, text = _notice_after(connection, after)
    return text if code in history.ALARMS else None


def _notice_after(connection: sqlite3.Connection, n: int) -> tuple[str, str]:
    """The code and the words of the next entry after this number."""
    row = connection.execute("SELECT body FROM entries WHERE n > ? ORDER BY n LIMIT 1", (n,)).fetchone()
    try:
        fields = read_json(row[0]) if row is not None and isinstance(row[0], str) else None
    except NotJson:
        fields = None
    return (str(fields.get("code")), str(fields.get("text"))) if isinstance(fields, dict) else ("", "")


def _missing(there: int, last: int) -> str:
    return f"Entry {last} is missing" if last == there + 1 else f"Entries {there + 1} to {last} are missing"


def _hash(link: Link) -> str | None:
    return link.hash if link.n else None
