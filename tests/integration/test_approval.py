"""Asking, answering and what an answer can never do, over the wire with the real process."""

import json
import re
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from tests.support.room import Room
from tests.support.scale import limit, wait_until
from tests.support.server import (
    CANCELLED,
    DEMO,
    INVALID_PARAMS,
    NO_CHAT,
    NOT_FOUND,
    NOT_OFFERED,
    RESOLVED,
    STALE,
    Json,
    Server,
    refusal,
)


def selected(option: str) -> Json:
    return {"outcome": {"outcome": "selected", "optionId": option}}


DISMISSED = {"outcome": {"outcome": "cancelled"}}


# What a card says


def test_a_card_says_all_that_will_run_before_it_does(room: Room) -> None:
    chat, card, run = room.card([room.write("new.txt", "one\ntwo\n")])
    assert (card["tool"], card["args"]) == ("write_file", {"path": room.path("new.txt"), "content": "one\ntwo\n"})
    assert card["toolCall"]["rawInput"] == card["args"]
    assert card["category"] == "write" and card["mode"] == "default" and card["depth"] == 0
    assert card["agentName"] == card["agentId"] == "Scripted"
    assert card["tabId"] == card["sessionId"] == chat.id
    assert card["reason"]["code"] == "needs_approval" and card["reason"]["text"]
    assert card["directory"] == str(room.server.workspace)
    assert re.fullmatch(r"[0-9a-f]{64}", card["argsDigest"])
    assert UUID(card["approvalId"]).version == 4
    assert [line["text"] for line in card["preview"]["lines"]] == ["one", "two"]
    assert [option["kind"] for option in card["options"]].count("reject_once") == 1
    assert all(option["scopeText"] for option in card["options"])
    assert not room.file("new.txt").exists() and not run.done
    chat.answer(card, decision="deny")
    run.result()


def test_sequence_numbers_rise_and_ids_never_repeat(room: Room) -> None:
    chat = room.chat([room.write("a"), room.write("b")])
    run = chat.send()
    cards = [chat.card(), chat.card()]
    for card in cards:
        chat.answer(card, decision="deny")
    run.result()
    chat.server.script([room.write("a")])
    another = chat.server.chat()
    run = another.send()
    cards.append(another.card())
    another.answer(cards[-1], decision="deny")
    run.result()
    numbers = [card["seq"] for card in cards]
    assert numbers == sorted(set(numbers))
    assert len({card["approvalId"] for card in cards}) == 3


# Answers that count

SAYS_YES_ONCE = {
    "selected": {"response": selected("approve")},
    "accept": {"decision": "accept"},
    "allow": {"decision": "allow"},
    "allow_once": {"decision": "allow_once"},
    "option and shorthand that agree": {"response": selected("approve"), "decision": "accept"},
    "bypass that is false": {"response": selected("approve"), "bypassAll": False},
    "fields of the future": {"decision": "accept", "from_the_future": {"x": 1}},
}
SAYS_NO = {
    "selected": {"response": selected("deny")},
    "dismissed": {"response": DISMISSED},
    "reject": {"decision": "reject"},
    "deny": {"decision": "deny"},
    "reject_once": {"decision": "reject_once"},
    "dismissed and denied": {"response": DISMISSED, "decision": "deny"},
}
FOR_THE_CHAT = {
    "selected": {"response": selected("allow_session")},
    "allow_for_chat": {"decision": "allow_for_chat"},
    "allow_session": {"decision": "allow_session"},
}
BYPASSES_CHAT = {
    "selected": {"response": selected("bypass_session")},
    "bypass_session": {"decision": "bypass_session"},
}


