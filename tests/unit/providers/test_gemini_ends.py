"""How an answer of Gemini ends, well or not, and what it cost."""

import json
from typing import Any

import pytest

from assent.model.conversation import Delta, StopReason, TextDelta, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.providers.dialects.gemini.dialect import Gemini
from tests.support.gemini_events import END, call, parts, read
from tests.support.model_servers.gemini import GeminiWire


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("STOP", StopReason.END),
        ("MAX_TOKENS", StopReason.LENGTH),
        ("SAFETY", StopReason.REFUSED),
        ("RECITATION", StopReason.REFUSED),
        ("BLOCKLIST", StopReason.REFUSED),
        ("PROHIBITED_CONTENT", StopReason.REFUSED),
        ("SPII", StopReason.REFUSED),
    ],
)
def test_why_it_ended(reason: str, stop: StopReason) -> None:
    assert read(parts({"text": "hi"}, reason=reason)) == [TextDelta("hi"), TurnEnd(stop)]


def test_a_call_that_comes_with_a_refusal_is_not_made() -> None:
    assert read(parts({"text": "hi"}, call(), reason="SAFETY")) == [TextDelta("hi"), TurnEnd(StopReason.REFUSED)]


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("MALFORMED_FUNCTION_CALL", "malformed_call"),
        ("UNEXPECTED_TOOL_CALL", "unfinished_answer"),
        ("TOO_MANY_TOOL_CALLS", "unfinished_answer"),
        ("MISSING_THOUGHT_SIGNATURE", "unfinished_answer"),
        ("LANGUAGE", "unfinished_answer"),
        ("OTHER", "unfinished_answer"),
        ("FINISH_REASON_UNSPECIFIED", "unfinished_answer"),
        ("SOMETHING_NEW", "unfinished_answer"),
    ],
)
def test_an_end_that_is_none_is_a_fault_and_its_calls_are_not_made(reason: str, code: str) -> None:
    reader = Gemini().reader()
    deltas: list[Delta] = []

    with pytest.raises(ProviderFault, match="what it said") as raised:
        deltas.extend(
            delta
            for answer in (parts({"text": "so far"}), parts(call(), reason=reason, finishMessage="what it said"))
            for delta in reader.feed("", json.dumps(answer))
        )

    assert raised.value.code == code
    assert "did not run" in str(raised.value)


def test_a_call_with_a_malformed_end_is_not_told() -> None:
    reader = Gemini().reader()
    feed = reader.feed("", json.dumps(parts({"text": "so far"}, call(), reason="MALFORMED_FUNCTION_CALL")))

    assert next(feed) == TextDelta("so far")
    with pytest.raises(ProviderFault):
        next(feed)


@pytest.mark.parametrize("reason", ["SAFETY", "OTHER", "PROHIBITED_CONTENT"])
def test_a_prompt_that_was_blocked_is_a_refusal(reason: str) -> None:
    answer = {"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 9}}

    assert read(answer) == [TurnEnd(StopReason.REFUSED, Usage(9))]
    assert list(Gemini().whole(answer)) == [TurnEnd(StopReason.REFUSED, Usage(9))]


def test_nothing_counts_after_the_end() -> None:
    assert read(END, parts({"text": "more"}, call()), {"error": {"message": "late"}}) == [TurnEnd()]


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 3}, Usage(10, 7)),
        ({"promptTokenCount": 10, "cachedContentTokenCount": 8}, Usage(10, None, 8)),
        ({"promptTokenCount": "10", "candidatesTokenCount": -4, "thoughtsTokenCount": True}, Usage()),
        ("none", Usage()),
    ],
)
def test_what_it_cost(counts: Any, usage: Usage) -> None:
    assert read({**END, "usageMetadata": counts}) == [TurnEnd(usage=usage)]


def test_the_latest_counts_are_told() -> None:
    first = {**parts({"text": "hi"}), "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1}}

    assert read(first, {"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2}}, END)[-1] == TurnEnd(
        usage=Usage(3, 2)
    )


@pytest.mark.parametrize(
    ("status", "words", "code", "passing"),
    [
        (503, "The model is overloaded.", "server_fault", True),
        (429, "Quota exceeded.", "server_fault", True),
        (400, "Request contains an invalid argument.", "server_fault", False),
        (400, "API key not valid. Please pass a valid API key.", "key_rejected", False),
        (400, "The input token count (9) exceeds the maximum number of tokens (8).", "context_too_long", False),
    ],
)
def test_faults(status: int, words: str, code: str, passing: bool) -> None:
    fault = json.loads(GeminiWire().fault(status, words))

    for answer in (fault, [fault]):
        with pytest.raises(ProviderFault) as raised:
            read(parts({"text": "hi"}), answer)
        assert (raised.value.code, raised.value.passing) == (code, passing)
        assert words in (Gemini().fault_text(answer) or "")


@pytest.mark.parametrize(
    "answer", [{"error": {"code": "x"}}, {"error": {"message": 5}}, {"error": True}, {"error": [1]}]
)
def test_a_fault_without_words_is_one_all_the_same(answer: Any) -> None:
    with pytest.raises(ProviderFault, match="it reports a fault"):
        read(answer)


@pytest.mark.parametrize("answer", [None, [], "x", {}, [5], END])
def test_an_answer_without_a_fault_has_no_words_for_one(answer: Any) -> None:
    assert Gemini().fault_text(answer) is None


@pytest.mark.parametrize("answer", [None, [END], {}, parts({"text": "half"})])
def test_a_whole_answer_that_does_not_end_is_a_fault(answer: Any) -> None:
    with pytest.raises(ProviderFault):
        list(Gemini().whole(answer))
