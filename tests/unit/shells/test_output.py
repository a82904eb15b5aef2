"""What a command prints, as text with a cursor: complete, in order, and never more than is kept."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.runtime.processes import Stream
from assent.shells.output import LONGEST_LINE, MARKS, Output

OUT, ERR = Stream.OUTPUT, Stream.ERRORS
PLENTY = 1_000_000


def printed(*pieces: tuple[Stream, bytes], most: int = PLENTY) -> Output:
    """The output after these pieces."""
    output = Output(most)
    for stream, data in pieces:
        output.add(stream, data)
    output.close()
    return output


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """The data cut at these places."""
    places = sorted({min(cut, len(data)) for cut in cuts})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\n\n\nb", "a\n\n\nb"),
        ("é€😀\n".encode(), "é€😀\n"),
        (b"\xff\xfe ok\n", "\\xff\\xfe ok\n"),
        (b"half \xe2\x82", "half \\xe2\\x82"),
        (b"a\x00b\rc\x0bd\xe2\x80\xa8e\n", "a\x00b\rc\x0bd\u2028e\n"),
    ],
)
def test_nothing_of_it_is_lost(data: bytes, text: str) -> None:
    for size in (1, 2, 3, len(data) + 1):
        pieces = [(OUT, data[at : at + size]) for at in range(0, len(data), size)]
        assert printed(*pieces).read().text == text


@given(st.text(max_size=400), st.lists(st.integers(0, 2_000), max_size=20))
def test_where_it_is_cut_makes_no_difference(text: str, cuts: list[int]) -> None:
    data = text.encode("utf-8", "surrogatepass")
    whole = printed((OUT, data)).read().text
    assert printed(*((OUT, piece) for piece in in_pieces(data, cuts))).read().text == whole


def test_streams_stand_in_the_order_in_which_they_came() -> None:
    output = printed((OUT, b"one\n"), (ERR, b"bad\n"), (ERR, b"worse"), (OUT, b"two\n"))
    assert output.read().text == f"one\n{MARKS[ERR]}bad\nworse\n{MARKS[OUT]}two\n"


def test_what_looks_like_a_mark_is_told_from_one_by_its_stream() -> None:
    """A program can print the mark; then the text holds it, and no change of stream took place."""
    assert printed((OUT, MARKS[ERR].encode())).read().text == MARKS[ERR]


@given(st.lists(st.tuples(st.sampled_from(Stream), st.binary(max_size=60)), max_size=30), st.integers(1, 200))
def test_reading_by_cursor_gives_what_reading_at_once_gives(pieces: list[tuple[Stream, bytes]], most: int) -> None:
    everything = Output(PLENTY)
    output = Output(most)
    cursor, read, lost = 0, "", 0
    for stream, data in pieces:
        everything.add(stream, data)
        output.add(stream, data)
        piece = output.read(cursor)
        lost += piece.dropped
        read += piece.text
        cursor = piece.next_cursor
        assert output.total - output.dropped <= most
        assert cursor == output.total
    assert len(read) + lost == everything.total == output.total
    assert everything.read().text.endswith(output.read().text)
    assert output.read(0).dropped == output.dropped
    if not lost:
        assert read == everything.read().text


def test_a_cursor_beyond_the_end_reads_nothing() -> None:
    piece = printed((OUT, b"abc")).read(1_000_000)
    assert (piece.text, piece.next_cursor, piece.dropped) == ("", 3, 0)


def test_only_the_latest_is_kept() -> None:
    output = printed((OUT, b"0123456789" * 10), most=15)
    assert output.read().text == "567890123456789"[-15:]
    assert (output.total, output.dropped) == (100, 85)
    assert output.read(95).text == "56789"
    assert output.read(10).dropped == 75


def test_a_line_that_never_ends_is_bounded_and_counted() -> None:
    output = Output(PLENTY)
    for _ in range(20):
        output.add(OUT, b"x" * 10_000)
    output.add(OUT, b"\nnext\n")
    text = output.read().text
    left_out = 200_000 - LONGEST_LINE
    assert text == f"{'x' * LONGEST_LINE} [{left_out} characters of this line left out]\nnext\n"


def test_a_long_line_without_an_end_is_told_of_at_the_end() -> None:
    text = printed((OUT, b"x" * (LONGEST_LINE + 7))).read().text
    assert text.endswith("x [7 characters of this line left out]")


def test_long_lines_of_one_stream_do_not_shorten_the_other() -> None:
    output = printed((OUT, b"x" * (LONGEST_LINE + 1)), (ERR, b"fine\n"), (OUT, b"y\n"))
    assert "fine\n" in output.read().text
    assert "[2 characters of this line left out]" in output.read().text


@pytest.mark.parametrize("characters", [0, 1, 5, 11, 1000])
def test_the_tail_is_the_end(characters: int) -> None:
    output = printed((OUT, b"hello "), (OUT, b"world"))
    assert output.tail(characters) == ("hello world"[-characters:] if characters else "")


def test_what_is_forgotten_is_still_counted() -> None:
    output = printed((OUT, b"hello"))
    output.forget()
    assert (output.read().text, output.total, output.dropped) == ("", 5, 5)


def test_ten_megabytes_of_both_streams_are_complete() -> None:
    generator = random.Random(7)
    output = Output(64 * 1024 * 1024)
    counts = dict.fromkeys(Stream, 0)
    while sum(counts.values()) < 10 * 1024 * 1024:
        stream = generator.choice(list(Stream))
        data = b"line of %d bytes\n" % generator.randrange(10_000) * generator.randrange(1, 400)
        output.add(stream, data)
        counts[stream] += len(data)
    lines = output.read().text.split("\n")
    marks = sum(f"{line}\n" in MARKS.values() for line in lines)
    assert sum(len(line) + 1 for line in lines) - 1 - sum(counts.values()) <= marks * len(MARKS[OUT])
    assert sum(line.startswith("line of") for line in lines) == sum(1 for line in lines if line) - marks
