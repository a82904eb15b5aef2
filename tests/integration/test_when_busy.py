"""A message for a chat that is busy: it waits behind the run, or stops the run and takes its place. Never two."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import kept
from tests.support.chat_events import check_events
from tests.support.crashed import again, cards_of, chats_of, kill, same
from tests.support.processes import is_running
from tests.support.room import Room
from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, RESOLVED, Chat, Json, Server, call, refusal, say, write

Start = Callable[..., Server]


def replace(chat: Chat, text: str = "instead", **more: Json) -> Pending:
    """Stops what goes on and sends this."""
    return chat.send(text, whenBusy="replace", **more)


def prompts(chat: Chat) -> list[str]:
    """The messages that a run took up."""
    return [event["data"]["text"] for event in chat.events("Prompt")]


def ends(*runs: Pending) -> list[tuple[str, bool]]:
    """How each ended, and whether it never began."""
    results = [run.result() for run in runs]
    return [(result["done_reason"], result.get("unbegun") is True) for result in results]


CANCELLED, UNBEGUN, DONE = ("cancelled", False), ("cancelled", True), ("stop", False)


def test_a_message_takes_the_place_of_a_run_whose_call_waits(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [say("Something else.")])
    second = replace(chat)

    assert ends(first, second) == [CANCELLED, DONE]
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("cancelled", "stop")
    assert chat.refused(card, decision="accept").code == RESOLVED
    (result,) = chat.results()
    assert refusal(result)["error"] == "cancelled"
    assert not room.file("a").exists()
    assert prompts(chat) == ["go", "instead"]
    check_events(chat)


def test_it_begins_only_when_the_tool_that_runs_has_ended(room: Room) -> None:
    command = f"echo $$ > {room.path('pid')}; sleep 600; echo late > {room.path('late')}"
    chat = room.chat([call("bash", command=command)], [room.write("b")], [say("Done.")], mode="auto")
    first = chat.send()
    running = _number_in(room.file("pid"))
    second = replace(chat)

    assert ends(first, second) == [CANCELLED, DONE]
    assert not is_running(running)
    assert room.file("b").exists()
    assert not room.file("late").exists()
    story = [event["event"] for event in chat.events() if event["event"] in ("Prompt", "ToolResult", "Done")]
    assert story == ["Prompt", "ToolResult", "Done", "Prompt", "ToolResult", "Done"]
    check_events(chat)


def test_it_takes_the_place_of_a_model_that_still_speaks(room: Room) -> None:
    chat = room.chat([say("begun "), {"wait": 3600}, room.write("a")], [say("Instead.")], mode="auto")
    first = chat.send()
    chat.wait_for_event("Chunk")
    assert ends(first, replace(chat))[0] == CANCELLED
    assert chat.results() == []
    assert not room.file("a").exists()
    check_events(chat)


def test_messages_that_waited_behind_the_run_are_given_back(room: Room) -> None:
    chat, _, first = room.card([room.write("a")], [say("Instead.")])
    waiting = [chat.send("second"), chat.send("third", whenBusy="queue")]
    second = replace(chat)

    assert ends(first, *waiting, second) == [CANCELLED, UNBEGUN, UNBEGUN, DONE]
    assert prompts(chat) == ["go", "instead"]
    check_events(chat)


def test_one_that_comes_behind_it_waits_for_it(room: Room) -> None:
    chat, _, first = room.card([room.write("a")], [room.write("b")], [say("Done.")], [say("And more.")])
    second, behind = replace(chat), chat.send("behind")
    card = chat.card(room.path("b"))
    assert not behind.done
    chat.select(card, "approve")
    assert ends(first, second, behind) == [CANCELLED, DONE, DONE]
    assert prompts(chat) == ["go", "instead", "behind"]
    check_events(chat)


def test_twice_quickly_the_last_one_runs(room: Room) -> None:
    for number in range(10):
        chat, card, first = room.card([room.write(f"{number}")], [say("Instead.")], [say("Instead of that.")])
        second, third = replace(chat, "second"), replace(chat, "third")
        outcomes = ends(first, second, third)
        assert outcomes[0] == CANCELLED
        # The one in the middle was dropped, or stopped as soon as it had begun, or was quicker than the last one.
        assert outcomes[1] in (UNBEGUN, CANCELLED, DONE)
        assert outcomes[2] == DONE
        assert ("second" in prompts(chat)) == (outcomes[1] != UNBEGUN)
        assert prompts(chat)[-1] == "third"
        assert chat.resolved(card)["status"] == "cancelled"
        assert not room.file(f"{number}").exists()
        check_events(chat)


def test_in_the_moment_in_which_the_first_one_is_sent(room: Room) -> None:
    for number in range(20):
        chat = room.chat([room.write(f"{number}")], [say("Instead.")])
        first, second = chat.send(), replace(chat)
        (how,) = ends(first)
        assert how in (UNBEGUN, CANCELLED)
        assert ("go" in prompts(chat)) == (how == CANCELLED)
        # Where the first turn left nothing behind, the second message meets its call, too.
        wait_until(lambda: _denies_all(chat) and second.done, what="the end of the second message")  # noqa: B023
        assert ends(second) == [DONE]
        assert not room.file(f"{number}").exists()
        check_events(chat)


def test_an_answer_and_a_replacement_at_once_have_one_outcome(room: Room) -> None:
    for number in range(10):
        chat, card, first = room.card([room.write(f"{number}")], [say("Instead.")], [say("Done.")])
        given = {"approvalId": card["approvalId"], "decision": "accept"}
        answering, second = chat.client.start("tool/approvalResponse", given), replace(chat)
        counted = "result" in answering.answer()
        assert ends(second) == [DONE]
        first.result()
        assert len(chat.endings(card)) == 1
        if room.file(f"{number}").exists():
            assert counted
        check_events(chat)


@pytest.mark.parametrize("word", ["queue", "replace"])
def test_in_a_chat_that_is_not_busy_both_words_just_send(room: Room, word: str) -> None:
    chat = room.chat([say("Hello.")], [say("Again.")])
    assert ends(chat.send(whenBusy=word)) == [DONE]
    assert ends(chat.send(whenBusy=word)) == [DONE]
    check_events(chat)


def test_queue_is_what_happens_without_a_word(room: Room) -> None:
    for more in ({}, {"whenBusy": "queue"}):
        chat, card, first = room.card([room.write("a")], [say("Done.")], [say("And more.")])
        second = chat.send("second", **more)
        assert chat.waits(card)
        chat.select(card, "deny")
        assert ends(first, second) == [DONE, DONE]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"whenBusy": "now"}, "params.whenBusy"),
        ({"whenBusy": True}, "params.whenBusy"),
        ({"whenBusy": "replace", "text": " "}, "params.text"),
        ({"whenBusy": "replace", "text": "x" * 1_000_001}, "params.text"),
        ({"whenBusy": "replace", "permission_mode": "yolo"}, "params.permission_mode"),
    ],
)
def test_a_message_that_makes_no_sense_stops_nothing(room: Room, fields: Json, path: str) -> None:
    chat, card, first = room.card([room.write("a")], [say("Done.")])
    fault = chat.client.start("chat/send", {"sessionId": chat.id, "text": "instead", **fields}).error()
    assert (fault.code, fault.data["path"]) == (INVALID_PARAMS, path)
    assert chat.waits(card)
    chat.select(card, "approve")
    assert ends(first) == [DONE]


def test_a_looser_mode_that_comes_with_it_lets_nothing_of_the_stopped_run_through(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [room.write("b")], [say("Done.")])
    second = replace(chat, permission_mode="auto")
    assert ends(first, second) == [CANCELLED, DONE]
    assert chat.resolved(card)["status"] == "cancelled"
    assert (room.file("a").exists(), room.file("b").exists()) == (False, True)


def test_calls_of_an_earlier_server_go_on_waiting(start: Start) -> None:
    first = again(start)
    first.script([write("a.txt")], [write("b.txt")], [say("Instead.")])
    chat = first.chat()
    chat.send()
    cards_of(first, 1)
    kept.wait_for_calls(first.state, 1)
    kill(first)

    server = start()
    server.script([], [write("b.txt")], [say("Instead.")])
    server.meet()
    chats_of(server)
    (old,), chat = cards_of(server, 1), same(server, chat)
    run = chat.send("write another")
    new = chat.card("b.txt")
    second = replace(chat)
    assert ends(run, second) == [CANCELLED, DONE]
    assert chat.resolved(new)["status"] == "cancelled"
    assert chat.waits(old)
    chat.answer(old, decision="accept")
    wait_until(lambda: (server.workspace / "a.txt").exists(), what="the call of the earlier server to run")


def _denies_all(chat: Chat) -> bool:
    for card in chat.server.waiting():
        if card["sessionId"] == chat.id:
            chat.answer(card, decision="deny")
    return True


def _number_in(file: Path) -> int:
    wait_until(lambda: file.exists() and file.read_text().strip(), what=f"a number in {file.name}")
    return int(file.read_text())
