"""Commands that a person gives by name, in a real VS Code: each does what its title says."""

import json
from pathlib import Path

from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.quick_input import QuickInput
from tests.e2e.vscode import VsCode, settings_of
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)


async def test_stop_ends_the_run_and_what_waits_in_it(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    await in_shared_window.run_command("Assent: Stop")
    await card.is_gone()
    await chat.has_rows("cancelled", 1)
    assert not in_shared_window.file("greeting.txt").exists()


async def test_every_bypass_is_turned_off(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send("write one to one.txt")
    await (await chat.card("one.txt").appears()).answer("Bypass permissions for Demo")
    await chat.has_rows("done", 1)
    await until("the bypass stands in the file", lambda: settings_of(in_shared_window.workspace) != {})
    await in_shared_window.run_command("Assent: Turn Off Every Bypass")
    await until(
        "the bypass is off in the file",
        lambda: settings_of(in_shared_window.workspace) == {"assent.bypassPermissions": {"Demo": False}},
    )
    await chat.send("write two to two.txt")
    await (await chat.card("two.txt").appears()).deny()
    await chat.has_rows("denied", 1)
    assert not in_shared_window.file("two.txt").exists()


async def test_a_test_request_leads_to_nothing_and_the_log_has_its_answer(in_shared_window: Workbench):
    await in_shared_window.run_command("Assent: Send Test Request")
    card = await in_shared_window.chat.card().appears()
    before = set(in_shared_window.workspace.iterdir())
    await card.answer("Approve")
    await card.is_gone()
    assert set(in_shared_window.workspace.iterdir()) == before

    await in_shared_window.run_command("Assent: Show Log")
    shown = in_shared_window.page.locator(".part.panel .view-lines")
    await expect(shown).to_contain_text("allow_once", timeout=_PATIENCE)
    await in_shared_window.run_command("View: Hide Panel")


async def test_the_settings_are_opened_where_they_are_ours(in_shared_window: Workbench):
    await in_shared_window.run_command("Assent: Open Settings")
    found = in_shared_window.page.locator(".settings-editor .setting-item-label", has_text="Bypass Permissions")
    await expect(found.first).to_be_visible(timeout=_PATIENCE)
    await in_shared_window.page.keyboard.press("Escape")  # they stand above everything else


async def test_the_history_is_exported_to_the_file_that_is_named(in_shared_window: Workbench, tmp_path: Path):
    chat = in_shared_window.chat
    await chat.send("write hello to to-be-exported.txt")
    await (await chat.card("to-be-exported.txt").appears()).deny()
    await chat.has_rows("denied", 1)
    await in_shared_window.run_command("Assent: Export History")
    target = tmp_path / "history.jsonl"
    await QuickInput(in_shared_window.page).choose_file(target, ends_with=".jsonl")
    await expect(in_shared_window.notifications.filter(has_text=f"exported to {target}").first).to_be_visible(
        timeout=_PATIENCE
    )
    entries = [json.loads(line) for line in target.read_text().splitlines()]
    assert any("to-be-exported.txt" in json.dumps(entry) for entry in entries)


async def test_the_environment_of_the_server_is_made_anew(scene: Scene, vscode: VsCode):
    window = await scene.workbench(vscode, vscode.new_workspace("anew"))
    await window.open_chat()
    await window.chat.send("write hello to one.txt")
    await (await window.chat.card("one.txt").appears()).deny()
    before = await window.server()
    left = Path(before.cmdline()[0]).parent / "left-by-the-test"
    left.write_text("goes with the environment")
    await window.run_command("Assent: Reinstall Server Environment")
    await until("the environment is another", lambda: not left.exists(), seconds=60)

    async def another() -> bool:
        return (await window.server()).pid != before.pid

    await until("another server runs", another, seconds=120)
    await window.chat.is_ready()
    await window.chat.send("write hello to two.txt")
    await (await window.chat.card("two.txt").appears()).approve()
    await until("the file is there", lambda: window.file("two.txt").exists())
