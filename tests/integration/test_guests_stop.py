"""A turn of an agent that is stopped, or whose questions come to nothing: who hears what, and in which order."""

import json
from typing import Any

import pytest

from tests.support.guests import Guest, House, ask, done, notices, said, says
from tests.support.processes import is_running
from tests.support.scale import wait_until
from tests.support.server import Chat

Json = Any


def _heard(guest: Guest) -> list[str]:
    """In its order: that it is to stop, and each answer."""
    words = []
    for one in guest.told():
        if one.get("method") == "session/cancel":
            words.append("stop")
        elif isinstance(one.get("result"), dict) and "outcome" in one["result"]:
            words.append(one["result"]["outcome"].get("optionId", "cancelled"))
    return words


@pytest.mark.parametrize("waiting", [1, 5])
def test_it_hears_of_the_stop_before_its_questions_are_answered(house: House, waiting: int) -> None:
    guest = house.guest([{"together": [[ask(f"c{n}", command=f"make {n}")] for n in range(waiting)]}], [says("Yes?")])
    chat = guest.chat()
    run = chat.send()
    cards = [chat.card() for _ in range(waiting)]
    assert chat.stop() is True
    assert run.result()["done_reason"] == "cancelled"
    assert _heard(guest) == ["stop", *["cancelled"] * waiting]
    assert len(guest.told("session/cancel")) == 1
    for card in cards:
        assert chat.resolved(card)["resolvedBy"] == "stop"
        assert chat.refused(card, decision="accept")
    assert len(chat.results()) == waiting and not any(one["success"] for one in chat.results())
    assert chat.run()["done_reason"] == "stop", "the same process goes on"
    assert len(guest.pids()) == 1 and said(chat) == "Yes?"


