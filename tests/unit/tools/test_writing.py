"""Files that are open in the editor are written there: undone there, saved, and exactly what was shown."""

from pathlib import Path

import pytest

from assent.agent.ports import Prepared, ToolAnswer
from assent.model.errors import ToolFault
from assent.model.preview import DiffPreview
from assent.tools.edit_file import EditFile
from assent.tools.write_file import WriteFile
from assent.tools.writing import Writer
from tests.support.open_documents import OneDocument


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n")
    return path


async def prepared(documents: OneDocument, content: str) -> Prepared:
    """A write of the whole file, looked at."""
    tool = WriteFile(lambda: (str(documents.path.parent),), Writer(documents))
    args = {"path": "a.txt", "content": content}
    assert tool.fault(args) is None
    return await tool.prepare(args)


async def write(documents: OneDocument, content: str) -> ToolAnswer:
    return await (await prepared(documents, content)).perform()


async def fault_of(call: Prepared) -> ToolFault:
    with pytest.raises(ToolFault) as found:
        await call.perform()
    return found.value


def shown(call: Prepared) -> list[tuple[str, str]]:
    assert isinstance(call.preview, DiffPreview)
    return [(line.kind.value, line.text) for line in call.preview.lines]


def text_on_disk(file: Path) -> str:
    return file.read_text()


def bytes_on_disk(file: Path) -> bytes:
    return file.read_bytes()


def becomes(file: Path, data: bytes | None) -> None:
    """Another program writes it, or takes it away."""
    file.unlink() if data is None else file.write_bytes(data)


def text(documents: OneDocument) -> tuple[str | None, bool]:
    """What the editor shows, and whether that is unsaved."""
    assert documents.now is not None
    return documents.now.text, documents.now.dirty


async def test_it_is_changed_and_saved_by_the_editor_which_can_undo_it(file: Path) -> None:
    documents = OneDocument(file)
    answer = await write(documents, "one\nthree\n")
    assert text_on_disk(file) == "one\nthree\n" and text(documents) == ("one\nthree\n", False)
    assert documents.asked == ["replace", "save"] and documents.earlier == ["one\ntwo\n"]
    assert "can be undone" in answer.text


async def test_what_is_not_open_there_is_written_to_the_disk(file: Path) -> None:
    documents = OneDocument(file)
    documents.now = None
    answer = await write(documents, "new\n")
    assert text_on_disk(file) == "new\n" and documents.asked == [] and "undone" not in answer.text


async def test_unsaved_changes_are_what_the_card_compares_with_and_are_saved_with_it(file: Path) -> None:
    documents = OneDocument(file, "one\ntyped\n", dirty=True)
    call = await prepared(documents, "one\nthree\n")
    assert ("removed", "typed") in shown(call) and ("removed", "two") not in shown(call)
    assert isinstance(call.preview, DiffPreview) and "unsaved changes" in (call.preview.note or "")
    await call.perform()
    assert text_on_disk(file) == "one\nthree\n" and documents.earlier == ["one\ntyped\n"]


async def test_edits_are_made_in_the_unsaved_text(file: Path) -> None:
    documents = OneDocument(file, "one\ntyped\n", dirty=True)
    tool = EditFile(lambda: (str(file.parent),), Writer(documents))
    call = await tool.prepare({"path": "a.txt", "edits": [{"old": "typed", "new": "better"}]})
    assert shown(call)[-2:] == [("removed", "typed"), ("added", "better")]
    await call.perform()
    assert text_on_disk(file) == "one\nbetter\n" and text(documents) == ("one\nbetter\n", False)


@pytest.mark.parametrize("dirty", [False, True])
async def test_what_is_typed_after_the_card_makes_it_another_file(file: Path, dirty: bool) -> None:
    documents = OneDocument(file, "one\ntyped\n" if dirty else None, dirty=dirty)
    call = await prepared(documents, "new\n")
    documents.type("one\ntyped later\n")
    assert (await fault_of(call)).code == "changed_since"
    assert text_on_disk(file) == "one\ntwo\n" and text(documents) == ("one\ntyped later\n", True)


async def test_saving_what_was_unsaved_makes_it_another_file_too(file: Path) -> None:
    documents = OneDocument(file, "one\ntyped\n", dirty=True)
    call = await prepared(documents, "new\n")
    assert documents.now is not None
    await documents.save(documents.now)
    assert (await fault_of(call)).code == "changed_since" and text_on_disk(file) == "one\ntyped\n"


async def test_what_a_formatter_makes_of_it_is_put_right(file: Path) -> None:
    documents = OneDocument(file)
    documents.saved_as = b"formatted\n"
    await write(documents, "one\nthree\n")
    assert text_on_disk(file) == "one\nthree\n"


