"""Lines of an agent: however they are cut, the same comes out, and nothing that it prints harms anybody."""

import itertools
import json
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.runtime import json_lines as lines
from assent.runtime.json_lines import HEAD, Garbage, Lines, Message, read_line
from tests.support.scale import limit

SOME_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), SOME_JSON, max_size=4)
LINES = st.one_of(
    st.binary(max_size=80),
    OBJECTS.map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")),
    SOME_JSON.map(lambda value: json.dumps(value).encode()),
    st.sampled_from([b"", b" \t", b"\r", b'{"a":1}\r', b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 300, b'{"a":"\xff"}']),
)


def said(pieces: list[bytes], most: int = lines.MOST) -> list[Message | Garbage]:
    """All that is said by bytes that come in these pieces, up to their end."""
    taken = Lines(most)
    found = [one for piece in pieces for one in taken.take(piece)]
    rest = taken.end()
    return found if rest is None else [*found, rest]


@given(st.lists(LINES, max_size=6), st.booleans(), st.lists(st.integers(0, 600), max_size=12), st.integers(1, 60))
def test_however_it_is_cut_the_same_comes_out(parts: list[bytes], ends: bool, cuts: list[int], most: int) -> None:
    data = b"\n".join(parts) + (b"\n" if ends else b"")
    places = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    pieces = [data[start:end] for start, end in itertools.pairwise(places)]
    for bound in (lines.MOST, most):
        whole = said([data], bound)
        assert said(pieces, bound) == whole
        assert said([data[at : at + 1] for at in range(len(data))], bound) == whole


@given(st.lists(OBJECTS, max_size=6))
def test_every_object_is_a_message(values: list[dict[str, object]]) -> None:
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    assert said([data]) == [Message(value) for value in values]


@given(st.binary(max_size=300))
def test_whatever_is_printed_is_a_message_or_garbage_of_bounded_size(data: bytes) -> None:
    for one in said([data], 50):
        if isinstance(one, Garbage):
            assert len(one.head) <= HEAD
            assert one.head.isprintable()
            assert one.reason


def test_characters_that_are_cut_are_whole_again() -> None:
    data = '{"text":"Zürich, 東京, 🙂"}\n'.encode()
    for at in range(len(data)):
        assert said([data[:at], data[at:]]) == [Message({"text": "Zürich, 東京, 🙂"})]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"Listening on port 8080", "no JSON"),
        (b'{"a":1} {"b":2}', "no JSON"),
        (b'{"a":1', "no JSON"),
        (b'{"a":NaN}', "NaN is not JSON"),
        (b'{"a":-Infinity}', "Infinity is not JSON"),
        (b'{"a":1e999}', "too large"),
        (b'{"id":1,"method":"x","id":2}', "twice"),
        (b'{"p":{"optionId":"a","optionId":"b"}}', "twice"),
        (b'{"a":' + b"[" * 250 + b"]" * 250 + b"}", "nested too deeply"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":"\xc3\x28"}', "UTF-8"),
        (b'[{"jsonrpc":"2.0"}]', "several messages"),
        (b"[]", "several messages"),
        (b'"text"', "no object"),
        (b"17", "no object"),
        (b"null", "no object"),
    ],
)
def test_what_is_no_message_is_told_with_its_reason_and_the_next_line_counts(line: bytes, reason: str) -> None:
    first, second = said([line + b'\n{"next":1}\n'])

    assert isinstance(first, Garbage)
    assert reason in first.reason
    assert second == Message({"next": 1})


def test_blank_lines_say_nothing() -> None:
    assert said([b'\n\r\n  \t\n{"a":1}\r\n\n']) == [Message({"a": 1})]


def test_a_line_that_is_cut_off_at_the_end_is_none_even_if_it_looks_whole() -> None:
    assert said([b'{"a":1}\n{"b":2}']) == [
        Message({"a": 1}),
        Garbage("it ends in the middle of a line", '{"b":2}'),
    ]


def test_a_line_that_is_too_long_is_told_once_with_its_size() -> None:
    long = b'{"a":"' + b"x" * 400 + b'"}'
    exact = b'{"b":"' + b"y" * 92 + b'"}'
    assert len(exact) == 100
    found = said([long + b"\n" + exact + b"\n" + long], most=100)

    assert found == [
        Garbage("a line of 408 bytes, where 100 are the most", long[:HEAD].decode()),
        Message({"b": "y" * 92}),
        Garbage("a line of 408 bytes, where 100 are the most", long[:HEAD].decode()),
    ]


def test_a_line_without_end_takes_no_memory() -> None:
    taken, piece = Lines(1 << 20), b"x" * 65_536
    tracemalloc.start()
    try:
        for _ in range(3_200):
            assert list(taken.take(piece)) == []
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert list(taken.take(b'\n{"a":1}\n')) == [
        Garbage(f"a line of {3_200 * 65_536} bytes, where {1 << 20} are the most", "x" * HEAD),
        Message({"a": 1}),
    ]
    assert most < 4 << 20
    # Of a line that is dropped nothing is held but its beginning.
    assert held < 100_000


def test_a_line_of_exactly_the_most_bytes_is_read() -> None:
    exact = b'{"a":"' + b"x" * 992 + b'"}'
    assert len(exact) == 1_000
    assert said([exact[:400], exact[400:] + b"\n"], most=1_000) == [Message({"a": "x" * 992})]
    assert isinstance(said([exact[:400], exact[400:] + b" \n"], most=1_000)[0], Garbage)


def test_a_line_of_many_small_values_is_refused_before_it_is_read() -> None:
    many = b'{"a":[' + b"[]," * lines.MOST_PARTS + b"1]}"
    found = read_line(many)

    assert isinstance(found, Garbage)
    assert "values in one line" in found.reason


def test_a_long_text_full_of_signs_is_one_value() -> None:
    text = '[{,\\" ' * 600_000
    assert read_line(json.dumps({"content": text}).encode()) == Message({"content": text})


@pytest.mark.timeout(limit(30))  # each looked for anew to the end of the line, they would take hours
def test_texts_that_do_not_end_cost_no_more_than_others() -> None:
    rest = b'\\",' * (2 * lines.MOST_PARTS)
    assert isinstance(read_line(b'{"a":"' + rest), Garbage)


def test_ten_thousand_cuts_at_random_places_change_nothing() -> None:
    random.seed(7)
    values = [{"id": number, "text": "ü🙂" * (number % 50)} for number in range(2_000)]
    data = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)
    places = sorted({0, len(data), *(random.randrange(len(data)) for _ in range(10_000))})

    assert said([data[start:end] for start, end in itertools.pairwise(places)]) == [Message(value) for value in values]
