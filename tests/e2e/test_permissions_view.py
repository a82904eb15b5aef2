"""The view of everything that decides: what is taken back there leaves the settings, and the next call asks."""

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.vscode import VsCode, add_files, settings_of
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)
_RULE = "Always allow write_file: docs/*.md"
_BYPASS = "Bypass permissions for Demo"


async def _permissions(window: Workbench) -> Locator:
    await window.run_command("Assent: What Is Allowed")
    panel = window.chat.root.get_by_role("region", name="What is allowed")
    await expect(panel.get_by_role("heading", name="Sandbox")).to_be_visible(timeout=_PATIENCE)
    return panel


async def _press(panel: Locator, button: Locator) -> None:
    """As a person does: once it is in sight and has stood there."""
    await button.scroll_into_view_if_needed()
    await expect(panel.locator(".all:not(.unarmed)")).to_be_visible(timeout=_PATIENCE)
    await button.click()


@pytest.mark.long("test/page/permissions.test.ts and tests/integration/test_permissions_overview.py prove both sides")
async def test_a_rule_that_is_removed_there_leaves_the_file_and_the_next_call_asks(scene: Scene, vscode: VsCode):
    window = await scene.workbench(vscode, vscode.new_workspace("permits-rule", {"docs/a.md": ""}))
    await window.open_chat()
    await window.chat.send("write one to docs/one.md")
    await (await window.chat.card("one.md").appears()).answer(_RULE)
    await window.chat.has_rows("done", 1)
    await until("the rule stands in the file", lambda: "assent.alwaysAllowRules" in settings_of(window.workspace))

    panel = await _permissions(window)
    remove = panel.get_by_role("button", name="Remove: write_file docs/*.md")
    await expect(panel.get_by_text("You agreed:")).to_be_visible(timeout=_PATIENCE)
    await _press(panel, remove)
    await expect(remove).to_have_count(0, timeout=_PATIENCE)
    await until(
        "the rule is out of the file",
        lambda: settings_of(window.workspace).get("assent.alwaysAllowRules") in (None, {"write_file": []}),
    )
    await panel.get_by_role("button", name="Close").click()
    await window.chat.send("write two to docs/two.md")
    await (await window.chat.card("two.md").appears()).deny()
    assert not window.file("docs/two.md").exists()


@pytest.mark.long("test/page/permissions.test.ts and tests/integration/test_permissions_overview.py prove both sides")
async def test_a_bypass_goes_on_after_its_warning_and_off_by_one_press(scene: Scene, vscode: VsCode):
    window = await scene.workbench(vscode, vscode.new_workspace("permits-bypass", {"docs/a.md": ""}))
    await window.open_chat()
    panel = await _permissions(window)
    switch = panel.get_by_role("switch", name="Bypass of Demo")
    await _press(panel, switch)
    warning = panel.get_by_role("group", name=_BYPASS)
    await expect(warning).to_be_visible(timeout=_PATIENCE)
    assert settings_of(window.workspace) == {}
    await _press(panel, warning.get_by_role("button", name=_BYPASS))
    await until(
        "the bypass stands in the file",
        lambda: settings_of(window.workspace) == {"assent.bypassPermissions": {"Demo": True}},
    )
    await expect(switch).to_have_attribute("aria-checked", "true", timeout=_PATIENCE)
    await panel.get_by_role("button", name="Close").click()
    await window.chat.send("write one to docs/one.md")
    await window.chat.has_rows("done", 1)
    await window.chat.has_cards(0)

    await window.chat.root.get_by_role("button", name="Turn off", exact=True).click()
    await until(
        "the bypass is off in the file",
        lambda: settings_of(window.workspace) == {"assent.bypassPermissions": {"Demo": False}},
    )
    await window.chat.send("write two to docs/two.md")
    await (await window.chat.card("two.md").appears()).deny()
    assert not window.file("docs/two.md").exists()


async def test_a_bypass_stands_in_the_status_bar_and_goes_off_there(in_shared_window: Workbench):
    window = in_shared_window
    add_files(window.workspace, {"docs/a.md": ""})
    await window.chat.send("write one to docs/one.md")
    await (await window.chat.card("one.md").appears()).answer(_BYPASS)
    await window.chat.has_rows("done", 1)
    item = window.page.locator(".statusbar-item").filter(has_text="Bypass: Demo")
    await expect(item).to_be_visible(timeout=_PATIENCE)
    await until("the bypass stands in the file", lambda: settings_of(window.workspace) != {})
    await item.click()
    await until(
        "the bypass is off in the file",
        lambda: settings_of(window.workspace) == {"assent.bypassPermissions": {"Demo": False}},
    )
    await expect(item).to_be_hidden(timeout=_PATIENCE)

    await window.run_command("Assent: Open History")
    panel = window.chat.root.get_by_role("region", name="What is allowed")
    rows = panel.get_by_role("list", name="What was decided").get_by_role("listitem")
    await expect(rows.filter(has_text="one.md").first).to_contain_text("Allowed by you", timeout=_PATIENCE)
