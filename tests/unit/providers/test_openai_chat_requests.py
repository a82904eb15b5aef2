"""What is sent in the Chat Completions format; the strict server of the tests has to take all of it."""

import re
from typing import Any

import pytest

from assent.model.conversation import AssistantTurn, Memo, Spoken, StopReason, ToolSpec, UserText
from assent.model.json import Json
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from assent.providers.dialects.openai_chat.request import wire_id
from tests.support.dialects import OPTIONS, answered, asking, streamed, told, use
from tests.support.model_servers.openai_chat import OpenAiChatWire, choice, chunk
from tests.support.model_servers.openai_rules import event

BASE = "http://127.0.0.1:8000/v1"
LIST = ToolSpec("list_files", "Lists files.", {"type": "object", "properties": {"path": {"type": "string"}}})
READ = use(1, "read_file", {"path": "ä"})
ID = wire_id(READ.call_id)


def body_of(*messages: Spoken, base: str = BASE, options: ModelOptions = OPTIONS, **more: Any) -> Any:
    """What is sent, after the server has read it."""
    request = OpenAiChat(base).request(asking(*messages, **more), options)
    OpenAiChatWire().seen("/v1" + request.path, request.body)
    return request.body


def sent(arguments: str, tool: str = "read_file", call_id: str = ID) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}


USER = {"role": "user", "content": "Hi"}
TURN = AssistantTurn("I look.", (READ,))
TURNS: dict[str, tuple[tuple[Spoken, ...], list[Any]]] = {
    "the user": ((UserText("Hi"),), [USER]),
    "the user twice": ((UserText("Hi"), UserText("Hi")), [USER, USER]),
    "words": ((UserText("Hi"), AssistantTurn("Yes?")), [USER, {"role": "assistant", "content": "Yes?"}]),
    "words that were cut": (
        (AssistantTurn("Ye", cut=True), UserText("Hi")),
        [{"role": "assistant", "content": "Ye"}, USER],
    ),
    "nothing but thoughts": (
        (UserText("Hi"), AssistantTurn("", thinking="Hm", cut=True), UserText("Hi")),
        [USER, USER],
    ),
    "words and a call": (
        (TURN, answered(TURN, "text")),
        [
            {"role": "assistant", "content": "I look.", "tool_calls": [sent('{"path":"\\u00e4"}')]},
            {"role": "tool", "tool_call_id": ID, "content": "text"},
        ],
    ),
    "a call without words, and its fault": (
        (AssistantTurn("", (READ,)), answered(TURN, "no such file", is_error=True)),
        [
            {"role": "assistant", "content": None, "tool_calls": [sent('{"path":"\\u00e4"}')]},
            {"role": "tool", "tool_call_id": ID, "content": "no such file"},
        ],
    ),
}


@pytest.mark.parametrize("messages, expected", TURNS.values(), ids=TURNS.keys())
def test_each_kind_of_message(messages: tuple[Spoken, ...], expected: list[Any]) -> None:
    assert body_of(*messages)["messages"] == expected


@pytest.mark.parametrize(
    "args, text",
    [
        ({}, "{}"),
        ('{"path": ', '{"unparsed":"{\\"path\\": "}'),
        ("", '{"unparsed":""}'),
        ([1], '{"unparsed":[1]}'),
        ("\ud800", '{"unparsed":"\\ud800"}'),
    ],
)
def test_arguments_of_earlier_calls_are_an_object_whatever_they_were(args: Json, text: str) -> None:
    turn = AssistantTurn("", (use(1, "read_file", args),))

    message, _ = body_of(turn, answered(turn, "done"))["messages"]

    assert message["tool_calls"] == [sent(text)]


def test_the_instructions_come_first_and_tools_are_described() -> None:
    body = body_of(UserText("Hi"), system="Be good.", tools=[LIST])

    assert body["messages"] == [{"role": "system", "content": "Be good."}, USER]
    described = {"name": "list_files", "description": "Lists files.", "parameters": LIST.schema}
    assert body["tools"] == [{"type": "function", "function": described}]


def test_what_is_not_set_is_not_sent() -> None:
    assert set(body_of(UserText("Hi"))) == {"model", "messages", "stream", "stream_options"}
    assert set(body_of(UserText("Hi"), streaming=False)) == {"model", "messages", "stream"}


SERVERS = {
    BASE: {"max_tokens": 9},
    "https://api.openai.com/v1": {"max_completion_tokens": 9},
    "https://mine.openai.azure.com/openai/v1": {"max_completion_tokens": 9},
    "https://api.openai.com.example.org/v1": {"max_tokens": 9},
    "https://api.mistral.ai/v1": {"max_tokens": 9},
    "https://[": {"max_tokens": 9},
}


@pytest.mark.parametrize("base, expected", SERVERS.items())
def test_the_limit_is_named_as_the_server_knows_it(base: str, expected: dict[str, int]) -> None:
    body = body_of(UserText("Hi"), base=base, options=ModelOptions("m", max_tokens=9, temperature=0.5))

    assert {key: body[key] for key in body if key.startswith("max_")} == expected
    assert body["temperature"] == 0.5
    assert ("stream_options" in body) is ("mistral" not in base)