def test_a_stop_ends_what_was_allowed_as_well(house: House) -> None:
    guest = house.guest([ask(command="make", on={"allow": [{"until_cancelled": [done("c1", "stopped", "failed")]}]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    wait_until(lambda: guest.answers() == ["allow"], what="the yes")
    chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    assert len(chat.results()) == 1 and chat.results()[0]["is_error"]
    assert _heard(guest) == ["allow", "stop"]


def test_of_what_an_agent_left_open_when_it_was_stopped_nobody_says_that_it_was_done(house: House) -> None:
    guest = house.guest([ask(command="make", on={"allow": [{"until_cancelled": []}]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    wait_until(lambda: guest.answers() == ["allow"], what="the yes")
    chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    (row,) = chat.results()
    assert row["code"] == "cancelled" and "had already taken effect" not in row["output"]
    assert "The run was stopped." in row["output"] and "without saying how this ended" in row["output"]


FAILING = [says("a"), {"until_cancelled": [{"error": {"code": -32603, "message": "Internal error"}}]}]


def _stopped_with_an_error(guest: Guest, chat: Chat) -> None:
    run = chat.send("fail")
    wait_until(lambda: said(chat) == "a", what="its word")
    chat.stop()
    assert run.result(within=8)["done_reason"] == "cancelled"
    assert chat.events("Error") == [], "an error after a stop is just its end"


def _sessions(guest: Guest) -> list[str]:
    """Those in which it was told something, in the order of the messages."""
    return [one["params"]["sessionId"] for one in guest.told("session/prompt")]


def test_one_that_answers_a_stop_with_an_error_is_not_told_more_in_that_session(house: House) -> None:
    """Some take nothing there any more: they queue each message, and never come to it."""
    guest = house.guest([says("b")], named={"fail": FAILING})
    chat = guest.chat()
    _stopped_with_an_error(guest, chat)
    assert chat.run()["done_reason"] == "stop" and said(chat) == "ab"
    assert len(guest.pids()) == 2 and len(guest.told("session/new")) == 2
    assert any("does not know what was said" in words for words in notices(chat))


def test_where_it_keeps_its_chats_a_new_process_goes_on_with_this_one(house: House) -> None:
    guest = house.guest([says("b")], named={"fail": FAILING}, loads=True)
    chat = guest.chat()
    _stopped_with_an_error(guest, chat)
    assert chat.run()["done_reason"] == "stop" and said(chat) == "ab"
    first, second = _sessions(guest)
    assert first == second and guest.told("session/load")[0]["params"]["sessionId"] == first
    assert len(guest.pids()) == 2
    assert not any("does not know what was said" in words for words in notices(chat))


def test_another_chat_of_it_that_is_at_work_is_left_in_peace(house: House) -> None:
    guest = house.guest([says("b")], named={"fail": FAILING, "work": [ask(command="make")]}, loads=True)
    chat, beside = guest.chat(), guest.chat()
    waiting = beside.send("work")
    card = beside.card()
    _stopped_with_an_error(guest, chat)
    assert chat.run()["done_reason"] == "stop" and said(chat) == "ab"
    assert len(guest.pids()) == 1 and guest.told("session/load") == []
    of_chat = [one for one in _sessions(guest) if one != _sessions(guest)[0]]
    assert len(set(of_chat)) == 2, "another session of the same process"
    assert any("does not know what was said" in words for words in notices(chat))
    beside.select(card, "approve")
    assert waiting.result()["done_reason"] == "stop" and guest.answers() == ["allow"]


def test_an_agent_that_does_not_stop_is_ended_and_the_next_message_starts_another(house: House) -> None:
    guest = house.guest([says("a"), {"run": ["true"]}, {"hang": True}], deaf=True)
    chat, other = guest.chat(), house.guest([ask(command="make")])
    beside = other.chat()
    waiting = beside.send()
    card = beside.card()
    run = chat.send()
    wait_until(lambda: said(chat) == "a", what="its word")
    pid = guest.pids()[0]
    guest.plays([says("b")])
    chat.client.start("chat/stop", {"sessionId": chat.id})
    assert run.result(within=30)["done_reason"] == "cancelled"
    assert not is_running(pid)
    assert chat.run(within=20)["done_reason"] == "stop"
    assert said(chat) == "ab" and len(guest.pids()) == 2
    beside.select(card, "approve")
    assert waiting.result()["done_reason"] == "stop" and other.answers() == ["allow"]


def test_a_stop_while_the_agent_has_not_begun(house: House) -> None:
    guest = house.guest(answers={"initialize": {"hang": True}})
    chat = guest.chat()
    run = chat.send()
    guest.wait_told("initialize")
    chat.stop()
    assert run.result(within=20)["done_reason"] == "cancelled"
    wait_until(lambda: not is_running(guest.pids()[0]), what="its end")
    guest.plays([says("Now.")])
    assert chat.run()["done_reason"] == "stop" and said(chat) == "Now."


def test_a_stop_while_the_session_is_not_there_yet(house: House) -> None:
    guest = house.guest(answers={"session/new": {"hang": True}})
    chat = guest.chat()
    run = chat.send()
    guest.wait_told("session/new")
    chat.stop()
    assert run.result()["done_reason"] == "cancelled"


def test_a_message_that_replaces_the_run_stops_it_first(house: House) -> None:
    guest = house.guest([ask(command="make")], [says("second")])
    chat = guest.chat()
    run = chat.send("one")
    card = chat.card()
    later = chat.send("two", whenBusy="replace")
    assert run.result()["done_reason"] == "cancelled" and later.result()["done_reason"] == "stop"
    assert _heard(guest) == ["stop", "cancelled"] and chat.resolved(card)["resolvedBy"] == "stop"
    assert [one["params"]["prompt"][0]["text"] for one in guest.told("session/prompt")] == ["one", "two"]


def test_a_closed_chat_stops_its_turn(house: House) -> None:
    guest = house.guest([ask(command="make")])
    chat = guest.chat()
    chat.send()
    card = chat.card()
    chat.client.request("session/close", {"sessionId": chat.id}, within=30)
    wait_until(lambda: _heard(guest) == ["stop", "cancelled"], what="the cancelled answer")
    assert chat.resolved(card)["resolvedBy"] == "stop"
    wait_until(lambda: not is_running(guest.pids()[0]), what="the end of the process: it was its only chat")


# Withdrawn


@pytest.mark.parametrize("request_id", [0, "text"])
def test_a_question_that_the_agent_withdraws_closes_its_card(house: House, request_id: Json) -> None:
    guest = house.guest(
        [
            {
                "together": [
                    [ask("c1", command="make", request_id=request_id, on={"cancelled": [says("taken back")]})],
                    [ask("c2", command="npm test", request_id="go", on={"allow": [{"withdraw": request_id}]})],
                ]
            }
        ]
    )
    chat = guest.chat()
    run = chat.send()
    cards = {card["args"]["command"]: card for card in (chat.card(), chat.card())}
    chat.select(cards["npm test"], "approve")
    assert chat.resolved(cards["make"])["resolvedBy"] == "agent"
    assert run.result()["done_reason"] == "stop"
    assert guest.answer_to(request_id)["result"]["outcome"] == {"outcome": "cancelled"}
    assert chat.refused(cards["make"], decision="accept")


def test_a_question_that_is_withdrawn_at_once_is_answered_too(house: House) -> None:
    asking = {"sessionId": "session-1", "toolCall": {"toolCallId": "c", "rawInput": {"command": "make"}}, "options": []}
    lines = [
        {"jsonrpc": "2.0", "id": "brief", "method": "session/request_permission", "params": asking},
        {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "brief"}},
    ]
    guest = house.guest([{"raw": "\n".join(map(json.dumps, lines))}, {"wait": 0.3}])
    chat = guest.chat()
    assert chat.run()["done_reason"] == "stop"
    assert guest.answer_to("brief")["result"]["outcome"] == {"outcome": "cancelled"}


def test_what_is_withdrawn_for_nothing_changes_nothing(house: House) -> None:
    useless = [{"withdraw": one} for one in (99, "x", None, [], 0)]
    guest = house.guest([*useless, ask(command="make", request_id=7)])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert guest.answers() == ["allow"]


@pytest.mark.parametrize("method", ["fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output"])
def test_what_it_wants_of_its_client_when_it_is_stopped_is_answered(house: House, method: str) -> None:
    wanted = {"path": "a.txt", "content": "x", "command": "make", "terminalId": "t"}
    step = {"call": method, "params": wanted, "on": {}}
    guest = house.guest([says("a"), {"until_cancelled": [step, says("end")]}], [{**step}, says("over")])
    chat = guest.chat("ask")
    run = chat.send()
    wait_until(lambda: said(chat) == "a", what="its word")
    chat.stop()
    assert run.result()["done_reason"] == "cancelled" and len(guest.pids()) == 1
    run = chat.send()
    if method != "terminal/output":
        chat.card()
        chat.stop()
    assert run.result()["done_reason"] in ("cancelled", "stop")
    errors = [one for one in guest.told() if "error" in one]
    wait_until(lambda: len([one for one in guest.told() if "error" in one]) == 2, what=f"two refusals: {errors}")


# Asked when nobody can be asked


def test_a_question_after_the_stop_is_cancelled_without_a_card(house: House) -> None:
    late = ask("late", command="make late", request_id="late", on={"cancelled": [says("as expected")]})
    guest = house.guest([says("a"), {"until_cancelled": [late]}])
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: said(chat) == "a", what="its word")
    chat.stop()
    run.result()
    assert guest.wait_answer("late")["result"]["outcome"] == {"outcome": "cancelled"}
    assert chat.cards() == [] and chat.results() == []


def test_a_question_after_the_turn_is_cancelled_without_a_card(house: House) -> None:
    late = ask("late", command="make late", request_id="late", on={"cancelled": []})
    guest = house.guest([{"stop": "end_turn"}, late])
    chat = guest.chat()
    chat.run()
    assert guest.wait_answer("late")["result"]["outcome"] == {"outcome": "cancelled"}
    assert chat.cards() == []


@pytest.mark.parametrize("session", ["session-99", "", "\x00", "x" * 5000])
def test_a_question_for_a_session_that_is_not_there_is_cancelled(house: House, session: str) -> None:
    guest = house.guest([ask(command="make", session=session, request_id="q", on={"cancelled": [says("so")]})])
    chat = guest.chat()
    assert chat.run()["done_reason"] == "stop"
    assert guest.answer_to("q")["result"]["outcome"] == {"outcome": "cancelled"} and chat.cards() == []


@pytest.mark.parametrize("params", [{}, [], None, {"sessionId": 3}, "x"], ids=repr)
def test_a_question_that_cannot_be_read_is_cancelled(house: House, params: Json) -> None:
    raw = json.dumps({"jsonrpc": "2.0", "id": "raw", "method": "session/request_permission", "params": params})
    guest = house.guest([{"raw": raw}, ask(command="make")])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert guest.answer_to("raw")["result"]["outcome"] == {"outcome": "cancelled"}


def test_a_question_for_the_chat_that_was_closed_is_cancelled(house: House) -> None:
    closed = ask(command="make", session="session-1", request_id="q", on={"cancelled": [says("closed")]})
    guest = house.guest(named={"one": [says("one")], "two": [closed]})
    first, second = guest.chat(), guest.chat()
    first.run("one")
    second.run("one")
    first.client.request("session/close", {"sessionId": first.id}, within=30)
    second.run("two")
    assert guest.answer_to("q")["result"]["outcome"] == {"outcome": "cancelled"}
    assert second.cards() == [] and first.cards() == []


def test_the_turn_that_ends_closes_what_it_left_open(house: House) -> None:
    guest = house.guest([ask(command="make", patience=0.3, on={"silence": []})], [says("next")])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert chat.resolved(card)["resolvedBy"] == "agent"
    assert run.result()["done_reason"] == "stop"
    # It has ended its turn without it, so it reads it whenever it comes to it.
    wait_until(lambda: guest.answers() == ["cancelled"], what="the answer to what it left open")
    assert len(chat.results()) == 1
    assert chat.run()["done_reason"] == "stop" and len(chat.results()) == 1


def test_a_row_has_its_result_also_where_all_comes_at_once(house: House) -> None:
    begun = {"toolCallId": "c", "status": "in_progress", "kind": "execute", "rawInput": {"command": "make"}}
    update = {"sessionId": "session-1", "update": {"sessionUpdate": "tool_call", **begun}}
    asking = {"sessionId": "session-1", "toolCall": {"toolCallId": "c"}, "options": []}
    lines = [
        {"jsonrpc": "2.0", "method": "session/update", "params": update},
        {"jsonrpc": "2.0", "id": "q", "method": "session/request_permission", "params": asking},
        {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}},
    ]
    guest = house.guest([{"raw": "\n".join(map(json.dumps, lines))}])
    chat = guest.chat()
    assert chat.run()["done_reason"] == "stop"
    assert len(chat.events("ToolCall")) == len(chat.results()) == 1 and chat.results()[0]["is_error"]
    assert guest.wait_answer("q")["result"]["outcome"] == {"outcome": "cancelled"}


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("end_turn", "stop"),
        ("max_tokens", "limit"),
        ("max_turn_requests", "limit"),
        ("cancelled", "cancelled"),
        ("?", "stop"),
    ],
)
def test_how_the_agent_ends_its_turn_is_how_the_run_ends(house: House, reason: str, expected: str) -> None:
    chat = house.guest([says("a"), {"stop": reason}]).chat()
    assert chat.run()["done_reason"] == expected
