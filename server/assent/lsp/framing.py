"""Where one message ends and the next begins: bytes in, frames out, without I/O.

A header that leaves the length in doubt breaks the stream for good. Looking for the next header instead would be a
guess, and a header can stand inside a chat message: a smuggled answer would run something.
"""

import re

from assent.lazy_dataclasses import dataclass

MAX_HEADER = 8 * 1024
MAX_BODY = 64 * 1024 * 1024

_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_DIGITS = re.compile(rb"[0-9]{1,20}")


@dataclass(frozen=True, slots=True)
class Frame:
    """One whole message body."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Broken:
    """The stream cannot be read any further."""

    reason: str


class FrameParser:
    """Takes a stream in pieces of any size. After `Broken` it takes nothing more."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._header_size = 0
        self._length: int | None = None
        self._in_body = False
        self._broken = False

    def feed(self, data: bytes) -> list[Frame | Broken]:
        """What the new bytes complete."""
        events: list[Frame | Broken] = []
        if self._broken:
            return events
        self._buffer += data
        while (event := self._step()) is not None:
            events.append(event)
            if isinstance(event, Broken):
                self._broken = True
                self._buffer.clear()
                break
        return events

    def end(self) -> Broken | None:
        """The stream is over: a fault where that was inside of a message."""
        if self._broken or (not self._buffer and not self._header_size):
            return None
        self._broken = True
        return Broken("the stream ended inside a body" if self._in_body else "the stream ended inside a header")

    def _step(self) -> Frame | Broken | None:
        if not self._in_body and (fault := self._read_header()) is not None:
            return fault
        if not self._in_body or self._length is None or len(self._buffer) < self._length:
            return None
        body = bytes(memoryview(self._buffer)[: self._length])
        del self._buffer[: self._length]
        self._in_body, self._length, self._header_size, self._searched = False, None, 0, 0
        return Frame(body)

    def _read_header(self) -> Broken | None:
        while not self._in_body:
            end = self._buffer.find(b"\n", self._searched)
            seen = end + 1 if end >= 0 else len(self._buffer)
            if self._header_size + seen > MAX_HEADER:
                return Broken(f"the header is longer than {MAX_HEADER} bytes")
            if end < 0:
                self._searched = seen
                return None
            line = bytes(self._buffer[:end]).removesuffix(b"\r")
            del self._buffer[:seen]
            self._header_size += seen
            self._searched = 0
            if (fault := self._header_line(line)) is not None:
                return fault
        return None

    def _header_line(self, line: bytes) -> Broken | None:
        if not line:
            self._in_body = True
            return Broken("the header has no Content-Length") if self._length is None else None
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name) or _CONTROL.search(line):
            return Broken("a header line is malformed")
        return self._content_length(value.strip(b" \t")) if name.lower() == b"content-length" else None

    def _content_length(self, value: bytes) -> Broken | None:
        if self._length is not None:
            return Broken("the header has more than one Content-Length")
        if not _DIGITS.fullmatch(value):
            return Broken("the Content-Length is not a plain number")
        length = int(value)
        if length > MAX_BODY:
            return Broken(f"the message is longer than {MAX_BODY} bytes")
        self._length = length
        return None


def framed(body: bytes) -> bytes:
    """The body with the header that it travels with."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
