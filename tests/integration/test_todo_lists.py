"""The agent's own list over the wire: in every mode without a card, one for a chat, and still there after a crash."""

from collections.abc import Callable

import pytest

from tests.support import kept
from tests.support.crashed import again, chats_of, kill, of, same, transcript
from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import Json, Server, Step, call, refusal, say
from tests.support.sub_agents import calls_of, chat_of, hand_on


def todos(*steps: tuple[str, str]) -> Step:
    """The model keeps this list."""
    return call("todo_write", todos=[{"content": content, "status": status} for content, status in steps])


def entries(*steps: tuple[str, str]) -> Json:
    """The same as a page is told of it."""
    return {"entries": [{"content": content, "status": status} for content, status in steps]}


READ = ("Read what is there", "completed")
NOW = ("Write the test", "in_progress")
THEN = ("Mend it", "pending")


@pytest.mark.parametrize("mode", ["plan", "ask", "default", "auto"])
def test_it_is_kept_in_every_mode_without_a_card(room: Room, mode: str) -> None:
    chat = room.chat([todos(NOW, THEN)], [todos(READ, NOW, THEN)], [say("Done.")], mode=mode)
    assert chat.run()["done_reason"] == "stop"

    assert [event["data"] for event in chat.events("Plan")] == [entries(NOW, THEN), entries(READ, NOW, THEN)]
    runs = {event["runId"] for event in chat.events("Plan")}
    assert runs == {event["runId"] for event in chat.events("Done")}
    assert [result["output"] for result in chat.results()] == [
        "The list is updated: 1 in progress, 1 to do.",
        "The list is updated: 1 done, 1 in progress, 1 to do.",
    ]
    assert chat.cards() == []


def test_what_does_not_fit_changes_nothing_and_says_why(room: Room) -> None:
    chat = room.chat([todos(NOW)], [todos(NOW, ("Another", "in_progress"))], [say("Done.")])
    assert chat.run()["done_reason"] == "stop"

    assert [event["data"] for event in chat.events("Plan")] == [entries(NOW)]
    refused = refusal(chat.results()[1])
    assert refused["error"] == "invalid_arguments" and "2 are in_progress" in refused["message"]


def test_a_sub_agent_has_none_so_the_list_that_the_user_follows_stays(room: Room) -> None:
    talks = {"Small": [[todos(("Of the small one", "pending"))], [say("small")]]}
    chat = chat_of(room.server, [[todos(NOW)], [hand_on("Small")], [say("Done.")]], talks)
    assert chat.run()["done_reason"] == "stop"

    assert [event["data"] for event in chat.events("Plan")] == [entries(NOW)]
    made = {one["toolCallId"]: one.get("parentToolCallId") for one in calls_of(chat) if one["tool"] == "todo_write"}
    codes = {
        made[one["toolCallId"]] is not None: one.get("code") for one in chat.results() if one["tool"] == "todo_write"
    }
    assert codes == {False: None, True: "tool_not_found"}


def test_it_is_there_again_after_a_crash(start: Callable[..., Server]) -> None:
    first = again(start)
    first.script([todos(READ, NOW)], [say("Done.")])
    chat = first.chat()
    chat.run()
    query = "SELECT count(*) FROM transcript WHERE event LIKE '%Write the test%in_progress%'"
    wait_until(lambda: kept.rows(first.state, query) not in ([], [(0,)]), what="the list on the disk")
    kill(first)

    server = again(start)
    server.client.wait_for("session/restored", within=20)
    chats_of(server)
    assert of(transcript(same(server, chat)), "Plan") == [entries(READ, NOW)]
