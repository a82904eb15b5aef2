"""Chats: opened, listed, rebuilt after a reload, closed."""

from collections.abc import Callable

import pytest

from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, NO_CHAT, NOT_FOUND, RESOLVED, SCRIPTED, Json, Server, say

Start = Callable[..., Server]


def test_a_new_chat_says_what_it_is(room: Room) -> None:
    chat = room.server.chat(mode="ask")
    info = chat.info()
    assert info["sessionId"] == chat.id and info["agentId"] == info["agentName"] == SCRIPTED
    assert info["mode"] == "ask" and info["running"] is False and info["waiting"] == 0
    assert info["bypassAgent"] is False and info["bypassSession"] is False


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"agent": "nobody"}, "params.agent"),
        ({"agent": "scripted"}, "params.agent"),
        ({"agent": ""}, None),
        ({"agent": 5}, "params.agent"),
        ({"mode": "free"}, "params.mode"),
        ({"agent": SCRIPTED, "mode": ""}, "params.mode"),
        ([], "params"),
    ],
)
def test_a_chat_that_makes_no_sense_is_not_opened(room: Room, params: Json, path: str | None) -> None:
    before = room.server.client.request("session/list", {})["sessions"]
    pending = room.server.client.start("session/new", params)
    if path is None:
        assert pending.result()["agentId"]
        return
    fault = pending.error()
    assert (fault.code, fault.data["path"]) == (INVALID_PARAMS, path)
    assert room.server.client.request("session/list", {})["sessions"] == before


def test_the_list_names_chats_and_agents(room: Room) -> None:
    chat = room.chat([say("Hello.")])
    chat.run("Tell me   about\nthis " + "word " * 50)
    listed = room.server.client.request("session/list", {})
    mine = next(one for one in listed["sessions"] if one["sessionId"] == chat.id)
    assert mine["title"].startswith("Tell me about this word") and len(mine["title"]) <= 60
    assert {"Demo", SCRIPTED} <= {agent["agentId"] for agent in listed["agents"]}
    assert all(agent["description"] for agent in listed["agents"])


@pytest.mark.parametrize("method", ["session/load", "session/close", "chat/stop"])
def test_a_chat_that_is_not_there_is_told(room: Room, method: str) -> None:
    fault = room.server.client.start(method, {"sessionId": "nowhere"}).error()
    assert fault.code == NO_CHAT and fault.message


@pytest.mark.parametrize("method", ["session/load", "session/close", "chat/stop", "session/setMode", "chat/send"])
def test_a_chat_must_be_named(room: Room, method: str) -> None:
    for params in ({}, {"sessionId": None}, {"sessionId": 1}, "chat"):
        assert room.server.client.start(method, params).error().code == INVALID_PARAMS
    assert room.server.client.start(method).error().code == INVALID_PARAMS


# A view that is rebuilt


