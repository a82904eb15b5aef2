"""What stands in a hundred entries, in one page: which three letters or digits follow each other somewhere in them.

A search for words need not look where one of its threes is missing. A gist decides nothing else: what has none is
looked at, and checking the history compares it with the texts. How it is made must stay as it is, or be kept in another
table.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assent.jsontext import NotJson, read_json

SPAN = 128
"""Numbers of entries that one gist is about."""
SEARCHED = ("headline", "args", "text", "reason")
"""The fields that words are looked for in."""

_BITS = 32_000
"""As many as fit into one page of the database, beside what belongs to the row."""
_EVERY = 8
"""After so many entries it is looked whether a gist can be made; SPAN is a multiple of it."""
_MOST_AT_ONCE = 2
"""So that a long history without gists holds nobody up: it comes to them bit by bit."""
_PLAIN = re.compile(r"[a-z0-9]{3,}")

VERSION_2 = ("CREATE TABLE gists (span INTEGER PRIMARY KEY, bits BLOB NOT NULL)",)


def follow(connection: sqlite3.Connection, n: int) -> None:
    """Makes gists of what is complete now that there is an entry with this number."""
    if (n + 1) % _EVERY:
        return
    if (n + 1) % SPAN == 0:
        # What is told of entries from here on was said of others, which were cut off.
        connection.execute("DELETE FROM gists WHERE span >= ?", (n // SPAN,))
    last = connection.execute("SELECT max(span) FROM gists").fetchone()[0]
    begin = 0 if last is None else (last + 1) * SPAN
    for _ in range(_MOST_AT_ONCE):
        row = connection.execute("SELECT n FROM entries WHERE n >= ? ORDER BY n LIMIT 1", (begin,)).fetchone()
        if row is None or not is_complete(row[0] // SPAN, n):
            return
        span = row[0] // SPAN
        begin = (span + 1) * SPAN
        bodies = connection.execute("SELECT body FROM entries WHERE n >= ? AND n < ?", (span * SPAN, begin))
        gist = gist_of(texts_of(_fields(body)) for (body,) in bodies)
        connection.execute("INSERT INTO gists (span, bits) VALUES (?, ?)", (span, gist))


def is_complete(span: int, end: int) -> bool:
    """Whether nothing comes to these entries any more once there is one with this number."""
    return (span + 1) * SPAN <= end + 1


def texts_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """What words are looked for in."""
    return tuple(text for text in map(fields.get, SEARCHED) if isinstance(text, str))


def gist_of(texts: Iterable[tuple[str, ...]]) -> bytes:
    """The gist of entries that say this."""
    # Most is said again and again: a call has several entries, and calls resemble each other.
    said = {text for several in texts for text in several}
    words = {word for text in said for word in _PLAIN.findall(text.lower())}
    bits = bytearray(_BITS // 8)
    for place in _places(words):
        bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def lacks(gist: object, other: bytes) -> bool:
    """Whether the gist has not all that the other one has."""
    if not isinstance(gist, bytes) or len(gist) != len(other):
        return True
    wanted = int.from_bytes(other, "little")
    return int.from_bytes(gist, "little") & wanted != wanted


def are_kept(connection: sqlite3.Connection) -> bool:
    """Whether the file has a place for gists: an older one has none, until it is written to."""
    return (
        connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'gists'").fetchone() is not None
    )


def worth_looking(connection: sqlite3.Connection, runs: tuple[str, ...], top: int) -> Iterator[tuple[int, int]]:
    """Where all these runs of letters and digits may be said below this number: ranges of numbers, [bottom, top), from
    the newest down. The last one has no bottom."""
    # All from this number on was looked at, or need not be.
    done = top
    for span in _spans_without(connection, runs, top // SPAN):
        if (span + 1) * SPAN < done:
            yield (span + 1) * SPAN, done
        done = min(done, span * SPAN)
    yield NO_BOTTOM, done


def _spans_without(connection: sqlite3.Connection, runs: tuple[str, ...], last: int) -> Iterator[int]:
    marks = [(place >> 3, 1 << (place & 7)) for place in _places(set(runs))]
    if not marks or not are_kept(connection):
        return
    end = connection.execute("SELECT max(n) FROM entries").fetchone()[0] or 0
    for span, bits in connection.execute("SELECT span, bits FROM gists WHERE span <= ? ORDER BY span DESC", (last,)):
        usable = is_complete(span, end) and isinstance(bits, bytes) and len(bits) == _BITS // 8
        if usable and not all(bits[at] & mark for at, mark in marks):
            yield span


NO_BOTTOM = -(1 << 62)
"""Lower than any number."""


def _places(words: set[str]) -> set[int]:
    threes = {word[at : at + 3] for word in words for at in range(len(word) - 2)}
    return {int(three, 36) % _BITS for three in threes}


def _fields(body: object) -> Mapping[str, Any]:
    try:
        fields = read_json(body) if isinstance(body, str) else None
    except NotJson:
        fields = None
    return fields if isinstance(fields, dict) else {}
