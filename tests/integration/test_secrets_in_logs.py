"""What people and models say, and what files hold, never reaches the log."""

from collections.abc import Callable

import pytest

from tests.support.room import Room
from tests.support.server import DEMO, Server, call, read, refusal, say

Start = Callable[..., Server]

PLACES = (
    "prompt",
    "argument",
    "content",
    "feedback",
    "invalid",
    "toolname",
    "brokenjson",
    "said",
    "thought",
    "failure",
    "answer",
    "option",
    "view",
    "method",
    "params",
    "settings",
    "title",
)


def canary(place: str) -> str:
    return f"canary-{place}-4f1c9b"


@pytest.mark.parametrize("level", ["info", "debug"])
def test_no_message_body_is_in_the_log(start: Start, level: str) -> None:
    server = start("--log-level", level)
    server.meet(user={"alwaysAllowRules": {"bash": [canary("settings")]}})
    room = Room(server, "room")
    room.file("secret.txt").write_text(canary("content"))
    client = server.client

    calls = [
        room.write(canary("argument"), canary("content")),
        read(room.path("secret.txt")),
        call("write_file", path=canary("invalid"), content=5),
        call(canary("toolname"), x=1),
        {"call": "write_file", "argsText": canary("brokenjson")},
    ]
    chat = room.chat([say(canary("said")), {"thinking": canary("thought")}, *calls], [{"fail": canary("failure")}])
    run = chat.send(canary("prompt"))
    card = chat.card()
    chat.refused(card, decision=canary("answer"))
    chat.refused(card, response={"outcome": {"outcome": "selected", "optionId": canary("option")}})
    chat.refused(card, decision="accept", viewId=canary("view"), sessionId=canary("view"))
    chat.answer(card, decision="deny", feedback=canary("feedback"))
    assert run.result()["done_reason"] == "error"
    feedback = [refusal(result) for result in chat.results() if result["is_error"]]
    assert any(one.get("feedback") == canary("feedback") for one in feedback), "the canary took no part"

    demo = server.chat(agent=DEMO)
    run = demo.send(f"write {canary('content')} to {room.path('demo.txt')}")
    demo.select(demo.card(), "approve")
    run.result()
    assert room.file("demo.txt").read_text() == canary("content")

    client.start(f"no/{canary('method')}", {"x": canary("params")}).error()
    client.notify(f"no/{canary('method')}", {"x": canary("params")})
    client.notify("view/attached", {"viewId": canary("view"), "sessionId": canary("view")})
    client.notify("view/attached", {"viewId": 5, "sessionId": canary("view")})
    client.notify("workspace/didChangeConfiguration", {"settings": {"assent": {"user": canary("settings")}}})
    client.start("session/new", {"agent": canary("params"), "mode": canary("params")}).error()
    client.send_body(b'{"jsonrpc": "2.0", ' + canary("params").encode())
    client.send({"jsonrpc": "2.0", "id": canary("params"), "result": canary("params")})
    client.start("tool/approvalResponse", {"approvalId": canary("params"), "decision": "accept"}).error()
    assert client.shutdown() == 0

    log = client.stderr
    assert level == "debug" or "reject_once by the user" in log, "the log was not read"
    leaked = [place for place in PLACES if canary(place) in log]
    assert leaked == [], log
