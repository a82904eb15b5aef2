"""Forms that MCP servers put to the user, over the wire with real servers: who asks, what counts, and how each ends."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.mcp_servers import OFFICIAL, SUPPORT, command
from tests.support.scale import wait_until
from tests.support.secret_samples import an, glued
from tests.support.server import INVALID_PARAMS, Chat, Json, RpcError, Server, Step, call, say

Made = Callable[..., Server]
ASKING = str(SUPPORT / "mcp_asking.py")
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


class Desk:
    """A server of Assent with an MCP server that asks, and what that has heard."""

    def __init__(self, folder: Path, *capabilities: str) -> None:
        self.heard_file = folder / "heard.jsonl"
        self.server = Server(folder)
        servers = {"asking": command(ASKING, str(self.heard_file)), "ours": command(OFFICIAL)}
        self.server.meet(capabilities=capabilities or ("cards", "forms"), user={"mcpServers": servers})

    def asks(self, schema: Json = None, message: str = "Who are you?", **more: Json) -> Step:
        params = {"message": message, "requestedSchema": NAME if schema is None else schema}
        return call("run_node", node_type="mcp.asking.ask", inputs={"params": params, **more})

    def begun(self, *steps: Step) -> Chat:
        """A chat in which these calls were just allowed."""
        self.server.script(list(steps), [say("done")])
        chat = self.server.chat()
        chat.client.start("chat/send", {"sessionId": chat.id, "text": "go"})
        for _ in steps:
            chat.select(chat.card(within=30), "approve")
        return chat

    def form(self) -> Json:
        return self.server.client.wait_for("form/request", within=30)

    def answer(self, form: Json, action: str, content: Json = None, **more: Json) -> Json:
        given = {} if content is None else {"content": content}
        return self.server.client.request("form/answer", {"formId": form["formId"], "action": action, **given, **more})

    def refused(self, form: Json, action: str = "accept", content: Json = None, **more: Json) -> str:
        with pytest.raises(RpcError) as fault:
            self.answer(form, action, content, **more)
        assert fault.value.code == INVALID_PARAMS
        return str(fault.value.data["path"])

    def pending(self) -> list[Json]:
        return list(self.server.client.request("form/pending", {})["forms"])

    def heard(self, method: str | None) -> list[Json]:
        lines = self.heard_file.read_text().splitlines() if self.heard_file.exists() else []
        return [one for one in map(json.loads, lines) if one.get("method") == method]

    def wait_answered(self, count: int = 1) -> list[Json]:
        wait_until(lambda: len(self.heard(None)) >= count, what="the answers at the server")
        return self.heard(None)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    with desk.server:
        yield desk


def told(chat: Chat) -> Json:
    """What the call came to: the answers that its server got."""
    return json.loads(chat.wait_for_event("ToolResult", within=30)["output"])


def ended(desk: Desk, form: Json) -> Json:
    return desk.server.client.wait_for("form/ended", lambda end: end["formId"] == form["formId"])


def test_a_form_says_who_asks_and_what_is_accepted_goes_to_the_server(desk: Desk) -> None:
    chat = desk.begun(desk.asks())
    form = desk.form()
    assert form["sessionId"] == chat.id and form["message"] == "Who are you?"
    assert (form["askerKind"], form["askerName"]) == ("mcp_server", "asking") and "mcp_asking.py" in form["behind"]
    assert form["toolCallId"] == chat.events("ToolCall")[0]["data"]["toolCallId"]
    assert form["fields"] == [{"name": "name", "kind": "text", "title": "name", "required": True}]
    assert chat.info()["waiting"] == 1 and [one["formId"] for one in desk.pending()] == [form["formId"]]
    desk.answer(form, "accept", {"name": "Ada"}, sessionId=chat.id)
    assert told(chat) == [{"result": {"action": "accept", "content": {"name": "Ada"}}}]
    assert ended(desk, form)["action"] == "accept" and desk.pending() == []
    notices = [event["data"]["text"] for event in chat.events("Notification")]
    assert "The MCP server “asking” asked you for something. You sent it your answer." in notices
    assert not any("Ada" in text for text in notices)


def test_of_several_calls_none_is_named_that_may_be_another(desk: Desk) -> None:
    """By their pipe servers do not say for which they ask. The form ends with the last of them."""
    other = desk.begun(desk.asks(count=0))
    chat = desk.begun(desk.asks(count=0), desk.asks())
    form = desk.form()
    assert form["sessionId"] == chat.id and "toolCallId" not in form
    assert form["warning"] == (
        "It asks for one of these calls and does not say for which: mcp.asking.ask in another chat, mcp.asking.ask (2 "
        "calls)."
    )
    other.client.request("chat/stop", {"sessionId": other.id})
    assert len(desk.pending()) == 1
    chat.client.request("chat/stop", {"sessionId": chat.id})
    assert "action" not in ended(desk, form) and desk.pending() == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_who_says_no_gives_nothing(desk: Desk, action: str) -> None:
    chat = desk.begun(desk.asks())
    form = desk.form()
    assert desk.refused(form, action, {"name": "Ada"}) == "params.content"
    desk.answer(form, action)
    assert told(chat) == [{"result": {"action": action}}]
    assert ended(desk, form)["action"] == action


def test_a_server_on_the_official_library_gets_its_answer(desk: Desk) -> None:
    chat = desk.begun(call("run_node", node_type="mcp.ours.table", inputs={}))
    form = desk.form()
    assert [(one["name"], one["kind"], one["required"]) for one in form["fields"]] == [
        ("guests", "integer", True),
        ("smoking", "boolean", False),
    ]
    assert form["fields"][0]["least"] == 1 and form["fields"][1]["default"] is False
    assert desk.refused(form, content={"guests": 21}) == "params.content.guests"
    desk.answer(form, "accept", {"guests": 2, "smoking": True})
    assert chat.wait_for_event("ToolResult")["output"] == 'accept: {"guests":2,"smoking":true}'


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 2, "maxLength": 4},
        "mail": {"type": "string", "format": "email"},
        "link": {"type": "string", "format": "uri"},
        "day": {"type": "string", "format": "date"},
        "time": {"type": "string", "format": "date-time"},
        "number": {"type": "number", "minimum": 0.5, "maximum": 2},
        "whole": {"type": "integer"},
        "truth": {"type": "boolean"},
        "one": {"type": "string", "enum": ["a", "b"], "enumNames": ["The a", "The b"]},
        "titled": {"type": "string", "oneOf": [{"const": "x", "title": "The x"}]},
        "some": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "maxItems": 2},
    },
    "required": ["text"],
}
GOOD = {
    "text": "abc",
    "mail": "a@b.example",
    "link": "https://example.org/",
    "day": "2026-02-28",
    "time": "2026-01-31T12:00:00Z",
    "number": 1.5,
    "whole": 3,
    "truth": False,
    "one": "b",
    "titled": "x",
    "some": ["c", "a"],
}
BAD: list[tuple[str, Json]] = [
    ("text", "a"),
    ("text", "abcde"),
    ("text", 5),
    ("text", ""),
    ("text", None),
    ("mail", "no address"),
    ("link", "example.org"),
    ("day", "2026-02-30"),
    ("day", "20260228"),
    ("time", "2026-01-31 12:00"),
    ("time", "2026-01-31T12:00:00"),
    ("number", 0.4),
    ("number", "1"),
    ("number", True),
    ("whole", 1.5),
    ("whole", 2**60),
    ("truth", "yes"),
    ("truth", 1),
    ("one", "c"),
    ("one", "The a"),
    ("titled", "The x"),
    ("some", ["a", "b", "c"]),
    ("some", ["a", "a"]),
    ("some", "a"),
    ("some", [["a"]]),
    ("other", "x"),
]


def test_each_kind_of_field_is_checked_on_the_server(desk: Desk) -> None:
    chat = desk.begun(desk.asks(SCHEMA))
    form = desk.form()
    kinds = ["text", "email", "uri", "date", "date_time", "number", "integer", "boolean", "choice", "choice", "choices"]
    assert [one["kind"] for one in form["fields"]] == kinds
    assert form["fields"][8]["choices"] == [{"value": "a", "label": "The a"}, {"value": "b", "label": "The b"}]
    for name, value in BAD:
        assert desk.refused(form, content={**GOOD, name: value}) == f"params.content.{name}"
    assert [one["formId"] for one in desk.pending()] == [form["formId"]]
    desk.answer(form, "accept", {**GOOD, "mail": ""})
    given = {name: value for name, value in GOOD.items() if name != "mail"}
    assert told(chat) == [{"result": {"action": "accept", "content": given}}]


NO_FORMS: dict[str, Json] = {
    "no object": {"type": "string"},
    "nested": {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}},
    "a list of anything": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}},
    "no type": {"type": "object", "properties": {"a": {}}},
    "a reference": {"type": "object", "properties": {"a": {"$ref": "#"}}},
    "required and not there": {"type": "object", "properties": {}, "required": ["a"]},
    "too many": {"type": "object", "properties": {f"f{number}": {"type": "string"} for number in range(21)}},
    "a default of another kind": {"type": "object", "properties": {"a": {"type": "integer", "default": "1"}}},
    "a choice twice": {"type": "object", "properties": {"a": {"type": "string", "enum": ["a", "a"]}}},
    "no choice": {"type": "object", "properties": {"a": {"type": "string", "enum": []}}},
    "a long title": {"type": "object", "properties": {"a": {"type": "string", "title": "x" * 201}}},
}


@pytest.mark.parametrize("schema", NO_FORMS.values(), ids=NO_FORMS)
def test_what_is_no_form_is_refused_and_nobody_is_bothered(desk: Desk, schema: Json) -> None:
    chat = desk.begun(desk.asks(schema))
    (answer,) = told(chat)
    assert answer["error"]["code"] == INVALID_PARAMS and answer["error"]["message"]
    assert desk.pending() == []


def test_other_ways_to_ask_and_long_messages_are_refused(desk: Desk) -> None:
    params = {"mode": "url", "url": "https://example.org", "elicitationId": "1", "message": "Go there"}
    chat = desk.begun(call("run_node", node_type="mcp.asking.ask", inputs={"params": params}))
    assert told(chat)[0]["error"]["code"] == INVALID_PARAMS
    chat = desk.begun(desk.asks(message="x" * 4_001))
    assert told(chat)[0]["error"]["code"] == INVALID_PARAMS and desk.pending() == []


def test_whoever_cannot_draw_forms_is_asked_nothing(tmp_path: Path) -> None:
    """No server is told that it may ask, and one that asks all the same hears so."""
    desk = Desk(tmp_path, "cards")
    with desk.server:
        chat = desk.begun(desk.asks())
        assert told(chat)[0]["error"]["code"] == -32601
        assert desk.heard("initialize")[0]["params"]["capabilities"] == {}


def test_a_client_that_draws_forms_lets_servers_ask(desk: Desk) -> None:
    desk.begun(desk.asks())
    desk.form()
    assert desk.heard("initialize")[0]["params"]["capabilities"] == {"elicitation": {"form": {}}}


def test_a_stop_withdraws_the_form(desk: Desk) -> None:
    chat = desk.begun(desk.asks())
    form = desk.form()
    chat.stop()
    assert "action" not in ended(desk, form) and desk.pending() == []
    assert desk.wait_answered()[0]["result"] == {"action": "cancel"}
    assert desk.refused(form, content={"name": "late"}) == "params.formId"


def test_closing_the_chat_withdraws_the_form(desk: Desk) -> None:
    chat = desk.begun(desk.asks())
    form = desk.form()
    chat.client.request("session/close", {"sessionId": chat.id})
    assert "action" not in ended(desk, form) and desk.pending() == []


def test_a_server_that_takes_its_question_back_withdraws_the_form(desk: Desk) -> None:
    chat = desk.begun(desk.asks(withdraw=True))
    assert told(chat) == [{"result": {"action": "cancel"}}]
    assert desk.pending() == []


def test_a_server_that_ends_withdraws_the_form(desk: Desk) -> None:
    desk.begun(desk.asks())
    form = desk.form()
    told_settings = {"settings": {"assent": desk.server.settings(mcpServers={})}}
    desk.server.client.notify("workspace/didChangeConfiguration", told_settings)
    assert "action" not in ended(desk, form) and desk.pending() == []


def test_a_server_asks_only_so_much_at_once(desk: Desk) -> None:
    chat = desk.begun(desk.asks(count=5))
    wait_until(lambda: len(desk.heard(None)) == 2, what="what is too much to be refused")
    forms = [desk.form() for _ in range(3)]
    assert len(desk.pending()) == 3 and all("error" in one for one in desk.heard(None))
    for form in forms:
        desk.answer(form, "decline")
    assert sum(one.get("result") == {"action": "decline"} for one in told(chat)) == 3


def test_an_answer_counts_once_and_for_its_chat_only(desk: Desk) -> None:
    chat = desk.begun(desk.asks())
    form, other = desk.form(), desk.server.chat()
    assert desk.refused(form, content={"name": "x"}, sessionId=other.id) == "params.sessionId"
    desk.answer(form, "accept", {"name": "Ada"})
    assert desk.refused(form, content={"name": "Eve"}) == "params.formId"
    assert told(chat) == [{"result": {"action": "accept", "content": {"name": "Ada"}}}]


@pytest.mark.parametrize(
    ("name", "title", "message", "asks"),
    [
        ("password", "", "Log in", True),
        ("value", "Your API key", "Log in", True),
        ("apiKey", "", "Log in", True),
        ("name", "", "Tell me your password", True),
        ("username", "", "Who are you?", False),
        ("keyboard", "Which keyboard", "Who are you?", False),
    ],
)
def test_who_asks_for_a_password_or_a_key_is_warned_of(
    desk: Desk, name: str, title: str, message: str, asks: bool
) -> None:
    field = {"type": "string", **({"title": title} if title else {})}
    desk.begun(desk.asks({"type": "object", "properties": {name: field}}, message))
    form = desk.form()
    assert ("warning" in form) is asks
    assert ("warning" in form["fields"][0]) is (asks and "password" not in message)


def test_secrets_in_a_form_are_masked_and_never_given_back_as_a_mark(desk: Desk) -> None:
    secret = glued("gh", "p_", an(36))
    field = {"type": "string", "default": secret, "title": f"Use {secret}?"}
    chat = desk.begun(desk.asks({"type": "object", "properties": {"name": field}}, f"Is {secret} yours?"))
    form = desk.form()
    assert secret not in json.dumps(form) and "[masked" in form["message"] + form["fields"][0]["title"]
    assert "default" not in form["fields"][0]
    desk.answer(form, "accept", {})
    assert told(chat) == [{"result": {"action": "accept", "content": {}}}]
