"""What an agent says, out of its JSON: right where it is as it should be, and without a fault where it is not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp.reading import introduction_of, logins_of, opened_of, question_of, update_of
from assent.acp.settings_reading import settings_of
from assent.acp.told import UNREADABLE_CHANGE, UNREADABLE_PLACE, told_of
from assent.acp.words import (
    Choice,
    Command,
    CommandsTold,
    Diff,
    Introduction,
    Kind,
    Login,
    ModeTold,
    Outcome,
    PlanEntry,
    PlanTold,
    Progress,
    Said,
    Setting,
    SettingsTold,
    TerminalShown,
    Text,
    ToolTold,
    Unseen,
    UsageTold,
)
from assent.model.approval import OwnKind, OwnOption
from tests.support.acp_traffic import SESSION, asked, option, request, told, update

WORDS = st.sampled_from(
    [
        *("sessionId", "update", "sessionUpdate", "toolCallId", "toolCall", "options", "optionId", "kind", "name"),
        *("content", "type", "text", "diff", "path", "oldText", "newText", "locations", "rawInput", "status", "title"),
        *("entries", "availableCommands", "input", "hint", "currentModeId", "configOptions", "modes", "models", "id"),
        *("availableModes", "availableModels", "modelId", "currentModelId", "category", "currentValue", "value"),
        *("group", "agentCapabilities", "authMethods", "agentInfo", "protocolVersion", "used", "size", "_meta"),
        *("sessionCapabilities", "resume", "claudeCode", "toolName", "resource", "uri", "terminalId"),
    ]
)
VALUES = st.sampled_from(
    [
        *("tool_call", "tool_call_update", "plan", "available_commands_update", "config_option_update", "select"),
        *("agent_message_chunk", "current_mode_update", "usage_update", "diff", "terminal", "content", "text", "mode"),
        *("allow_once", "execute", "completed", "s", "resource_link", "image", "boolean"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=6),
    max_leaves=25,
)


@given(JSON)
def test_no_json_is_a_fault(value: Any) -> None:
    for params in (value, {"sessionId": "s", "update": value}, {"sessionId": "s", "toolCall": value, "options": value}):
        update_of(params)
        question_of(0, params)
    introduction_of(value)
    opened_of(value, "s")
    settings_of(value)
    logins_of(value)


@given(
    JSON, st.sampled_from(["tool_call", "plan", "available_commands_update", "config_option_update", "usage_update"])
)
def test_no_update_is_a_fault(value: Any, kind: str) -> None:
    fields = value if isinstance(value, dict) else {"content": value, "locations": value, "entries": value}
    update_of({"sessionId": "s", "update": {**fields, "sessionUpdate": kind}})


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (update("agent_message_chunk", content={"type": "text", "text": "Hello"}), Said("Hello")),
        (update("agent_thought_chunk", content={"type": "text", "text": "Hm"}), Said("Hm", thinking=True)),
        (
            update("agent_message_chunk", content={"type": "resource", "resource": {"uri": "a", "text": "In it"}}),
            Said("In it"),
        ),
        (
            update(
                "plan", entries=[{"content": "First", "priority": "high", "status": "completed"}, {"content": "Then"}]
            ),
            PlanTold((PlanEntry("First", "completed"), PlanEntry("Then", "pending"))),
        ),
        (
            update(
                "available_commands_update",
                availableCommands=[
                    {"name": "web search $x", "description": "Looks", "input": {"hint": "what"}},
                    {"name": "init", "description": ""},
                    {"name": "init", "description": "again"},
                ],
            ),
            CommandsTold((Command("web search $x", "Looks", "what"), Command("init"))),
        ),
        (update("current_mode_update", currentModeId="ask"), ModeTold("ask")),
        (update("usage_update", used=5, size=200), UsageTold(5, 200)),
        (update("usage_update", used=-1, size=True), UsageTold(None, None)),
        (
            update(
                "config_option_update",
                configOptions=[
                    {
                        "id": "m",
                        "name": "M",
                        "type": "select",
                        "currentValue": "a",
                        "options": [{"value": "a", "name": "A"}],
                    }
                ],
            ),
            SettingsTold((Setting("m", "M", None, "a", (Choice("a", "A"),)),)),
        ),
    ],
)
def test_an_update_is_read(params: dict[str, Any], expected: object) -> None:
    assert update_of(params) == (SESSION, expected)


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        "text",
        {},
        update("user_message_chunk", content={"type": "text", "text": "mine"}),
        update("session_info_update", title="x"),
        update("of tomorrow"),
        update("agent_message_chunk", content={"type": "text", "text": ""}),
        update("agent_message_chunk", content={"type": "image", "data": "aaaa", "mimeType": "image/png"}),
        update("agent_message_chunk", content="Hello"),
        update("tool_call", title="without an id"),
        update("tool_call", toolCallId=7),
        update("current_mode_update", currentModeId=None),
        {"update": {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}},
        {"sessionId": 1, "update": {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}},
    ],
)
def test_what_is_of_no_use_is_none(params: Any) -> None:
    assert update_of(params) is None


def test_a_call_is_read_whole() -> None:
    read = told(
        update(
            "tool_call",
            toolCallId="c",
            title="Edit a.py",
            kind="edit",
            status="in_progress",
            content=[
                {"type": "diff", "path": "/w/a.py", "oldText": None, "newText": "x"},
                {"type": "content", "content": {"type": "text", "text": "why"}},
                {"type": "terminal", "terminalId": "t"},
                {"type": "content", "content": {"type": "image", "data": "", "mimeType": "image/png"}},
                {"type": "content", "content": {"type": "resource_link", "uri": "file:///x", "name": "x"}},
            ],
            locations=[{"path": "/w/a.py", "line": 3}, {"path": "/w/a.py"}, {"line": 1}],
            rawInput={"path": "/w/a.py"},
            rawOutput="done",
            _meta={"claudeCode": {"toolName": "Edit"}},
        )
    )

    assert read == ToolTold(
        "c",
        title="Edit a.py",
        kind=Kind.EDIT,
        progress=Progress.IN_PROGRESS,
        content=(
            Diff("/w/a.py", None, "x"),
            Text("why"),
            TerminalShown("t"),
            Unseen("an image"),
            Unseen("a link to file:///x"),
        ),
        paths=("/w/a.py", UNREADABLE_PLACE),
        raw_input={"path": "/w/a.py"},
        raw_output="done",
        name="Edit",
    )


def test_what_is_left_out_is_none() -> None:
    assert told(update("tool_call_update", toolCallId="c", content=None, title=None, kind=None)) == ToolTold("c")


@pytest.mark.parametrize(
    ("word", "kind"),
    [("execute", Kind.EXECUTE), ("browse", Kind.OTHER), ("Execute", Kind.OTHER), ("", None), (3, None)],
)
def test_an_unknown_kind_may_be_anything(word: Any, kind: Kind | None) -> None:
    assert told(update("tool_call", toolCallId="c", kind=word)).kind is kind


@pytest.mark.parametrize(
    ("word", "progress"),
    [("pending", Progress.PENDING), ("cancelled", Progress.FAILED), ("rejected", Progress.FAILED), ("odd", None)],
)
def test_a_call_that_ended_otherwise_is_over(word: str, progress: Progress | None) -> None:
    assert told(update("tool_call_update", toolCallId="c", status=word)).progress is progress


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "diff", "path": "a"},
        {"type": "diff", "newText": "x"},
        {"type": "diff", "path": "a", "newText": ["x"]},
        {"type": "diff", "path": "a", "newText": "x", "oldText": 1},
    ],
)
def test_a_change_that_cannot_be_read_stays_as_one(broken: dict[str, Any]) -> None:
    assert told(update("tool_call", toolCallId="c", content=[broken])).content == (
        Unseen("a change that cannot be read"),
    )


@pytest.mark.parametrize(
    ("fields", "old"), [({}, None), ({"oldText": None}, None), ({"oldText": ""}, ""), ({"oldText": "a\n"}, "a\n")]
)
def test_the_old_content_is_told_in_many_ways(fields: dict[str, Any], old: str | None) -> None:
    content = [{"type": "diff", "path": "f", "newText": "", **fields}]

    assert told(update("tool_call", toolCallId="c", content=content)).content == (Diff("f", old, ""),)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"type": "content", "content": {"type": "text", "text": "one"}}, (Text("one"),)),
        ([{"type": "text", "text": "bare"}], (Text("bare"),)),
        (
            [{"type": "content", "content": {"type": "resource", "resource": {"uri": "u", "text": "in it"}}}],
            (Text("in it"),),
        ),
        ([{"type": "content", "content": {"type": "resource", "resource": {"uri": "u"}}}], (Unseen("a link to u"),)),
        (
            [{"type": "content", "content": {"type": "audio"}}, {"type": "terminal"}],
            (Unseen("a sound"), Unseen("a terminal")),
        ),
        ([{"type": "hologram"}, 3, None, {}], (Unseen("“hologram”"), *[Unseen(UNREADABLE_CHANGE)] * 3)),
        ("text", (Unseen(UNREADABLE_CHANGE),)),
    ],
)
def test_content_in_many_ways(content: Any, expected: tuple[object, ...]) -> None:
    assert told(update("tool_call", toolCallId="c", content=content)).content == expected


def test_ways_to_log_in_also_come_with_an_error() -> None:
    assert logins_of([{"id": "key", "name": "API key"}, {"id": "x"}, {"id": 1}]) == (
        Login("key", "API key"),
        Login("x", "x"),
    )
    assert logins_of({"id": "key"}) == ()


def test_only_names_and_descriptions_are_cut() -> None:
    long = "x" * 5_000
    read = told(
        update(
            "tool_call",
            toolCallId=long,
            title=long,
            content=[{"type": "diff", "path": long, "oldText": long, "newText": long}],
            rawInput={"command": long},
        )
    )

    assert read.title is not None
    assert len(read.title) == 500
    assert read.tool_call_id == long
    assert read.content == (Diff(long, long, long),)
    assert read.raw_input == {"command": long}
    commands = update_of(update("available_commands_update", availableCommands=[{"name": "n", "description": long}]))
    assert commands is not None
    assert isinstance(commands[1], CommandsTold)
    assert len(commands[1].commands[0].description) == 2_000


def test_a_question_has_the_id_of_its_request_and_all_its_answers() -> None:
    params = request([option("proceed_always", "allow_always", "Always"), option("proceed_once", "allow_once", "Once")])

    for request_id in (0, "text", 7):
        question = question_of(request_id, params)
        assert question is not None
        assert question.request_id == request_id
        assert question.options == (
            OwnOption("proceed_always", OwnKind.ALLOW_ALWAYS, "Always"),
            OwnOption("proceed_once", OwnKind.ALLOW_ONCE, "Once"),
        )


def test_answers_that_cannot_be_given_are_never_taken_for_a_yes() -> None:
    question = asked(
        request(
            [
                option("a", "allow_once"),
                option("a", "allow_always"),
                option("b", "allow_forever"),
                option("", "allow_once"),
                option(3, "allow_once"),
                option("c", ["allow_once"]),
                "allow_once",
                None,
                option("d", "reject_once", 5),
            ]
        )
    )

    assert [(one.option_id, one.kind) for one in question.options] == [
        ("a", OwnKind.OTHER),
        ("a", OwnKind.OTHER),
        ("b", OwnKind.OTHER),
        ("c", OwnKind.OTHER),
        ("d", OwnKind.REJECT_ONCE),
    ]


@pytest.mark.parametrize("params", [None, {}, {"toolCall": {"toolCallId": "c"}, "options": []}, {"sessionId": ""}])
def test_a_question_of_no_session_is_none(params: Any) -> None:
    assert question_of(0, params) is None


def test_a_question_without_a_call_can_be_answered_all_the_same() -> None:
    question = question_of(0, {"sessionId": "s", "options": [option("no", "reject_once")]})

    assert question is not None
    assert question.told == ToolTold("")
    assert [one.kind for one in question.options] == [OwnKind.REJECT_ONCE]


def test_an_introduction_is_read() -> None:
    assert introduction_of(
        {
            "protocolVersion": 1,
            "agentInfo": {"name": "Copilot", "title": "GitHub", "version": "1.0"},
            "agentCapabilities": {
                "loadSession": True,
                "sessionCapabilities": {"resume": {}},
                "promptCapabilities": {"image": True, "embeddedContext": False},
            },
            "authMethods": [{"id": "login", "name": "Log in", "description": "Opens"}, {"name": "no id"}, 3],
        }
    ) == Introduction(
        1,
        name="Copilot",
        version="1.0",
        loads_sessions=True,
        resumes_sessions=True,
        takes_images=True,
        logins=(Login("login", "Log in", "Opens"),),
    )


@pytest.mark.parametrize("result", [None, {}, {"protocolVersion": "1"}, {"protocolVersion": True}, [1]])
def test_an_introduction_without_a_protocol_is_none(result: Any) -> None:
    assert introduction_of(result) is None


def test_only_what_is_said_plainly_is_offered() -> None:
    said = introduction_of({"protocolVersion": 1, "agentCapabilities": {"loadSession": "yes", "promptCapabilities": 1}})

    assert said == Introduction(1)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ({}, (Outcome.WELL, "")),
        ({"stdout": "Shell cwd was reset to /w"}, (Outcome.WELL, "")),
        ({"stderr": "\nShell cwd was reset to /w"}, (Outcome.SENT_BACK, "/w")),
        ({"stderr": "Shell cwd was reset to /a\nShell cwd was reset to /w"}, (Outcome.UNSURE, "")),
        ({"stderr": "Shell cwd was reset to /w\nmore"}, (Outcome.UNSURE, "")),
        ({"stderr": "more\nShell cwd was reset to /w"}, (Outcome.UNSURE, "")),
        ({"stderr": 7}, (Outcome.UNSURE, "")),
        ({"interrupted": True}, (Outcome.UNSURE, "")),
        ({"interrupted": None}, (Outcome.UNSURE, "")),
        ({"returnCodeInterpretation": "No matches found"}, (Outcome.BADLY, "")),
        ({"backgroundTaskId": "b1"}, (Outcome.BADLY, "")),
        ("text", (None, "")),
        ({"stdout": None, "interrupted": True, "backgroundTaskId": "b1"}, (Outcome.UNSURE, "")),
    ],
)
def test_how_a_command_of_claude_has_ended_for_its_shell(answer: Any, outcome: tuple[Outcome | None, str]) -> None:
    if isinstance(answer, dict):
        answer = {"stdout": "", "stderr": "", "interrupted": False, **answer}
    found = told_of({"toolCallId": "c", "_meta": {"claudeCode": {"toolResponse": answer, "parentToolUseId": "t"}}})
    assert (found.outcome, found.sent_back_to, found.is_inner) == (*outcome, True)
