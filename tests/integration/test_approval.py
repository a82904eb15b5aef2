"""Asking, answering and what an answer can never do, over the wire with the real process."""

import re
from uuid import UUID

import pytest

from tests.support.room import Room
from tests.support.server import (
    DEMO,
    NOT_OFFERED,
    STALE,
    Json,
    Server,
    refusal,
)


def selected(option: str) -> Json:
    return {"outcome": {"outcome": "selected", "optionId": option}}


DISMISSED = {"outcome": {"outcome": "cancelled"}}


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
