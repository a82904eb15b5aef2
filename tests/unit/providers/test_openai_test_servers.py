"""The test servers of both formats refuse what OpenAI refuses: else tests against them would prove little."""

from typing import Any

import pytest

from tests.support.model_servers.openai_chat import OpenAiChatWire
from tests.support.model_servers.openai_responses import OpenAiResponsesWire
from tests.support.model_servers.wire import SeenMessage

USER: dict[str, Any] = {"role": "user", "content": "Hi"}
FUNCTION = {"name": "f", "parameters": {"type": "object"}}
TOOL = {"type": "function", "function": FUNCTION}


def made(*ids: str, arguments: str = "{}") -> dict[str, Any]:
    calls = [{"id": one, "type": "function", "function": {"name": "f", "arguments": arguments}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": f"of {call_id}"}


CHAT_REFUSES: dict[str, dict[str, Any]] = {
    "no message": {"messages": []},
    "no model": {"model": None},
    "an empty list of tools": {"tools": []},
    "a tool without a type": {"tools": [{"function": FUNCTION}]},
    "a name with a dot": {"tools": [{"type": "function", "function": {**FUNCTION, "name": "a.b"}}]},
    "two tools of one name": {"tools": [TOOL, TOOL]},
    "an unknown field": {"stopp": 1},
    "stream_options without a stream": {"stream_options": {"include_usage": True}},
    "an empty answer": {"messages": [{"role": "assistant", "content": None}]},
    "an empty list of calls": {"messages": [{"role": "assistant", "content": "x", "tool_calls": []}]},
    "a call without a result": {"messages": [made("a")]},
    "a call, and the user first": {"messages": [made("a"), USER, result("a")]},
    "one of two results": {"messages": [made("a", "b"), result("a")]},
    "a result twice": {"messages": [made("a"), result("a"), result("a")]},
    "a result of no call": {"messages": [USER, result("a")]},
    "a result of an earlier turn": {"messages": [made("a"), result("a"), made("b"), result("a")]},
    "two calls with one id": {"messages": [made("a", "a"), result("a")]},
    "a long id": {"messages": [made("a" * 41), result("a" * 41)]},
    "arguments that are no JSON": {"messages": [made("a", arguments="{"), result("a")]},
    "a role that is none": {"messages": [{"role": "robot", "content": "x"}]},
}


@pytest.mark.parametrize("fields", CHAT_REFUSES.values(), ids=CHAT_REFUSES.keys())
def test_chat_completions_refuses(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        OpenAiChatWire().seen("/v1/chat/completions", {"model": "m", "messages": [USER], **fields})


def test_chat_completions_understands() -> None:
    messages = [{"role": "system", "content": "S"}, USER, made("a", "b"), result("b"), result("a")]

    seen = OpenAiChatWire().seen("/v1/chat/completions", {"model": "m", "messages": messages, "tools": [TOOL]})

    assert (seen.system, seen.tools, seen.streaming, seen.model) == ("S", ("f",), False, "m")
    assert seen.messages == (
        SeenMessage("user", "Hi"),
        SeenMessage("assistant", calls=(("f", {}), ("f", {}))),
        SeenMessage("results", results=("of b", "of a"), ids_match=False),
    )


CALL = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "x"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
SAID = {"role": "assistant", "content": "x"}
FLAT = {"type": "function", **FUNCTION}
RESPONSES_REFUSES: dict[str, dict[str, Any]] = {
    "no input": {"input": []},
    "an empty list of tools": {"tools": []},
    "a tool as in the other format": {"tools": [TOOL]},
    "a name with a dot": {"tools": [{**FLAT, "name": "a.b"}]},
    "an unknown field": {"messages": [USER]},
    "the other format's limit": {"max_tokens": 5},
    "encrypted reasoning of a model without any": {"model": "gpt-4.1", "include": ["reasoning.encrypted_content"]},
    "a result of no call": {"input": [OUTPUT]},
    "a call without a result": {"input": [USER, CALL]},
    "a call, and the user first": {"input": [CALL, USER, OUTPUT]},
    "a result twice": {"input": [CALL, OUTPUT, OUTPUT]},
    "reasoning that led to nothing": {"input": [USER, THOUGHT]},
    "reasoning, and the user": {"input": [THOUGHT, USER]},
    "reasoning that it did not keep": {"store": False, "input": [{**THOUGHT, "encrypted_content": None}, SAID]},
    "the wrong kind of part": {"input": [{"role": "user", "content": [{"type": "output_text", "text": "x"}]}]},
    "arguments that are no JSON": {"input": [{**CALL, "arguments": "{"}, OUTPUT]},
    "an item that is none": {"input": [{"type": "thing"}]},
}


@pytest.mark.parametrize("fields", RESPONSES_REFUSES.values(), ids=RESPONSES_REFUSES.keys())
def test_responses_refuses(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        OpenAiResponsesWire().seen("/v1/responses", {"model": "m", "input": [USER], **fields})


def test_responses_understands() -> None:
    body = {"model": "m", "input": [USER, THOUGHT, SAID, CALL, OUTPUT], "instructions": "S", "tools": [FLAT]}

    seen = OpenAiResponsesWire().seen("/v1/responses", {**body, "stream": True, "store": False})

    assert (seen.system, seen.tools, seen.streaming, seen.model) == ("S", ("f",), True, "m")
    assert seen.messages == (
        SeenMessage("user", "Hi"),
        SeenMessage("assistant", "x", calls=(("f", {}),)),
        SeenMessage("results", results=("x",)),
    )
