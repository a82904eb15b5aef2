"""Arguments that come in pieces: when they are whole, how often they are read for it, and how much of them is kept."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.assemble import LONGEST_ARGUMENTS, Assembler, CallPart, Part
from assent.jsontext import NotJson, read_json, readable_json
from assent.model.errors import ProviderFault
from assent.providers.dialects.openai_chat import arguments
from assent.providers.dialects.openai_chat.arguments import ArgumentsText
from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from tests.support.dialects import streamed
from tests.support.model_servers.openai_chunks import call, said, told
from tests.support.model_servers.openai_rules import event

JSON_TEXTS = st.recursive(
    st.none() | st.integers() | st.text('ab"\\{}[]\n é', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a"\\}', max_size=3), inner, max_size=3),
    max_leaves=8,
).map(readable_json)
SCRAPS = st.text('{}[]":,\\ \n\u00a0a1', max_size=12)


def is_object(text: str) -> bool:
    try:
        return isinstance(read_json(text), dict)
    except NotJson:
        return False


def parts(*chunks: Any) -> list[Part]:
    """What the agent gets of a stream of these chunks."""
    assembler = Assembler()
    deltas = streamed(OpenAiChat("http://127.0.0.1:8000/v1"), map(event, chunks))
    return [part for delta in deltas if (part := assembler.feed(delta)) is not None]


def check_pieces(pieces: list[str]) -> None:
    collected, so_far = ArgumentsText(), ""
    for piece in pieces:
        collected.add(piece)
        so_far += piece
        assert collected.is_whole() == is_object(so_far)
    assert collected.text == so_far


@given(st.lists(JSON_TEXTS | SCRAPS, max_size=3).map("".join), st.lists(st.integers(0, 40), max_size=5))
def test_however_it_is_cut_up_it_is_whole_where_it_is_one_object(text: str, cuts: list[int]) -> None:
    places = sorted([0, *(min(cut, len(text)) for cut in cuts), len(text)])
    check_pieces([text[start:end] for start, end in pairwise(places)])


@pytest.mark.parametrize(
    "pieces",
    [['{"a": "\\\\"}', "\n"], ['{"a": "\\', "", '""}'], ["{}", " ", "{}"], [" ", '{"a": "}', '{"}'], ["[", "{}", "]"]],
)
def test_pieces_cut_where_it_matters(pieces: list[str]) -> None:
    check_pieces(pieces)


@pytest.mark.parametrize(
    "texts", [['{"path": "', *["}"] * 300, '"}'], ['{"path"}', *[" "] * 300]], ids=["an object", "no JSON"]
)
def test_many_pieces_are_read_once_however_often_it_is_looked(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def reading(text: str) -> Any:
        read.append(text)
        return read_json(text)

    monkeypatch.setattr(arguments, "read_json", reading)
    between = said({"content": "x"})
    pieces = [said(call(0, piece)) for piece in texts]
    chunks = [chunk for piece in pieces for chunk in (piece, between, between)]

    found = told(said(call(0, "", "read_file", "c1")), *chunks, said({}, "stop"))

    assert found.calls == [("read_file", "".join(texts))]
    assert read == ["".join(texts).strip()]


@pytest.mark.parametrize("name_first", [True, False], ids=["the name first", "the name last"])
def test_arguments_without_end_are_not_collected_and_the_call_says_so(name_first: bool) -> None:
    piece = "x" * (LONGEST_ARGUMENTS // 4)
    named, nameless = said(call(0, '{"a": "', "write_file", "c1")), said({"tool_calls": [{"index": 0, "id": "c1"}]})
    begin, end = (named, nameless) if name_first else (nameless, named)
    count = 9 if name_first else 3
    found = parts(begin, *[said(call(0, piece))] * count, end, said(call(0, piece + '"}')), said({}, "tool_calls"))

    (made,) = (part for part in found if isinstance(part, CallPart))
    assert made.arguments == ""
    assert "longer than" in (made.fault or "")


def test_of_what_is_too_long_one_piece_more_than_is_allowed_is_kept() -> None:
    collected = ArgumentsText()
    collected.add("{")
    for _ in range(LONGEST_ARGUMENTS // 1_000 * 3):
        collected.add(" " * 1_000)
    collected.add("}")

    assert LONGEST_ARGUMENTS < len(collected.text) <= LONGEST_ARGUMENTS + 1_000
    assert not collected.is_whole()

    at_once = ArgumentsText()
    at_once.add("{" + " " * LONGEST_ARGUMENTS + "}")
    assert not at_once.is_whole()


def test_calls_without_names_have_an_end() -> None:
    for chunks in (
        [said(call(0, "", "", "c1")), *[said(call(0, "x" * (LONGEST_ARGUMENTS // 4)))] * 4],
        [said({"tool_calls": [{"index": number, "id": f"c{number}"}]}) for number in range(LONGEST_ARGUMENTS // 1_000)],
    ):
        with pytest.raises(ProviderFault, match="does not name"):
            told(*chunks, chunks[-1], said({"tool_calls": [{"index": 10**6, "id": "last"}]}))
