"""Pictures that go along with messages: of which kinds, how large, how many, and which of them stay at hand."""

from collections.abc import Sequence
from typing import Literal

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import GIF, PICTURES, PNG, WEBP, Kind, recognise

MOST_PICTURES = 10
"""That go along with one message."""
LARGEST_PICTURE = 5_000_000
"""Bytes."""
MOST_PICTURE_BYTES = 20_000_000
"""Of all that go along with one message."""
MOST_AT_HAND = 20
"""Pictures of one chat that its model is sent, again with every request."""


LONGEST_SIDE = 8_000
MOST_PIXELS = 40_000_000
"""What models take, and what is worth its price."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What a file of a picture says of itself, in its first bytes."""

    kind: Kind
    width: int
    height: int

    @property
    def words(self) -> str:
        """For people and models."""
        return f"{self.kind.name}, {self.width} x {self.height}"


def look_at(data: bytes, size: int) -> Picture | str | None:
    """The picture, of a file of so many bytes; or why no model is sent it, as the rest of a sentence. None: it is none.

    Nothing is unpacked: a few bytes can stand for millions of points.
    """
    found = recognise(data)
    if found is None or found.kind not in PICTURES:
        return None
    name = found.kind.name
    if size > LARGEST_PICTURE:
        return f"is {name} of {size:,} bytes; a model is sent pictures of up to {LARGEST_PICTURE:,}"
    sides = sides_of(data, found.kind)
    if not found.whole or sides is None or 0 in sides:
        return f"begins like {name} and is damaged or cut off"
    width, height = sides
    if max(sides) > LONGEST_SIDE or width * height > MOST_PIXELS:
        most = f"{LONGEST_SIDE:,} a side and {MOST_PIXELS:,} together"
        return f"is {name} of {width:,} x {height:,} points; a model is sent pictures of up to {most}"
    return Picture(found.kind, width, height)


def sides_of(data: bytes, kind: Kind) -> tuple[int, int] | None:
    """Width and height in points, as the file says them; None where it does not get so far."""
    if kind is PNG:
        return _numbers(data[16:24], 4, "big")
    if kind is GIF:
        return _numbers(data[6:10], 2, "little")
    return _of_webp(data) if kind is WEBP else _of_jpeg(data)


def _numbers(data: bytes, width: int, order: Literal["big", "little"]) -> tuple[int, int] | None:
    if len(data) < 2 * width:
        return None
    return int.from_bytes(data[:width], order), int.from_bytes(data[width : 2 * width], order)


def _of_webp(data: bytes) -> tuple[int, int] | None:
    sides = None
    if data[12:16] == b"VP8X":
        sides = _numbers(data[24:30], 3, "little")
        return (sides[0] + 1, sides[1] + 1) if sides is not None else None
    if data[12:16] == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if data[23:26] == b"\x9d\x01\x2a":
        sides = _numbers(data[26:30], 2, "little")
    return (sides[0] & 0x3FFF, sides[1] & 0x3FFF) if sides is not None else None


def _of_jpeg(data: bytes) -> tuple[int, int] | None:
    """Its parts are gone through until the one that says it; each says how long it is."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        code = data[at + 1]
        if code == 0xFF:
            at += 1
        elif 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC):
            sides = _numbers(data[at + 5 : at + 9], 2, "big")
            return (sides[1], sides[0]) if sides is not None else None
        elif code == 0xDA:
            return None
        else:
            at += 2 + max(int.from_bytes(data[at + 2 : at + 4], "big"), 2)
    return None


def picture_kind(data: bytes) -> Kind | None:
    """Which kind of picture these bytes are, of those that agents and models take."""
    recognised = recognise(data)
    return recognised.kind if recognised is not None and recognised.kind in PICTURES else None


def too_much(sizes: Sequence[int]) -> str | None:
    """Why pictures of these sizes cannot go along with one message."""
    largest, whole = max(sizes, default=0), sum(sizes)
    if largest > LARGEST_PICTURE:
        return f"a picture has {largest:,} bytes; pictures of up to {LARGEST_PICTURE:,} can go along"
    if len(sizes) > MOST_PICTURES:
        return f"{len(sizes)} pictures cannot go along with one message: at most {MOST_PICTURES} can"
    if whole > MOST_PICTURE_BYTES:
        return f"its pictures have {whole:,} bytes together; {MOST_PICTURE_BYTES:,} can go along with one message"
    return None


def stays_at_hand(messages: Sequence[Sequence[int]]) -> int:
    """From which of these messages on the pictures stay, given their sizes: the newest do, as far as they fit.

    The first that does not fit goes with all before it, so that what is left is what was said last.
    """
    count = size = 0
    for place in range(len(messages) - 1, -1, -1):
        count += len(messages[place])
        size += sum(messages[place])
        if count > MOST_AT_HAND or size > MOST_PICTURE_BYTES:
            return place + 1
    return 0
