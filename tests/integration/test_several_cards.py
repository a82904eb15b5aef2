"""Several calls at once: each has a card of its own, and what settles one settles others only where it says so."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.room import Room
from tests.support.scale import limit, wait_until
from tests.support.server import (
    NOT_OFFERED,
    Json,
    Server,
    refusal,
)


def selected(option: str) -> Json:
    return {"outcome": {"outcome": "selected", "optionId": option}}


ONLY_THIS_ONE = {"allow_once", "reject_once", "reject_always"}


A_DIRECTORY = {"allow_session", "add_directory"}


def test_two_cards_are_answered_in_the_other_order(room: Room) -> None:
    chat = room.chat([room.write("a"), room.write("b")])
    run = chat.send()
    first, second = chat.card(room.path("a")), chat.card(room.path("b"))
    chat.select(second, "approve")
    chat.resolved(second)
    assert chat.waits(first) and not room.file("a").exists()
    chat.select(first, "deny")
    run.result()
    assert room.file("b").exists() and not room.file("a").exists()
    outputs = {one["path"] if one["success"] else refusal(one)["error"] for one in chat.results()}
    assert outputs == {room.path("b"), "permission_denied"}


def test_what_needs_no_question_does_not_wait_for_what_does(room: Room) -> None:
    room.file("a.txt").write_text("readable")
    chat = room.chat([room.write("b.txt"), {"call": "read_file", "args": {"path": room.path("a.txt")}}])
    run = chat.send()
    card = chat.card()
    result = chat.wait_for_event("ToolResult")
    assert result["tool"] == "read_file" and result["output"] == "readable"
    assert chat.waits(card)
    chat.answer(card, decision="deny")
    run.result()


def test_two_chats_do_not_wait_for_each_other(room: Room) -> None:
    slow, card, slow_run = room.card([room.write("slow.txt")])
    quick, other, quick_run = room.card([room.write("quick.txt")])
    quick.select(other, "approve")
    assert quick_run.result()["done_reason"] == "stop"
    assert slow.waits(card) and not slow_run.done
    # The editor's own requests are answered meanwhile.
    assert slow.client.request("session/list", {}, within=5)["sessions"]
    slow.select(card, "approve")
    assert slow_run.result()["done_reason"] == "stop"


def test_a_grant_settles_what_it_covers_and_nothing_else(room: Room) -> None:
    chat = room.chat([room.write("a"), room.write("b"), room.write(".env"), room.write("../../outside.txt")])
    run = chat.send()
    cards = {name: chat.card(room.path(name)) for name in ("a", "b", ".env", "../../outside.txt")}
    chat.select(cards["a"], "allow_session")
    end = chat.resolved(cards["b"])
    assert (end["status"], end["resolvedBy"]) == ("allowed", "policy") and "decision" not in end
    for name in (".env", "../../outside.txt"):
        assert chat.waits(cards[name]) and chat.endings(cards[name]) == []
        chat.select(cards[name], "deny")
    run.result()
    assert room.file("a").exists() and room.file("b").exists()
    assert not room.file(".env").exists() and not room.file("../../outside.txt").exists()


def test_bypass_for_the_chat_settles_what_waits_but_nothing_protected(room: Room) -> None:
    names = ["a", "b", ".vscode/settings.json", ".git/hooks/pre-commit", ".env", "../../outside.txt"]
    chat = room.chat([room.write(name) for name in names])
    run = chat.send()
    cards = {name: chat.card(room.path(name)) for name in names}
    for name in names[2:]:
        offered = {option["kind"] for option in cards[name]["options"]}
        assert offered == ONLY_THIS_ONE if "outside" not in name else offered == ONLY_THIS_ONE | A_DIRECTORY
        assert chat.refused(cards[name], decision="bypass_session").code == NOT_OFFERED
    chat.select(cards["a"], "bypass_session")
    assert chat.resolved(cards["b"])["resolvedBy"] == "policy"
    for name in names[2:]:
        assert chat.waits(cards[name])
        chat.select(cards[name], "deny")
    run.result()
    assert [room.file(name).exists() for name in names] == [True, True, False, False, False, False]


def test_what_a_bypass_settles_is_looked_at_afresh(room: Room) -> None:
    """A waiting name that leads to a protected file by now is asked for again, with a new id; a changed file is not."""
    room.file("c").write_text("before")
    chat = room.chat([room.write("a"), room.write("b", "evil"), room.write("c", "after")])
    run = chat.send()
    cards = {name: chat.card(room.path(name)) for name in "abc"}
    hook = room.file(".git/hooks/pre-commit")
    hook.parent.mkdir(parents=True)
    room.file("b").symlink_to(hook)
    room.file("c").write_text("changed by somebody else")
    chat.select(cards["a"], "bypass_session")
    assert chat.resolved(cards["b"])["resolvedBy"] == "policy"
    again = chat.card(room.path("b"))
    assert again["approvalId"] != cards["b"]["approvalId"] and again["reason"]["code"] == "protected"
    assert again["preview"]["realPath"] == str(hook)
    chat.select(again, "deny")
    run.result()
    assert room.file("c").read_text() == "after" and not hook.exists()


def test_bypass_for_the_agent_reaches_its_other_chats_and_nothing_protected(alone: Server) -> None:
    """`bypassAll` on one card: the agent's calls in every chat, but no other agent's."""
    room = Room(alone, "room")
    first = room.chat([room.write("a"), room.write(".env")])
    first_run = first.send()
    card, protected = first.card(room.path("a")), first.card(room.path(".env"))
    second, other, second_run = room.card([room.write("b")])
    alone.script([room.write("c")], agent="Second")
    stranger = alone.chat(agent="Second")
    stranger_run = stranger.send()
    foreign = stranger.card()

    outcome = first.answer(card, bypassAll=True, argsDigest=card["argsDigest"])
    assert outcome["decision"] == "bypass_agent" and outcome["settings"]["target"]
    assert second.resolved(other)["resolvedBy"] == "policy"
    assert second_run.result()["done_reason"] == "stop" and room.file("b").exists()
    assert second.info()["bypassAgent"] is True and stranger.info()["bypassAgent"] is False
    assert first.waits(protected) and stranger.waits(foreign)
    first.select(protected, "deny")
    stranger.select(foreign, "deny")
    first_run.result(), stranger_run.result()
    assert room.file("a").exists() and not room.file(".env").exists() and not room.file("c").exists()

    later = room.chat([room.write("d"), room.write(".git/hooks/x")])
    run = later.send()
    later.select(later.card(room.path(".git/hooks/x")), "deny")
    run.result()
    assert room.file("d").exists() and len(later.cards()) == 1


def test_bypass_with_a_plain_yes_is_a_bypass(alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    outcome = chat.answer(card, response=selected("approve"), bypassAll=True)
    assert outcome["decision"] == "bypass_agent"
    assert run.result()["done_reason"] == "stop"
    assert room.file("b").exists() and chat.info()["bypassAgent"] is True


def test_two_clients_threads_do_not_confuse_answers(room: Room) -> None:
    """Many cards at once, answered from several threads: each gets its own fate."""
    names = [f"{number}.txt" for number in range(40)]
    chat = room.chat([room.write(name, name) for name in names])
    run = chat.send()
    cards = [chat.card(room.path(name), within=20) for name in names]
    failures: list[Any] = []

    def answer(mine: list[tuple[int, Json]]) -> None:
        for number, card in mine:
            try:
                chat.select(card, "approve" if number % 2 else "deny")
            except Exception as fault:  # noqa: BLE001 shown below
                failures.append(fault)

    numbered = list(enumerate(cards))
    threads = [threading.Thread(target=answer, args=(numbered[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(limit(60))
    assert failures == []
    run.result(60)
    assert [room.file(name).exists() for name in names] == [bool(number % 2) for number in range(40)]


@pytest.mark.parametrize("follows", [False, True])
def test_a_card_comes_again_for_a_number_only_where_the_client_follows_it(
    start: Callable[..., Server], follows: bool
) -> None:
    server = start()
    server.meet(capabilities=("cards", "counts") if follows else ("cards",))
    room = Room(server, "room")
    chat = room.chat([room.write("a"), room.write("b")])
    run = chat.send()
    cards = [chat.card(), chat.card()]

    def told() -> list[Json]:
        return [one for one in server.client.notifications("tool/approvalRequest") if one["sessionId"] == chat.id]

    def counted() -> bool:
        return all(any("alsoResolves" in option for option in card["options"]) for card in server.waiting())

    wait_until(counted, within=10, what="the numbers")
    if follows:
        wait_until(lambda: len(told()) == 4, within=10, what="both cards with their numbers")
    else:
        assert len(told()) == 2
    for card in cards:
        chat.answer(card, decision="deny")
    run.result()
