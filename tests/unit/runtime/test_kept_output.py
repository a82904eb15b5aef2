"""However output arrives, its two ends are kept, in whole characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.runtime.kept_output import KeptOutput


def kept(pieces: list[bytes], most: int) -> KeptOutput:
    output = KeptOutput(most)
    for piece in pieces:
        output.add(piece)
    return output


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(2, 64))
def test_pieces_make_no_difference(pieces: list[bytes], most: int) -> None:
    assert kept(pieces, most).text() == kept([b"".join(pieces)], most).text()


@given(st.binary(max_size=200), st.integers(2, 64))
def test_what_fits_is_whole(data: bytes, most: int) -> None:
    output = kept([data], most)

    if len(data) <= most // 2 * 2:
        assert output.left_out == 0
        assert output.text() == data.decode("utf-8", "backslashreplace")
    else:
        assert output.left_out == len(data) - most // 2 * 2
        assert "bytes left out]" in output.text()


@pytest.mark.parametrize("character", ["é", "€", "😀"])
def test_no_character_is_torn(character: str) -> None:
    for before in range(5):
        text = "a" * before + character * 40
        output = kept([text.encode()], 20)
        head, note, tail = output.text().split("\n")

        assert text.startswith(head)
        assert text.endswith(tail)
        assert set(head + tail) <= {"a", character}
        missing = int(note.removeprefix("[").split()[0])
        assert missing == len(text.encode()) - len((head + tail).encode())


def test_bytes_that_are_no_text_are_shown() -> None:
    assert kept([b"a\xff\xc3"], 20).text() == "a\\xff\\xc3"


def test_no_more_is_held_than_needed() -> None:
    output = KeptOutput(1_000)
    for _ in range(10_000):
        output.add(b"x" * 1_000)

    assert len(output._head) + len(output._tail) <= 2_500
    assert output.total == 10_000_000
