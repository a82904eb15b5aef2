"""Packed bodies to plain bytes, a bounded piece at a time: few packed bytes can stand for very many."""

import zlib
from collections.abc import Iterator
from typing import Protocol

ACCEPTED = "gzip"
MOST_AT_ONCE = 256 * 1024
_EITHER_HEADER = zlib.MAX_WBITS | 32


class BadPacking(Exception):
    """The body is not packed as its server says, or in a way that was not asked for."""


class Unpacker(Protocol):
    """One body as it is read."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The plain bytes in these. Raises BadPacking."""

    @property
    def is_whole(self) -> bool:
        """Whether a body may end here."""


def unpacker(encoding: str) -> Unpacker:
    """For a body with this Content-Encoding. Raises BadPacking where it is another than what was asked for."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return _Plain()
    if name in ("gzip", "x-gzip", "deflate"):
        return _Packed()
    raise BadPacking("it is packed in a way that was not asked for")


class _Plain:
    is_whole = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Packed:
    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(_EITHER_HEADER)
        self._begun = False

    @property
    def is_whole(self) -> bool:
        return self._unpack.eof or not self._begun

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._unpack.eof:
                self._unpack = zlib.decompressobj(_EITHER_HEADER)
            self._begun = True
            try:
                piece = self._unpack.decompress(data, MOST_AT_ONCE)
            except zlib.error as fault:
                raise BadPacking("it is not packed as it says") from fault
            data = self._unpack.unused_data if self._unpack.eof else self._unpack.unconsumed_tail
            if piece:
                yield piece
