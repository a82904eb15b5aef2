"""Which bytes are pictures that go along with messages, and how many of them do."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.media.kinds import GIF, JPEG, PNG, WEBP, Kind
from assent.media.pictures import LARGEST_PICTURE, MOST_PICTURE_BYTES, MOST_PICTURES, picture_kind, too_much
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
