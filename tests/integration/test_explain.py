"""Why a call would run, ask or be blocked: over the wire and on the command line, and the same as what happens."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.server import Server, call

Start = Callable[..., Server]


def _explain(room: Room, tool: str, args: Any, **more: Any) -> Any:
    return room.server.client.request("policy/explain", {"tool": tool, "args": args, **more})


@pytest.mark.parametrize("mode", ["plan", "ask", "default", "auto"])
@pytest.mark.parametrize("name", ["plain.txt", ".env", "sub/dir/file.md"])
@pytest.mark.parametrize("tool", ["read_file", "write_file", "list_files", "no_such_tool"])
def test_what_is_explained_is_what_happens(room: Room, tool: str, name: str, mode: str) -> None:
    args = {"path": room.path(name)} | ({"content": "x"} if tool == "write_file" else {})
    chat = room.chat([call(tool, **args)], mode=mode)
    said = _explain(room, tool, args, sessionId=chat.id)
    run = chat.send()

    if said["outcome"] == "ask":
        card = chat.card()
        assert (card["reason"], card["category"]) == (said["reason"], said["category"])
        chat.answer(card, decision="deny")
        run.result()
    else:
        run.result()
        assert chat.cards() == []
        code = chat.results()[0].get("code")
        expected = {"run": None, "block": "blocked_in_plan_mode", "error": "tool_not_found"}[said["outcome"]]
        # A file that is not there is a failure of a tool that ran.
        assert code == expected or (said["outcome"] == "run" and code in {"not_found", "not_a_directory"})
    assert [step["matched"] for step in said["trace"]].index(True) == len(said["trace"]) - 1


def test_a_suggested_rule_lets_the_call_run(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    args = {"path": room.path("notes.md"), "content": "x"}
    said = _explain(room, "write_file", args, mode="default")
    assert said["outcome"] == "ask" and said["suggestions"]
    for suggestion in said["suggestions"]:
        rules = {suggestion["tool"]: [suggestion["pattern"]]}
        told = {"settings": {"assent": server.settings(alwaysAllowRules=rules)}}
        server.client.notify("workspace/didChangeConfiguration", told)
        again = _explain(room, "write_file", args, mode="default")
        assert (again["outcome"], again["reason"]["code"]) == ("run", "allow_rule"), suggestion
        assert again["reason"]["rule"]["pattern"] == suggestion["pattern"]


def test_nothing_is_suggested_for_what_is_protected_and_nothing_runs(room: Room) -> None:
    said = _explain(room, "write_file", {"path": room.path(".env"), "content": "x"}, mode="auto")
    assert (said["outcome"], said["reason"]["code"], said["suggestions"]) == ("ask", "protected", [])
    assert not room.file(".env").exists()
    assert room.server.client.request("tool/pendingApprovals", {})["approvals"] == []


def test_a_grant_of_the_chat_counts_for_that_chat(room: Room) -> None:
    chat, card, run = room.card([room.write("b")], mode="default")
    chat.answer(card, decision="bypass_session")
    run.result()
    args = {"path": room.path("a"), "content": "x"}
    assert _explain(room, "write_file", args, sessionId=chat.id)["reason"]["code"] == "bypass_session"
    assert _explain(room, "write_file", args)["reason"]["code"] == "needs_approval"


def test_what_makes_no_sense_is_said(room: Room) -> None:
    assert _explain(room, "write_file", {"path": 5})["reason"]["code"] == "invalid_arguments"
    for params in ({"tool": "read_file", "agent": "Nobody"}, {"tool": "read_file", "mode": "yolo"}):
        with pytest.raises(RpcError) as fault:
            room.server.client.request("policy/explain", params)
        assert fault.value.code == -32602
