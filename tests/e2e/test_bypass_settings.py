"""Where a click on "Bypass" ends up, and what the user's own settings files keep."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.vscode import VsCode, json_of, settings_of
from tests.e2e.workbench import Workbench

BYPASS = "Bypass permissions for Demo"
WITH_COMMENTS = (
    '{\n  // keep this\n  "editor.tabSize": 3, /* and this */\n  "assent.bypassPermissions": { "Other": false },\n}\n'
)


async def _write_with_bypass(window: Workbench) -> None:
    await window.chat.send("write one to first.txt")
    await (await window.chat.card("first.txt").appears()).answer(BYPASS)
    await window.chat.has_rows("done", 1)


async def _still_bypasses(window: Workbench) -> None:
    await window.chat.send("write two to second.txt")
    await window.chat.has_rows("done", 2)
    await window.chat.has_cards(0)


async def test_comments_and_other_entries_are_kept(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("comments", {".vscode/settings.json": WITH_COMMENTS})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    await _write_with_bypass(window)
    file = workspace / ".vscode" / "settings.json"
    await until("the bypass stands in the file", lambda: '"Demo": true' in file.read_text())
    text = file.read_text()
    for kept in ("// keep this", '"editor.tabSize": 3', "/* and this */", '"Other": false'):
        assert kept in text
    await _still_bypasses(window)


async def test_with_several_folders_it_is_stored_in_the_workspace_file(scene: Scene, vscode: VsCode):
    home = vscode.new_workspace("several", {"a/a.txt": "", "b/b.txt": ""})
    file = home / "several.code-workspace"
    file.write_text('{ "folders": [{ "path": "a" }, { "path": "b" }] }')
    window = await scene.workbench(vscode, file)
    await window.open_chat()
    await _write_with_bypass(window)
    await until(
        "the bypass stands in the workspace file",
        lambda: json_of(file).get("settings") == {"assent.bypassPermissions": {"Demo": True}},
    )
    assert not (home / "a" / ".vscode").exists()
    await _still_bypasses(window)


@pytest.mark.long("test_unsaved_settings.py meets the same words by another way")
async def test_a_settings_file_that_does_not_parse_is_left_alone_and_the_card_says_so(scene: Scene, vscode: VsCode):
    broken = '{ "assent.bypassPermissions": { "Other": true '
    workspace = vscode.new_workspace("broken", {".vscode/settings.json": broken})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    await _write_with_bypass(window)
    await window.chat.shows("Not stored in the workspace settings")
    assert (workspace / ".vscode" / "settings.json").read_text() == broken


@pytest.mark.long("tests/integration/test_settings_that_change.py proves it; test_settings_language.py here")
async def test_switched_off_in_the_file_the_next_call_asks(in_editor: Workbench):
    await _write_with_bypass(in_editor)
    file = in_editor.workspace / ".vscode" / "settings.json"
    await until("the bypass stands in the file", lambda: settings_of(in_editor.workspace) != {})
    await in_editor.chat.shows("Bypass is on")
    await _still_bypasses(in_editor)
    file.write_text('{ "assent.bypassPermissions": { "Demo": false } }')

    await expect(in_editor.chat.root.get_by_text("Bypass is on")).to_have_count(0, timeout=milliseconds(30))
    await in_editor.chat.send("write three to third.txt")
    await (await in_editor.chat.card("third.txt").appears()).deny()
    await in_editor.chat.has_rows("denied", 1)
    assert not in_editor.file("third.txt").exists()


@pytest.mark.long("tests/integration/test_routes_to_bypass.py proves that a consent outlives the server")
async def test_a_clicked_bypass_outlives_the_window(in_editor: Workbench):
    await _write_with_bypass(in_editor)
    consents = in_editor.vscode.state / "consent.json"
    await until(
        "the click is recorded as consent",
        lambda: consents.exists() and str(in_editor.workspace) in consents.read_text(),
    )
    await in_editor.reload_into_a_new_chat()
    before = await in_editor.chat.rows("done").count()
    await in_editor.chat.send("write two to second.txt")
    await in_editor.chat.has_rows("done", before + 1)
    await in_editor.chat.has_cards(0)
    assert in_editor.file("second.txt").read_text() == "two"
