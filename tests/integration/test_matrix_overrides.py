"""What the user changes in the table of modes counts for the next call; what a workspace changes in it does not."""

from collections.abc import Callable

from tests.support.room import Room
from tests.support.server import Server, read

Start = Callable[..., Server]


def test_a_loosened_cell_runs_unasked_and_a_tightened_one_asks(start: Start) -> None:
    server = start()
    server.meet(user={"matrixOverrides": {"default": {"write": "auto", "read": "ask"}}})
    room = Room(server, "room")
    (room.folder / "there.txt").write_text("text")
    chat = room.chat([room.write("written")], [read(room.path("there.txt"))], mode="default")
    pending = chat.send()
    card = chat.card()
    assert card["category"] == "read"
    assert (room.folder / "written").exists()
    chat.answer(card, decision="deny")
    pending.result()


def test_another_mode_is_as_it_was(start: Start) -> None:
    server = start()
    server.meet(user={"matrixOverrides": {"default": {"write": "auto"}}})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("written")], mode="ask")
    assert not (room.folder / "written").exists()
    chat.answer(card, decision="deny")
    run.result()


def test_a_workspace_loosens_nothing(start: Start) -> None:
    server = start()
    loosened = {"workspace": {"matrixOverrides": {"default": {"write": "auto"}}}}
    server.meet(settings={**server.settings(), **loosened})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("written")], mode="default")
    assert not (room.folder / "written").exists()
    chat.answer(card, decision="deny")
    run.result()
