"""The oldest VS Code that the extension promises to work in."""

import json

from devtools import workbench
from devtools.places import CLIENT
from tests.e2e.conftest import Scene
from tests.e2e.vscode import VsCode


def test_it_is_the_release_that_the_manifest_promises():
    promised = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))["engines"]["vscode"]
    oldest = workbench.RELEASES["oldest"].vscode
    assert promised.removeprefix("^").rsplit(".", 1)[0] == oldest.rsplit(".", 1)[0]


async def test_approve_and_deny_in_the_oldest_editor(scene: Scene, oldest_vscode: VsCode):
    window = await scene.workbench(oldest_vscode, oldest_vscode.new_workspace("oldest"))
    await window.open_chat()
    await window.chat.send('write "one" to first.txt and write "two" to second.txt')
    await (await window.chat.card("first.txt").appears()).approve()
    await (await window.chat.card("second.txt").appears()).deny()
    await window.chat.has_rows("done", 1)
    await window.chat.has_rows("denied", 1)
    assert window.file("first.txt").read_text() == "one"
    assert not window.file("second.txt").exists()
