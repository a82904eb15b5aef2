"""Files of a waiting call and of one that is done in a real VS Code's own view of differences."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)
_LONG = "".join(f"line {number}\n" for number in range(4_000)) + "the very end\n"
_TURNS = [
    [{"call": "write_file", "args": {"path": "long.txt", "content": _LONG}}],
    [{"text": "Done."}],
]


@pytest.fixture(autouse=True)
def _scripted(vscode: VsCode, tmp_path: Path) -> Iterator[None]:
    """The user's agent plays these turns."""
    script = tmp_path / "turns.json"
    script.write_text(json.dumps({"turns": _TURNS}))
    agent = {"Scripted": {"provider": "scripted", "script": str(script)}}
    usual = {"workbench.editor.useModal": "off"}
    vscode.set_user_settings({"assent.agents": agent, "assent.agent": "Scripted", **usual})
    yield
    vscode.set_user_settings({"assent.agents": {}, "assent.agent": "Demo", "workbench.editor.useModal": "some"})


async def _is_compared(window: Workbench, title: str) -> None:
    await expect(window.page.get_by_role("tab", name=title).first).to_be_visible(timeout=_PATIENCE)
    await expect(window.page.locator(".monaco-diff-editor").first).to_be_visible(timeout=_PATIENCE)


async def test_a_change_that_is_cut_off_is_opened_as_a_diff_and_only_then_approved(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("compared", {"long.txt": "as it was\n"})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    await window.chat.send("write it")
    card = await window.chat.card().appears()
    await expect(card.button("Approve")).to_have_attribute("aria-disabled", "true", timeout=_PATIENCE)

    await card.button("Open diff").click()
    await _is_compared(window, "long.txt: now ↔ as it would be written")
    sides = window.page.locator(".monaco-diff-editor .view-lines")
    await expect(sides.first).to_contain_text("as it was", timeout=_PATIENCE, use_inner_text=True)
    await window.page.locator(".monaco-diff-editor .editor.modified .view-lines").first.click()
    await window.page.keyboard.press("Control+End")
    await expect(sides.last).to_contain_text("the very end", timeout=_PATIENCE, use_inner_text=True)
    await window.page.keyboard.type("not to be written")
    await expect(sides.last).not_to_contain_text("not to be written")

    await card.approve()
    await window.chat.has_rows("done")
    assert (workspace / "long.txt").read_text() == _LONG

    await window.chat.root.get_by_role("button", name="Open diff").click()
    await _is_compared(window, "long.txt: before the run ↔ as this call wrote it")
