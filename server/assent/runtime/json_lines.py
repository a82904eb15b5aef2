"""What a program prints, taken apart: one JSON object a line. Whatever else it prints is garbage, and harms nothing."""

import re
from collections.abc import Iterator
from typing import Any

from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass

MOST = 64 * 1024 * 1024
"""Bytes of one line. A longer one is dropped as it comes."""
MOST_PARTS = 250_000
"""Values in one line: a few bytes of text can make much of a small thing."""
HEAD = 200
"""Bytes of garbage that are shown."""
_BLANK = b" \t\r\n"
_SEPARATORS = b",[{"
_TEXT_IN_JSON = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""One that does not end goes to the end of the line: so each byte is looked at once."""


@dataclass(frozen=True, slots=True)
class Message:
    """A line that is a JSON object."""

    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Garbage:
    """A line that says nothing in this protocol."""

    reason: str
    head: str
    """How it begins."""


class Lines:
    """Takes bytes as they come, cut anywhere, and gives what they say as soon as a line is complete."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept = bytearray()
        """The line so far; of one that is too long its beginning only."""
        self._size = 0

    def take(self, data: bytes) -> Iterator[Message | Garbage]:
        """The next bytes, and what the lines that end in them say. They are taken as far as this is followed."""
        at = 0
        while (end := data.find(b"\n", at)) >= 0:
            self._add(data[at:end])
            at = end + 1
            if (said := self._said()) is not None:
                yield said
        self._add(data[at:])

    @property
    def is_too_long(self) -> bool:
        """Whether the line that comes now is longer than any may be, wherever it may end."""
        return self._size > self._most

    def end(self) -> Garbage | None:
        """No more comes. What is left was cut off, whatever it looks like."""
        line, size = self._next()
        if size > self._most:
            return self._too_long(line, size)
        return Garbage("it ends in the middle of a line", _head(line)) if line.strip(_BLANK) else None

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._most:
            self._kept += piece
        else:
            self._kept += piece[:HEAD]
            del self._kept[HEAD:]

    def _next(self) -> tuple[bytes, int]:
        line, size = bytes(self._kept), self._size
        # A new one, because an array that was cleared keeps the memory of its longest line.
        self._kept, self._size = bytearray(), 0
        return line, size

    def _said(self) -> Message | Garbage | None:
        line, size = self._next()
        if size > self._most:
            return self._too_long(line, size)
        return read_line(line) if line.strip(_BLANK) else None

    def _too_long(self, line: bytes, size: int) -> Garbage:
        return Garbage(f"a line of {size} bytes, where {self._most} are the most", _head(line))


def read_line(line: bytes) -> Message | Garbage:
    """What a line says that holds more than blanks."""
    if _has_too_many_parts(line):
        return Garbage(f"more than {MOST_PARTS} values in one line", _head(line))
    try:
        value = read_json(line, each_name_once=True)
    except NotJson as fault:
        return Garbage(f"no JSON: {fault}", _head(line))
    if isinstance(value, dict):
        return Message(value)
    return Garbage("several messages in one line" if isinstance(value, list) else "no object", _head(line))


def _has_too_many_parts(line: bytes) -> bool:
    # No line parts more values than it has bytes.
    if len(line) <= MOST_PARTS or _parts(line) <= MOST_PARTS:
        return False
    # Most of them may stand in texts, such as the content of a file, where they part nothing.
    return _parts(_TEXT_IN_JSON.sub(b"", line)) > MOST_PARTS


def _parts(line: bytes) -> int:
    return sum(line.count(sign) for sign in _SEPARATORS)


def _head(line: bytes) -> str:
    text = line[:HEAD].decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()
