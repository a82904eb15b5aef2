"""Answers that come whole instead of piece by piece: the same is asked, decided, done and told."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.room import Room
from tests.support.server import Chat, Json, Server, call, read, refusal, say, write
from tests.support.told_settings import chat_with, tell

Start = Callable[..., Server]
IDS = ("sessionId", "runId", "toolCallId", "approvalId", "argsDigest", "request_id", "tabId", "shellId")
PASSING = ("n", "seq", "durationMs", "createdAt", "decidedAt", "timeout")
"""What is another number or time in each run."""


def story(chat: Chat) -> list[Json]:
    """All events and cards, with pieces of text joined and what differs by chance made equal."""
    told: list[Json] = []
    for event in chat.events():
        if event.get("passing"):
            continue
        if event["event"] != "Chunk":
            told.append(event)
            continue
        said = {name: event["data"].get(name) or "" for name in ("text", "thinking")}
        if told and told[-1]["event"] == "Chunk":
            before = told.pop()["data"]
            said = {name: before[name] + piece for name, piece in said.items()}
        told.append({**event, "data": said})
    return _plain([told, chat.cards()], {})


def _plain(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_plain(one, known) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {name: one for name, one in value.items() if name not in PASSING}
    return {
        name: known.setdefault(one, f"{name} {len(known)}") if name in IDS and one else _plain(one, known)
        for name, one in kept.items()
    }


def played(server: Server) -> Chat:
    """A chat with reading, writing, a no, a command, and a call that makes no sense."""
    (server.workspace / "there.txt").write_text("what is there")
    (server.workspace / "new.txt").unlink(missing_ok=True)
    server.script(
        [{"thinking": "Let me look first.", "pieceLength": 3}, say("I read. ", pieceLength=2), read("there.txt")],
        [say("I write. ", pieceLength=1), {**write("new.txt", "content"), "pieceLength": 4}],
        [write("no.txt")],
        [call("bash", command="cat new.txt; echo > made.txt")],
        [{"call": "write_file", "argsText": '{"path": "half'}],
        [say("That is all.", pieceLength=5)],
    )
    chat = server.chat()
    run = chat.send()
    chat.select(chat.card("new.txt"), "approve")
    chat.select(chat.card("no.txt"), "deny", feedback="not this one")
    chat.answer(chat.card(), decision="accept")
    assert run.result()["done_reason"] == "stop"
    return chat


def test_the_same_run_comes_to_the_same_whole_or_in_pieces(alone: Server) -> None:
    told = {}
    for streaming in (True, False):
        tell(alone, streaming=streaming)
        chat = played(alone)
        assert (alone.workspace / "new.txt").read_text() == "content"
        assert not (alone.workspace / "no.txt").exists()
        assert [result.get("code") for result in chat.results()] == [
            None,
            None,
            "permission_denied",
            None,
            "invalid_arguments",
        ]
        told[streaming] = story(chat)
    assert told[True] == told[False]


def test_in_pieces_a_text_is_told_before_its_answer_ends(room: Room) -> None:
    slow = [say("The first words. "), {"wait": 3600}]
    tell(room.server, streaming=True)
    chat = room.chat(slow)
    run = chat.send()
    assert chat.wait_for_event("Chunk")["text"] == "The first words. "
    chat.stop()
    run.result()


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_each_kind_of_server_is_asked_for_the_whole_answer_and_understood(room: Room, form: Format) -> None:
    told = {}
    writes = SaidCall("write_file", {"path": room.path("a.txt"), "content": "hello"})
    turns = (Said("I write.", (writes,), thinking="Let me think."), Said("It is done."))
    with model_server(form.wire(), *turns, *turns, base_path=form.base_path) as models:
        for streaming in (True, False):
            chat = chat_with(room.server, form, models, streaming=streaming)
            run = chat.send()
            card = chat.card()
            assert not room.file("a.txt").exists()
            chat.select(card, "approve")
            assert run.result()["done_reason"] == "stop"
            assert room.file("a.txt").read_text() == "hello"
            room.file("a.txt").unlink()
            told[streaming] = story(chat)
        assert models.log.rejected == []
        assert [seen.streaming for seen in models.log.seen] == [True, True, False, False]
    assert told[True] == told[False]
    texts = [event["data"]["text"] for event in told[False][0] if event["event"] == "Chunk"]
    assert texts == ["I write.", "It is done."]


@pytest.mark.parametrize(
    ("user", "workspace", "streams"), [(None, None, True), (None, False, False), (False, True, False)]
)
def test_a_workspace_switches_it_off_and_not_on(
    start: Start, user: bool | None, workspace: bool | None, streams: bool
) -> None:
    form = FORMATS[1]
    with model_server(form.wire(), Said("Hello."), base_path=form.base_path) as models:
        server = start()
        if workspace is not None:
            (server.workspace / ".vscode").mkdir()
            (server.workspace / ".vscode" / "settings.json").write_text(json.dumps({"assent.streaming": workspace}))
        defined = {"provider": form.provider, "model": form.model, "baseUrl": models.base_url}
        server.meet(user={"agents": {"Model": defined}, **({} if user is None else {"streaming": user})})
        server.chat(agent="Model").run()
        assert [seen.streaming for seen in models.log.seen] == [streams]


def test_switched_off_no_tool_runs_and_the_chat_works(start: Start) -> None:
    server = start()
    (server.workspace / "there.txt").write_text("what is there")
    server.meet(user={"enabled": False, "toolAllowlist": ["write_file"], "mode": "auto"})
    calls = [read("there.txt"), write("new.txt"), call("bash", command="touch made.txt"), call("list_files", path=".")]
    server.script([say("I try. "), *calls], [say("Nothing works.")])
    chat = server.chat()
    assert chat.run()["done_reason"] == "stop"
    assert [refusal(result)["error"] for result in chat.results()] == ["disabled"] * 4
    assert chat.cards() == []
    assert not (server.workspace / "new.txt").exists() and not (server.workspace / "made.txt").exists()
    assert "".join(event["data"]["text"] for event in chat.events("Chunk")) == "I try. Nothing works."
