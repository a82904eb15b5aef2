"""Settings that are written in the editor: what is wrong is underlined, what a rule does is told, a bypass is turned
off above its entry."""

import json

from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.limits import milliseconds, until
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, SettingsEditor, settings_file
from tests.e2e.vscode import VsCode, json_of

RULES = json.dumps({"assent.alwaysDenyRules": {"bash": ["rm:*"]}}, indent=2)
BYPASS = json.dumps({"assent.bypassPermissions": {"Demo": True}}, indent=2)


async def test_a_wrong_name_is_underlined_as_it_is_typed_and_a_rule_explains_itself(scene: Scene, vscode: VsCode):
    vscode.set_user_settings(PLAIN)
    workspace = vscode.new_workspace("written", {".vscode/settings.json": RULES})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    editor = await SettingsEditor(window).open()
    underlined = window.page.locator(".editor-instance .squiggly-warning, .editor-instance .squiggly-error")
    await expect(underlined).to_have_count(0, timeout=milliseconds(30))
    await editor.insert('"assent.toolAllowlist": ["wirte_file"],')
    await expect(underlined.first).to_be_visible(timeout=milliseconds(30))

    async def is_told(word: str, words: str) -> bool:
        """Who points at a word for a while reads about it; a pointer that does not move is not noticed twice."""
        await window.page.mouse.move(0, 0)
        await window.page.locator(".editor-instance .view-line span", has_text=word).last.hover()
        told = window.page.locator(".monaco-hover", has_text=words).first
        try:
            await expect(told).to_be_visible(timeout=milliseconds(4))
        except AssertionError:
            return False
        return True

    await until("what is wrong is told", lambda: is_told("wirte_file", "Did you mean"))
    await until("the rule says what it does", lambda: is_told("rm:*", "is run is refused"))
    # The keyboard is still in front of the file, and what is told would be in the way of a click.
    await window.page.mouse.move(0, 0)
    await window.page.keyboard.press("Escape")

    async def is_undone() -> bool:
        """Brackets and quotes that the editor closes by itself are steps of their own; before them there is none."""
        await window.page.keyboard.press("Control+z")
        return await underlined.count() == 0

    await until("what was wrong is undone and not underlined any more", is_undone)
    vscode.set_user_settings(AS_INSTALLED)


async def test_a_bypass_is_turned_off_above_its_entry_and_the_next_call_asks(scene: Scene, vscode: VsCode):
    vscode.set_user_settings(PLAIN)
    workspace = vscode.new_workspace("turned-off", {".vscode/settings.json": BYPASS})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    panel = await ConsentPanel(window.chat).appears()
    await panel.tick("Demo")
    await panel.honour()
    await window.chat.shows("Bypass is on")
    await SettingsEditor(window).open()
    await window.page.locator(".editor-instance .codelens-decoration a", has_text="Bypass is ON: turn off").click()
    file = settings_file(workspace)
    await until("the file says no", lambda: json_of(file) == {"assent.bypassPermissions": {"Demo": False}})
    await window.chat.send("write hello to one.txt")
    await (await window.chat.card("one.txt").appears()).deny()
    await window.chat.has_rows("denied")
    await expect(window.page.locator(".editor-instance .codelens-decoration a")).to_have_count(0)
    vscode.set_user_settings(AS_INSTALLED)
