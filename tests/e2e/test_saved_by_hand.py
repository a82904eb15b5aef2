"""The user's own edit of the settings, saved by hand, needs no further question. Every other way does."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, SettingsEditor, settings_file
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

BEFORE = '{\n  // keep this\n  "editor.tabSize": 3\n}\n'
BYPASS = ' "assent.bypassPermissions": {"Demo": true},'
RULE = ' "assent.alwaysAllowRules": {"write_file": ["docs/**"]},'


@pytest.fixture(autouse=True)
def _saved_by_hand_only(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings(PLAIN)
    yield
    vscode.set_user_settings(AS_INSTALLED)


async def _open(scene: Scene, vscode: VsCode, name: str) -> tuple[Workbench, SettingsEditor]:
    window = await scene.workbench(vscode, vscode.new_workspace(name, {".vscode/settings.json": BEFORE}))
    await window.open_chat()
    return window, await SettingsEditor(window).open()


async def _writes(window: Workbench, name: str) -> None:
    done = await window.chat.rows("done").count()
    await window.chat.send(f"write hello to {name}")
    await window.chat.has_rows("done", done + 1)
    await window.chat.has_cards(0)


async def test_a_bypass_saved_by_hand_counts_at_once(scene: Scene, vscode: VsCode):
    window, settings = await _open(scene, vscode, "by-hand")
    await window.chat.send("read README.md")
    await window.chat.has_rows("done", 1)
    await settings.insert(BYPASS)
    await expect(ConsentPanel(window.chat).locator).to_have_count(0)
    await settings.save()
    await window.chat.shows("Bypass is on")
    await _writes(window, "one.txt")
    await ConsentPanel(window.chat).is_gone()
    await window.reload_into_a_new_chat()
    await _writes(window, "two.txt")


@pytest.mark.long(
    "test/own-saves.test.ts tells both saves apart; test_settings_underlined.py is asked about such an entry"
)
async def test_saved_by_the_editor_itself_it_asks(scene: Scene, vscode: VsCode):
    vscode.set_user_settings({"files.autoSave": "afterDelay"})
    window, settings = await _open(scene, vscode, "by-itself")
    await settings.type(BYPASS)
    panel = await ConsentPanel(window.chat).appears()
    await panel.ignore_all()


@pytest.mark.long("test/own-saves.test.ts and tests/unit/app/test_attestation.py prove it")
async def test_only_the_users_own_edit_counts_beside_what_a_program_wrote(scene: Scene, vscode: VsCode):
    window, settings = await _open(scene, vscode, "beside")
    file = settings_file(window.workspace)
    file.write_text(BEFORE.replace("{\n", "{" + BYPASS + "\n", 1))
    panel = await ConsentPanel(window.chat).appears()
    await settings.holds(BYPASS.strip())
    await settings.insert(RULE)
    await settings.save()
    await _writes(window, "docs/one.md")
    await panel.has_entries(1)
    await expect(panel.box("Demo")).to_be_visible()
    await window.chat.send("write hello to other.md")
    await (await window.chat.card("other.md").appears()).deny()


@pytest.mark.long("test/own-saves.test.ts and tests/unit/app/test_attestation.py prove it")
async def test_a_save_by_hand_of_what_a_program_wrote_asks(scene: Scene, vscode: VsCode):
    window, settings = await _open(scene, vscode, "not-mine")
    file = settings_file(window.workspace)
    file.write_text(BEFORE.replace("{\n", "{" + BYPASS + "\n", 1))
    await settings.holds(BYPASS.strip())
    panel = await ConsentPanel(window.chat).appears()
    await settings.insert(" ")
    await settings.save()
    await panel.has_entries(1)
    await window.chat.send("write hello to one.txt")
    await (await window.chat.card("one.txt").appears()).deny()


@pytest.mark.long("test_bypass_settings.py writes and reads the file of such a workspace")
async def test_in_a_workspace_of_several_folders(scene: Scene, vscode: VsCode):
    home = vscode.new_workspace("several-by-hand", {"a/a.txt": "", "b/b.txt": ""})
    file = home / "several.code-workspace"
    file.write_text('{ "settings": {\n  "editor.tabSize": 3 },\n  "folders": [{ "path": "a" }, { "path": "b" }]\n}\n')
    window = await scene.workbench(vscode, file)
    await window.open_chat()
    await window.run_command("Workspaces: Open Workspace Configuration File")
    settings = SettingsEditor(window)
    await settings.holds('"settings": {')
    await settings.insert(BYPASS)
    await settings.save()
    await window.chat.shows("Bypass is on")
    await _writes(window, "one.txt")
    await ConsentPanel(window.chat).is_gone()
