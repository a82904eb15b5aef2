"""Questions that come together, without a name, twice or at the wrong time: each is one card, and has one answer."""

import json
from typing import Any

import pytest

from assent.acp.questions import MOST_QUESTIONS
from tests.support.guests import ALLOW, REJECT, Guest, House, ask, done, notices, says
from tests.support.scale import wait_until
from tests.support.server import Step

Json = Any
SESSION = "session-1"


def _message(method: str, request_id: Json = None, **params: Json) -> str:
    asked = {} if request_id is None else {"id": request_id}
    return json.dumps({"jsonrpc": "2.0", **asked, "method": method, "params": {"sessionId": SESSION, **params}})


def _question(request_id: Json, call_id: str | None = None, **members: Json) -> str:
    call = {**({} if call_id is None else {"toolCallId": call_id}), **members}
    return _message("session/request_permission", request_id, toolCall=call, options=[ALLOW, REJECT])


def _command(command: str) -> Json:
    return {"kind": "execute", "title": "A", "rawInput": {"command": command}}


def _at_once(*lines: str) -> Step:
    return {"raw": "\n".join(lines)}


def _outcome(guest: Guest, request_id: Json) -> Json:
    return guest.wait_answer(request_id)["result"]["outcome"]


_CANCELLED = {"outcome": "cancelled"}
_ALLOWED = {"outcome": "selected", "optionId": "allow"}
_REJECTED = {"outcome": "selected", "optionId": "reject"}


def test_two_questions_about_one_id_in_one_breath_are_two_cards(house: House) -> None:
    both = _at_once(_question("one", "c", **_command("rm -rf important")), _question("two", "c", **_command("make 1")))
    guest = house.guest([both, {"wait": 600}])
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 2, what="two cards")
    cards = {card["args"]["command"]: card for card in chat.cards()}
    assert set(cards) == {"rm -rf important", "make 1"}
    chat.select(cards["make 1"], "approve")
    assert _outcome(guest, "two") == _ALLOWED
    chat.select(cards["rm -rf important"], "deny")
    assert _outcome(guest, "one") == _REJECTED
    chat.stop()
    run.result()


def test_a_rule_for_the_second_says_nothing_about_the_first(house: House) -> None:
    both = _at_once(_question("one", "c", **_command("rm -rf important")), _question("two", "c", **_command("make 2")))
    guest = house.guest([both, {"wait": 600}])
    house.tell_settings(alwaysAllowRules={"bash": ["make 2"]})
    chat = guest.chat()
    run = chat.send()
    assert chat.card()["args"] == {"command": "rm -rf important"}
    assert _outcome(guest, "two") == _ALLOWED and guest.answer_to("one") is None
    house.tell_settings()
    chat.stop()
    run.result()


@pytest.mark.parametrize("call_id", [None, "c"], ids=["no id", "the same id"])
@pytest.mark.parametrize("click", ["approve", "deny"])
def test_a_question_takes_nothing_from_one_that_was_answered(house: House, call_id: str | None, click: str) -> None:
    first = _at_once(_question("one", call_id, **_command("npm test")))
    second = [_at_once(_question("two", call_id, title="Delete the database")), {"wait": 600}]
    marker = ask("marker", command="make it", on={"else": second})
    guest = house.guest([first, marker])
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 2, what="the first two cards")
    cards = {card["args"]["command"]: card for card in chat.cards()}
    chat.select(cards["npm test"], click)
    assert _outcome(guest, "one") == (_ALLOWED if click == "approve" else _REJECTED)
    chat.select(cards["make it"], "approve")
    wait_until(lambda: len(chat.cards()) == 3, what="the third card")
    third = next(card for card in chat.cards() if card["args"] not in ({"command": "npm test"}, {"command": "make it"}))
    assert "npm test" not in json.dumps(third["args"]) and third["tool"] != "bash"
    chat.stop()
    run.result()


def test_questions_without_an_id_are_not_joined_while_they_are_open(house: House) -> None:
    guest = house.guest(
        [_at_once(_question("one", **_command("npm test")), _question("two", **_command("make all"))), {"wait": 600}]
    )
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 2, what="two cards")
    assert sorted(card["args"]["command"] for card in chat.cards()) == ["make all", "npm test"]
    chat.stop()
    run.result()
    assert _outcome(guest, "one") == _outcome(guest, "two") == _CANCELLED