async def test_a_document_that_was_not_saved_gets_its_text_back_and_nothing_is_written(file: Path) -> None:
    documents = OneDocument(file)
    documents.refuses = {"save"}
    fault = await fault_of(await prepared(documents, "new\n"))
    assert fault.code == "not_saved" and "nothing was written" in str(fault)
    assert text_on_disk(file) == "one\ntwo\n" and text(documents)[0] == "one\ntwo\n"


async def test_a_document_that_changed_in_the_last_moment_is_left_alone(file: Path) -> None:
    documents = OneDocument(file)
    documents.refuses = {"replace"}
    assert (await fault_of(await prepared(documents, "new\n"))).code == "changed_since"
    assert text_on_disk(file) == "one\ntwo\n"


@pytest.mark.parametrize(("what", "code"), [("replace", "editor_silent"), ("save", "not_saved")])
async def test_an_editor_that_does_not_answer_leaves_nothing_half_written(file: Path, what: str, code: str) -> None:
    documents = OneDocument(file)
    documents.silent = {what}
    assert (await fault_of(await prepared(documents, "new\n"))).code == code
    assert text_on_disk(file) == "one\ntwo\n" and text(documents)[0] == "one\ntwo\n"


async def test_a_client_that_cannot_write_has_it_written_on_the_disk_where_nothing_is_unsaved(file: Path) -> None:
    documents = OneDocument(file)
    documents.writes = False
    await write(documents, "new\n")
    assert text_on_disk(file) == "new\n" and documents.asked == []


async def test_unsaved_changes_are_never_overwritten_on_the_disk_behind_the_editor(file: Path) -> None:
    documents = OneDocument(file, "typed\n", dirty=True)
    documents.writes = False
    fault = await fault_of(await prepared(documents, "new\n"))
    assert fault.code == "unsaved" and "save or discard" in str(fault) and text_on_disk(file) == "one\ntwo\n"


async def test_unsaved_changes_of_a_file_that_is_gone_or_no_text_are_said_before_anybody_is_asked(file: Path) -> None:
    documents = OneDocument(file, "typed\n", dirty=True)
    for data in (None, b"\0\1"):
        becomes(file, data)
        call = await prepared(documents, "new\n")
        assert call.impossible is not None and call.impossible.code == "unsaved"


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"\xef\xbb\xbfone\n", "two\n", b"\xef\xbb\xbftwo\n"),
        (b"one\r\ntwo\r\n", "one\nthree\n", b"one\r\nthree\r\n"),
        (b"\xff\xfeo\x00\n\x00", "two\n", "\ufefftwo\n".encode("utf-16-le")),
        (b"one\r\ntwo\n", "three\n", b"three\n"),
        (b"\xe9\n", "e\n", b"e\n"),
    ],
    ids=["mark", "crlf", "utf-16", "mixed line ends", "no text"],
)
async def test_the_bytes_are_those_of_the_disk_alone(file: Path, before: bytes, content: str, after: bytes) -> None:
    becomes(file, before)
    await write(OneDocument(file, "as the editor shows it"), content)
    assert bytes_on_disk(file) == after


async def test_two_calls_whose_cards_were_open_together_follow_each_other(file: Path) -> None:
    documents = OneDocument(file, "typed\n", dirty=True)
    first, second = await prepared(documents, "first\n"), await prepared(documents, "second\n")
    left = (await first.perform()).left
    assert (await second.carry_out(left)).text.count("earlier call")
    assert text_on_disk(file) == "second\n" and documents.earlier == ["typed\n", "first\n"]


async def test_a_file_in_another_encoding_is_written_by_the_editor_that_shows_the_same(file: Path) -> None:
    becomes(file, "// Grüße aus München\n".encode("cp1252"))
    documents = OneDocument(file, "// Grüße aus München\n")
    answer = await write(documents, "// Größe\n")
    # This editor saves as UTF-8, whatever it has read: what was shown is put in its place.
    assert bytes_on_disk(file) == "// Größe\n".encode("cp1252")
    assert documents.asked == ["replace", "save"] and "can be undone" in answer.text


async def test_an_editor_that_shows_such_a_file_otherwise_has_no_part_in_it(file: Path) -> None:
    becomes(file, "// Grüße aus München\n".encode("cp1252"))
    documents = OneDocument(file, "// Gr\ufffd\ufffde aus M\ufffdnchen\n")
    await write(documents, "// Größe\n")
    assert bytes_on_disk(file) == "// Größe\n".encode("cp1252") and documents.asked == []


async def test_unsaved_text_that_the_encoding_lacks_is_not_looked_at(file: Path) -> None:
    becomes(file, "// Grüße aus München\n".encode("cp1252"))
    documents = OneDocument(file, "// → Grüße\n", dirty=True)
    call = await prepared(documents, "// Größe\n")
    assert call.impossible is not None and call.impossible.code == "unsaved"
