"""What is sent to Gemini."""

from typing import Any

import pytest

from assent.model.conversation import AssistantTurn, Memo, Spoken, UserText
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.gemini.dialect import Gemini
from assent.tools.list_files import ListFiles
from tests.support.dialects import OPTIONS, answered, asking, use
from tests.support.model_servers.gemini import GeminiWire, signature

HELLO = UserText("hello")
NEWER = ModelOptions("gemini-3-pro")
TURN = AssistantTurn("I look.", (use(1, "list_files", {"path": "."}), use(2, "bash", {"command": "ls"})))


def body(*messages: Spoken, options: ModelOptions = OPTIONS, **more: Any) -> Any:
    """The body of a request, which the server must take."""
    sent = Gemini().request(asking(*messages, **more), options)
    GeminiWire().seen(sent.path, sent.body)
    return sent.body


def contents(*messages: Spoken, **more: Any) -> Any:
    return body(*messages, **more)["contents"]


def call_memo(before: int, **kept: str) -> Memo:
    return Memo("gemini", before, {"part": "call", **kept})


def user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text} for text in texts]}


def test_the_user_and_the_system_speak_as_themselves() -> None:
    assert body(HELLO, system="be brief") == {
        "contents": [user("hello")],
        "systemInstruction": {"parts": [{"text": "be brief"}]},
    }
    assert "systemInstruction" not in body(HELLO)


def test_all_results_of_a_turn_are_in_one_content() -> None:
    assert contents(HELLO, TURN, answered(TURN, "a.txt", "b.txt"))[1:] == [
        {
            "role": "model",
            "parts": [
                {"text": "I look."},
                {"functionCall": {"name": "list_files", "args": {"path": "."}}},
                {"functionCall": {"name": "bash", "args": {"command": "ls"}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "list_files", "response": {"output": "a.txt"}}},
                {"functionResponse": {"name": "bash", "response": {"output": "b.txt"}}},
            ],
        },
    ]


def test_an_error_is_a_response_that_says_so() -> None:
    turn = AssistantTurn("", (use(1, "bash", '{"command": '),))

    sent = contents(HELLO, turn, answered(turn, "not valid JSON", is_error=True))

    assert sent[1]["parts"] == [{"functionCall": {"name": "bash", "args": {"unparsed": '{"command": '}}}]
    assert sent[2]["parts"][0]["functionResponse"]["response"] == {"error": "not valid JSON"}


def test_what_the_user_says_after_a_stop_stands_behind_the_results() -> None:
    parts = contents(HELLO, TURN, answered(TURN, "a", "b"), UserText("stop that"))[2]["parts"]

    assert [next(iter(part)) for part in parts] == ["functionResponse", "functionResponse", "text"]


@pytest.mark.parametrize("turn", [AssistantTurn(""), AssistantTurn("", thinking="hm", cut=True)], ids=["empty", "cut"])
def test_a_turn_that_said_nothing_is_left_out(turn: AssistantTurn) -> None:
    assert contents(HELLO, turn, UserText(""), UserText("again")) == [user("hello", "again")]


def test_the_last_word_is_the_users() -> None:
    sent = contents(HELLO, AssistantTurn("half a sen", cut=True))

    assert [content["role"] for content in sent] == ["user", "model", "user"]
    assert sent[1]["parts"] == [{"text": "half a sen"}]


def test_signatures_and_ids_go_back_on_the_calls_that_they_came_with() -> None:
    signed = signature("bash", {"command": "ls"})
    memos = (call_memo(0, id="f-1"), call_memo(1, thoughtSignature=signed, id="f-2"))
    turn = AssistantTurn(TURN.text, TURN.calls, memos=memos)

    sent = contents(HELLO, turn, answered(turn, "a", "b"))

    assert sent[1]["parts"][1:] == [
        {"functionCall": {"name": "list_files", "args": {"path": "."}, "id": "f-1"}},
        {"functionCall": {"name": "bash", "args": {"command": "ls"}, "id": "f-2"}, "thoughtSignature": signed},
    ]
    assert [part["functionResponse"]["id"] for part in sent[2]["parts"]] == ["f-1", "f-2"]


