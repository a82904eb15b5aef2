"""Streams of events: however their bytes are cut up, the events are those that stand in them."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.errors import ProviderFault
from assent.providers.dialect import Framing
from assent.providers.framing import StreamEvent, framer

BOM = b"\xef\xbb\xbf"
ENDS = ["\n", "\r\n", "\r"]
texts = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)
names = st.sampled_from(["", "ping", "größe", "message"])
noise = st.sampled_from(["", ": comment", ":", "retry: 5", "id: 1", "unknown: x", "nothing"])
events = st.lists(st.tuples(names, st.lists(texts, min_size=1, max_size=3), noise), max_size=5)
cuts = st.lists(st.integers(0, 10_000), max_size=8)


def events_of(framing: Framing, data: bytes, places: list[int], most: int = 10_000) -> list[StreamEvent]:
    frames, found = framer(framing, most), list[StreamEvent]()
    bounds = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    for start, end in pairwise(bounds):
        found += frames.feed(data[start:end])
    return found + list(frames.end())


@given(told=events, end=st.sampled_from(ENDS), spaced=st.booleans(), marked=st.booleans(), places=cuts)
def test_server_sent_events_are_found_in_any_pieces(
    told: list[tuple[str, list[str], str]], end: str, spaced: bool, marked: bool, places: list[int]
) -> None:
    space = " " if spaced else ""
    lines: list[str] = []
    for name, data, beside in told:
        lines += [beside] if beside else []
        lines += [f"event:{space}{name}"] if name else []
        lines += [f"data:{space}{piece}" if spaced or not piece.startswith(" ") else f"data: {piece}" for piece in data]
        lines.append("")
    body = (BOM if marked else b"") + "".join(line + end for line in lines).encode()

    found = events_of(Framing.SSE, body, places)

    assert found == [StreamEvent(name, "\n".join(data)) for name, data, _ in told]
    assert found == events_of(Framing.SSE, body, list(range(len(body))))


@given(data=st.binary(max_size=60) | st.text("\r\n:da t\ufeffé", max_size=40).map(str.encode), places=cuts)
@pytest.mark.parametrize("framing", Framing)
def test_any_bytes_come_to_the_same_in_any_pieces(framing: Framing, data: bytes, places: list[int]) -> None:
    whole = events_of(framing, data, [])
    assert events_of(framing, data, places) == whole
    assert events_of(framing, data, list(range(len(data)))) == whole


@given(values=st.lists(st.dictionaries(texts, texts, max_size=3)), end=st.sampled_from(ENDS[:2]), places=cuts)
def test_lines_are_found_in_any_pieces(values: list[dict[str, str]], end: str, places: list[int]) -> None:
    lines = [json.dumps(value, ensure_ascii=False) for value in values]
    body = end.join([*lines, ""]).encode()

    assert [event.data for event in events_of(Framing.LINES, body, places)] == lines
    assert [event.data for event in events_of(Framing.LINES, body.rstrip(), places)] == lines


def test_an_event_counts_once_its_empty_line_is_there() -> None:
    """Also where that is a CR which a LF may follow."""
    for end in ENDS:
        frames = framer(Framing.SSE)
        assert list(frames.feed(f"data: a{end}".encode())) == []
        assert list(frames.feed(end.encode())) == [StreamEvent("", "a")]
        assert list(frames.feed(b"data: half of one")) == []
        assert list(frames.end()) == []


def test_a_fault_in_a_field_of_its_own_is_an_event_of_that_name() -> None:
    assert events_of(Framing.SSE, b'error: {"code": 400}\n\ndata: [DONE]\n\n', []) == [
        StreamEvent("error", '{"code": 400}'),
        StreamEvent("", "[DONE]"),
    ]


@given(places=cuts)
@pytest.mark.parametrize(
    ("framing", "body"),
    [
        (Framing.SSE, b"data: " + b"x" * 200),
        (Framing.SSE, b"data: xxxxxxxxx\n" * 20),
        (Framing.SSE, b"x" * 200),
        (Framing.LINES, b"x" * 200),
    ],
)
def test_nothing_without_end_is_kept(framing: Framing, body: bytes, places: list[int]) -> None:
    with pytest.raises(ProviderFault) as raised:
        events_of(framing, body, places, most=100)
    assert raised.value.code == "event_too_big"
    assert re.search("single event", str(raised.value))
