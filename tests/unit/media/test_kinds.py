"""What files are by their bytes, whatever they are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.media.kinds import ALL, GIF, JPEG, MP3, PNG, SVG, WAV, WEBP, Kind, Recognised, kind_by_name, recognise
from tests.support.media_files import GIF_BYTES, JPEG_BYTES, MP3_BYTES, WEBP_BYTES, png, wav


def endless(data: bytes) -> bytes:
    """As it comes from who does not know how long it gets."""
    return data[:4] + b"\xff\xff\xff\xff" + data[8:]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(), PNG),
        (JPEG_BYTES, JPEG),
        (GIF_BYTES, GIF),
        (WEBP_BYTES, WEBP),
        (wav(), WAV),
        (endless(wav()), WAV),
        (MP3_BYTES, MP3),
        (b"ID3\4\0\0\0\0\0\0" + MP3_BYTES, MP3),
    ],
)
def test_each_kind_is_known_by_its_bytes(data: bytes, kind: Kind) -> None:
    assert recognise(data) == Recognised(kind, whole=True)


@pytest.mark.parametrize("data", [png(), JPEG_BYTES, GIF_BYTES, WEBP_BYTES, wav()])
def test_what_ends_too_early_is_not_whole(data: bytes) -> None:
    found = recognise(data[:-5])
    assert found is None or not found.whole


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"MZ\x90\0",
        b"\x7fELF",
        b"PK\3\4",
        b"RIFF\4\0\0\0AVI LIST",
        b"\xff\xff\xff\xff",
        b"\xff\xfe<\0s\0c\0r\0i\0p\0t\0",
        b'{"error": "no"}',
    ],
)
def test_everything_else_is_nothing_that_is_known(data: bytes) -> None:
    assert recognise(data) is None


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    found = recognise(data)
    assert found is None or found.kind in ALL


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.png", PNG),
        ("a.JPG", JPEG),
        ("a.b.jpeg", JPEG),
        ("x/y.svg", SVG),
        ("a.mp3", MP3),
        ("a.png.exe", None),
        ("png", None),
        ("", None),
    ],
)
def test_a_name_promises_a_kind(path: str, kind: Kind | None) -> None:
    assert kind_by_name(path) is kind
