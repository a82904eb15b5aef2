"""Who decided about a call, and when: told by the events of its chat, to a new page and after a restart."""

from datetime import datetime

import pytest

from tests.support import kept
from tests.support.crashed import Start, again, chats_of, kill
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, write


def decided(server: Server, chat: Chat) -> Json:
    """What the events say of the decision, as a page that loads the chat anew hears it."""
    events = server.client.request("session/load", {"sessionId": chat.id})["events"]
    told = [event["data"] for event in events if event["event"] == "ToolUpdate" and event["data"].get("decidedAt")]
    (one,) = told
    return one


@pytest.mark.parametrize(("answer", "word"), [("accept", "Approve"), ("deny", "Deny")])
def test_it_stays_with_the_call_when_the_page_is_new_and_when_the_server_is(
    start: Start, answer: str, word: str
) -> None:
    first = again(start)
    first.script([write("a.txt")])
    chat = first.chat()
    run = chat.send()
    card = chat.card()
    chat.answer(card, decision=answer)
    run.result()
    when = chat.resolved(card)["resolvedAt"]
    assert datetime.fromisoformat(when).tzinfo is not None

    told = decided(first, chat)
    assert (told["toolCallId"], told["decidedAt"]) == (card["toolCall"]["toolCallId"], when)
    assert f"You chose “{word}”" in told["note"]

    ended = "SELECT 1 FROM transcript WHERE event LIKE '%run_done%'"
    wait_until(lambda: kept.rows(first.state, ended), what="the end of the run on the disk")
    kill(first)
    second = again(start)
    second.client.wait_for("session/restored", within=20)
    assert chat.id in [one["sessionId"] for one in chats_of(second)]
    assert decided(second, chat) == told


def test_what_nobody_was_asked_about_names_no_moment(start: Start) -> None:
    server = again(start)
    server.script([write("a.txt")])
    chat = server.chat(mode="auto")
    chat.run()
    events = server.client.request("session/load", {"sessionId": chat.id})["events"]
    assert events
    assert not any(event["data"].get("decidedAt") for event in events)