def test_signed_pieces_of_the_text_go_back_as_they_came() -> None:
    memos = (
        Memo("gemini", 0, {"part": "thought", "text": "so", "thoughtSignature": "s0"}),
        Memo("gemini", 0, {"part": "text", "start": 4, "end": 9, "thoughtSignature": "s1"}),
        Memo("gemini", 0, {"part": "text", "start": 11, "end": 11, "thoughtSignature": "s2"}),
    )

    assert contents(HELLO, AssistantTurn("one two three", memos=memos), UserText("go"))[1]["parts"] == [
        {"text": "so", "thought": True, "thoughtSignature": "s0"},
        {"text": "one "},
        {"text": "two t", "thoughtSignature": "s1"},
        {"text": "hr"},
        {"text": "", "thoughtSignature": "s2"},
        {"text": "ee"},
    ]


@pytest.mark.parametrize(
    "memo",
    [
        Memo("anthropic", 0, {"part": "call", "thoughtSignature": "no", "id": "no"}),
        Memo("gemini", 7, {"part": "call", "thoughtSignature": "no"}),
        Memo("gemini", -1, {"part": "call", "thoughtSignature": "no"}),
        Memo("gemini", 0, {"part": "call", "thoughtSignature": 5, "id": None}),
        Memo("gemini", 0, {"part": "text", "start": 3, "end": 99, "thoughtSignature": "no"}),
        Memo("gemini", 0, {"part": "text", "start": "0", "end": 1, "thoughtSignature": "no"}),
        Memo("gemini", 0, {"part": "text", "start": 3, "end": 1, "thoughtSignature": "no"}),
        Memo("gemini", 0, ["no"]),
        Memo("gemini", 0, "no"),
    ],
)
def test_memos_of_others_and_such_as_make_no_sense_are_not_sent(memo: Memo) -> None:
    turn = AssistantTurn(TURN.text, TURN.calls, memos=(memo,))

    assert contents(HELLO, turn, answered(turn, "a", "b")) == contents(HELLO, TURN, answered(TURN, "a", "b"))


def test_newer_models_are_told_that_a_call_of_this_turn_is_not_signed() -> None:
    results = answered(TURN, "a", "b")
    turn = contents(HELLO, TURN, results, options=NEWER)[1]["parts"]

    assert ["thoughtSignature" in part for part in turn] == [False, True, False]
    assert "thoughtSignature" not in str(contents(HELLO, TURN, results, UserText("more"), options=NEWER))
    assert "thoughtSignature" not in str(contents(HELLO, TURN, results, options=ModelOptions("gemini-2.5-pro")))


def test_options_are_sent_where_they_are_set() -> None:
    options = ModelOptions("m", temperature=0.0, max_tokens=100, context_window=9, thinking=True)

    assert body(HELLO, options=options)["generationConfig"] == {
        "temperature": 0.0,
        "maxOutputTokens": 100,
        "thinkingConfig": {"includeThoughts": True},
    }
    assert "generationConfig" not in body(HELLO, options=ModelOptions("m", thinking=False))


def test_tools_are_declared_by_their_schema() -> None:
    (tool,) = body(HELLO, tools=[ListFiles.spec])["tools"]

    (declared,) = tool["functionDeclarations"]
    assert (declared["name"], declared["description"]) == ("list_files", ListFiles.spec.description)
    assert declared["parametersJsonSchema"]["properties"].keys() == ListFiles.spec.schema["properties"].keys()
    assert "tools" not in body(HELLO)


@pytest.mark.parametrize(
    ("model", "streaming", "path"),
    [
        ("gemini-2.5-pro", True, "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"),
        ("gemini-2.5-pro", False, "/v1beta/models/gemini-2.5-pro:generateContent"),
        ("models/m", False, "/v1beta/models/m:generateContent"),
        ("tunedModels/m", False, "/v1beta/tunedModels/m:generateContent"),
        ("a?b#c", False, "/v1beta/models/a%3Fb%23c:generateContent"),
    ],
)
def test_the_model_stands_in_the_path(model: str, streaming: bool, path: str) -> None:
    assert Gemini().request(asking(HELLO, streaming=streaming), ModelOptions(model)).path == path


def test_the_key_stands_in_a_header() -> None:
    assert GeminiWire().key(dict(Gemini().key_headers("k"))) == "k"