@pytest.mark.parametrize("how", ["approve", "stop"])
def test_a_number_is_used_again_while_the_first_call_is_carried_out(house: House, how: str) -> None:
    second = ask("c2", command="second", request_id="r", on={"allow": [done("c2"), done("c1")]})
    guest = house.guest([ask("c1", command="first", request_id="r", on={"allow": [second]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    card = chat.card()
    assert card["args"] == {"command": "second"}
    if how == "stop":
        chat.stop()
    else:
        chat.select(card, "approve")
    run.result()
    assert guest.answers() == ["allow", "allow" if how == "approve" else "cancelled"]
    assert [one["success"] for one in chat.results()] == [how == "approve"] * 2


def test_an_id_that_begins_again_ends_the_call_that_it_stood_for(house: House) -> None:
    again: list[Step] = [{"update": {"toolCallId": "c", "status": "in_progress"}}, done("c"), says("Well.")]
    guest = house.guest([ask("c", command="make", status="completed", on={"allow": again})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    assert run.result()["done_reason"] == "stop"


_REQUESTS = [
    _question("asks", "c", **_command("make")),
    _message("fs/read_text_file", "reads", path="/etc/hostname"),
    _message("terminal/create", "runs", command="ls"),
    _message("x/unknown", "unknown"),
]


def _are_answered(guest: Guest) -> None:
    assert _outcome(guest, "asks") == _CANCELLED
    assert all("error" in guest.wait_answer(request_id) for request_id in ("reads", "runs", "unknown"))


def test_what_is_wanted_right_behind_the_new_session_is_answered(house: House) -> None:
    # Whether it comes before the turn, or just when it has begun: its end answers what is open then.
    guest = house.guest(begin=[_at_once(*_REQUESTS)])
    assert guest.chat().run()["done_reason"] == "stop"
    _are_answered(guest)


def test_what_is_wanted_while_a_session_is_loaded_is_answered(house: House) -> None:
    guest = house.guest([{"exit": 1}], loads=True, load=[_at_once(*_REQUESTS)])
    chat = guest.chat()
    assert chat.run()["done_reason"] == "error"
    guest.plays([says("again")], loads=True, load=[_at_once(*_REQUESTS)])
    assert chat.run()["done_reason"] == "stop"
    assert len(guest.told("session/load")) == 1
    _are_answered(guest)
    assert chat.cards() == []


@pytest.mark.parametrize("behind", ["withdrawn", "the end"])
def test_a_question_with_its_end_right_behind_it_has_one_answer(house: House, behind: str) -> None:
    withdrawn = json.dumps({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "q"}})
    end = json.dumps({"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}})
    question = _question("q", "c", **_command("make"))
    guest = house.guest([_at_once(question, withdrawn if behind == "withdrawn" else end), {"wait": 600}])
    chat = guest.chat()
    run = chat.send()
    assert _outcome(guest, "q") == _CANCELLED
    if behind == "withdrawn":
        chat.stop()
    run.result()
    assert chat.cards() == []


def test_a_question_that_was_taken_back_is_not_asked_anew_as_something_else(house: House) -> None:
    withdrawn = json.dumps({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "q"}})
    other = {"sessionUpdate": "tool_call_update", "toolCallId": "c", **_command("rm -rf other")}
    taken_back = [_at_once(withdrawn, _message("session/update", update=other)), {"wait": 600}]
    marker = ask("marker", command="make it", on={"allow": taken_back})
    guest = house.guest([_at_once(_question("q", "c", **_command("make"))), marker])
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 2, what="both cards")
    chat.select(next(card for card in chat.cards() if card["args"] == {"command": "make it"}), "approve")
    assert _outcome(guest, "q") == _CANCELLED
    assert not any("other" in json.dumps(card["args"]) for card in chat.cards())
    wait_until(lambda: [one for one in chat.results() if not one["success"]], what="its end in the chat")
    (row,) = [one for one in chat.results() if not one["success"]]
    assert "took its question back" in row["output"]
    chat.stop()
    run.result()


def _runs_in(folder: object) -> str:
    told = {**_command("rm -r box"), "rawInput": {"command": "rm -r box", "workdir": str(folder)}}
    return _message("session/update", update={"sessionUpdate": "tool_call_update", "toolCallId": "c", **told})


def test_where_a_command_runs_may_be_told_behind_the_question_and_is_on_its_one_card(house: House) -> None:
    folder = house.workspace / "sub"
    guest = house.guest(
        [_at_once(_question("q", "c", **_command("rm -r box")), _runs_in(folder)), {"wait": 600}], name="opencode"
    )
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert card["args"] == {"command": "rm -r box", "cwd": str(folder)}
    chat.select(card, "approve")
    assert _outcome(guest, "q") == _ALLOWED
    assert len(chat.cards()) == 1
    chat.stop()
    run.result()


@pytest.mark.parametrize("behind", ["elsewhere", "where it works", "nothing"])
def test_a_rule_is_not_asked_before_it_is_told_where_the_command_runs(house: House, behind: str) -> None:
    (house.workspace / "box").mkdir(exist_ok=True)
    folder = {"elsewhere": "/usr", "where it works": str(house.workspace)}.get(behind)
    told = [_runs_in(folder)] if folder is not None else []
    guest = house.guest([_at_once(_question("q", "c", **_command("rm -r box")), *told), {"wait": 600}], name="opencode")
    house.tell_settings(alwaysAllowRules={"bash": ["rm -r box"]})
    chat = guest.chat()
    run = chat.send()
    if behind == "where it works":
        assert _outcome(guest, "q") == _ALLOWED and chat.cards() == []
    else:
        assert chat.card()["args"].get("cwd") == folder and guest.answer_to("q") is None
    house.tell_settings()
    chat.stop()
    run.result()


def test_where_a_command_runs_that_is_told_later_is_another_card(house: House) -> None:
    folder = house.workspace / "sub"
    later = ask("marker", command="cd / && true", on={"allow": [{"raw": _runs_in(folder)}, {"wait": 600}]})
    guest = house.guest([_at_once(_question("q", "c", **_command("rm -r box"))), later], name="opencode")
    chat = guest.chat()
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 2, what="both cards")
    marker, first = sorted(chat.cards(), key=lambda card: "box" in card["args"]["command"])
    assert "folder this runs is not known" in json.dumps(first["risk"]) and "cwd" not in first["args"]
    chat.select(marker, "approve")
    wait_until(lambda: len(chat.cards()) == 3, what="the card with the folder")
    card = next(one for one in chat.cards() if "cwd" in one["args"])
    chat.select(card, "deny")
    assert _outcome(guest, "q") == _REJECTED and chat.resolved(first)["resolvedBy"] == "agent"
    chat.stop()
    run.result()


def test_a_question_that_waits_for_its_folder_is_cancelled_with_its_turn(house: House) -> None:
    end = json.dumps({"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}})
    failed = {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "failed"}
    lines = [_question("q", "c", **_command("rm -r box")), _message("session/update", update=failed), end]
    guest = house.guest([_at_once(*lines)], name="opencode")
    chat = guest.chat()
    chat.run()
    assert _outcome(guest, "q") == _CANCELLED
    assert chat.cards() == [] and notices(chat) == []


def test_two_chats_never_share_the_id_of_a_session(house: House) -> None:
    same: Json = {"session/new": {"sessionId": SESSION}, "session/prompt": {"hang": True}}
    guest = house.guest(answers=same)
    first, second = guest.chat(), guest.chat()
    run = first.send()
    guest.wait_told("session/prompt")
    assert "the id of another one that is open" in second.run()["message"]
    assert not run.done and len(guest.told("session/prompt")) == 1
    first.stop()
    run.result(30)


def test_more_questions_than_anybody_can_look_at_are_cancelled(house: House) -> None:
    many = [_question(f"q{number}", f"c{number}", **_command(f"make {number}")) for number in range(MOST_QUESTIONS + 2)]
    guest = house.guest([_at_once(*many), {"wait": 600}])
    chat = guest.chat()
    run = chat.send()
    for number in (MOST_QUESTIONS, MOST_QUESTIONS + 1):
        assert _outcome(guest, f"q{number}") == _CANCELLED
    assert guest.answer_to(f"q{MOST_QUESTIONS - 1}") is None
    wait_until(lambda: [words for words in notices(chat) if "questions at once" in words], what="a word about it")
    assert len([words for words in notices(chat) if "questions at once" in words]) == 1
    chat.stop()
    run.result()
