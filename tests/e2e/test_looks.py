"""How a waiting card looks in each theme and in a narrow side bar, kept as pictures, and what axe says about it."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from devtools.places import CLIENT, TEST_RESULTS
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

SCREENS = TEST_RESULTS / "screens"
THEMES = {
    "light": ("Default Light Modern", "vscode-light"),
    "dark": ("Default Dark Modern", "vscode-dark"),
    "high-contrast": ("Default High Contrast", "vscode-high-contrast"),
}
_USUAL = {"workbench.colorTheme": THEMES["light"][0]}


@pytest.fixture(autouse=True)
def _usual_theme_afterwards(vscode: VsCode) -> Iterator[None]:
    yield
    vscode.set_user_settings(_USUAL)


async def _a_waiting_card(window: Workbench) -> None:
    await window.chat.send("read README.md")
    await window.chat.has_rows("done")
    await window.chat.send("write hello to greeting.txt")
    await (await window.chat.card("greeting.txt").appears()).armed("Approve")


@pytest.mark.parametrize("theme", THEMES)
async def test_a_card_in_each_theme(scene: Scene, vscode: VsCode, theme: str):
    name, body_class = THEMES[theme]
    vscode.set_user_settings({"workbench.colorTheme": name})
    window = await scene.workbench(vscode, vscode.new_workspace(f"theme-{theme}"))
    chat = await window.open_chat()
    await expect(chat.root.locator("body")).to_have_class(_with(body_class), timeout=milliseconds(30))
    await _a_waiting_card(window)
    SCREENS.mkdir(parents=True, exist_ok=True)
    await window.page.screenshot(path=SCREENS / f"{theme}.png")
    assert await _axe(window) == []


async def test_a_card_in_a_narrow_side_bar(in_editor: Workbench):
    await in_editor.narrow_side_bar(250)
    await _a_waiting_card(in_editor)
    SCREENS.mkdir(parents=True, exist_ok=True)
    await in_editor.page.screenshot(path=SCREENS / "narrow.png")
    approve = in_editor.chat.card("greeting.txt").button("Approve")
    box = await approve.bounding_box()
    bar = await in_editor.page.locator(".part.sidebar").bounding_box()
    assert box is not None
    assert bar is not None
    assert bar["width"] <= 260
    assert box["x"] + box["width"] <= bar["x"] + bar["width"]


def _with(body_class: str) -> re.Pattern[str]:
    return re.compile(rf"(^|\s){body_class}(\s|$)")


async def _axe(window: Workbench) -> list[str]:
    """What the accessibility checker finds wrong with the page, in a line each."""
    body = await window.chat.root.locator("body").element_handle()
    frame = await body.owner_frame()
    assert frame is not None
    await frame.evaluate((CLIENT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = await frame.evaluate("() => axe.run(document).then((result) => JSON.stringify(result.violations))")
    return [f"{each['id']}: {each['help']}: {[n['html'] for n in each['nodes']]}" for each in json.loads(found)]
