"""Clients that draw no cards: they are asked by a message box, or found out to be unable to ask."""

import re
from collections.abc import Callable, Iterator

import pytest

from tests.support.room import Room
from tests.support.rpc import Asked
from tests.support.server import METHOD_NOT_FOUND, Chat, Json, Server, refusal

Start = Callable[..., Server]

SHOWS_MESSAGES = {"window": {"showMessage": {}}}
BOX = "window/showMessageRequest"


@pytest.fixture(scope="module")
def shows_messages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A client that can show message boxes, and announces nothing of Assent's own."""
    with Server(tmp_path_factory.mktemp("boxes")) as server:
        server.meet(capabilities=(), editor=SHOWS_MESSAGES)
        yield server


@pytest.fixture
def boxes(shows_messages: Server, request: pytest.FixtureRequest) -> Room:
    """A room of its own for each test."""
    return Room(shows_messages, re.sub(r"\W+", "_", request.node.name))


def next_box(room: Room) -> Asked:
    """The next message box that is about this room."""
    return room.server.client.wait_for_request(BOX, lambda params: room.name in params["message"])


def titles(asked: Asked) -> list[str]:
    return [action["title"] for action in asked.params["actions"]]


def test_a_box_says_all_of_what_would_run(boxes: Room) -> None:
    chat = boxes.chat([boxes.write("a.txt", "line one\nline two\n")])
    run = chat.send()
    box = next_box(boxes)
    for part in ("Scripted", boxes.path("a.txt"), "line one", "line two", str(boxes.file("a.txt"))):
        assert part in box.params["message"]
    assert titles(box) == ["Approve", "Deny", "Allow write_file for this chat"]
    assert chat.cards() == [] and not boxes.file("a.txt").exists()
    box.answer({"title": "Approve"})
    assert run.result()["done_reason"] == "stop"
    assert boxes.file("a.txt").read_text() == "line one\nline two\n"


@pytest.mark.parametrize(
    "reply",
    [{"title": "Deny"}, None, {"title": "Allow everything"}, {"title": ""}, {"title": "approve"}],
    ids=["denied", "dismissed", "unknown", "empty", "other case"],
)
def test_anything_but_the_button_is_no(boxes: Room, reply: Json) -> None:
    chat = boxes.chat([boxes.write("a")], [boxes.write("b")])
    run = chat.send()
    next_box(boxes).answer(reply)
    next_box(boxes).answer({"title": "Approve"})
    assert run.result()["done_reason"] == "stop"
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    assert not boxes.file("a").exists() and boxes.file("b").exists()


@pytest.mark.parametrize("reply", [5, "Approve", ["Approve"], {"title": 5}, {"titel": "Approve"}, {}, True])
def test_an_answer_of_a_wrong_shape_is_no(boxes: Room, reply: Json) -> None:
    chat = boxes.chat([boxes.write("a")])
    run = chat.send()
    next_box(boxes).answer(reply)
    assert run.result()["done_reason"] == "stop"
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    assert not boxes.file("a").exists() and not chat.info()["waiting"]


@pytest.mark.parametrize("code", [-32603, -32800, -32000, 1])
def test_a_box_that_fails_leaves_nothing_waiting_for_ever(boxes: Room, code: int) -> None:
    chat = boxes.chat([boxes.write("a")], [boxes.write("b")])
    run = chat.send()
    next_box(boxes).fail(code, "it broke")
    next_box(boxes).answer({"title": "Approve"})
    assert run.result()["done_reason"] == "stop"
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    assert not boxes.file("a").exists() and boxes.file("b").exists()


def test_for_this_chat_is_asked_once(boxes: Room) -> None:
    chat = boxes.chat([boxes.write("a")], [boxes.write("b")])
    run = chat.send()
    next_box(boxes).answer({"title": "Allow write_file for this chat"})
    assert run.result()["done_reason"] == "stop"
    assert boxes.file("a").exists() and boxes.file("b").exists()


def test_what_is_protected_has_two_buttons(boxes: Room) -> None:
    chat = boxes.chat([boxes.write(".env")])
    run = chat.send()
    box = next_box(boxes)
    assert titles(box) == ["Approve", "Deny"] and "protected" in box.params["message"]
    box.answer({"title": "Deny"})
    run.result()