@pytest.mark.parametrize("fields", SAYS_YES_ONCE.values(), ids=SAYS_YES_ONCE)
def test_yes_runs_the_call_once_and_grants_nothing(room: Room, fields: dict[str, Json]) -> None:
    chat, card, run = room.card([room.write("a.txt", "agreed")], [room.write("a.txt", "agreed")])
    outcome = chat.answer(card, **fields)
    assert outcome == {
        "status": "accepted",
        "approvalId": card["approvalId"],
        "decision": "allow_once",
        "resolvedBy": "user",
    }
    again = chat.card()
    assert again["args"] == card["args"] and again["approvalId"] != card["approvalId"]
    assert room.file("a.txt").read_text() == "agreed"
    chat.answer(again, decision="deny")
    assert run.result()["done_reason"] == "stop"
    end = chat.resolved(card)
    assert (end["status"], end["decision"], end["resolvedBy"]) == ("allowed", "allow_once", "user")


@pytest.mark.parametrize("fields", SAYS_NO.values(), ids=SAYS_NO)
def test_no_runs_nothing_and_tells_the_model(room: Room, fields: dict[str, Json]) -> None:
    chat, card, run = room.card([room.write("a.txt")])
    assert chat.answer(card, **fields)["decision"] == "reject_once"
    assert run.result()["done_reason"] == "stop"
    assert not room.file("a.txt").exists()
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    end = chat.resolved(card)
    assert (end["status"], end["decision"], end["resolvedBy"]) == ("rejected", "reject_once", "user")


@pytest.mark.parametrize("fields", FOR_THE_CHAT.values(), ids=FOR_THE_CHAT)
def test_allowed_for_this_chat_means_this_tool_in_this_chat(room: Room, fields: dict[str, Json]) -> None:
    chat, card, run = room.card([room.write("a")], [room.write("b")], mode="ask")
    assert chat.answer(card, **fields)["decision"] == "allow_session"
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists() and room.file("b").exists()
    assert len(chat.cards()) == 1

    other, card, run = room.card([room.write("c")], mode="ask")
    other.answer(card, decision="deny")
    run.result()
    assert not room.file("c").exists()


def test_allowed_for_this_chat_does_not_cover_another_tool(room: Room) -> None:
    room.file("secret.txt").write_text("to read")
    reading = {"call": "read_file", "args": {"path": room.path("secret.txt")}}
    chat, card, run = room.card([room.write("a")], [reading], mode="ask")
    chat.answer(card, decision="allow_for_chat")
    card = chat.card()
    assert card["tool"] == "read_file"
    chat.answer(card, decision="deny")
    run.result()


@pytest.mark.parametrize("fields", BYPASSES_CHAT.values(), ids=BYPASSES_CHAT)
def test_bypass_for_this_chat_ends_with_this_chat(room: Room, fields: dict[str, Json]) -> None:
    reading = {"call": "read_file", "args": {"path": room.path("a")}}
    chat, card, run = room.card([room.write("a")], [reading, room.write("b")], mode="ask")
    assert chat.answer(card, **fields)["decision"] == "bypass_session"
    assert run.result()["done_reason"] == "stop"
    assert len(chat.cards()) == 1 and room.file("b").exists()
    assert chat.info()["bypassSession"] is True and chat.info()["bypassAgent"] is False
    assert chat.events("Grants")[-1]["data"]["bypassSession"] is True

    other, card, run = room.card([room.write("c")])
    other.answer(card, decision="deny")
    run.result()


ONLY_THIS_ONE = {"allow_once", "reject_once", "reject_always"}
A_DIRECTORY = {"allow_session", "add_directory"}

# Answers that do not count

