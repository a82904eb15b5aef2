"""Chats of an earlier server: how a client learns of them, how many calls wait in them, and what Stop does there."""

from tests.support import kept
from tests.support.crashed import COUNT, Start, again, cards_of, chats_of, counted, kill, results, same, waiting_chat
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, say, write


def _told(server: Server) -> list[Json]:
    """The chats that the server told of by itself."""
    return [found for told in server.client.notifications("session/restored") for found in told["sessionIds"]]


def _three_wait(start: Start) -> tuple[Server, Chat]:
    server = again(start)
    server.script([say("Three things. "), write("a.txt"), write("b.txt"), write("c.txt")])
    chat = server.chat()
    chat.send("do it")
    cards_of(server, 3)
    kept.wait_for_calls(server.state, 3)
    return server, chat


def test_a_client_that_asked_too_early_is_told_when_its_chats_are_there(start: Start) -> None:
    first, chat = _three_wait(start)
    server = again(start)
    assert chats_of(server) == []
    own = server.chat()
    assert _told(server) == []
    kill(first)

    told = server.client.wait_for("session/restored", within=20)
    assert told == {"sessionIds": [chat.id]}
    assert [one["sessionId"] for one in chats_of(server)] == [chat.id, own.id]
    cards = cards_of(server, 3)
    assert {card["sessionId"] for card in cards} == {chat.id}
    assert _told(server) == [chat.id]


def test_calls_count_as_waiting_from_the_moment_their_chat_is_there(start: Start) -> None:
    first, chat = _three_wait(start)
    kill(first)

    server = again(start)
    assert [(one["sessionId"], one["waiting"]) for one in chats_of(server)] == [(chat.id, 3)]
    cards = cards_of(server, 3)
    assert same(server, chat).info()["waiting"] == 3
    for card in cards:
        same(server, chat).answer(card, decision="deny")
    wait_until(lambda: same(server, chat).info()["waiting"] == 0, what="nothing waits any more")


def test_calls_that_are_refused_when_they_come_back_do_not_count_as_waiting(start: Start) -> None:
    first, chat = _three_wait(start)
    chat.set_mode("plan")
    wait_until(lambda: kept.rows(first.state, "SELECT mode FROM chats") == [("plan",)], what="the mode on the disk")
    kill(first)

    server = again(start)
    chats_of(server)
    chat = same(server, chat)
    wait_until(lambda: len(results(chat)) == 3, what="three results")
    wait_until(lambda: chat.info()["waiting"] == 0, what="nothing waits")
    assert server.waiting() == []


def test_stop_ends_the_calls_that_came_back(start: Start) -> None:
    first, chat = _three_wait(start)
    kill(first)

    server = again(start)
    chats_of(server)
    cards, chat = cards_of(server, 3), same(server, chat)
    assert chat.info()["running"] is False
    assert chat.stop() is True
    for card in cards:
        end = chat.resolved(card)
        assert (end["status"], end["resolvedBy"]) == ("cancelled", "stop")
    assert {result["code"] for result in results(chat)} == {"cancelled"}
    assert len(results(chat)) == 3
    assert chat.stop() is False
    assert not any((server.workspace / name).exists() for name in ("a.txt", "b.txt", "c.txt"))

    server.script([], [COUNT], [say("Done.")])
    run = chat.send("go on")
    (card,) = cards_of(server, 1)
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert counted(server) == 1


def test_a_message_that_stop_drops_is_told_apart_from_a_run_that_it_ends(start: Start) -> None:
    server, chat, _ = waiting_chat(start)
    first, behind = chat.send("behind"), chat.send("behind that")
    chat.stop()
    for one in (first, behind):
        ended = one.result()
        assert (ended["done_reason"], ended["unbegun"]) == ("cancelled", True)

    server.script([], [COUNT])
    run = chat.send("again")
    cards_of(server, 1)
    chat.stop()
    ended = run.result()
    assert ended["done_reason"] == "cancelled"
    assert ended.get("unbegun") is None
