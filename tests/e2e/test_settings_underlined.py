"""What the server says of a settings file is underlined in the editor, and goes when it is no longer so."""

import json
from collections.abc import Callable

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.limits import milliseconds
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, SettingsEditor
from tests.e2e.vscode import VsCode

BYPASS = json.dumps({"assent.bypassPermissions": {"Demo": True}}, indent=2)


async def test_what_has_no_effect_yet_is_underlined_until_it_has(scene: Scene, vscode: VsCode):
    vscode.set_user_settings(PLAIN)
    workspace = vscode.new_workspace("underlined", {".vscode/settings.json": BYPASS})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await SettingsEditor(window).open()
    underlined = window.page.locator(".editor-instance .squiggly-warning, .editor-instance .squiggly-info")
    await expect(underlined.first).to_be_visible(timeout=milliseconds(30))
    await panel.tick("Demo")
    await panel.honour()
    await expect(underlined).to_have_count(0, timeout=milliseconds(30))
    vscode.set_user_settings(AS_INSTALLED)


@pytest.fixture(scope="module")
def untrusting(make_vscode: Callable[..., VsCode]) -> VsCode:
    vscode = make_vscode("untrusting-settings", trusting=False)
    vscode.start()
    return vscode


@pytest.mark.long("test_restricted_mode.py proves that they do not count there")
async def test_in_restricted_mode_nobody_is_asked_about_them(scene: Scene, untrusting: VsCode):
    workspace = untrusting.new_workspace("not-trusted", {".vscode/settings.json": BYPASS})
    window = await scene.workbench(untrusting, workspace)
    await window.status_bar.filter(has_text="Restricted Mode").wait_for()
    await window.open_chat()
    await window.chat.send("write hello to one.txt")
    await (await window.chat.card("one.txt").appears()).deny()
    await window.chat.has_rows("denied")
    await expect(ConsentPanel(window.chat).locator).to_have_count(0)
