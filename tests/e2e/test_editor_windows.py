"""The tools of the editor's windows in a real VS Code: a file is shown, compared, and what is underlined is read."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.text_editor import TextEditor
from tests.e2e.vscode import VsCode

_OPEN = {"call": "ui_open_file", "args": {"path": "broken.json", "line": 2}}
_ASK = [{"call": "ui_get_diagnostics", "args": {"path": "broken.json"}}, {"call": "ui_get_selection", "args": {}}]
_COMPARE = {"call": "ui_show_diff", "args": {"path": "broken.json", "content": '{\n  "a": 1\n}\n'}}
_DONE = [{"text": "Done."}]
_TURNS = [[_OPEN], _DONE, _ASK, _DONE, [_COMPARE], _DONE]
_BROKEN = '{\n  "a": oops\n}\n'


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


async def test_a_file_is_shown_read_about_and_compared_without_a_card(scene: Scene, vscode: VsCode):
    workspace = vscode.new_workspace("windows", {"broken.json": _BROKEN})
    window = await scene.workbench(vscode, workspace)
    await window.open_chat()
    await window.chat.send("show it")
    await window.chat.has_rows("done", 1)
    await TextEditor(window, "broken.json").holds("oops")
    await expect(window.page.locator(".squiggly-error").first).to_be_visible(timeout=milliseconds(60))

    await window.chat.send("what is wrong")
    await window.chat.has_rows("done", 3)
    await window.chat.rows("done").nth(1).get_by_text("Details").click()
    await window.chat.shows("2:8 error: Value expected")
    await window.chat.rows("done").nth(2).get_by_text("Details").click()
    await window.chat.shows("broken.json, line 2; nothing is selected.")

    await window.chat.send("compare it")
    await window.chat.has_rows("done", 4)
    await expect(window.page.locator(".monaco-diff-editor").first).to_be_visible(timeout=milliseconds(30))
    await window.chat.has_cards(0)
    assert (workspace / "broken.json").read_text() == _BROKEN
