"""What a command prints, as text with a cursor: the end of it is kept, and how much is not kept any more is known.

Both streams stand in it in the order in which they came. A change of stream is marked by a line of its own, so that
nothing that a program prints can be mistaken for the other stream without the mark being there.
"""

import codecs
from collections import deque
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.runtime.processes import Stream

LONGEST_LINE = 16 * 1024
"""Characters of one line that are kept; what follows in it is only counted."""
MARKS = {Stream.OUTPUT: "[standard output]\n", Stream.ERRORS: "[standard error]\n"}


@dataclass(frozen=True, slots=True)
class Piece:
    """What was printed from a cursor on, and the cursor for what follows."""

    text: str
    next_cursor: int
    dropped: int = 0
    """Characters from the cursor on that are not kept any more."""


@dataclass(slots=True)
class _Line:
    """The line that a stream is in."""

    decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("backslashreplace")
    )
    length: int = 0
    left_out: int = 0


class Output:
    """Takes bytes as they come and keeps no more than `most` characters of text, the latest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._chunks: deque[str] = deque()
        self._kept = 0
        self._total = 0
        self._lines = {stream: _Line() for stream in Stream}
        self._last = Stream.OUTPUT
        self._at_line_start = True

    @property
    def total(self) -> int:
        """The characters printed so far: the cursor of the end."""
        return self._total

    @property
    def dropped(self) -> int:
        """The characters at the beginning that are not kept any more."""
        return self._total - self._kept

    def add(self, stream: Stream, data: bytes) -> str:
        """The next bytes of a stream; what of it became text. A character that is not whole yet waits for its rest."""
        return self._take(stream, self._lines[stream].decoder.decode(data))

    def close(self) -> str:
        """Nothing more comes: what was left of torn characters, and of lines that were too long, is said."""
        rest = [self._take(stream, line.decoder.decode(b"", final=True)) for stream, line in self._lines.items()]
        rest += [self._put(stream, _gap(line)) for stream, line in self._lines.items() if line.left_out]
        return "".join(rest)

    def read(self, cursor: int | None = None) -> Piece:
        """From this cursor on; from the first that is kept, where there is none. One beyond the end reads nothing."""
        wanted = self.dropped if cursor is None else max(0, cursor)
        start = min(max(wanted, self.dropped), self._total)
        text = "".join(self._chunks)[start - self.dropped :]
        lost = self.dropped if cursor is None else max(0, self.dropped - wanted)
        return Piece(text, self._total, lost)

    def tail(self, characters: int) -> str:
        """The last of it."""
        taken: list[str] = []
        room = characters
        for chunk in reversed(self._chunks):
            if room <= 0:
                break
            taken.append(chunk[-room:])
            room -= len(taken[-1])
        return "".join(reversed(taken))

    def forget(self) -> None:
        """Keeps nothing any more but how much it was."""
        self._chunks.clear()
        self._kept = 0

    def _take(self, stream: Stream, text: str) -> str:
        if not text:
            return ""
        line = self._lines[stream]
        if _is_short(line, text):
            end = text.rfind("\n")
            line.length = line.length + len(text) if end < 0 else len(text) - end - 1
            return self._put(stream, text)
        *whole, rest = text.split("\n")
        bounded = [self._bounded(line, one, ends=True) for one in whole]
        return self._put(stream, "".join((*bounded, self._bounded(line, rest, ends=False))))

    def _bounded(self, line: _Line, text: str, *, ends: bool) -> str:
        """What of a line, or of a part of one, is kept."""
        room = max(0, LONGEST_LINE - line.length)
        kept = text[:room]
        line.left_out += len(text) - len(kept)
        line.length += len(kept)
        if not ends:
            return kept
        line.length = 0
        return f"{kept}{_gap(line)}\n"

    def _put(self, stream: Stream, text: str) -> str:
        if not text:
            return ""
        if stream is not self._last:
            text = ("" if self._at_line_start else "\n") + MARKS[stream] + text
            self._last = stream
        self._at_line_start = text.endswith("\n")
        self._chunks.append(text)
        self._total += len(text)
        self._kept += len(text)
        while self._kept > self._most:
            self._shorten()
        return text

    def _shorten(self) -> None:
        first = self._chunks.popleft()
        too_much = self._kept - self._most
        self._kept -= len(first)
        if len(first) > too_much:
            rest = first[too_much:]
            self._chunks.appendleft(rest)
            self._kept += len(rest)


def _is_short(line: _Line, text: str) -> bool:
    """Whether no line of it becomes longer than is kept. Looked at in few steps, however many lines there are."""
    if line.left_out:
        return False
    at, room = 0, LONGEST_LINE - line.length
    while len(text) - at > room:
        end = text.rfind("\n", at, at + room + 1)
        if end < 0:
            return False
        at, room = end + 1, LONGEST_LINE
    return True


def _gap(line: _Line) -> str:
    count, line.left_out = line.left_out, 0
    return f" [{count} characters of this line left out]" if count else ""
