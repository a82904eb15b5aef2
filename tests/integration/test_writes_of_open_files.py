"""Writing files that the client's editor has open: over the wire, by `workspace/applyEdit`, and undone there."""

import re
from collections.abc import Iterator

import pytest

from tests.support.editor_documents import CAPABILITIES, EDITS, Documents
from tests.support.room import Room
from tests.support.server import STALE, Server, call, say


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Documents]]:
    """A server whose client has an editor."""
    with Server(tmp_path_factory.mktemp("editor")) as server:
        server.meet(capabilities=CAPABILITIES, editor=EDITS)
        yield server, Documents(server)


@pytest.fixture
def documents(editor: tuple[Server, Documents]) -> Documents:
    editor[1].asked.clear()
    return editor[1]


@pytest.fixture
def room(editor: tuple[Server, Documents], request: pytest.FixtureRequest) -> Room:
    return Room(editor[0], re.sub(r"\W+", "_", request.node.name))


def test_an_approved_write_is_made_in_the_editor_saved_and_can_be_undone(room: Room, documents: Documents) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    document = documents.open(file)
    chat, card, run = room.card([room.write("a.txt", "after\n")], [say("Done.")])
    assert "workspace/applyEdit" not in documents.asked
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"

    assert file.read_text() == document.text == "after\n" and not document.dirty
    assert [asked for asked in documents.asked if asked != "editor/document"] == ["workspace/applyEdit", "editor/save"]
    (result,) = chat.results()
    assert result["success"] and result["content"] == "after\n" and "can be undone" in result["output"]
    document.undo()
    assert document.text == "before\n"


def test_a_denied_write_changes_nothing_in_the_editor(room: Room, documents: Documents) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    document = documents.open(file)
    chat, card, run = room.card([room.write("a.txt", "after\n")], [say("Done.")])
    chat.answer(card, decision="deny")
    run.result()
    assert (document.text, document.version, file.read_text()) == ("before\n", 1, "before\n")


def test_typing_under_a_waiting_card_asks_anew_with_what_was_typed(room: Room, documents: Documents) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    document = documents.open(file)
    chat, card, run = room.card([room.write("a.txt", "after\n")], [say("Done.")])
    document.change("typed\n")
    assert chat.refused(card, decision="accept").code == STALE

    again = chat.card(room.path("a.txt"))
    shown = [(line["kind"], line["text"]) for line in again["preview"]["lines"]]
    assert shown == [("removed", "typed"), ("added", "after")] and "unsaved" in again["preview"]["note"]
    assert file.read_text() == "before\n"
    chat.select(again, "approve")
    assert run.result()["done_reason"] == "stop"
    assert file.read_text() == document.text == "after\n" and document.earlier == ["before\n", "typed\n"]


def test_parts_are_edited_in_the_unsaved_text(room: Room, documents: Documents) -> None:
    file = room.file("a.txt")
    file.write_text("one\ntwo\n")
    document = documents.open(file, "one\ntyped\n", dirty=True)
    edit = call("edit_file", path=room.path("a.txt"), edits=[{"old": "typed", "new": "three"}])
    chat, card, run = room.card([edit], [say("Done.")])
    chat.answer(card, decision="accept")
    run.result()
    assert file.read_text() == document.text == "one\nthree\n"


def test_what_a_formatter_changes_at_the_save_is_put_right_on_the_disk(room: Room, documents: Documents) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    documents.open(file)
    documents.formats = "formatted\n"
    chat, card, run = room.card([room.write("a.txt", "after\n")], [say("Done.")])
    chat.answer(card, decision="accept")
    run.result()
    documents.formats = None
    assert file.read_text() == "after\n"


def test_an_editor_that_does_not_save_leaves_a_clear_fault_and_everything_as_it_was(
    room: Room, documents: Documents
) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    document = documents.open(file)
    documents.saves = False
    chat, card, run = room.card([room.write("a.txt", "after\n")], [say("Done.")])
    chat.answer(card, decision="accept")
    run.result()
    documents.saves = True
    (result,) = chat.results()
    assert result["is_error"] and result["code"] == "not_saved" and "nothing was written" in result["output"]
    assert file.read_text() == document.text == "before\n"


def test_a_client_without_the_standard_capability_is_never_asked_to_edit(alone: Server) -> None:
    documents = Documents(alone)
    file = alone.workspace / "a.txt"
    file.write_text("before\n")
    documents.open(file)
    alone.script([call("write_file", path="a.txt", content="after\n")], [say("Done.")])
    chat = alone.chat(mode="auto")
    chat.run()
    assert file.read_text() == "after\n" and documents.asked == []