THINKING = {
    "https://openrouter.ai/api/v1": ({"reasoning": {"enabled": True}}, {"reasoning": {"enabled": False}}),
    "https://api.deepseek.com/v1": ({"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}}),
    BASE: ({}, {}),
}


@pytest.mark.parametrize("base, expected", THINKING.items())
def test_thinking_is_asked_for_where_there_is_a_word_for_it(base: str, expected: tuple[Any, Any]) -> None:
    for wanted, fields in zip((True, False), expected, strict=True):
        body: Any = OpenAiChat(base).request(asking(UserText("Hi")), ModelOptions("m", thinking=wanted)).body
        assert {key: body[key] for key in ("reasoning", "thinking") if key in body} == fields


def test_ids_of_calls_are_short_the_same_each_time_and_different() -> None:
    ids = [wire_id(use(number, "t", {}).call_id) for number in range(10_000)]

    assert all(re.fullmatch("[a-zA-Z0-9]{9}", one) for one in ids)
    assert len(set(ids)) == len(ids)
    assert ids[1] == ID == wire_id(READ.call_id)


def turn_of(base: str, *deltas: Any) -> AssistantTurn:
    """What the agent remembers of an answer with a call."""
    heard = told(streamed(OpenAiChat(base), [event(chunk([choice(delta)])) for delta in deltas]
                          + [event(chunk([choice({}, "tool_calls")]))]))  # fmt: skip
    assert heard.end is not None
    assert heard.end.reason is StopReason.TOOL_USE
    calls = tuple(use(number, tool, {}) for number, (tool, _) in enumerate(heard.calls))
    return AssistantTurn(heard.text, calls, heard.thinking, memos=tuple(heard.memos))


def calling(*ids: str, **more: Any) -> dict[str, Any]:
    made = [{"index": n, "id": one, "function": {"name": "f", "arguments": "{}"}, **more} for n, one in enumerate(ids)]
    return {"tool_calls": made}


def handed_back(turn: AssistantTurn, base: str) -> dict[str, Any]:
    request = OpenAiChat(base).request(asking(turn, answered(turn, *["done"] * len(turn.calls))), OPTIONS)
    messages: Any = request.body and request.body["messages"]
    return {key: messages[0][key] for key in messages[0] if key not in ("role", "content")}


def test_reasoning_that_led_to_calls_goes_back_to_where_it_came_from_and_nowhere_else() -> None:
    turn = turn_of(
        "https://api.deepseek.com/v1", {"reasoning_content": "Hm, "}, {"reasoning_content": "so."}, calling("c")
    )

    assert handed_back(turn, "https://api.deepseek.com")["reasoning_content"] == "Hm, so."
    assert set(handed_back(turn, "https://api.mistral.ai/v1")) == {"tool_calls"}


def test_reasoning_of_a_turn_in_words_is_not_sent() -> None:
    memo = Memo("openai-compatible 127.0.0.1", 0, {"thinking": "reasoning_content"})
    turn = AssistantTurn("Yes.", thinking="Hm", memos=(memo,))

    assert body_of(turn, UserText("Hi"))["messages"][0] == {"role": "assistant", "content": "Yes."}


def test_details_of_reasoning_are_put_together_and_speak_of_the_calls_by_their_new_names() -> None:
    base = "https://openrouter.ai/api/v1"
    details: list[Any] = [
        {"type": "reasoning.text", "index": 0, "text": "Hm, ", "format": "f", "signature": None},
        {"type": "reasoning.text", "index": 0, "text": "so.", "signature": "s1"},
        {"type": "reasoning.encrypted", "index": 1, "data": "xx", "id": "tool_1"},
        {"type": "reasoning.encrypted", "index": 1, "data": "yy", "id": "tool_9"},
        "odd",
    ]
    turn = turn_of(base, *({"reasoning_details": [one]} for one in details), calling("tool_0", "tool_1"))

    assert handed_back(turn, base)["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "Hm, so.", "format": "f", "signature": "s1"},
        {"type": "reasoning.encrypted", "index": 1, "data": "xx", "id": wire_id(turn.calls[1].call_id)},
        {"type": "reasoning.encrypted", "index": 1, "data": "yy", "id": "tool_9"},
    ]
    assert set(handed_back(turn, BASE)) == {"tool_calls"}


def test_what_hangs_on_a_call_stays_on_it() -> None:
    base = "https://generativelanguage.googleapis.com/v1beta/openai"
    signature = {"google": {"thought_signature": "s"}}
    turn = turn_of(
        base, calling("a"), {"tool_calls": [{**calling("b", extra_content=signature)["tool_calls"][0], "index": 1}]}
    )

    assert [call.get("extra_content") for call in handed_back(turn, base)["tool_calls"]] == [None, signature]


@pytest.mark.parametrize("value", [None, 5, "x", [], {"item": {}}, {"reasoning_details": 3}, {"extra_content": None}])
def test_memos_that_are_not_understood_are_not_sent(value: Json) -> None:
    turn = AssistantTurn("", (READ,), memos=(Memo("openai-compatible 127.0.0.1", 0, value),))

    assert handed_back(turn, BASE) == {"tool_calls": [sent('{"path":"\\u00e4"}')]}
