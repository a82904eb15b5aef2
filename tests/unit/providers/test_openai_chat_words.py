"""Words, numbers and faults as the servers that speak Chat Completions stream them, each in its own way."""

from typing import Any

import pytest

from assent.model.conversation import StopReason, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from tests.support.dialects import streamed
from tests.support.dialects import told as all_of
from tests.support.model_servers.openai_chunks import said, told

WORDS = {
    "content null, then a text": ([said({"content": None}), said({"content": "Hello"})], "Hello", ""),
    "content in parts": (
        [
            said(
                {
                    "content": [
                        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
                        {"type": "text", "text": "Hello"},
                    ]
                }
            )
        ],
        "Hello",
        "Hm",
    ),
    "reasoning under its older name": ([said({"reasoning_content": "Hm"}), said({"content": "Hello"})], "Hello", "Hm"),
    "reasoning under its newer name": ([said({"reasoning": "Hm"}), said({"content": "Hello"})], "Hello", "Hm"),
    "reasoning under both": (
        [said({"reasoning": "Hm", "reasoning_content": "Hm"}), said({"content": "Hello"})],
        "Hello",
        "Hm",
    ),
    "no choices, as Azure begins": (
        [{"choices": [], "prompt_filter_results": []}, said({"content": "Hello"})],
        "Hello",
        "",
    ),
    "odd types": (
        [
            {"choices": "x"},
            {"choices": [3]},
            said(7),
            said({"content": 3, "tool_calls": "x"}),
            said({"content": "Hello"}),
        ],
        "Hello",
        "",
    ),
}


@pytest.mark.parametrize("chunks, text, thinking", WORDS.values(), ids=WORDS.keys())
def test_words_of_every_kind_of_server(chunks: list[Any], text: str, thinking: str) -> None:
    found = told(*chunks, said({}, "stop"), "[DONE]")

    assert (found.text, found.thinking) == (text, thinking)
    assert found.end == TurnEnd()


@pytest.mark.parametrize("reason", ["stop", "eos", "something_new", "tool_calls"])
def test_an_answer_without_calls_ends_whatever_its_reason_is_called(reason: str) -> None:
    assert told(said({"content": "Hi"}), said({}, reason)).end == TurnEnd()


@pytest.mark.parametrize("end", [["[DONE]"], [said({}, ""), "[DONE]"], [said({}, None), "[DONE]"]])
def test_an_answer_in_words_is_whole_where_only_done_says_so(end: list[Any]) -> None:
    assert told(said({"content": "Hi"}), *end).end == TurnEnd()


@pytest.mark.parametrize("last", [[], [said({}, "")], [said({}, 5)]])
def test_an_answer_that_nobody_ended_is_cut(last: list[Any]) -> None:
    assert told(said({"content": "Hi"}), *last).end is None


def test_a_refusal_is_text_and_ends_the_turn_as_one() -> None:
    found = told(said({"refusal": "I will "}), said({"refusal": "not."}), said({}, "stop"))

    assert found.text == "I will not."
    assert found.end == TurnEnd(StopReason.REFUSED)


COUNTED = {"prompt_tokens": 7, "completion_tokens": 3}
USAGE = {
    "in a chunk of its own": (
        [said({}, "stop"), {"choices": [], "usage": {**COUNTED, "prompt_tokens_details": {"cached_tokens": 2}}}],
        Usage(7, 3, 2),
    ),
    "with the reason": ([{**said({}, "stop"), "usage": COUNTED}], Usage(7, 3)),
    "Groq": ([{**said({}, "stop"), "x_groq": {"usage": COUNTED}}], Usage(7, 3)),
    "DeepSeek": ([{**said({}, "stop"), "usage": {**COUNTED, "prompt_cache_hit_tokens": 5}}], Usage(7, 3, 5)),
    "counted all the time": (
        [
            {**said({"content": ""}), "usage": {"prompt_tokens": 7, "completion_tokens": 1}},
            {**said({}, "stop"), "usage": COUNTED},
        ],
        Usage(7, 3),
    ),
    "null, and odd": (
        [
            {**said({}, "stop"), "usage": None},
            {"choices": [], "usage": {"prompt_tokens": "7", "completion_tokens": True}},
        ],
        Usage(),
    ),
}


@pytest.mark.parametrize("chunks, usage", USAGE.values(), ids=USAGE.keys())
def test_tokens_are_counted_wherever_the_server_puts_them(chunks: list[Any], usage: Usage) -> None:
    assert told(*chunks, "[DONE]").end == TurnEnd(usage=usage)


BROKEN = {
    "as OpenAI says it": ({"error": {"message": "The server is overloaded", "type": "server_error"}}, True),
    "as OpenRouter says it": ({**said({}, "error"), "error": {"code": 502, "message": "overloaded"}}, True),
    "as vLLM says it": ({"object": "error", "message": "overloaded", "code": 400}, False),
    "as a text": ({"error": "overloaded"}, False),
    "as a reason": (said({}, "insufficient_system_resource"), True),
}


@pytest.mark.parametrize("chunk, passing", BROKEN.values(), ids=BROKEN.keys())
def test_a_fault_in_the_middle_is_the_servers(chunk: Any, passing: bool) -> None:
    with pytest.raises(ProviderFault) as fault:
        told(said({"content": "Hi"}), chunk)

    assert (fault.value.code, fault.value.passing) == ("server_fault", passing)
    assert any(word in str(fault.value) for word in ("overloaded", "insufficient_system_resource"))


def test_comments_and_events_without_data_are_nothing() -> None:
    noise = b": OPENROUTER PROCESSING\n\nevent: ping\n\n"
    last = (
        b'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\ndata: junk\n\n'
    )

    assert all_of(streamed(OpenAiChat(), [noise, last])).text == "Hi"
