"""Answers that do not fit, come late, twice or for another card: nothing runs, and the call still waits."""

import pytest

from tests.support.room import Room
from tests.support.server import (
    INVALID_PARAMS,
    NO_CHAT,
    NOT_FOUND,
    NOT_OFFERED,
    RESOLVED,
    STALE,
    Json,
)


def selected(option: str) -> Json:
    return {"outcome": {"outcome": "selected", "optionId": option}}


DISMISSED = {"outcome": {"outcome": "cancelled"}}


SAYS_YES_ONCE = {
    "selected": {"response": selected("approve")},
    "accept": {"decision": "accept"},
    "allow": {"decision": "allow"},
    "allow_once": {"decision": "allow_once"},
    "option and shorthand that agree": {"response": selected("approve"), "decision": "accept"},
    "bypass that is false": {"response": selected("approve"), "bypassAll": False},
    "fields of the future": {"decision": "accept", "from_the_future": {"x": 1}},
}


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


def test_nothing_runs_twice_however_often_it_is_answered(room: Room) -> None:
    chat, card, run = room.card([room.write("a.txt", "first")])
    chat.select(card, "approve")
    run.result()
    room.file("a.txt").write_text("the user's own")
    for fields in (*SAYS_YES_ONCE.values(), {"bypassAll": True}, {"decision": "bypass_session"}):
        assert chat.refused(card, **fields).code == RESOLVED
    assert room.file("a.txt").read_text() == "the user's own"
    assert chat.info()["bypassSession"] is False and chat.info()["bypassAgent"] is False