DO_NOT_COUNT: dict[str, tuple[dict[str, Json], int]] = {
    "an option that nobody offered": ({"response": selected("launch")}, NOT_OFFERED),
    "background, which is not offered": ({"decision": "background"}, NOT_OFFERED),
    "a folder, which is not offered": ({"decision": "add_directory"}, NOT_OFFERED),
    "bypass beside a refusal": ({"response": selected("deny"), "bypassAll": True}, NOT_OFFERED),
    "bypass beside a dismissal": ({"response": DISMISSED, "bypassAll": True}, NOT_OFFERED),
    "bypass beside a spoken refusal": ({"decision": "deny", "bypassAll": True}, NOT_OFFERED),
    "bypass beside a narrower grant": ({"decision": "allow_for_chat", "bypassAll": True}, NOT_OFFERED),
    "yes and no at once": ({"response": selected("approve"), "decision": "deny"}, NOT_OFFERED),
    "no and yes at once": ({"response": DISMISSED, "decision": "accept"}, NOT_OFFERED),
    "once and for the chat at once": ({"response": selected("approve"), "decision": "allow_for_chat"}, NOT_OFFERED),
    "nothing": ({}, INVALID_PARAMS),
    "a bypass that is false and nothing else": ({"bypassAll": False}, INVALID_PARAMS),
    "feedback alone": ({"feedback": "go on"}, INVALID_PARAMS),
    "arguments of one's own": ({"decision": "accept", "editedArgs": {"path": "elsewhere"}}, INVALID_PARAMS),
    "an end of what is allowed once": ({"decision": "accept", "limits": {"uses": 1}}, INVALID_PARAMS),
    "an end of what is stored": ({"decision": "bypass_agent", "limits": {"minutes": 1}}, INVALID_PARAMS),
    "an end of a refusal": ({"decision": "deny", "limits": {"untilRunEnds": True}}, INVALID_PARAMS),
    "an end of a bypass that is stored": ({"bypassAll": True, "limits": {"minutes": 1}}, INVALID_PARAMS),
    "no end": ({"decision": "allow_for_chat", "limits": {}}, INVALID_PARAMS),
    "no end, said aloud": ({"decision": "allow_for_chat", "limits": {"untilRunEnds": False}}, INVALID_PARAMS),
    "no uses": ({"decision": "allow_for_chat", "limits": {"uses": 0}}, INVALID_PARAMS),
    "fewer uses than none": ({"decision": "allow_for_chat", "limits": {"uses": -1}}, INVALID_PARAMS),
    "too many uses": ({"decision": "allow_for_chat", "limits": {"uses": 1001}}, INVALID_PARAMS),
    "uses that are a truth": ({"decision": "allow_for_chat", "limits": {"uses": True}}, INVALID_PARAMS),
    "half a use": ({"decision": "allow_for_chat", "limits": {"uses": 1.5}}, INVALID_PARAMS),
    "no time": ({"decision": "allow_for_chat", "limits": {"minutes": 0}}, INVALID_PARAMS),
    "time that is over": ({"decision": "allow_for_chat", "limits": {"minutes": -5}}, INVALID_PARAMS),
    "more than a day": ({"decision": "allow_for_chat", "limits": {"minutes": 1440.5}}, INVALID_PARAMS),
    "one end that is right and one that is not": (
        {"decision": "allow_for_chat", "limits": {"minutes": 5, "uses": 0}},
        INVALID_PARAMS,
    ),
    "a word that is no decision": ({"decision": "yes"}, INVALID_PARAMS),
    "a decision in capitals": ({"decision": "Accept"}, INVALID_PARAMS),
    "a truth that is a text": ({"bypassAll": "true"}, INVALID_PARAMS),
    "a truth that is a number": ({"bypassAll": 1}, INVALID_PARAMS),
    "an outcome that does not exist": ({"response": {"outcome": {"outcome": "approved"}}}, INVALID_PARAMS),
    "an outcome without an option": ({"response": {"outcome": {"outcome": "selected"}}}, INVALID_PARAMS),
    "an outcome that is a text": ({"response": {"outcome": "selected"}}, INVALID_PARAMS),
    "an option that is a number": ({"response": {"outcome": {"outcome": "selected", "optionId": 0}}}, INVALID_PARAMS),
    "a digest that is wrong": ({"decision": "accept", "argsDigest": "0" * 64}, STALE),
    "a digest that is empty": ({"decision": "accept", "argsDigest": ""}, STALE),
    "a refusal with a wrong digest": ({"decision": "deny", "argsDigest": "0" * 64}, STALE),
    "a chat that does not exist": ({"decision": "accept", "sessionId": "nowhere"}, NO_CHAT),
    "a view that nobody announced": ({"decision": "accept", "viewId": "nobody"}, NO_CHAT),
}


