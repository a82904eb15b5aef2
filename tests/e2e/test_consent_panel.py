"""Settings that a folder brings or a program writes: nothing of it counts until the user agrees, and only that."""

import json
import re

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.limits import milliseconds
from tests.e2e.text_editor import SettingsEditor, settings_file
from tests.e2e.vscode import VsCode, settings_of
from tests.e2e.workbench import Workbench

BYPASS = {"assent.bypassPermissions": {"Demo": True}}
RULES = {"assent.alwaysAllowRules": {"write_file": ["docs/**", "notes/**"]}}


async def _asks_for(window: Workbench, name: str) -> None:
    """A write is asked for, and denied."""
    denied = await window.chat.rows("denied").count()
    await window.chat.send(f"write hello to {name}")
    await (await window.chat.card(name.rpartition("/")[2]).appears()).deny()
    await window.chat.has_rows("denied", denied + 1)
    assert not window.file(name).exists()


async def _writes(window: Workbench, name: str) -> None:
    """A write runs without a card."""
    done = await window.chat.rows("done").count()
    await window.chat.send(f"write hello to {name}")
    await window.chat.has_rows("done", done + 1)
    await window.chat.has_cards(0)
    assert window.file(name).read_text() == "hello"


async def test_what_is_ticked_counts_and_nothing_else(scene: Scene, vscode: VsCode):
    brought = {".vscode/settings.json": json.dumps(RULES, indent=2), "docs/a.md": "", "notes/a.md": ""}
    window = await scene.workbench(vscode, vscode.new_workspace("brought", brought))
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await panel.has_entries(2)
    await _asks_for(window, "docs/one.md")

    await panel.tick("docs/**")
    await panel.honour()
    await window.chat.shows(re.compile("1 entry counts now"))
    await _writes(window, "docs/one.md")
    await _asks_for(window, "notes/one.md")

    await window.reload_into_a_new_chat()
    await _writes(window, "docs/two.md")
    await panel.is_gone()


@pytest.mark.long("tests/integration/test_consent_question.py proves it")
async def test_what_is_ignored_is_not_asked_again_until_it_changes(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("ignored", {".vscode/settings.json": json.dumps(BYPASS)})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await panel.tick("Demo")
    await panel.ignore_all()
    await _asks_for(window, "one.txt")
    await window.reload_into_a_new_chat()
    await _asks_for(window, "two.txt")
    await panel.is_gone()

    settings_file(workspace).write_text(json.dumps({**BYPASS, **RULES}))
    await panel.appears()
    await panel.has_entries(2)
    await expect(panel.box("Demo")).to_have_count(0)


@pytest.mark.long("tests/integration/test_consent_question.py proves it")
async def test_a_bypass_that_a_program_writes_asks_once_and_then_counts(in_editor: Workbench):
    await _asks_for(in_editor, "one.txt")
    settings_file(in_editor.workspace).parent.mkdir()
    settings_file(in_editor.workspace).write_text(json.dumps(BYPASS))
    panel = await ConsentPanel(in_editor.chat).appears()
    await _asks_for(in_editor, "two.txt")
    await panel.tick("Demo")
    await panel.honour()
    await in_editor.chat.shows("Bypass is on")
    await _writes(in_editor, "three.txt")
    settings_file(in_editor.workspace).write_text("{}")
    await expect(in_editor.chat.root.get_by_text("Bypass is on")).to_have_count(0, timeout=milliseconds(30))
    await _asks_for(in_editor, "four.txt")


@pytest.mark.long("tests/integration/test_consent_question.py proves it")
async def test_the_question_closes_when_the_settings_take_it_back(in_editor: Workbench):
    # The page is there before the server is: what changes in between is not lost.
    settings_file(in_editor.workspace).parent.mkdir()
    settings_file(in_editor.workspace).write_text(json.dumps(BYPASS))
    panel = await ConsentPanel(in_editor.chat).appears()
    settings_file(in_editor.workspace).write_text("{}")
    await panel.is_gone()


@pytest.mark.long("test/page/consent.test.ts and test/bridge.test.ts prove it")
async def test_it_is_there_again_after_the_page_was_hidden_and_rebuilt(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("hidden", {".vscode/settings.json": json.dumps(BYPASS)})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await panel.tick("Demo")
    await window.leave_chat()
    waiting = window.status_bar.filter(has_text="settings to review")
    await expect(waiting).to_be_visible(timeout=milliseconds(30))
    await waiting.click()
    await panel.appears()
    await panel.has_entries(1)
    await window.run_command("Developer: Reload Webviews")
    await window.chat.is_ready()
    await panel.appears()
    await panel.has_entries(1)
    await panel.ignore_all()
    await expect(waiting).to_be_hidden(timeout=milliseconds(30))
    assert settings_of(workspace) == BYPASS


async def test_a_question_that_comes_while_nobody_looks_is_told(in_editor: Workbench):
    await in_editor.leave_chat()
    settings_file(in_editor.workspace).parent.mkdir()
    settings_file(in_editor.workspace).write_text(json.dumps(BYPASS))
    told = in_editor.notifications.filter(has_text="settings to review")
    await expect(told).to_be_visible(timeout=milliseconds(30))
    await told.get_by_role("button", name="Review").click()
    await ConsentPanel(in_editor.chat).appears()


async def test_an_entry_leads_to_its_place(scene: Scene, vscode: VsCode):
    text = '{\n  "editor.tabSize": 3,\n  "assent.bypassPermissions": {\n    "Demo": true\n  }\n}\n'
    window = await scene.workbench(vscode, vscode.new_workspace("placed", {".vscode/settings.json": text}))
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await panel.locator.get_by_role("button", name=".vscode/settings.json:4").click()
    await SettingsEditor(window).holds('"Demo": true')
    await expect(window.status_bar.filter(has_text="Ln 4, Col 1")).to_be_visible(timeout=milliseconds(30))
