"""What is sent to Ollama."""

from typing import Any

import pytest

from assent.model.conversation import AssistantTurn, Memo, UserText
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.ollama.dialect import Ollama
from assent.tools.list_files import ListFiles
from assent.tools.write_file import WriteFile
from tests.support.dialects import OPTIONS, answered, asking, use
from tests.support.model_servers.ollama import OllamaWire

HELLO = UserText("hello")
SPECS = (ListFiles.spec, WriteFile.spec)


def body(*messages: Any, options: ModelOptions = OPTIONS, **more: Any) -> Any:
    """The body of a request, which the server must take."""
    sent = Ollama().request(asking(*messages, **more), options)
    OllamaWire().seen(sent.path, sent.body)
    return sent.body


def sent(*messages: Any, **more: Any) -> Any:
    return body(*messages, **more)["messages"]


def test_the_user_and_the_system_speak_as_themselves() -> None:
    assert sent(HELLO, system="be brief") == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
    ]
    assert sent(HELLO) == [{"role": "user", "content": "hello"}]


def test_calls_have_no_ids_and_results_name_their_tool() -> None:
    turn = AssistantTurn("I look.", (use(1, "list_files", {"path": "."}), use(2, "bash", {"command": "ls"})))

    assert sent(HELLO, turn, answered(turn, "a.txt", "b.txt"))[1:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"function": {"name": "list_files", "arguments": {"path": "."}}},
                {"function": {"name": "bash", "arguments": {"command": "ls"}}},
            ],
        },
        {"role": "tool", "tool_name": "list_files", "content": "a.txt"},
        {"role": "tool", "tool_name": "bash", "content": "b.txt"},
    ]


def test_arguments_that_could_not_be_parsed_are_sent_inside_an_object() -> None:
    turn = AssistantTurn("", (use(1, "bash", '{"command": '),))

    call = sent(HELLO, turn, answered(turn, "not valid JSON", is_error=True))[1]["tool_calls"][0]

    assert call["function"]["arguments"] == {"unparsed": '{"command": '}


@pytest.mark.parametrize("turn", [AssistantTurn(""), AssistantTurn("", thinking="hm", cut=True)], ids=["empty", "cut"])
def test_a_turn_that_said_nothing_is_left_out(turn: AssistantTurn) -> None:
    assert [message["role"] for message in sent(HELLO, turn, UserText("again"))] == ["user", "user"]


def test_what_was_said_before_the_cut_is_sent() -> None:
    assert sent(HELLO, AssistantTurn("half a sen", cut=True), UserText("go on"))[1]["content"] == "half a sen"


def test_thoughts_are_sent_since_the_user_spoke_last() -> None:
    turn = AssistantTurn("", (use(1, "bash", {"command": "ls"}),), thinking="I should look")
    history = (HELLO, turn, answered(turn, "a"))

    assert sent(*history)[1]["thinking"] == "I should look"
    assert "thinking" not in sent(*history, UserText("and now?"))[1]


def test_memos_of_others_are_not_sent() -> None:
    turn = AssistantTurn("text", memos=(Memo("gemini", 0, {"part": "text", "thoughtSignature": "secret words"}),))

    assert "secret words" not in str(body(HELLO, turn, UserText("more")))


def test_options_are_sent_where_they_are_set() -> None:
    options = ModelOptions("m", temperature=0.0, max_tokens=100, context_window=32_768, thinking=False)

    whole = body(HELLO, options=options)

    assert whole["options"] == {"temperature": 0.0, "num_predict": 100, "num_ctx": 32_768}
    assert whole["think"] is False
    assert not {"options", "think", "keep_alive", "tools"} & set(body(HELLO))


def test_the_server_may_not_leave_out_the_beginning_without_a_word() -> None:
    assert (body(HELLO)["truncate"], body(HELLO)["shift"]) == (False, False)


def test_tools_are_sent_with_their_whole_schema() -> None:
    (first, second) = body(HELLO, tools=SPECS)["tools"]

    assert first["type"] == "function"
    assert first["function"]["parameters"] == ListFiles.spec.schema
    assert second["function"]["name"] == "write_file"
    assert second["function"]["description"] == WriteFile.spec.description


def test_a_whole_answer_is_asked_for_at_the_same_place() -> None:
    request = Ollama().request(asking(HELLO, streaming=False), OPTIONS)

    assert request.path == "/api/chat"
    assert request.body is not None
    assert request.body["stream"] is False


def test_the_key_is_shown_as_a_bearer() -> None:
    headers = {name.lower(): value for name, value in Ollama().key_headers("k").items()}

    assert OllamaWire().key(headers) == "k"