@pytest.mark.parametrize(("fields", "code"), DO_NOT_COUNT.values(), ids=DO_NOT_COUNT)
def test_an_answer_that_does_not_fit_changes_nothing(room: Room, fields: dict[str, Json], code: int) -> None:
    chat, card, run = room.card([room.write("a.txt")], [room.write("b.txt")])
    fault = chat.refused(card, **fields)
    assert fault.code == code, fault
    assert fault.message
    if code == NOT_OFFERED:
        assert fault.data["allowed"] == [option["optionId"] for option in card["options"]]
    if code == INVALID_PARAMS:
        assert fault.data["path"].startswith("params")
    assert chat.waits(card) and not room.file("a.txt").exists() and chat.endings(card) == []
    assert chat.info()["bypassSession"] is False and chat.info()["bypassAgent"] is False
    # It still works, and nothing was granted on the way.
    chat.select(card, "approve")
    chat.answer(chat.card(), decision="deny")
    run.result()
    assert room.file("a.txt").exists() and not room.file("b.txt").exists()


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"decision": "yes"}, "params.decision"),
        ({"editedArgs": {}, "decision": "accept"}, "params.editedArgs"),
        ({"limits": {"uses": 1}, "decision": "accept"}, "params.limits"),
        ({"limits": {"uses": 0}, "decision": "allow_for_chat"}, "params.limits.uses"),
        ({"limits": {"minutes": 0}, "decision": "allow_for_chat"}, "params.limits.minutes"),
        ({"limits": {"hours": 1}, "decision": "allow_for_chat"}, "params.limits"),
        ({"response": {"outcome": {"outcome": "no"}}}, "params.response.outcome"),
        ({"response": {"outcome": {"outcome": "selected"}}}, "params.response.outcome.optionId"),
        ({}, "params"),
    ],
)
def test_a_malformed_answer_is_told_where_it_is_wrong(room: Room, fields: dict[str, Json], path: str) -> None:
    chat, card, run = room.card([room.write("a.txt")])
    assert chat.refused(card, **fields).data["path"] == path
    chat.answer(card, decision="deny")
    run.result()


def test_an_answer_needs_an_id_that_is_known(room: Room) -> None:
    chat, card, run = room.card([room.write("a.txt")])
    stranger = "00000000-0000-4000-8000-000000000000"
    fault = chat.refused({"approvalId": stranger}, decision="accept")
    assert (fault.code, fault.data) == (NOT_FOUND, {"approvalId": stranger})
    for wrong in (None, 5, [card["approvalId"]], {"id": card["approvalId"]}):
        fault = chat.refused({"approvalId": wrong}, decision="accept")
        assert (fault.code, fault.data) == (INVALID_PARAMS, {"path": "params.approvalId"})
    upper = chat.refused({"approvalId": card["approvalId"].upper()}, decision="accept")
    assert upper.code == NOT_FOUND
    assert chat.waits(card)
    chat.answer(card, decision="deny")
    run.result()


@pytest.mark.parametrize(("first", "second"), [("accept", "deny"), ("deny", "accept"), ("accept", "accept")])
def test_the_first_answer_wins_and_the_second_learns_of_it(room: Room, first: str, second: str) -> None:
    chat, card, run = room.card([room.write("a.txt")])
    decision = chat.answer(card, decision=first)["decision"]
    fault = chat.refused(card, decision=second)
    run.result()
    assert fault.code == RESOLVED
    assert fault.data["approvalId"] == card["approvalId"] and fault.data["decision"] == decision
    assert fault.data["status"] == ("allowed" if first == "accept" else "rejected")
    assert fault.data["resolvedBy"] == "user" and fault.data["at"]
    assert room.file("a.txt").exists() == (first == "accept")
    assert len(chat.endings(card)) == 1


