"""All of what a file would hold, for whoever compares it: what runs, of just the card that was shown."""

import pytest

from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.server import INVALID_PARAMS, STALE, Json, call


def change(room: Room, card: Json, **other: Json) -> str:
    """The text of the file as it would be, put together from its pieces."""
    pieces: list[str] = []
    offset = 0
    while True:
        params = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"], "offset": offset, **other}
        piece = room.server.client.request("tool/approvalChange", params)
        assert piece["realPath"].startswith(str(room.folder.resolve()))
        pieces.append(piece["text"])
        if piece.get("nextOffset") is None:
            return "".join(pieces)
        offset = piece["nextOffset"]


def written(room: Room, session: str, call_id: str, side: str) -> Json:
    params = {"sessionId": session, "toolCallId": call_id, "side": side, "offset": 0}
    return dict(room.server.client.request("tool/written", params))


def test_a_long_file_comes_in_pieces_and_is_what_is_written(room: Room) -> None:
    content = "a line with 𝒶 letter beyond the others\n" * 30_000
    chat, card, run = room.card([room.write("long", content)])

    assert card["comparable"] and "truncated" in card
    assert change(room, card) == content
    chat.select(card, "approve")
    run.result()
    assert room.file("long").read_text() == content


def test_an_edit_is_told_with_all_that_stays_around_it(room: Room) -> None:
    lines = [f"line {number}\n" for number in range(500)]
    room.file("file.py").write_text("".join(lines))
    edits = [{"old": "line 250\n", "new": "another one\n"}]
    chat, card, run = room.card([call("edit_file", path=room.path("file.py"), edits=edits)])

    lines[250] = "another one\n"
    assert change(room, card) == "".join(lines)
    chat.answer(card, decision="accept")
    run.result()
    assert room.file("file.py").read_text() == "".join(lines)


def test_the_line_ends_are_those_that_would_be_written(room: Room) -> None:
    room.file("dos").write_bytes(b"one\r\ntwo\r\n")
    chat, card, run = room.card([room.write("dos", "one\nthree\n")])

    assert change(room, card) == "one\r\nthree\r\n"
    chat.answer(card, decision="deny")
    run.result()


def test_of_a_file_that_changed_nothing_is_told_and_the_card_is_asked_anew(room: Room) -> None:
    room.file("file").write_text("one\n")
    chat, card, run = room.card([call("edit_file", path=room.path("file"), edits=[{"old": "one", "new": "two"}])])
    room.file("file").write_text("one\nmore\n")

    with pytest.raises(RpcError) as fault:
        change(room, card)
    assert fault.value.code == STALE
    again = room.server.client.wait_for(
        "tool/approvalRequest", lambda one: one["approvalId"] == card["approvalId"] and one.get("refreshed") is True
    )
    assert change(room, again) == "two\nmore\n"
    with pytest.raises(RpcError):
        change(room, card)
    chat.answer(again, decision="deny", argsDigest=again["argsDigest"])
    run.result()


@pytest.mark.parametrize("other", [{"file": 1}, {"file": -1}, {"offset": -1}])
def test_what_is_not_there_is_a_fault(room: Room, other: Json) -> None:
    chat, card, run = room.card([room.write("file")])
    with pytest.raises(RpcError) as fault:
        change(room, card, **other)
    assert fault.value.code == INVALID_PARAMS
    chat.answer(card, decision="deny")
    run.result()


@pytest.mark.parametrize(("now", "beside"), [(None, False), (b"\0\1\2", False), (b"text", True)])
def test_it_is_said_whether_there_is_a_text_to_compare_with(room: Room, now: bytes | None, beside: bool) -> None:
    if now is not None:
        room.file("file").write_bytes(now)
    chat, card, run = room.card([room.write("file")])
    params = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"]}
    told = room.server.client.request("tool/approvalChange", params)
    assert (told["besideFile"], told["files"], told["tellAll"]) == (beside, 1, True)
    chat.answer(card, decision="deny")
    run.result()


def test_a_command_shows_no_file(room: Room) -> None:
    chat, card, run = room.card([call("bash", command="touch x > y")])
    assert "comparable" not in card
    with pytest.raises(RpcError) as fault:
        change(room, card)
    assert fault.value.code == INVALID_PARAMS
    chat.answer(card, decision="deny")
    run.result()


def test_after_the_call_its_file_is_told_as_it_was_found_and_as_it_was_left(room: Room) -> None:
    room.file("old").write_text("before\n")
    chat = room.chat([room.write("old", "after\n"), room.write("new", "made\n")])
    run = chat.send()
    card = chat.card(room.path("old"))
    other = chat.card(room.path("new"))
    for one in (card, other):
        chat.answer(one, decision="accept")
    run.result()
    room.file("old").write_text("by somebody else\n")

    old, new = (one["toolCall"]["toolCallId"] for one in (card, other))
    assert written(room, chat.id, old, "before")["text"] == "before\n"
    assert written(room, chat.id, old, "after")["text"] == "after\n"
    assert written(room, chat.id, new, "before")["text"] == ""
    assert written(room, chat.id, new, "after")["realPath"] == str(room.file("new").resolve())
    with pytest.raises(RpcError) as fault:
        written(room, chat.id, "no-such-call", "after")
    assert fault.value.code == INVALID_PARAMS
