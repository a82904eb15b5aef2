"""Commands of the editor as nodes in a real VS Code: the card shows the file, the answer tells what stands in it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Scene
from tests.e2e.vscode import VsCode

_SYMBOLS = {
    "call": "run_node",
    "args": {"node_type": "command.vscode.executeDocumentSymbolProvider", "inputs": {"path": "places.json"}},
}
_TOOLS = {"call": "list_nodes", "args": {"source": "lm"}}
_DONE = [{"text": "Done."}]


@pytest.fixture(autouse=True)
def _scripted(vscode: VsCode, tmp_path: Path) -> Iterator[None]:
    """The user's agent plays these turns."""
    script = tmp_path / "turns.json"
    script.write_text(json.dumps({"turns": [[_SYMBOLS], _DONE, [_TOOLS], _DONE]}))
    agent = {"Scripted": {"provider": "scripted", "script": str(script)}}
    vscode.set_user_settings({"assent.agents": agent, "assent.agent": "Scripted"})
    yield
    vscode.set_user_settings({"assent.agents": {}, "assent.agent": "Demo"})


async def test_the_symbols_of_a_file_are_told_after_a_click(scene: Scene, vscode: VsCode):
    files = {"places.json": '{\n  "harbour": {\n    "depth": 7\n  }\n}\n'}
    window = await scene.workbench(vscode, vscode.new_workspace("commands", files))
    await window.open_chat()
    await window.chat.send("what is in it")
    card = await window.chat.card("executeDocumentSymbolProvider").appears()
    shown = await card.locator.inner_text()
    assert "Run the editor's command vscode.executeDocumentSymbolProvider" in shown
    assert str(window.file("places.json")) in shown
    await card.approve()
    await window.chat.has_rows("done", 1)
    await window.chat.rows("done").first.get_by_text("Details").click()
    # The key of the second line with its kind, and the place of the third.
    await window.chat.shows('"name":"harbour"')
    await window.chat.shows('"kind":"Module"')
    await window.chat.shows('"start":{"line":3,"column":5}')

    await window.chat.send("which tools are there")
    await window.chat.has_rows("done", 2)
    await window.chat.has_cards(0)