def test_answers_that_race_have_one_winner(room: Room) -> None:
    """Sent in one go, so that they meet while the server looks at the file again."""
    for number in range(10):
        chat, card, run = room.card([room.write(f"{number}.txt")])
        words = ["accept", "deny", "accept", "deny"]
        given = {"approvalId": card["approvalId"]}
        racing = [chat.client.start("tool/approvalResponse", {**given, "decision": word}) for word in words]
        answers = [one.answer() for one in racing]
        won = [one["result"]["decision"] for one in answers if "result" in one]
        lost = [one["error"] for one in answers if "error" in one]
        run.result()
        assert len(won) == 1 and {one["code"] for one in lost} == {RESOLVED}
        assert {one["data"]["decision"] for one in lost} == set(won)
        assert room.file(f"{number}.txt").exists() == (won == ["allow_once"])
        assert len(chat.endings(card)) == 1 and len(chat.results()) == 1


def test_an_answer_that_is_taken_back_counts_wholly_or_not_at_all(room: Room) -> None:
    for number in range(10):
        chat, card, run = room.card([room.write(f"{number}")])
        given = {"approvalId": card["approvalId"], "decision": "accept"}
        answering = chat.client.start("tool/approvalResponse", given)
        answering.cancel()
        counted = "result" in answering.answer()
        if not counted and chat.waits(card):
            assert not room.file(f"{number}").exists() and chat.endings(card) == []
            chat.select(card, "deny")
        run.result()
        assert len(chat.endings(card)) == 1
        assert room.file(f"{number}").exists() == (chat.endings(card)[0]["status"] == "allowed")


