"""A message said instead of an earlier one: the model goes on from before it, the chat keeps everything."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support import kept
from tests.support.chat_events import check_events
from tests.support.crashed import again, cards_of, chats_of, kill, of, same, transcript, waiting_chat
from tests.support.guests import House, says
from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.server import INVALID_PARAMS, Chat, Json, Server, say

Start = Callable[..., Server]


def run_of(chat: Chat, text: str) -> str:
    """The run that this message began."""
    return str(next(event["runId"] for event in chat.events("Prompt") if event["data"]["text"] == text))


def change(chat: Chat, earlier: str, text: str, **more: Json) -> Any:
    """Says this instead of the earlier message."""
    return chat.send(text, replacesMessage=run_of(chat, earlier), **more)


def said(chat: Chat) -> str:
    """All words of the model, in their order."""
    return "".join(event["data"]["text"] or "" for event in chat.events("Chunk"))


def remembered(server: Server) -> list[str]:
    """What of the user stands in the history of the model, on the disk."""
    messages = [json.loads(text) for (text,) in kept.rows(server.state, "SELECT message FROM messages ORDER BY place")]
    return [one["text"] for one in messages if one["kind"] == "user"]


def test_the_model_goes_on_from_before_it_and_the_chat_keeps_all(room: Room) -> None:
    chat = room.chat([say("First. ")], [say("Second. ")], [say("Third. ")])
    for text in ("one", "two", "three"):
        assert chat.send(text).result()["done_reason"] == "stop"
    # The scripted model plays its turns by how many answers of its own it is sent.
    assert change(chat, "two", "two, changed").result()["done_reason"] == "stop"
    assert said(chat) == "First. Second. Third. Second. "
    assert chat.send("and on").result()["done_reason"] == "stop"
    assert said(chat).endswith("Second. Third. ")

    told = chat.events("Prompt")
    assert [event["data"]["text"] for event in told] == ["one", "two", "three", "two, changed", "and on"]
    assert [event["data"].get("replaces") for event in told] == [None, None, None, told[1]["runId"], None]
    check_events(chat)


def test_what_goes_on_is_stopped_and_its_call_withdrawn(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [say("Never.")])
    behind = chat.send("behind it")
    second = change(chat, "go", "do not")
    assert first.result()["done_reason"] == "cancelled"
    assert behind.result()["unbegun"] is True
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("cancelled", "stop")
    # It is the first turn again: the same call is asked for anew, and is another question.
    other = chat.card()
    assert other["approvalId"] != card["approvalId"]
    chat.answer(other, decision="deny")
    assert second.result()["done_reason"] == "stop"
    assert not room.file("a").exists()
    check_events(chat)


def test_it_holds_after_a_restart(start: Start) -> None:
    first = again(start)
    first.script([say("First. ")], [say("Second. ")], [say("Third. ")])
    chat = first.chat()
    for text in ("one", "two"):
        chat.send(text).result()
    assert change(chat, "one", "one, changed").result()["done_reason"] == "stop"
    replaced = run_of(chat, "one")
    # Closing the wire lets the server write what it has.
    first.client.close()
    assert remembered(first) == ["one, changed"]

    server = again(start)
    chats_of(server)
    chat = same(server, chat)
    prompts = of(transcript(chat), "Prompt")
    assert [one["text"] for one in prompts] == ["one", "two", "one, changed"]
    assert prompts[2]["replaces"] == replaced
    server.script([say("First. ")], [say("Second. ")], [say("Third. ")])
    chat.send("on").result()
    assert said(chat) == "Second. "
    assert change(chat, "on", "on, changed").result()["done_reason"] == "stop"
    assert said(chat) == "Second. Second. "


def test_a_call_that_came_back_after_a_restart_is_withdrawn(start: Start) -> None:
    first, chat, _ = waiting_chat(start)
    kill(first)
    server = again(start)
    chats_of(server)
    (card,), chat = cards_of(server, 1), same(server, chat)
    run = next(event["runId"] for event in transcript(chat) if event["event"] == "Prompt")
    server.script([say("Instead.")])
    assert chat.send("something else", replacesMessage=run).result()["done_reason"] == "stop"
    assert chat.resolved(card)["status"] == "cancelled"
    assert said(chat) == "Instead."
    assert server.waiting() == []


def test_nothing_is_stopped_for_a_message_that_is_not_there(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], [say("Done.")])
    with pytest.raises(RpcError) as refused:
        chat.send("instead", replacesMessage="nowhere").result()
    assert refused.value.code == INVALID_PARAMS
    assert chat.waits(card)
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    change(chat, "go", "again")
    chat.answer(chat.card(), decision="deny")
    # What was said instead of it is there now; the first one is not.
    with pytest.raises(RpcError) as gone:
        change(chat, "go", "once more").result()
    assert gone.value.code == INVALID_PARAMS


def test_an_agent_of_others_keeps_what_it_was_told(house: House) -> None:
    guest = house.guest([says("Hello.")])
    chat = guest.chat()
    chat.send("go").result()
    with pytest.raises(RpcError) as refused:
        change(chat, "go", "instead").result()
    assert refused.value.code == INVALID_PARAMS
    assert chat.info()["isGuest"] is True
