"""The history says by what a call ran or was kept from running: each rung of the ladder, and each kind of click."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.server import SCRIPTED, Chat, Json, Server, Step, call, read, write

Start = Callable[..., Server]
A = write("a.txt")


def decided(server: Server) -> Json:
    """The last decision."""
    return server.client.request("history/query", {"stage": "decided"})["entries"][0]


BY_ITSELF: list[tuple[Step, dict[str, Any], str | None, str, str, str]] = [
    # the call, the user's settings, the mode, the reason, who or what decided, what the sentence for it names
    (call("todo_write", todos=[]), {}, None, "internal", "because it has no effect outside the chat", "no effect"),
    (read("there.txt"), {}, None, "read_auto", "by the chat’s mode", "Auto-accept read-only"),
    (A, {"bypassPermissions": {SCRIPTED: True}}, None, "bypass_agent", "by the bypass for Scripted", "for Scripted"),
    (
        A,
        {"toolAllowlist": ["write_file"]},
        None,
        "always_allow",
        "because write_file is always allowed",
        "toolAllowlist",
    ),
    (A, {}, "auto", "mode_auto", "by the chat’s mode", "Auto-accept all"),
    (A, {}, "plan", "blocked_in_plan_mode", "by plan mode", "plan mode"),
    (call("no_such_tool"), {}, None, "tool_not_found", "because there is no such tool", "no_such_tool"),
    (call("write_file"), {}, None, "invalid_arguments", "because its arguments do not fit", "path"),
    (write("/proc/1/mem"), {}, "auto", "blocked_by_protection", "because it is protected", "/proc/1/mem"),
    (A, {"limits": {"writes": 0}}, "auto", "limit_reached", "by a limit of the run", "limit"),
]


@pytest.mark.parametrize(
    ("step", "user", "mode", "reason", "how", "names"), BY_ITSELF, ids=[row[3] for row in BY_ITSELF]
)
def test_by_itself(
    start: Start, step: Step, user: dict[str, Any], mode: str | None, reason: str, how: str, names: str
) -> None:
    server = start()
    server.meet(user=user)
    (server.workspace / "there.txt").write_text("x")
    server.script([step])
    server.chat(mode=mode).run()

    entry = decided(server)
    assert (entry["by"], entry["reason"], entry["how"]) == ("policy", reason, how)
    assert names in entry["text"]


@pytest.mark.parametrize(
    ("rules", "reason"), [("alwaysAllowRules", "allow_rule"), ("alwaysDenyRules", "denied_by_rule")]
)
def test_by_a_rule_with_its_pattern_its_scope_and_its_place(start: Start, rules: str, reason: str) -> None:
    server = start()
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "assent.alwaysDenyRules": {"write_file": ["b*"]}\n}')
    server.meet(user={rules: {"write_file": ["a*"]}})
    server.script([A], [write("b.txt")])
    server.chat().run()

    second, first = server.client.request("history/query", {"stage": "decided"})["entries"]
    assert (first["reason"], first["rule"]["pattern"], first["rule"]["scope"]) == (reason, "a*", "user")
    assert first.get("how") == ("by an allow rule" if reason == "allow_rule" else None)
    assert second["rule"] == {"pattern": "b*", "scope": "workspace", "file": str(file), "line": 2}


@pytest.mark.parametrize(("answer", "reason"), [("allow", "hook_allow"), ("deny", "denied_by_hook")])
def test_by_a_hook_with_what_it_said(start: Start, tmp_path: Path, answer: str, reason: str) -> None:
    hook = HookPrograms(tmp_path).answering({"decision": answer, "reason": "on Fridays"}, matcher="write_file")
    server = start()
    server.meet(user={"hooks": {"PreToolUse": [hook]}})
    server.script([A])
    server.chat().run()

    entry = decided(server)
    assert (entry["reason"], entry["how"]) == (reason, "by a hook")
    assert "on Fridays" in entry["text"]


@pytest.mark.parametrize(
    ("option", "how", "reason", "what"),
    [
        ("allow_session", "by what you allowed for this chat", "session_allow", "write_file"),
        ("bypass_session", "by the bypass for this chat", "bypass_session", "bypass"),
    ],
)
def test_by_a_grant_of_the_chat_with_its_end(start: Start, option: str, how: str, reason: str, what: str) -> None:
    server = start()
    server.meet()
    server.script([A], [write("b.txt")])
    chat = server.chat()
    run = chat.send()
    chat.select(chat.card(), option, limits={"minutes": 15, "uses": 3})
    run.result()

    ran, clicked = server.client.request("history/query", {"stage": "decided"})["entries"]
    assert (clicked["by"], clicked["option"]) == ("user", option)
    assert "grantedAt" not in clicked
    assert (ran["reason"], ran["how"], ran["grant"]) == (reason, how, f"{what} (for the next 3 calls)")
    assert clicked["at"][:16] <= ran["grantedAt"][:16] < ran["grantUntil"][:16]


@pytest.mark.parametrize(
    ("option", "how"),
    [
        ("approve", "by you once"),
        ("deny", "by you"),
        ("allow_session", "by you for this chat"),
        ("bypass_session", "by you with a bypass for this chat"),
    ],
)
def test_by_a_click(alone: Server, option: str, how: str) -> None:
    alone.script([A])
    chat: Chat = alone.chat()
    run = chat.send()
    card = chat.card()
    chat.select(card, option)
    run.result()

    entry = decided(alone)
    name = next(one["name"] for one in card["options"] if one["optionId"] == option)
    assert (entry["by"], entry["how"]) == ("user", how)
    assert f"“{name}”" in entry["text"]


def test_by_what_was_allowed_while_it_waited(alone: Server) -> None:
    alone.script([A, write("b.txt")])
    chat = alone.chat()
    run = chat.send()
    first, second = chat.card("a.txt"), chat.card("b.txt")
    chat.select(first, "allow_session")
    chat.resolved(second)
    run.result()

    entries = alone.client.request("history/query", {"callId": second["toolCall"]["toolCallId"], "stage": "decided"})
    ran, settled = entries["entries"]
    assert settled["how"] == "by what you allowed or forbade while it waited"
    assert (ran["how"], ran["grant"]) == ("by what you allowed for this chat", "write_file")