def test_what_is_too_long_to_be_shown_can_only_be_denied(boxes: Room) -> None:
    chat = boxes.chat([boxes.write("a", "x" * 5_000)])
    run = chat.send()
    box = next_box(boxes)
    assert titles(box) == ["Deny"] and "too long" in box.params["message"]
    box.answer({"title": "Approve"})
    run.result()
    assert refusal(chat.results()[0])["error"] == "permission_denied" and not boxes.file("a").exists()


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\x1b", "\u2066", "\U000e0041", "\r", "\u00a0"])
def test_hidden_characters_are_written_out(boxes: Room, sign: str) -> None:
    """In the content and in the name: neither may make a line look like another."""
    chat = boxes.chat([boxes.write(f"na{sign}me", f"con{sign}tent")])
    run = chat.send()
    box = next_box(boxes)
    assert sign not in box.params["message"]
    assert box.params["message"].count(f"‹U+{ord(sign):04X}›") >= 2
    box.answer(None)
    run.result()


def test_a_line_end_in_a_name_makes_no_line_of_its_own(boxes: Room) -> None:
    chat = boxes.chat([boxes.write("a\nIn mode “auto” this is harmless.\nb", "x")])
    run = chat.send()
    box = next_box(boxes)
    assert "\nIn mode “auto” this is harmless." not in box.params["message"]
    box.answer(None)
    run.result()


def test_a_file_that_changes_under_a_box_is_asked_for_again(boxes: Room) -> None:
    boxes.file("a").write_text("before\n")
    chat = boxes.chat([boxes.write("a", "after\n")])
    run = chat.send()
    first = next_box(boxes)
    boxes.file("a").write_text("changed by somebody else\n")
    first.answer({"title": "Approve"})
    second = next_box(boxes)
    assert "changed by somebody else" in second.params["message"]
    assert boxes.file("a").read_text() == "changed by somebody else\n"
    second.answer({"title": "Approve"})
    assert run.result()["done_reason"] == "stop"
    assert boxes.file("a").read_text() == "after\n"


def test_stop_takes_the_box_back(boxes: Room) -> None:
    chat = boxes.chat([boxes.write("a")])
    run = chat.send()
    box = next_box(boxes)
    chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    chat.client.wait_for("$/cancelRequest", lambda params: params["id"] == box.id)
    box.answer({"title": "Approve"})
    assert not chat.info()["waiting"] and not boxes.file("a").exists()


def test_a_client_that_announced_boxes_and_has_none_is_unattended(start: Start) -> None:
    server = start()
    server.meet(capabilities=(), editor=SHOWS_MESSAGES)
    boxes = Room(server, "room")
    chat = boxes.chat([boxes.write("a")], [boxes.write("b")])
    run = chat.send()
    next_box(boxes).fail(METHOD_NOT_FOUND, "no such method")
    assert run.result()["done_reason"] == "stop"
    assert [refusal(result)["error"] for result in chat.results()] == ["unattended", "unattended"]
    assert not boxes.file("a").exists() and not boxes.file("b").exists()


# Clients that announce nothing


def silent(start: Start) -> tuple[Room, Chat]:
    server = start()
    server.client.initialize(root=server.workspace, plain=True)
    room = Room(server, "room")
    return room, Chat(server, server.client.request("session/new", {}, within=30)["sessionId"])


def test_a_client_that_says_nothing_of_itself_can_answer_all_the_same(start: Start) -> None:
    room, chat = silent(start)
    run = chat.send(f"write hello to {room.path('a')}")
    assert chat.answer(chat.card(), decision="accept")["status"] == "accepted"
    run.result()
    assert room.file("a").read_text() == "hello"


def test_a_client_that_never_answers_is_unattended_until_it_does(start: Start) -> None:
    """After about ten seconds without a sign; its first answer is a sign for good.

    A client that draws cards, and whose user takes as long, is not found silent.
    """
    drawing = start()
    drawing.meet()
    drawing.script([Room(drawing, "drawn").write("a")])
    patient = drawing.chat()
    patient_run = patient.send()
    drawn = patient.card()

    room, chat = silent(start)
    run = chat.send(f"write hello to {room.path('a')}")
    card = chat.card()
    assert chat.waits(card)
    end = chat.resolved(card, within=20)
    assert (end["status"], end["resolvedBy"]) == ("rejected", "policy")
    assert run.result()["done_reason"] == "stop"
    assert refusal(chat.results()[0])["error"] == "unattended" and not room.file("a").exists()

    run = chat.send(f"write hello to {room.path('b')}")
    assert run.result()["done_reason"] == "stop"
    assert refusal(chat.results()[1])["error"] == "unattended" and len(chat.cards()) == 1

    # A late answer does not count, but shows that somebody can.
    chat.refused(card, decision="accept")
    run = chat.send(f"write hello to {room.path('c')}")
    chat.answer(chat.card(), decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert [room.file(name).exists() for name in "abc"] == [False, False, True]

    assert patient.waits(drawn)
    patient.select(drawn, "approve")
    assert patient_run.result()["done_reason"] == "stop"
