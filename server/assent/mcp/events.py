"""The messages in a text/event-stream, however its bytes are cut. Bounded, and without I/O."""

from collections.abc import Iterator

from assent.mcp.faults import McpUnclear
from assent.runtime.json_lines import Message, read_line

MOST_EVENT = 4 << 20
"""Bytes of one message."""


class EventMessages:
    """Takes bytes, and gives each message as soon as its event is complete."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._after_cr = False

    def take(self, data: bytes) -> Iterator[Message]:
        """The next bytes. Raises McpUnclear for an event that is longer than any may be."""
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        *lines, rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._add(line)
            whole, self._line = bytes(self._line), bytearray()
            yield from self._took(whole)
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._line += piece
        if len(self._line) + self._size > MOST_EVENT:
            raise McpUnclear(f"it sent a message of more than {MOST_EVENT >> 20} MB")

    def _took(self, line: bytes) -> Iterator[Message]:
        if line:
            field, _, value = line.partition(b":")
            if field == b"data":
                self._data.append(value.removeprefix(b" "))
                self._size += len(value)
            return
        data, self._data, self._size = b"\n".join(self._data), [], 0
        if data.strip():
            said = read_line(data)
            if isinstance(said, Message):
                yield said
