"""Reading a file that is open in the editor with changes that are not saved: these are read, and it is said."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.editor_documents import CAPABILITIES, EDITS, Documents
from tests.support.room import Room
from tests.support.server import Json, Server, call, read, say


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Documents]]:
    """A server whose client has an editor."""
    with Server(tmp_path_factory.mktemp("editor")) as server:
        server.meet(capabilities=CAPABILITIES, editor=EDITS)
        yield server, Documents(server)


@pytest.fixture
def documents(editor: tuple[Server, Documents]) -> Documents:
    return editor[1]


@pytest.fixture
def room(editor: tuple[Server, Documents], request: pytest.FixtureRequest) -> Room:
    return Room(editor[0], re.sub(r"\W+", "_", request.node.name))


def result_of(room: Room, step: Json) -> Json:
    """What the one call of a chat comes to."""
    chat = room.chat([step], [say("Done.")])
    assert chat.run()["done_reason"] == "stop"
    (result,) = chat.results()
    return result


def file_with(room: Room, text: str) -> Path:
    path = room.file("a.txt")
    path.write_text(text)
    return path


def test_the_text_in_the_editor_is_read_and_said_to_be_unsaved(room: Room, documents: Documents) -> None:
    documents.open(file_with(room, "on the disk\n"), "typed\nand more\n", dirty=True)

    result = result_of(room, read(room.path("a.txt")))
    assert result["content"] == "typed\nand more\n" and result["code"] == "unsaved" and result["success"]
    assert result["output"].startswith("typed\nand more\n") and "not saved" in result["output"]
    assert "truncated" not in result or not result["truncated"]


def test_parts_of_it_are_read_by_its_own_lines(room: Room, documents: Documents) -> None:
    documents.open(file_with(room, "one\n"), "one\ntwo\nthree\n", dirty=True)

    assert result_of(room, call("read_file", path=room.path("a.txt"), offset=2, limit=1))["content"] == "two\n"


def test_by_whichever_name_it_was_called(room: Room, documents: Documents) -> None:
    documents.open(file_with(room, "on the disk"), "typed", dirty=True)
    room.file("link.txt").symlink_to("a.txt")

    assert result_of(room, read(room.path("link.txt")))["content"] == "typed"


@pytest.mark.parametrize("how", ["saved", "closed", "says nothing"])
def test_the_disk_is_read_where_nothing_unsaved_is_known(room: Room, documents: Documents, how: str) -> None:
    path = room.folder / "a.txt"
    path.write_text("on the disk")
    document = documents.open(path, "typed", dirty=how != "saved")
    if how == "closed":
        documents.close(document)
    documents.says_nothing = how == "says nothing"

    result = result_of(room, read(room.path("a.txt")))
    documents.says_nothing = False
    assert (result["content"], result["output"], result.get("code")) == ("on the disk", "on the disk", None)


def test_a_client_that_announced_no_editor_is_not_asked(alone: Server) -> None:
    documents = Documents(alone)
    path = alone.workspace / "a.txt"
    path.write_text("on the disk")
    documents.open(path, "typed", dirty=True)
    alone.script([read("a.txt")], [say("Done.")])
    chat = alone.chat()
    chat.run()

    assert [result["content"] for result in chat.results()] == ["on the disk"]
    assert documents.asked == []


def test_a_secret_file_is_asked_for_with_unsaved_text_as_without(room: Room, documents: Documents) -> None:
    path = room.file(".env")
    path.write_text("KEY=1")
    documents.open(path, "KEY=2", dirty=True)
    chat, card, run = room.card([read(room.path(".env"))], [say("Done.")])
    assert "KEY=2" not in str(card)
    chat.answer(card, decision="deny")
    run.result()
    assert "KEY=2" not in str(chat.results())
