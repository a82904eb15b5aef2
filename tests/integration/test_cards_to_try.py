"""The card that leads to nothing, and long arguments in pieces."""

import json

import pytest

from tests.support.room import Room
from tests.support.server import (
    CANCELLED,
    INVALID_PARAMS,
    NOT_FOUND,
    NOT_OFFERED,
    RESOLVED,
    Json,
)


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
