"""What a process prints, however much it is: its beginning and its end are kept, and how much lay between is known."""

from dataclasses import field

from assent.lazy_dataclasses import dataclass


@dataclass(slots=True)
class KeptOutput:
    """Takes bytes as they come and holds no more than `most` of them, half of them from each end."""

    most: int
    total: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: bytearray = field(default_factory=bytearray)

    def add(self, data: bytes) -> None:
        """The next bytes."""
        self.total += len(data)
        half = self.most // 2
        room = half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        # Cut now and then, not for every piece: each cut moves what is kept.
        if len(self._tail) > 2 * half:
            del self._tail[:-half]

    @property
    def left_out(self) -> int:
        """How many bytes between beginning and end are not kept."""
        return max(0, self.total - 2 * (self.most // 2))

    def text(self) -> str:
        """What is kept, as text. Bytes that are none are shown as such; where it was cut, no character is torn."""
        if not self.left_out:
            return _decoded(bytes(self._head + self._tail))
        tail = bytes(self._tail[-(self.most // 2) :])
        head, tail = _without_torn_end(bytes(self._head)), _without_torn_start(tail)
        missing = self.total - len(head) - len(tail)
        return f"{_decoded(head)}\n[{missing} bytes left out]\n{_decoded(tail)}"


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _without_torn_end(data: bytes) -> bytes:
    """The bytes without a character at their end of which only the beginning is there."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            return data[:-back] if back < _length(byte) else data
    return data


def _without_torn_start(data: bytes) -> bytes:
    torn = next((at for at, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 0)
    return data[torn:]


def _length(first: int) -> int:
    return 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
