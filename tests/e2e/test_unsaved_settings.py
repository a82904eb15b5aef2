"""A settings file with unsaved edits, while an answer on a card is to be stored in it: the edits come first."""

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Scene
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, SettingsEditor, settings_file
from tests.e2e.vscode import VsCode

BYPASS = "Bypass permissions for Demo"
BEFORE = '{\n  // keep this\n  "editor.tabSize": 3\n}\n'
TYPED = ' "editor.rulers": [80],'


@pytest.fixture(autouse=True)
def _saved_by_hand_only(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings(PLAIN)
    yield
    vscode.set_user_settings(AS_INSTALLED)


async def test_nothing_is_written_over_it_and_the_user_is_told(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("unsaved", {".vscode/settings.json": BEFORE})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    settings = await SettingsEditor(window).open()
    await settings.insert(TYPED)

    await window.chat.send("write one to first.txt")
    await (await window.chat.card("first.txt").appears()).answer(BYPASS)
    await window.chat.has_rows("done", 1)
    await window.chat.shows("Not stored in the workspace settings: Unable to write")
    await window.chat.shows("It holds for this chat only.")
    assert settings_file(workspace).read_text() == BEFORE
    await settings.is_unsaved()
    await settings.holds(TYPED.strip())

    # What was clicked counts all the same, and the edits are saved as they were typed.
    await window.chat.send("write two to second.txt")
    await window.chat.has_rows("done", 2)
    await window.chat.has_cards(0)
    await settings.insert(" ")
    await settings.save()
    assert settings_file(workspace).read_text() == BEFORE.replace("{\n", "{" + TYPED + " \n", 1)


@pytest.mark.long("tests/unit/settings/test_settings_appending.py proves how entries are written beside each other")
async def test_once_it_is_saved_the_next_answer_is_stored_beside_it(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("saved-again", {".vscode/settings.json": BEFORE})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    settings = await SettingsEditor(window).open()
    await settings.insert(TYPED)
    await settings.save()

    await window.chat.send("write one to first.txt")
    await (await window.chat.card("first.txt").appears()).answer(BYPASS)
    await window.chat.has_rows("done", 1)
    await window.chat.shows("Stored “Bypass permissions for Demo” in the workspace settings.")
    text = settings_file(workspace).read_text()
    for kept in ("// keep this", '"editor.rulers": [80]', '"editor.tabSize": 3', '"Demo": true'):
        assert kept in text
    await settings.is_saved()
