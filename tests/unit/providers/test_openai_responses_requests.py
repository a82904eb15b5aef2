"""What is sent in the Responses format; the strict server of the tests has to take all of it."""

from typing import Any

import pytest

from assent.model.conversation import AssistantTurn, Memo, Spoken, ToolSpec, UserText
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.openai_responses.dialect import OpenAiResponses
from tests.support.dialects import OPTIONS, answered, asking, use
from tests.support.model_servers.openai_responses import OpenAiResponsesWire

REASONING = ModelOptions("gpt-5")
MARK = OpenAiResponses().mark
READ, LOOK = use(1, "read_file", {"path": "a"}), use(2, "list_files", {})
LIST = ToolSpec("list_files", "Lists files.", {"type": "object", "properties": {}})


def body_of(*messages: Spoken, options: ModelOptions = OPTIONS, **more: Any) -> Any:
    """What is sent, after the server has read it."""
    request = OpenAiResponses().request(asking(*messages, **more), options)
    OpenAiResponsesWire().seen("/v1" + request.path, request.body)
    return request.body


def thought(number: int) -> dict[str, Any]:
    return {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"e{number}"}


def memo(number: int, before: int, mark: str = MARK) -> Memo:
    return Memo(mark, before, {"item": thought(number)})


def made(call: Any, arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call.call_id, "name": call.tool, "arguments": arguments}


def output(call: Any, text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call.call_id, "output": text}


USER = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
SAID = {"type": "message", "role": "assistant", "content": "I look."}
BOTH = AssistantTurn("I look.", (READ, LOOK), memos=(memo(1, 0), memo(2, 1), memo(3, 2)))
UNREADABLE = AssistantTurn("", (use(1, "read_file", '{"pa'),))
TURNS: dict[str, tuple[tuple[Spoken, ...], list[Any]]] = {
    "the user twice": ((UserText("Hi"), UserText("Hi")), [USER, USER]),
    "words": ((UserText("Hi"), AssistantTurn("I look.", cut=True)), [USER, SAID]),
    "nothing but thoughts": ((UserText("Hi"), AssistantTurn("", memos=(memo(1, 0),)), UserText("Hi")), [USER, USER]),
    "reasoning before words": (
        (UserText("Hi"), AssistantTurn("I look.", memos=(memo(1, 0),))),
        [USER, thought(1), SAID],
    ),
    "reasoning at its place, and none that led to nothing": (
        (UserText("Hi"), BOTH, answered(BOTH, "x", "y")),
        [
            USER,
            thought(1),
            SAID,
            made(READ, '{"path":"a"}'),
            thought(2),
            made(LOOK, "{}"),
            output(READ, "x"),
            output(LOOK, "y"),
        ],
    ),
    "arguments that were not to be read": (
        (UNREADABLE, answered(UNREADABLE, "not JSON", is_error=True)),
        [made(READ, '{"unparsed":"{\\"pa"}'), output(READ, "not JSON")],
    ),
}


@pytest.mark.parametrize("messages, expected", TURNS.values(), ids=TURNS.keys())
def test_each_kind_of_message(messages: tuple[Spoken, ...], expected: list[Any]) -> None:
    assert body_of(*messages, options=REASONING)["input"] == expected


@pytest.mark.parametrize("mark", ["openai-responses 127.0.0.1", "openai-compatible api.openai.com", "anthropic"])
def test_reasoning_goes_back_only_to_where_it_came_from(mark: str) -> None:
    turn = AssistantTurn("I look.", memos=(memo(1, 0, mark), Memo(MARK, 0, "odd"), Memo(MARK, 0, {"item": 3})))

    assert body_of(turn, UserText("Hi"), options=REASONING)["input"] == [SAID, USER]


MODELS = {
    "gpt-5": True,
    "gpt-5.1-codex-mini": True,
    "gpt-6": True,
    "o3": True,
    "openai/o4-mini": True,
    "codex-mini-latest": True,
    "gpt-5-chat-latest": False,
    "gpt-5.1-chat-latest": False,
    "gpt-4.1": False,
    "gpt-4o": False,
    "qwen3": False,
    "ollama3": False,
}


@pytest.mark.parametrize("model, reasons", MODELS.items())
def test_encrypted_reasoning_is_asked_for_and_handed_back_where_the_model_reasons(model: str, reasons: bool) -> None:
    turn = AssistantTurn("I look.", memos=(memo(1, 0),))

    body = body_of(turn, UserText("Hi"), options=ModelOptions(model))

    assert body.get("include") == (["reasoning.encrypted_content"] if reasons else None)
    assert body["input"] == [*[thought(1)][: int(reasons)], SAID, USER]
    assert "reasoning" not in body


@pytest.mark.parametrize("model, wanted", [("mine", True), ("gpt-5", False)])
def test_what_the_user_says_of_a_model_counts_more_than_its_name(model: str, wanted: bool) -> None:
    body = body_of(UserText("Hi"), options=ModelOptions(model, thinking=wanted))

    assert ("include" in body) is wanted
    assert body.get("reasoning") == ({"summary": "auto"} if wanted else None)


def test_instructions_tools_and_options() -> None:
    options = ModelOptions("gpt-4.1", temperature=0.5, max_tokens=9)

    body = body_of(UserText("Hi"), system="Be good.", tools=[LIST], options=options, streaming=False)

    tool = {"type": "function", "name": "list_files", "description": "Lists files.", "parameters": LIST.schema}
    assert body == {
        "model": "gpt-4.1",
        "input": [USER],
        "instructions": "Be good.",
        "tools": [{**tool, "strict": False}],
        "temperature": 0.5,
        "max_output_tokens": 9,
        "stream": False,
        "store": False,
    }


def test_what_is_not_set_is_not_sent() -> None:
    assert set(body_of(UserText("Hi"))) == {"model", "input", "stream", "store"}
