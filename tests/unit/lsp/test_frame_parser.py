"""Frames: what is one, what breaks the stream, and that it does not matter in which pieces it comes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lsp.framing import MAX_BODY, MAX_HEADER, Broken, Frame, FrameParser, framed

WHOLE = [
    pytest.param(b"Content-Length: 2\r\n\r\n{}", [b"{}"], id="the usual form"),
    pytest.param(b"content-length: 2\r\n\r\n{}", [b"{}"], id="lower case"),
    pytest.param(b"CONTENT-LENGTH:2\r\n\r\n{}", [b"{}"], id="upper case, no space"),
    pytest.param(b"Content-Length: \t 2 \t\r\n\r\n{}", [b"{}"], id="blanks around the number"),
    pytest.param(b"Content-Length: 0002\r\n\r\n{}", [b"{}"], id="leading zeros"),
    pytest.param(b"Content-Length: 2\n\n{}", [b"{}"], id="bare line feeds"),
    pytest.param(b"Content-Length: 2\r\n\n{}", [b"{}"], id="mixed line ends"),
    pytest.param(b"A: b\r\nContent-Length: 2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}", [b"{}"], id="more headers"),
    pytest.param(b"Content-Length: 0\r\n\r\n", [b""], id="an empty body"),
    pytest.param(b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [b"{}", b"[1]"], id="two frames"),
    pytest.param(
        b"Content-Length: 21\r\n\r\nContent-Length: 2\r\n\r\nContent-Length: 2\r\n\r\n{}",
        [b"Content-Length: 2\r\n\r\n", b"{}"],
        id="a header inside a body is text",
    ),
]

BROKEN = [
    pytest.param(b"Content-Length: -1\r\n\r\n{}", id="negative"),
    pytest.param(b"Content-Length: +2\r\n\r\n{}", id="signed"),
    pytest.param(b"Content-Length: two\r\n\r\n{}", id="textual"),
    pytest.param(b"Content-Length: 0x2\r\n\r\n{}", id="hexadecimal"),
    pytest.param(b"Content-Length: 2.0\r\n\r\n{}", id="a fraction"),
    pytest.param(b"Content-Length: 2e0\r\n\r\n{}", id="an exponent"),
    pytest.param(b"Content-Length: 1_0\r\n\r\n{}", id="an underscore"),
    pytest.param(b"Content-Length: 1 0\r\n\r\n{}", id="a space inside"),
    pytest.param(b"Content-Length: 2, 2\r\n\r\n{}", id="a list"),
    pytest.param(b"Content-Length: 2;a=b\r\n\r\n{}", id="a parameter"),
    pytest.param("Content-Length: ٢\r\n\r\n{}".encode(), id="digits of another script"),
    pytest.param("Content-Length: ²\r\n\r\n{}".encode("latin-1"), id="a superscript"),
    pytest.param(b"Content-Length:\r\n\r\n{}", id="no value"),
    pytest.param(b"Content-Length 2\r\n\r\n{}", id="no colon"),
    pytest.param(b"Content-Length : 2\r\n\r\n{}", id="a space before the colon"),
    pytest.param(b" Content-Length: 2\r\n\r\n{}", id="a space in front"),
    pytest.param(b"A: b\r\n Content-Length: 2\r\n\r\n{}", id="a folded line"),
    pytest.param(b": 2\r\nContent-Length: 2\r\n\r\n{}", id="a header without a name"),
    pytest.param(b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", id="twice the same"),
    pytest.param(b"Content-Length: 2\r\ncontent-length: 3\r\n\r\n{}", id="twice different"),
    pytest.param(b"Content-Type: x\r\n\r\n{}", id="missing"),
    pytest.param(b"\r\n{}", id="no header at all"),
    pytest.param(b"\n", id="an empty line"),
    pytest.param(b"Content-Length: %d\r\n\r\n{}" % (MAX_BODY + 1), id="just too long"),
    pytest.param(b"Content-Length: 99999999999999999999\r\n\r\n{}", id="absurd"),
    pytest.param(b"Content-Length: %b\r\n\r\n{}" % (b"9" * 5000), id="thousands of digits"),
    pytest.param(b"X: a\rContent-Length: 2\r\n\r\n{}", id="a bare carriage return"),
    pytest.param(b"X: a\x00b\r\nContent-Length: 2\r\n\r\n{}", id="a zero byte"),
    pytest.param(b"X: %b\r\n" % (b"a" * MAX_HEADER), id="a line that is too long"),
    pytest.param(b"X" * (MAX_HEADER + 1), id="a line without an end"),
    pytest.param(b"X: y\r\n" * 2000, id="too many lines"),
    pytest.param(b"stray print\nContent-Length: 2\r\n\r\n{}", id="text in between"),
]


@pytest.mark.parametrize(("data", "bodies"), WHOLE)
def test_frames_are_found(data: bytes, bodies: list[bytes]) -> None:
    parser = FrameParser()

    assert parser.feed(data) == [Frame(body) for body in bodies]
    assert parser.end() is None


@pytest.mark.parametrize("data", BROKEN)
def test_a_doubtful_length_breaks_the_stream_for_good(data: bytes) -> None:
    parser = FrameParser()

    *frames, last = parser.feed(data)

    assert frames == []
    assert isinstance(last, Broken)
    assert last.reason
    assert parser.feed(framed(b"{}")) == [], "nothing is searched for behind a broken header"
    assert parser.end() is None, "it was told already"


def test_what_was_whole_before_the_fault_counts() -> None:
    events = FrameParser().feed(framed(b"[1]") + b"Content-Length: x\r\n\r\n" + framed(b"[2]"))

    assert events[0] == Frame(b"[1]")
    assert [type(event) for event in events] == [Frame, Broken]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        pytest.param(b"Content-Le", "header", id="inside a header line"),
        pytest.param(b"Content-Length: 2\r\n", "header", id="between header and body"),
        pytest.param(b"Content-Length: 2\r\n\r\n", "body", id="before the body"),
        pytest.param(b"Content-Length: 2\r\n\r\n{", "body", id="inside a body"),
    ],
)
def test_an_end_in_the_middle_is_told(data: bytes, where: str) -> None:
    parser = FrameParser()

    assert parser.feed(data) == []
    fault = parser.end()

    assert fault is not None
    assert where in fault.reason
    assert parser.feed(b"{}") == []


def test_the_header_may_be_as_long_as_the_limit_and_no_longer() -> None:
    ending = b"\r\nContent-Length: 2\r\n\r\n"
    just_fits = b"X: " + b"a" * (MAX_HEADER - 3 - len(ending)) + ending

    assert FrameParser().feed(just_fits + b"{}") == [Frame(b"{}")]
    assert isinstance(FrameParser().feed(b"X" + just_fits + b"{}")[0], Broken)


pieces_of_streams = st.lists(
    st.one_of(
        st.binary(max_size=40).map(framed),
        st.sampled_from([case.values[0] for case in WHOLE + BROKEN if len(case.values[0]) < 200]),
        st.binary(max_size=20),
    ),
    max_size=6,
).map(b"".join)


@given(stream=pieces_of_streams, cuts=st.lists(st.integers(0, 400), max_size=12))
def test_it_does_not_matter_in_which_pieces_the_bytes_come(stream: bytes, cuts: list[int]) -> None:
    whole, cut, single = FrameParser(), FrameParser(), FrameParser()
    places = sorted({0, len(stream), *(place for place in cuts if place < len(stream))})
    pieces = [stream[start:end] for start, end in pairwise(places)]

    at_once = [*whole.feed(stream), whole.end()]

    assert [*(event for piece in pieces for event in cut.feed(piece)), cut.end()] == at_once
    assert [*(event for byte in stream for event in single.feed(bytes([byte]))), single.end()] == at_once


@given(bodies=st.lists(st.binary(max_size=200), max_size=5))
def test_what_is_framed_is_found_again(bodies: list[bytes]) -> None:
    stream = b"".join(framed(body) for body in bodies)

    assert FrameParser().feed(stream) == [Frame(body) for body in bodies]
