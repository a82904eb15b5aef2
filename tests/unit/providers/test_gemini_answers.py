"""What Gemini answers, as deltas."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.conversation import (
    AssistantTurn,
    CallStart,
    MemoDelta,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TurnEnd,
    Usage,
    UserText,
)
from assent.model.errors import ProviderFault
from assent.providers.dialect import ModelInfo, ModelOptions
from assent.providers.dialects.gemini.dialect import Gemini
from tests.support.dialects import answered, asking, in_chunks, streamed, told, use
from tests.support.gemini_events import END, call, parts, read
from tests.support.model_servers.gemini import GeminiWire
from tests.support.model_servers.wire import Said, SaidCall

SAID = Said(
    "Here you äre: 🙂 done.",
    (SaidCall("bash", {"command": "echo ü\n"}, "f-1"), SaidCall("list_files", {}, "f-1"), SaidCall("bash", "{}")),
    thinking="let me see",
    usage=Usage(120, 30, 90),
)


def test_a_turn_with_everything_in_it() -> None:
    turn = told(streamed(Gemini(), GeminiWire().stream(SAID)))

    assert (turn.text, turn.thinking) == (SAID.text, SAID.thinking)
    assert [tool for tool, _ in turn.calls] == ["bash", "list_files", "bash"]
    assert [json.loads(text) for _, text in turn.calls] == [{"command": "echo ü\n"}, {}, {}]
    assert turn.end == TurnEnd(StopReason.TOOL_USE, Usage(120, 30, 90))
    assert [memo.before for memo in turn.memos] == [0, 1]


def test_what_came_is_what_the_server_wants_back() -> None:
    """A model that insists on its signatures takes the turn that was read from its own answer."""
    turn = told(streamed(Gemini(), GeminiWire().stream(SAID)))
    uses = tuple(use(number, tool, json.loads(text)) for number, (tool, text) in enumerate(turn.calls[:2]))
    kept = AssistantTurn(turn.text, uses, turn.thinking, memos=tuple(turn.memos))
    request = asking(UserText("hello"), kept, answered(kept, "a", "b"))

    sent = Gemini().request(request, ModelOptions("gemini-3-pro"))

    seen = GeminiWire().seen(sent.path, sent.body)
    assert seen.messages[1].text == SAID.text
    assert "skip" not in json.dumps(sent.body)


@given(st.lists(st.integers(0, 10_000), max_size=12))
def test_it_does_not_matter_how_the_bytes_are_cut(cuts: list[int]) -> None:
    data = b"".join(GeminiWire().stream(SAID))

    assert streamed(Gemini(), in_chunks(data, cuts)) == streamed(Gemini(), [data])


@pytest.mark.parametrize("stop", [None, StopReason.LENGTH])
def test_a_whole_answer_says_the_same(stop: StopReason | None) -> None:
    said = Said(SAID.text, SAID.calls, SAID.thinking, stop)

    assert told(Gemini().whole(json.loads(GeminiWire().whole(said)))) == told(
        streamed(Gemini(), GeminiWire().stream(said))
    )


@given(st.integers(0, 10_000))
def test_a_stream_that_is_cut_anywhere_has_no_end_and_no_half_a_call(cut: int) -> None:
    data = b"".join(GeminiWire().stream(SAID))

    turn = told(streamed(Gemini(), [data[: cut % (len(data) - 2)]]))

    assert turn.end is None
    assert turn.unfinished == []
    whole = told(streamed(Gemini(), [data]))
    assert turn.calls == whole.calls[: len(turn.calls)]
    assert whole.text.startswith(turn.text)


def test_thoughts_are_not_text() -> None:
    assert read(parts({"text": "hm", "thought": True}, {"text": "hi"}), END)[:2] == [
        ThinkingDelta("hm"),
        TextDelta("hi"),
    ]


def test_signatures_are_kept_with_the_place_that_they_belong_to() -> None:
    deltas = read(
        parts({"text": "hm", "thought": True, "thoughtSignature": "s0"}, {"text": "one "}),
        parts({"text": "two", "thoughtSignature": "s1"}, {**call(id="f-1"), "thoughtSignature": "s2"}, call()),
        parts({"thoughtSignature": "s3"}, reason="STOP"),
    )

    assert [delta.value for delta in deltas if isinstance(delta, MemoDelta)] == [
        {"part": "thought", "text": "hm", "thoughtSignature": "s0"},
        {"part": "text", "start": 4, "end": 7, "thoughtSignature": "s1"},
        {"part": "call", "thoughtSignature": "s2", "id": "f-1"},
        {"part": "text", "start": 7, "end": 7, "thoughtSignature": "s3"},
    ]
    place = next(at for at, delta in enumerate(deltas) if isinstance(delta, CallStart))
    assert isinstance(deltas[place - 1], MemoDelta)
    assert deltas[place] == CallStart(0, "bash", "f-1")


@pytest.mark.parametrize(
    ("args", "text"),
    [({"n": "5"}, '{"n":"5"}'), ('{"n": 5}', '{"n": 5}'), ("{broken", "{broken"), (None, ""), ([1], "[1]"), (7, "7")],
)
def test_arguments_are_handed_on_as_the_text_that_they_are(args: Any, text: str) -> None:
    assert told(read(parts(call(args=args)), END)).calls == [("bash", text)]


def test_a_function_without_arguments() -> None:
    assert told(read(parts({"functionCall": {"name": "t"}}), END)).calls == [("t", "")]


def test_only_the_first_candidate_is_read() -> None:
    second = {"content": {"parts": [{"text": "other"}, call()]}, "index": 1, "finishReason": "STOP"}
    first = {"content": {"parts": [{"text": "mine"}]}, "index": 0}

    deltas = read({"candidates": [second, first]}, {"candidates": [second]}, END)

    assert deltas == [TextDelta("mine"), TurnEnd()]


@pytest.mark.parametrize(
    "data",
    [
        "not json",
        "[]",
        '"text"',
        '{"a": NaN}',
        "[" * 100_000,
        *(
            json.dumps(parts(call("good"), bad))
            for bad in (
                {"functionCall": "x"},
                {"functionCall": {"args": {}}},
                {"functionCall": {"name": 5}},
                {"functionCall": []},
                call(partialArgs=[]),
                call(willContinue=True),
            )
        ),
    ],
)
def test_what_makes_no_sense_is_a_fault_and_starts_nothing(data: str) -> None:
    feed = iter(Gemini().reader().feed("", data))

    with pytest.raises(ProviderFault) as raised:
        next(feed)

    assert raised.value.code == "malformed_answer"


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"candidates": None},
        {"candidates": []},
        {"candidates": ["x"]},
        {"candidates": {"content": 5}},
        {"candidates": [{"content": {"parts": "text"}, "finishReason": 5}]},
        {"candidates": [{"content": {"role": "model"}}]},
        {"promptFeedback": {"safetyRatings": []}},
        parts("x", None, {}, {"text": 5}, {"executableCode": {"code": "1"}}, {"thought": True, "text": None}),
    ],
)
def test_what_says_nothing_is_passed_over(odd: dict[str, Any]) -> None:
    assert read(odd, parts({"text": "hi"}), END) == [TextDelta("hi"), TurnEnd()]


def test_models() -> None:
    able = ["generateContent"]
    answer = {
        "models": [
            {"name": "models/gemini-2.5-pro", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": able},
            {"name": "models/odd", "inputTokenLimit": "many", "supportedGenerationMethods": able},
            {"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]},
            {"name": "models/silent"},
            {"supportedGenerationMethods": able},
            "x",
        ]
    }

    assert list(Gemini().models(answer)) == [ModelInfo("gemini-2.5-pro", 1_048_576), ModelInfo("odd")]
    assert [one.name for one in Gemini().models(json.loads(GeminiWire().models(["a", "b"])))] == ["a", "b"]
    assert GeminiWire().models_path(Gemini().models_request().path)
    assert not list(Gemini().models(["x"]))
