"""Calls that nobody answers, over the wire: what ends them, what stops the clock, and what cards say of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.room import Room
from tests.support.scale import limit
from tests.support.server import RESOLVED, Chat, Json, Server, refusal

Start = Callable[..., Server]
COUNTS = ("cards", "counts")


def started(start: Start, seconds: float, when: str, *capabilities: str) -> Room:
    """A server with this timeout."""
    server = start()
    server.meet(
        capabilities=("cards", *capabilities),
        user={"approvalTimeoutSeconds": seconds, "approvalTimeoutWhen": when},
    )
    return Room(server, "room")


def view(chat: Chat, what: str, name: str = "view") -> None:
    """The page tells something of itself."""
    assert chat.client.request(f"view/{what}", {"viewId": name, "sessionId": chat.id}) == {}


def told_again(chat: Chat, card: Json, *, running: bool) -> Json:
    """The same card once more, because its clock started or stopped."""
    return chat.client.wait_for(
        "tool/approvalRequest",
        lambda one: one["approvalId"] == card["approvalId"] and one["timeout"]["running"] is running,
    )["timeout"]


def assert_timed_out(room: Room, chat: Chat, card: Json, run: Any) -> None:
    """It is refused, everybody is told, the run goes on to its end, and a late click learns the truth."""
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("timeout", "timeout")
    assert "Nobody answered within" in end["reasonText"]
    assert run.result(30)["done_reason"] == "stop"
    (result,) = chat.results()
    assert result["code"] == "approval_timeout"
    assert refusal(result)["error"] == "approval_timeout"
    late = chat.refused(card, decision="accept", argsDigest=card["argsDigest"])
    assert (late.code, late.data["status"], late.data["resolvedBy"]) == (RESOLVED, "timeout", "timeout")
    assert len(chat.endings(card)) == 1
    assert not room.file("a").exists()


def test_always_one_second_although_somebody_looks_on(start: Start) -> None:
    room = started(start, 1, "always")
    chat = room.chat([room.write("a")])
    view(chat, "attached")
    run = chat.send()
    card = chat.card()
    assert card["timeout"]["seconds"] == 1 and card["timeout"]["running"] is True
    assert 0 < card["timeout"]["remainingMs"] <= 1_000
    view(chat, "activity")
    assert_timed_out(room, chat, card, run)


def test_unattended_one_second_once_the_view_is_gone(start: Start) -> None:
    room = started(start, 1, "unattended", "counts")
    chat = room.chat([room.write("a")])
    view(chat, "attached")
    run = chat.send()
    card = chat.card()
    view(chat, "activity")
    assert told_again(chat, card, running=False) == {"seconds": 1, "running": False, "remainingMs": 1_000}
    view(chat, "detached")
    assert told_again(chat, card, running=True)["remainingMs"] <= 1_000
    assert_timed_out(room, chat, card, run)


def test_who_comes_back_before_the_end_stops_the_clock(start: Start) -> None:
    room = started(start, limit(8), "unattended", "counts")
    chat, card, run = room.card([room.write("a")])
    assert card["timeout"]["running"] is True
    view(chat, "attached")
    left = told_again(chat, card, running=False)
    assert left["remainingMs"] == left["seconds"] * 1_000
    (waiting,) = room.server.waiting()
    assert waiting["timeout"] == left
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists()


def test_a_clock_that_stopped_does_not_end_anything(start: Start) -> None:
    """A second call, asked later with the same time, is what tells that the first one's time would be over."""
    room = started(start, 1, "unattended")
    chat, card, run = room.card([room.write("a")])
    view(chat, "attached")
    room.server.script([room.write("b")])
    other = room.server.chat()
    other_run = other.send()
    other_card = other.card()
    assert other.resolved(other_card)["status"] == "timeout"
    assert chat.waits(card) and chat.endings(card) == []
    other_run.result()
    chat.select(card, "deny")
    run.result()


def test_never_says_nothing_and_a_new_setting_counts_at_once(start: Start) -> None:
    room = started(start, 5, "never", "counts")
    chat, card, run = room.card([room.write("a")])
    assert card.get("timeout") is None
    server = room.server
    user = {"approvalTimeoutSeconds": 1, "approvalTimeoutWhen": "always"}
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": server.settings(**user)}})
    assert told_again(chat, card, running=True)["seconds"] == 1
    assert_timed_out(room, chat, card, run)


def test_a_client_that_does_not_follow_numbers_gets_each_card_once(start: Start) -> None:
    room = started(start, 300, "unattended")
    chat, card, run = room.card([room.write("a")])
    for what in ("attached", "activity", "detached", "attached"):
        view(chat, what)
    chat.select(card, "deny")
    run.result()
    assert len(chat.client.notifications("tool/approvalRequest")) == 1


def test_a_workspace_shortens_the_time_and_does_not_lengthen_it(start: Start) -> None:
    server = start()
    write_settings(server.workspace, '{"assent.approvalTimeoutSeconds": 600, "assent.approvalTimeoutWhen": "never"}')
    server.meet(user={"approvalTimeoutSeconds": 60})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    assert (card["timeout"]["seconds"], card["timeout"]["running"]) == (60, True)
    write_settings(server.workspace, '{"assent.approvalTimeoutSeconds": 1}')
    assert_timed_out(room, chat, card, run)


def write_settings(workspace: Path, text: str) -> None:
    (workspace / ".vscode").mkdir(exist_ok=True)
    beside = workspace / ".vscode" / "settings.new"
    beside.write_text(text)
    beside.replace(workspace / ".vscode" / "settings.json")
