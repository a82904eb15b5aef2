"""Tools that another extension has for language models, in a real VS Code: shown as they are, run after a click."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from devtools import workbench
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

Json = Any
_SCHEMA = {"type": "object", "properties": {"harbour": {"type": "string"}}, "required": ["harbour"]}
_MANIFEST = {
    "name": "harbours",
    "publisher": "assent-tests",
    "version": "1.0.0",
    "engines": {"vscode": "^1.100.0"},
    "main": "./main.js",
    "activationEvents": ["onStartupFinished"],
    "contributes": {
        "languageModelTools": [
            {
                "name": name,
                "displayName": name.title(),
                "modelDescription": f"{does} a harbour.",
                "inputSchema": _SCHEMA,
            }
            for name, does in (("harbour_depth", "Tells how deep is"), ("harbour_dredge", "Digs out"))
        ]
    },
}
# Each writes down what it was called with. The second asks the editor to have its user confirm it.
_MAIN = """\
const fs = require("node:fs");
const vscode = require("vscode");
exports.activate = (context) => {
  const tool = (name, more) => ({
    invoke: ({ input }) => {
      fs.appendFileSync(process.env.HARBOUR_LOG, `${JSON.stringify([name, input])}\\n`);
      if (input.harbour === "none") throw new Error("there is no such harbour");
      const text = `${input.harbour} is 7 deep. ${"~".repeat(300000)}`;
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
    ...more,
  });
  const confirmationMessages = { title: "Dredge it?", message: "This moves sand." };
  const asking = { prepareInvocation: () => ({ confirmationMessages }) };
  context.subscriptions.push(
    vscode.lm.registerTool("harbour_depth", tool("harbour_depth")),
    vscode.lm.registerTool("harbour_dredge", tool("harbour_dredge", asking)),
  );
};
"""


class Harbours:
    """An editor with the other extension, an agent that plays turns, and what the tools were called with."""

    def __init__(self, vscode: VsCode, folder: Path) -> None:
        self.vscode = vscode
        self._log = folder / "calls.jsonl"
        self._script = folder / "turns.json"
        agent = {"Scripted": {"provider": "scripted", "script": str(self._script)}}
        vscode.set_user_settings({"assent.agents": agent, "assent.agent": "Scripted"})
        workbench.install_extension(vscode.release, vscode.profile, _packed(folder))
        vscode.start(HARBOUR_LOG=str(self._log))

    @property
    def calls(self) -> list[Json]:
        """What ran, in its order."""
        return [json.loads(line) for line in self._log.read_text().splitlines()] if self._log.exists() else []

    def plays(self, *calls: Json) -> None:
        """One call a message."""
        self._script.write_text(
            json.dumps({"turns": [turn for call in calls for turn in ([call], [{"text": "Done."}])]})
        )


def _packed(folder: Path) -> Path:
    vsix = folder / "harbours.vsix"
    with zipfile.ZipFile(vsix, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(_MANIFEST))
        archive.writestr("extension/main.js", _MAIN)
    return vsix


def _run(tool: str, harbour: str) -> Json:
    return {"call": "run_node", "args": {"node_type": f"lm.{tool}", "inputs": {"harbour": harbour}}}


@pytest.fixture(scope="module")
def harbours(make_vscode: Callable[..., VsCode], tmp_path_factory: pytest.TempPathFactory) -> Harbours:
    return Harbours(make_vscode("with_tools"), tmp_path_factory.mktemp("harbours"))


async def _chat(scene: Scene, harbours: Harbours, name: str) -> Workbench:
    window = await scene.workbench(harbours.vscode, harbours.vscode.new_workspace(name))
    await window.open_chat()
    return window


async def test_it_runs_after_a_click_with_exactly_what_the_card_showed(scene: Scene, harbours: Harbours):
    harbours.plays(
        {"call": "list_nodes", "args": {"source": "lm"}}, _run("harbour_depth", "Genoa"), _run("harbour_depth", "none")
    )
    window = await _chat(scene, harbours, "approved")
    await window.chat.send("which tools are there")
    await window.chat.has_rows("done", 1)
    await window.chat.send("how deep is it")
    card = await window.chat.card("harbour_depth").appears()
    shown = await card.locator.inner_text()
    assert "Use the editor's tool harbour_depth" in shown and "Genoa" in shown
    assert "Tells how deep is a harbour." in shown
    assert harbours.calls == []
    await card.approve()
    await window.chat.has_rows("done", 2)
    assert harbours.calls == [["harbour_depth", {"harbour": "Genoa"}]]
    await window.chat.rows("done").last.get_by_text("Details").click()
    await window.chat.shows("Genoa is 7 deep.")
    await window.chat.shows("(shortened)")

    await window.chat.send("and the other one")
    await (await window.chat.card("harbour_depth").appears()).approve()
    await window.chat.has_rows("failed", 1)
    await window.chat.rows("failed").first.get_by_text("Details").click()
    await window.chat.shows("there is no such harbour")


@pytest.mark.long("tests/integration/test_editor_tools.py proves it")
async def test_it_does_not_run_after_a_no(scene: Scene, harbours: Harbours):
    before = harbours.calls
    harbours.plays(_run("harbour_depth", "Bergen"))
    window = await _chat(scene, harbours, "denied")
    await window.chat.send("how deep is it")
    await (await window.chat.card("harbour_depth").appears()).deny()
    await window.chat.has_rows("denied", 1)
    await window.chat.shows("Done.")
    assert harbours.calls == before


@pytest.mark.long("it tells how the editor itself asks, which does not change between its releases")
@pytest.mark.parametrize(
    ("answer", "status", "ran", "words"),
    [("Yes", "done", 1, "Porto is 7 deep."), ("Cancel", "failed", 0, "it was not confirmed")],
)
async def test_what_a_tool_wants_confirmed_the_editor_asks_as_well(
    scene: Scene, harbours: Harbours, answer: str, status: str, ran: int, words: str
):
    before = len(harbours.calls)
    harbours.plays(_run("harbour_dredge", "Porto"))
    window = await _chat(scene, harbours, f"confirmed_{answer}")
    await window.chat.send("dig")
    await (await window.chat.card("harbour_dredge").appears()).approve()
    dialog = window.page.locator(".monaco-dialog-box")
    await expect(dialog).to_contain_text("Dredge it?", timeout=milliseconds(30))
    assert len(harbours.calls) == before
    await dialog.get_by_role("button", name=answer).click()
    await window.chat.has_rows(status, 1)
    assert len(harbours.calls) == before + ran
    await window.chat.rows(status).first.get_by_text("Details").click()
    await window.chat.shows(words)