def test_a_waiting_card_comes_back_with_the_same_id_and_works(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    loaded = chat.client.request("session/load", {"sessionId": chat.id})
    pending = chat.client.request("tool/pendingApprovals", {"sessionId": chat.id})["approvals"]
    (again,), (other,) = pending, loaded["pending"]
    assert again.pop("redelivery") is True and other.pop("redelivery") is True
    left = [one.pop("timeout")["remainingMs"] for one in (card, other, again)]
    assert 0 < left[2] <= left[1] <= left[0] <= 300_000
    assert again == other == card
    assert loaded["session"]["waiting"] == 1 and loaded["session"]["running"] is True
    chat.select(again, "approve")
    run.result()
    assert room.file("a").exists()
    assert chat.client.request("tool/pendingApprovals", {"sessionId": chat.id})["approvals"] == []


def test_a_refreshed_card_comes_back_refreshed(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    room.file("a").write_text("changed")
    chat.refused(card, decision="accept")
    fresh = chat.card()
    (again,) = chat.client.request("tool/pendingApprovals", {"sessionId": chat.id})["approvals"]
    assert again["argsDigest"] == fresh["argsDigest"] and again["refreshed"] is True and again["redelivery"] is True
    chat.select(again, "approve")
    run.result()
    assert room.file("a").read_text() == "content"


def test_what_waits_is_told_for_one_chat_or_all(room: Room) -> None:
    first, one, first_run = room.card([room.write("a")])
    second, two, second_run = room.card([room.write("b")])
    mine = {one["approvalId"], two["approvalId"]}
    waiting = [card["approvalId"] for card in room.server.waiting()]
    assert mine <= set(waiting)
    assert waiting.index(one["approvalId"]) < waiting.index(two["approvalId"])
    of_first = first.client.request("tool/pendingApprovals", {"sessionId": first.id})["approvals"]
    assert [card["approvalId"] for card in of_first] == [one["approvalId"]]
    assert first.client.start("tool/pendingApprovals", {"sessionId": "nowhere"}).error().code == NO_CHAT
    first.select(one, "deny"), second.select(two, "deny")
    first_run.result(), second_run.result()


@pytest.mark.parametrize(("since", "first"), [(None, 1), (0, 1), (3, 4), (-5, 1), (10_000, None)])
def test_a_view_asks_for_what_it_missed(room: Room, since: int | None, first: int | None) -> None:
    chat = room.chat([say("Hello."), {"thinking": "Hm."}], [])
    chat.run()
    chat.run()
    params = {"sessionId": chat.id} if since is None else {"sessionId": chat.id, "sinceN": since}
    loaded = chat.client.request("session/load", params)
    last = loaded["session"]["lastN"]
    expected = list(range(first, last + 1)) if first is not None else []
    assert [event["n"] for event in loaded["events"]] == expected
    assert loaded["events"] == [event for event in chat.events() if event["n"] in expected]


def test_loading_while_text_streams_leaves_no_gap(room: Room) -> None:
    """What the load tells and what is told afterwards are together everything, once."""
    chat = room.chat([step for number in range(40) for step in (say(f"{number} "), {"wait": 0.01})])
    run = chat.send()
    loaded = []
    while not run.done:
        loaded.append(chat.client.request("session/load", {"sessionId": chat.id}))
    assert run.result()["done_reason"] == "stop"
    told = chat.events()
    assert len(loaded) > 3
    for one in loaded:
        last = one["session"]["lastN"]
        assert one["events"] == told[:last]
    assert "".join(event["data"]["text"] for event in chat.events("Chunk")) == "".join(f"{n} " for n in range(40))


# The end of a chat


def test_closing_a_chat_ends_what_waits_and_forgets_it(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    behind = chat.send("behind")
    test = chat.client.start("tool/testApproval", {"sessionId": chat.id})
    test_card = chat.client.wait_for("tool/approvalRequest", lambda one: one["tool"] == "test_request")
    chat.client.request("session/close", {"sessionId": chat.id})
    assert run.result()["done_reason"] == "cancelled" and behind.result()["done_reason"] == "cancelled"
    assert test.error().message
    for one in (card, test_card):
        assert chat.resolved(one)["status"] == "cancelled"
        assert chat.refused(one, decision="accept").code == RESOLVED
    assert not room.file("a").exists()
    assert chat.send().error().code == NO_CHAT
    assert chat.client.start("session/load", {"sessionId": chat.id}).error().code == NO_CHAT
    assert chat.id not in [one["sessionId"] for one in chat.client.request("session/list", {})["sessions"]]


def test_what_comes_while_a_chat_closes_goes_nowhere(room: Room) -> None:
    """Everything in one write, in every order that matters."""
    for number in range(12):
        chat, card, run = room.card([room.write(f"{number}")])
        ways = {
            "session/close": {"sessionId": chat.id},
            "chat/send": {"sessionId": chat.id, "text": "again", "permission_mode": "auto"},
            "tool/testApproval": {"sessionId": chat.id},
            "tool/approvalResponse": {"approvalId": card["approvalId"], "decision": "bypass_session"},
        }
        order = list(ways)[number % 4 :] + list(ways)[: number % 4]
        racing = {method: chat.client.start(method, ways[method]) for method in order}
        for method, pending in racing.items():
            assert pending.answer(), method
        run.result()
        mine = [one for one in room.server.waiting() if one["sessionId"] == chat.id]
        assert mine == [], "a card of a closed chat still waits"
        assert len(chat.endings(card)) == 1
        if room.file(f"{number}").exists():
            assert "result" in racing["tool/approvalResponse"].answer()


def test_a_message_and_its_stop_in_one_write(room: Room) -> None:
    for number in range(20):
        mode = "auto" if number % 2 else "default"
        chat = room.chat([room.write(f"{number}")], mode=mode)
        run = chat.send()
        stop = chat.client.start("chat/stop", {"sessionId": chat.id})
        stop.result()
        assert run.result()["done_reason"] == "cancelled"
        if mode == "default":
            assert not room.file(f"{number}").exists()
        elif room.file(f"{number}").exists():
            assert "had already taken effect" in chat.results()[0]["output"]
        assert [one for one in room.server.waiting() if one["sessionId"] == chat.id] == []


# After a restart


def test_an_id_from_before_a_restart_is_unknown_for_good(start: Start, alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, _ = room.card([room.write("a")])
    alone.client.process.kill()
    alone.client.wait_exit()

    again = start()
    again.meet()
    assert again.waiting() == []
    for fields in ({"decision": "accept"}, {"bypassAll": True}, {"decision": "accept", "sessionId": chat.id}):
        pending = again.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], **fields})
        assert pending.error().code == NOT_FOUND
    # Whether the chat itself is taken over by now depends on how long all that took.
    assert not room.file("a").exists()


def test_grants_of_a_chat_are_gone_after_a_restart(start: Start, alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    chat.select(card, "bypass_session")
    run.result()
    assert alone.client.shutdown() == 0

    again = start()
    again.meet()
    again.script([room.write("b")])
    fresh = again.chat()
    run = fresh.send()
    fresh.select(fresh.card(), "deny")
    run.result()
    assert fresh.info()["bypassSession"] is False and not room.file("b").exists()


def test_many_chats_at_once_keep_apart(room: Room) -> None:
    chats = []
    room.server.script([room.write("x")])
    for _ in range(20):
        chat = room.server.chat()
        chats.append((chat, chat.send()))
    cards = [(chat, chat.card(), run) for chat, run in chats]
    wait_until(lambda: len(room.server.waiting()) >= 20, what="20 waiting calls")
    for number, (chat, card, _) in enumerate(cards):
        if number != 7:
            chat.select(card, "deny")
    for number, (chat, card, run) in enumerate(cards):
        if number == 7:
            assert not room.file("x").exists() and chat.waits(card)
            chat.select(card, "approve")
        run.result()
    assert room.file("x").exists()
