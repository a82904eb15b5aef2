"""A call that waits for somebody who is not there, in a real VS Code."""

import json

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)


async def _window(scene: Scene, vscode: VsCode, name: str, seconds: int) -> Workbench:
    """A window in whose folder a call waits no longer than this for somebody who is away."""
    settings = json.dumps({"assent.approvalTimeoutSeconds": seconds})
    window = await scene.workbench(vscode, vscode.new_workspace(name, {".vscode/settings.json": settings}))
    await window.open_chat()
    return window


@pytest.mark.long("tests/integration/test_timeouts.py and test/page/lifetimes.test.ts prove both sides")
async def test_a_call_that_nobody_answers_in_time_does_not_run(scene: Scene, vscode: VsCode):
    window = await _window(scene, vscode, "nobody-there", 4)
    await window.chat.send("write hello to greeting.txt")
    card = await window.chat.card("greeting.txt").appears()
    await expect(card.locator.get_by_text("Without an answer, this is denied")).to_be_visible(timeout=_PATIENCE)
    await card.is_gone()
    await window.chat.shows("Nobody answered in time; nothing was run.")
    await expect(window.chat.root.get_by_role("button", name="Ask again")).to_be_enabled(timeout=_PATIENCE)
    assert not window.file("greeting.txt").exists()


@pytest.mark.long("tests/integration/test_timeouts.py and test/page/lifetimes.test.ts prove both sides")
async def test_the_clock_stops_for_somebody_who_is_there(scene: Scene, vscode: VsCode):
    window = await _window(scene, vscode, "somebody-there", 60)
    await window.chat.send("write hello to greeting.txt")
    card = await window.chat.card("greeting.txt").appears()
    ends = card.locator.get_by_text("Without an answer, this is denied")
    await expect(ends).to_be_visible(timeout=_PATIENCE)
    await window.chat.composer.press("Shift")
    await expect(ends).to_have_count(0, timeout=_PATIENCE)
    await card.approve()
    await window.chat.has_rows("done")
