"""Which bytes are pictures that go along with messages, and how many of them do."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.media.kinds import GIF, JPEG, PNG, WEBP, Kind
from assent.media.pictures import (
    LARGEST_PICTURE,
    MOST_PICTURE_BYTES,
    MOST_PICTURES,
    Picture,
    look_at,
    picture_kind,
    too_much,
)
from tests.support import media_files as files


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (files.png(), PNG),
        (files.JPEG_BYTES, JPEG),
        (files.GIF_BYTES, GIF),
        (files.WEBP_BYTES, WEBP),
        (files.MP3_BYTES, None),
        (files.wav(), None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"text", None),
        (b"", None),
    ],
)
def test_a_picture_is_known_by_its_bytes(data: bytes, kind: Kind | None) -> None:
    assert picture_kind(data) is kind


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ([], None),
        ([LARGEST_PICTURE], None),
        ([LARGEST_PICTURE + 1], "5,000,001 bytes; pictures of up to 5,000,000"),
        ([1] * MOST_PICTURES, None),
        ([1] * (MOST_PICTURES + 1), "11 pictures .* at most 10"),
        ([LARGEST_PICTURE] * 4, None),
        ([LARGEST_PICTURE] * 4 + [1], "20,000,001 bytes together; 20,000,000"),
    ],
)
def test_what_is_too_much_is_said(sizes: list[int], why: str | None) -> None:
    found = too_much(sizes)
    assert (found is None) if why is None else re.search(why, found or "") is not None


@given(st.lists(st.integers(0, LARGEST_PICTURE * 2), max_size=MOST_PICTURES * 2), st.data())
def test_what_goes_along_still_does_with_less(sizes: list[int], data: st.DataObject) -> None:
    fewer = [data.draw(st.integers(0, size)) for size in sizes]
    if too_much(sizes) is None:
        assert too_much(fewer) is None
        assert too_much(sizes[:-1]) is None
        assert sum(sizes) <= MOST_PICTURE_BYTES


def jpeg(width: int, height: int) -> bytes:
    head = b"\xff\xd8\xff\xe0\x00\x04JF" + b"\xff\xdb\x00\x05abc"
    sizes = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return head + b"\xff\xc2\x00\x0b\x08" + sizes + b"\x01\x01\x11\x00" + b"\xff\xda\x00\x02 \xff\xd9"


def webp(kind: bytes, rest: bytes) -> bytes:
    body = b"WEBP" + kind + len(rest).to_bytes(4, "little") + rest
    return b"RIFF" + len(body).to_bytes(4, "little") + body


GIF_37 = b"GIF89a" + (37).to_bytes(2, "little") + (21).to_bytes(2, "little") + b"\0" * 20 + b"\x3b"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (files.png(width=37, height=21), PNG),
        (jpeg(37, 21), JPEG),
        (GIF_37, GIF),
        (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + bytes((37, 0, 21, 0))), WEBP),
        (webp(b"VP8L", b"\x2f" + (36 | 20 << 14).to_bytes(4, "little")), WEBP),
        (webp(b"VP8X", b"\0" * 4 + bytes((36, 0, 0, 20, 0, 0))), WEBP),
    ],
)
def test_how_large_a_picture_is_stands_in_its_first_bytes(data: bytes, kind: Kind) -> None:
    assert look_at(data, len(data)) == Picture(kind, 37, 21)
    for end in range(len(data) - 1):
        assert not isinstance(look_at(data[:end], end), Picture)


@pytest.mark.parametrize(
    ("data", "size", "why"),
    [
        (files.png(width=100_000, height=100_000), None, "100,000 x 100,000 points; .* up to 8,000 a side"),
        (files.png(width=7_000, height=7_000), None, "7,000 x 7,000 points; .* 40,000,000 together"),
        (files.png(width=0), None, "damaged"),
        (files.png()[:-20], None, "begins like PNG and is damaged or cut off"),
        (files.JPEG_BYTES, None, "damaged"),
        (files.png(), 50_000_000, "PNG of 50,000,000 bytes; .* up to 5,000,000"),
    ],
)
def test_what_no_model_is_sent(data: bytes, size: int | None, why: str) -> None:
    told = look_at(data, len(data) if size is None else size)
    assert isinstance(told, str) and re.search(why, told)


@given(
    st.sampled_from([b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBPVP8", b"GIF89a", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]), st.binary()
)
def test_whatever_follows_is_looked_at_without_a_fault(start: bytes, rest: bytes) -> None:
    told = look_at(start + rest, len(start + rest))
    assert told is None or isinstance(told, str | Picture)
