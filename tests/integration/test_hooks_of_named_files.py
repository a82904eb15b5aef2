"""Hooks for reading, as real programs, about files that the user names in a message."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.rpc import RpcError
from tests.support.server import Chat, Server

Json = Any
FILE = [{"path": "a.txt"}]


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def chat_under(server: Server, hook: Json, **user: Json) -> Chat:
    server.meet(user={"hooks": {"PreToolUse": [hook]}, **user})
    (server.workspace / "a.txt").write_text("text")
    return server.chat()


def look(chat: Chat, path: str = "a.txt") -> Json:
    return chat.client.request("chat/attachable", {"sessionId": chat.id, "path": path})


def refused(chat: Chat, why: str, *, digest: str = "0") -> None:
    for request in (lambda: look(chat), lambda: chat.run(attachments=[{"path": "a.txt", "agreedDigest": digest}])):
        with pytest.raises(RpcError, match=why):
            request()
    assert chat.events("Prompt") == []


def test_a_hook_that_denies_keeps_the_message_back(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "deny", "reason": "not on Fridays"}, matcher="read_file"))
    refused(chat, "A hook of yours forbids this.*not on Fridays")
    told = hooks.told()[0]
    assert (told["hook_event_name"], told["tool_name"]) == ("PreToolUse", "read_file")
    assert told["tool_input"] == {"path": "a.txt"}
    assert (told["session_id"], told["mode"]) == (chat.id, "default")


def test_one_that_asks_is_a_reason_for_a_second_yes(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "ask", "reason": "is it meant?"}))
    looked = look(chat)
    assert "is it meant?" in looked["warning"]
    with pytest.raises(RpcError, match="was not sent, and neither was the message"):
        chat.run(attachments=FILE)
    assert chat.events("Prompt") == []
    chat.run(attachments=[{"path": "a.txt", "agreedDigest": looked["warningDigest"]}])
    assert len(chat.events("Prompt")) == 1


def test_one_that_fails_is_such_a_reason_too(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.running("sys.exit(3)"))
    looked = look(chat)
    assert "could not say whether" in looked["warning"]
    with pytest.raises(RpcError, match="neither was the message"):
        chat.run(attachments=FILE)
    chat.run(attachments=[{"path": "a.txt", "agreedDigest": looked["warningDigest"]}])
    assert len(chat.events("Prompt")) == 1


def test_one_that_would_have_another_file_read_keeps_this_one_back(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"updatedInput": {"path": "b.txt"}}))
    refused(chat, "would change its arguments, which cannot be done")


def test_what_a_rule_denies_no_hook_is_asked_about(server: Server, hooks: HookPrograms) -> None:
    allowing = hooks.answering({"decision": "allow"})
    chat = chat_under(server, allowing, alwaysDenyRules={"read_file": ["a.txt"]})
    refused(chat, "rule")
    assert hooks.told() == []


def test_a_hook_that_allows_is_no_second_yes_to_what_looks_secret(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "allow"}))
    (server.workspace / ".env").write_text("PASSWORD=hunter2")
    assert "warning" not in look(chat)
    assert look(chat, ".env")["warning"]
    chat.run(attachments=FILE)
    assert len(chat.events("Prompt")) == 1


def test_hooks_for_other_tools_are_not_asked(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "deny"}, matcher="write_file|bash"))
    chat.run(attachments=FILE)
    assert len(chat.events("Prompt")) == 1
    assert hooks.told() == []
