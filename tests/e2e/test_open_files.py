"""Files that are open in the editor: an approved write is made there and undone there, and what is unsaved is read."""

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Scene
from tests.e2e.limits import until
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, TextEditor
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

BEFORE = "first line\nsecond line\n"


@pytest.fixture(autouse=True)
def _saved_by_hand_only(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings(PLAIN)
    yield
    vscode.set_user_settings(AS_INSTALLED)


async def _with_notes(scene: Scene, vscode: VsCode, name: str) -> tuple[Workbench, TextEditor]:
    """A window with a chat and a file that is open beside it."""
    window = await scene.workbench(vscode, vscode.new_workspace(name, {"notes.txt": BEFORE}))
    await window.open_chat()
    return window, await TextEditor(window, "notes.txt").open()


async def test_an_approved_write_is_undone_by_the_keys_for_it(scene: Scene, vscode: VsCode):
    window, notes = await _with_notes(scene, vscode, "undone")
    await window.chat.send("write changed to notes.txt")
    await (await window.chat.card("notes.txt").appears()).approve()
    await window.chat.has_rows("done")
    assert window.file("notes.txt").read_text() == "changed"
    await notes.holds("changed")
    await notes.is_saved()

    await notes.undo()
    await notes.holds("second line")
    await notes.is_unsaved()
    await notes.save()
    await until("the file is as before", lambda: window.file("notes.txt").read_text() == BEFORE)


async def test_what_is_typed_and_not_saved_is_read_compared_with_and_written(scene: Scene, vscode: VsCode):
    window, notes = await _with_notes(scene, vscode, "typed")
    await notes.insert(" with more")
    await window.chat.send("read notes.txt")
    await window.chat.has_rows("done")
    await window.chat.shows("first line with more")
    assert window.file("notes.txt").read_text() == BEFORE

    await window.chat.send("write changed to notes.txt")
    card = await window.chat.card("notes.txt").appears()
    assert "first line with more" in await card.locator.inner_text()
    await card.approve()
    await window.chat.has_rows("done", 2)
    assert window.file("notes.txt").read_text() == "changed"
    await notes.is_saved()
    await notes.undo()
    await notes.holds("first line with more")