def test_an_answer_without_an_id_is_no_answer(room: Room) -> None:
    """It could not be told what became of it."""
    chat, card, run = room.card([room.write("a")])
    chat.client.notify("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
    assert chat.waits(card)
    chat.select(card, "deny")
    run.result()
    assert not room.file("a").exists()


def test_the_digest_of_one_card_is_no_good_for_another(room: Room) -> None:
    """Also where tool and arguments are the same: in one message, and in another chat."""
    chat = room.chat([room.write("a"), room.write("a")])
    run = chat.send()
    other = room.server.chat()
    other_run = other.send()
    cards = [(chat, chat.card()), (chat, chat.card()), (other, other.card()), (other, other.card())]
    assert len({card["argsDigest"] for _, card in cards}) == 4
    for owner, card in cards:
        for _, foreign in cards:
            if foreign is not card:
                assert owner.refused(card, decision="accept", argsDigest=foreign["argsDigest"]).code == STALE
    assert not room.file("a").exists()
    for owner, card in cards:
        owner.select(card, "deny")
    run.result(), other_run.result()


# What runs is what was shown


def test_a_file_that_changes_under_a_card_is_shown_again(room: Room) -> None:
    room.file("a.txt").write_text("before\n")
    chat, card, run = room.card([room.write("a.txt", "after\n")])
    room.file("a.txt").write_text("changed by somebody else\n")
    assert chat.refused(card, decision="accept").code == STALE

    again = chat.card()
    assert again["approvalId"] == card["approvalId"] and again["refreshed"] is True
    assert again["argsDigest"] != card["argsDigest"]
    removed = [line["text"] for line in again["preview"]["lines"] if line["kind"] == "removed"]
    assert removed == ["changed by somebody else"]
    assert room.file("a.txt").read_text() == "changed by somebody else\n" and chat.waits(card)

    assert chat.refused(card, decision="accept").code == STALE, "without a digest"
    assert chat.refused(card, decision="accept", argsDigest=card["argsDigest"]).code == STALE, "with the old one"
    assert room.file("a.txt").read_text() == "changed by somebody else\n" and chat.waits(card)
    chat.answer(card, decision="accept", argsDigest=again["argsDigest"])
    run.result()
    assert room.file("a.txt").read_text() == "after\n"


def test_a_link_put_in_the_place_of_the_file_leads_nowhere(room: Room) -> None:
    """The name stays, what it leads to changes: to a protected file, and out of the workspace."""
    outside = room.server.workspace.parent / f"{room.name}.txt"
    outside.write_text("mine")
    hooks = room.server.workspace / ".git" / "hooks"
    hooks.mkdir(parents=True, exist_ok=True)
    chat, card, run = room.card([room.write("a.txt", "evil")])
    kinds = {option["kind"] for option in card["options"]}
    for target in (hooks / room.name, outside):
        room.file("a.txt").unlink(missing_ok=True)
        room.file("a.txt").symlink_to(target)
        assert chat.refused(card, decision="accept", argsDigest=card["argsDigest"]).code == STALE
        card = chat.card()
        assert card["preview"]["realPath"] == str(target)
        offered = {option["kind"] for option in card["options"]} - {"add_directory"}
        assert offered <= {"allow_once", "allow_session", "reject_once", "reject_always"} < kinds
    assert chat.refused(card, bypassAll=True, argsDigest=card["argsDigest"]).code == NOT_OFFERED
    chat.answer(card, decision="deny", argsDigest=card["argsDigest"])
    run.result()
    assert outside.read_text() == "mine" and not (hooks / room.name).exists()


def test_a_folder_swapped_for_a_link_after_the_click_is_not_followed(room: Room) -> None:
    """A swap at any moment: before the answer, while it is looked at, after it counted."""
    elsewhere = room.server.workspace.parent / f"{room.name}_elsewhere"
    elsewhere.mkdir()
    for number in range(10):
        folder = room.folder / f"folder{number}"
        folder.mkdir()
        chat, card, run = room.card([room.write(f"folder{number}/a.txt", "evil")], [])
        given = {"approvalId": card["approvalId"], "decision": "accept", "argsDigest": card["argsDigest"]}
        racing = chat.client.start("tool/approvalResponse", given)
        folder.rename(room.folder / f"moved{number}")
        folder.symlink_to(elsewhere)
        racing.answer()
        if chat.waits(card):
            fresh = chat.card()
            chat.answer(fresh, decision="deny", argsDigest=fresh["argsDigest"]) if "refreshed" in fresh else None
        chat.stop()
        run.result()
        assert list(elsewhere.iterdir()) == []


def test_nothing_runs_twice_however_often_it_is_answered(room: Room) -> None:
    chat, card, run = room.card([room.write("a.txt", "first")])
    chat.select(card, "approve")
    run.result()
    room.file("a.txt").write_text("the user's own")
    for fields in (*SAYS_YES_ONCE.values(), {"bypassAll": True}, {"decision": "bypass_session"}):
        assert chat.refused(card, **fields).code == RESOLVED
    assert room.file("a.txt").read_text() == "the user's own"
    assert chat.info()["bypassSession"] is False and chat.info()["bypassAgent"] is False


# At once, in any order


def test_an_answer_from_within_the_notification_counts(room: Room) -> None:
    """The answer leaves in the moment in which the question arrives."""
    client, errors = room.server.client, []

    def answer_at_once(message: Json) -> None:
        if message.get("method") == "tool/approvalRequest" and room.name in str(message["params"]["args"]):
            given = {"approvalId": message["params"]["approvalId"], "decision": "accept"}
            client.start("tool/approvalResponse", given, request_id=f"at once {message['params']['seq']}")

    client.on_message = answer_at_once
    try:
        chat = room.chat([room.write("a"), room.write("b")], [room.write("c")])
        assert chat.run()["done_reason"] == "stop"
    finally:
        client.on_message = None
    assert errors == []
    assert all(room.file(name).exists() for name in "abc")


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


# Grants reach what already waits


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


# Words to the model


def test_feedback_reaches_the_model(alone: Server) -> None:
    """The demo agent says what it was told, so the words went all the way."""
    chat = alone.chat(agent=DEMO)
    run = chat.send("write hello to a.txt")
    chat.answer(chat.card(), decision="deny", feedback="Use b.txt, “please”\nand nothing else.")
    run.result()
    assert refusal(chat.results()[0])["feedback"] == "Use b.txt, “please”\nand nothing else."
    said = "".join(event["data"]["text"] or "" for event in chat.events("Chunk"))
    assert "Use b.txt, “please”\nand nothing else." in said


def test_the_demo_flow_needs_nothing_but_ids(alone: Server) -> None:
    """What a client of twenty lines does."""
    client = alone.client
    chat = client.request("session/new", {})
    run = client.start("chat/send", {"sessionId": chat["sessionId"], "text": "write hello to greeting.txt"})
    card = client.wait_for("tool/approvalRequest")
    client.request("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
    assert run.result()["done_reason"] == "stop"
    assert (alone.workspace / "greeting.txt").read_text() == "hello"


# The test card


def test_the_test_card_leads_to_nothing(room: Room) -> None:
    chat = room.chat([room.write("a")])
    test = chat.client.start("tool/testApproval", {"sessionId": chat.id})
    card = chat.card()
    for fields in ({"bypassAll": True}, {"decision": "allow_for_chat"}, {"decision": "bypass_session"}):
        assert chat.refused(card, **fields).code == NOT_OFFERED
    chat.select(card, "approve")
    assert test.result() == {"status": "allowed", "decision": "allow_once"}
    assert chat.info()["bypassSession"] is False
    run = chat.send()
    chat.answer(chat.card(), decision="deny")
    run.result()
    assert not room.file("a").exists()


def test_the_test_card_is_withdrawn_by_stop(room: Room) -> None:
    chat = room.chat()
    test = chat.client.start("tool/testApproval", {"sessionId": chat.id})
    card = chat.card()
    assert chat.stop() is True
    assert test.error().message
    assert chat.resolved(card)["status"] == "cancelled"
    assert chat.refused(card, decision="accept").code == RESOLVED


def test_the_test_card_goes_with_the_request_for_it(room: Room) -> None:
    chat = room.chat()
    test = chat.client.start("tool/testApproval", {"sessionId": chat.id})
    card = chat.card()
    test.cancel()
    assert test.error().code == CANCELLED
    assert chat.resolved(card)["status"] == "cancelled"
    assert not chat.waits(card)


# Long arguments


def test_long_arguments_are_cut_and_can_be_had_in_pieces(room: Room) -> None:
    content = "".join(f"line {number} ünïcödé 𝄞\n" for number in range(30_000))
    chat, card, run = room.card([room.write("long.txt", content)])
    assert card["truncated"]["argsBytes"] > 64 * 1024
    assert len(str(card)) < 256 * 1024
    assert "rawInput" not in card["toolCall"]
    text, total = "", 1
    while len(text) < total:
        params = {"approvalId": card["approvalId"], "offset": len(text), "length": 100_000}
        piece = chat.client.request("tool/approvalDetails", params)
        assert piece["offset"] == len(text) and 0 < len(piece["text"]) <= 100_000
        text, total = text + piece["text"], piece["totalLength"]
    assert json.loads(text) == {"path": room.path("long.txt"), "content": content}
    assert len(text) == card["truncated"]["argsBytes"]
    chat.select(card, "approve")
    run.result(30)
    assert room.file("long.txt").read_text() == content


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"offset": -1, "length": 10}, INVALID_PARAMS),
        ({"offset": 0, "length": -1}, INVALID_PARAMS),
        ({"offset": "0", "length": 10}, INVALID_PARAMS),
        ({"offset": 0}, INVALID_PARAMS),
        ({"offset": 0, "length": 10, "approvalId": "nobody"}, NOT_FOUND),
    ],
)
def test_details_that_make_no_sense_are_refused(room: Room, fields: dict[str, Json], code: int) -> None:
    chat, card, run = room.card([room.write("a")])
    pending = chat.client.start("tool/approvalDetails", {"approvalId": card["approvalId"], **fields})
    assert pending.error().code == code
    past = chat.client.request(
        "tool/approvalDetails", {"approvalId": card["approvalId"], "offset": 10**9, "length": 10**9}
    )
    assert past["text"] == ""
    chat.answer(card, decision="deny")
    run.result()
    gone = {"approvalId": card["approvalId"], "offset": 0, "length": 1}
    assert chat.client.start("tool/approvalDetails", gone).error().code == RESOLVED


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
