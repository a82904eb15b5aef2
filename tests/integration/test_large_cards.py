"""Cards of large changes: within bounds on the wire, and never approved for less than what is shown."""

import base64
import json
from collections.abc import Callable

import pytest

from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.server import NOT_OFFERED, Json, Server, call

MOST = 256 * 1024


def _size(card: object) -> int:
    return len(json.dumps(card))


def test_a_long_file_replaced_by_a_short_one_says_how_much_goes(room: Room) -> None:
    room.file("long").write_text("line\n" * 150_000)
    chat, card, run = room.card([room.write("long", "short\n")])

    assert _size(card) < MOST
    assert "truncated" not in card, "everything that would be written is shown"
    assert (card["preview"]["added"], card["preview"]["removed"]) == (1, 150_000)
    assert [line["text"] for line in card["preview"]["lines"] if line["kind"] == "added"] == ["short"]
    assert any(line["kind"] == "gap" for line in card["preview"]["lines"])
    chat.answer(card, decision="deny")
    run.result()


def test_one_long_old_line_is_narrowed(room: Room) -> None:
    room.file("wide").write_text("x" * 900_000)
    chat, card, run = room.card([room.write("wide", "short\n")])

    assert _size(card) < MOST
    assert "truncated" not in card
    assert any("899000 more characters" in line["text"] for line in card["preview"]["lines"])
    chat.answer(card, decision="deny")
    run.result()


def test_what_does_not_fit_on_the_card_has_to_be_opened(room: Room) -> None:
    content = "new line\n" * 150_000
    chat, card, run = room.card([room.write("new", content)])

    assert _size(card) < MOST
    assert card["truncated"]["argsBytes"] > len(content)
    assert card["preview"]["added"] == 150_000
    text, total = "", 1
    while len(text) < total:
        piece = room.server.client.request(
            "tool/approvalDetails", {"approvalId": card["approvalId"], "offset": len(text), "length": 1_000_000}
        )
        text, total = text + piece["text"], piece["totalLength"]
    assert json.loads(text)["content"] == content
    chat.select(card, "approve")
    run.result()
    assert room.file("new").read_text() == content


def opens(server: Server, card: Json, offset: int, length: int) -> int:
    """Asks for this piece of the call's arguments; so many letters there are in all."""
    params = {"approvalId": card["approvalId"], "offset": offset, "length": length}
    return int(server.client.request("tool/approvalDetails", params)["totalLength"])


def test_no_yes_counts_before_all_of_it_was_opened(start: Callable[..., Server]) -> None:
    server = start()
    server.meet(capabilities=("cards", "counts", "reveal", "details"))
    room = Room(server, "room")
    content = "new line\n" * 50_000
    chat, card, run = room.card([room.write("new", content)])

    def refused() -> None:
        with pytest.raises(RpcError, match="Open all of it") as fault:
            chat.answer(card, decision="accept")
        assert fault.value.code == NOT_OFFERED and chat.waits(card)

    refused()
    total = opens(server, card, 0, 1_000)
    opens(server, card, 2_000, total)
    refused()
    opens(server, card, 1_000, total)
    chat.answer(card, decision="accept")
    run.result()
    assert room.file("new").read_text() == content


def test_a_change_that_was_compared_to_its_end_was_seen(start: Callable[..., Server]) -> None:
    server = start()
    server.meet(capabilities=("cards", "counts", "reveal", "details"))
    room = Room(server, "room")
    chat, card, run = room.card([room.write("new", "new line\n" * 50_000)])

    asked = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"]}
    piece = server.client.request("tool/approvalChange", {**asked, "offset": 0})
    while piece.get("nextOffset") is not None:
        with pytest.raises(RpcError, match="Open all of it"):
            chat.answer(card, decision="accept")
        piece = server.client.request("tool/approvalChange", {**asked, "offset": piece["nextOffset"]})
    chat.answer(card, decision="accept")
    run.result()
    assert room.file("new").exists()


def test_many_small_new_lines_have_to_be_opened_though_the_arguments_are_short(room: Room) -> None:
    content = "a\n" * 3_000
    chat, card, run = room.card([room.write("lines", content)])

    assert card["args"]["content"] == content
    assert "truncated" in card, "not every line that would be written is drawn"
    chat.answer(card, decision="deny")
    run.result()


def test_of_bytes_a_card_says_what_they_are_and_all_of_them_are_agreed_to(room: Room) -> None:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 1_000
    content = base64.encodebytes(data).decode()
    chat, card, run = room.card([room.write("logo.txt", content)])

    assert content[:60] not in json.dumps(card["preview"])
    assert f"PNG picture, {len(data):,} bytes, written as base64" in card["preview"]["note"]
    assert "89 50 4e 47" in card["preview"]["lines"][0]["text"]
    assert "truncated" in card
    piece = room.server.client.request(
        "tool/approvalDetails", {"approvalId": card["approvalId"], "offset": 0, "length": 1_000_000}
    )
    assert json.loads(piece["text"])["content"] == content
    chat.select(card, "approve")
    run.result()
    assert room.file("logo.txt").read_text() == content


def test_odd_arguments_of_any_size_make_no_large_event(room: Room) -> None:
    nested = {f"k{i}": {f"l{j}": "x" * 500 for j in range(100)} for i in range(100)}
    chat = room.chat([call("write_file", **nested)])
    chat.run()

    (event,) = chat.events("ToolCall")
    assert _size(event) < MOST
    assert chat.results()[0]["code"] == "invalid_arguments"
