"""Bytes of a stream to events, however they are cut up. Bounded: what is longer than any event is a fault."""

import codecs
from collections.abc import Iterator
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ProviderFault
from assent.providers.dialect import Framing

MOST_BYTES = 8 * 1024 * 1024
"""Of one event. Arguments of calls come in many events; a single one of this size is no answer."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of a stream."""

    name: str
    data: str


class Framer(Protocol):
    """Divides a stream. What stands after the last divider is told by `end`."""

    def feed(self, data: bytes) -> Iterator[StreamEvent]: ...

    def end(self) -> Iterator[StreamEvent]: ...


def framer(framing: Framing, most_bytes: int = MOST_BYTES) -> Framer:
    """A new one for one stream."""
    return ServerSentEvents(most_bytes) if framing is Framing.SSE else Lines(most_bytes)


class _LineCutter:
    """Whole lines of text from bytes. Ends are LF, CRLF and, where so chosen, CR alone."""

    def __init__(self, most_bytes: int, *, cr_ends: bool = False) -> None:
        self._cr_ends = cr_ends
        self._after_cr = False
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest: list[str] = []
        self._size = 0
        self._most = most_bytes

    def feed(self, data: bytes) -> Iterator[str]:
        text = self._decoder.decode(data)
        if self._cr_ends:
            text = self._with_one_end(text)
        *lines, rest = text.split("\n")
        for line in lines:
            self._add(line)
            yield "".join(self._rest).removesuffix("\r")
            self._rest, self._size = [], 0
        self._add(rest)

    def end(self) -> str:
        self._add(self._decoder.decode(b"", final=True))
        rest, self._rest = "".join(self._rest), []
        return rest.removesuffix("\r")

    def _with_one_end(self, text: str) -> str:
        """LF for every end. A CR counts at once; the LF that may follow it in the next piece is none of its own."""
        if text:
            rest = text.removeprefix("\n") if self._after_cr else text
            self._after_cr = text.endswith("\r")
            text = rest.replace("\r\n", "\n").replace("\r", "\n")
        return text

    def _add(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > self._most:
            raise too_big(self._most)
        if piece:
            self._rest.append(piece)


class Lines:
    """An event a line; empty lines are none."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._lines = _LineCutter(most_bytes)

    def feed(self, data: bytes) -> Iterator[StreamEvent]:
        """The lines that these bytes complete."""
        for line in self._lines.feed(data):
            if line.strip():
                yield StreamEvent("", line)

    def end(self) -> Iterator[StreamEvent]:
        """A last line without a line end: whether it is whole is for its reader to say."""
        line = self._lines.end()
        if line.strip():
            yield StreamEvent("", line)


class ServerSentEvents:
    """Events of a text/event-stream. One that no empty line ended is not told: it may be half of one."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._lines = _LineCutter(most_bytes, cr_ends=True)
        self._most = most_bytes
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[StreamEvent]:
        """The events that these bytes complete."""
        for line in self._lines.feed(data):
            event = self._line(line)
            if event is not None:
                yield event

    def end(self) -> Iterator[StreamEvent]:
        """Nothing more: an unfinished event is no event."""
        return iter(())

    def _line(self, line: str) -> StreamEvent | None:
        if not line:
            name, data = self._name, self._data
            self._name, self._data, self._size = "", [], 0
            return StreamEvent(name, "\n".join(data)) if data else None
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field in ("data", "error"):
            # Some builds of llama.cpp report a fault in a field of their own, and then say that all is done.
            self._name = field if field == "error" else self._name
            self._size += len(value)
            if self._size > self._most:
                raise too_big(self._most)
            self._data.append(value)
        return None


def too_big(most: int) -> ProviderFault:
    """What is said of an event that is longer than any event is."""
    return ProviderFault("event_too_big", f"The model's server sent a single event of more than {most >> 20} MB.")
