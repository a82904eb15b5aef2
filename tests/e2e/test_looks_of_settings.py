"""How the panel about settings and the answers that last look in each theme, and in a narrow side bar."""

import json
from collections.abc import Iterator

import pytest

from devtools.places import TEST_RESULTS
from tests.e2e.accessible import violations
from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.themes import THEMES
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

pytestmark = pytest.mark.long("test/page/looks.test.ts has these states in every theme and width")

SCREENS = TEST_RESULTS / "screens"
BROUGHT = {
    "assent.bypassPermissions": {"Demo": True},
    "assent.alwaysAllowRules": {"write_file": ["docs/**"]},
    "assent.additionalWorkingDirectories": ["/usr/share"],
}


@pytest.fixture(autouse=True)
def _usual_theme_afterwards(vscode: VsCode) -> Iterator[None]:
    yield
    vscode.set_user_settings({"workbench.colorTheme": THEMES["light"].name})


async def _panel_and_answers(window: Workbench, name: str) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    panel = await ConsentPanel(window.chat).appears()
    await panel.tick("docs/**")
    await window.page.screenshot(path=SCREENS / f"settings-{name}.png")
    assert await violations(window.chat) == []
    await panel.ignore_all()
    await window.chat.send("write hello to greeting.txt")
    card = await window.chat.card("greeting.txt").appears()
    await card.armed("Bypass permissions for Demo")
    await window.page.screenshot(path=SCREENS / f"lasting-{name}.png")
    assert await violations(window.chat) == []


async def _open(scene: Scene, vscode: VsCode, name: str) -> Workbench:
    workspace = vscode.new_workspace(name, {".vscode/settings.json": json.dumps(BROUGHT, indent=2)})
    window = await scene.workbench(vscode, workspace, height=1000)
    await window.open_chat()
    return window


@pytest.mark.parametrize("theme", THEMES)
async def test_in_each_theme(scene: Scene, vscode: VsCode, theme: str):
    vscode.set_user_settings({"workbench.colorTheme": THEMES[theme].name})
    await _panel_and_answers(await _open(scene, vscode, f"looks-{theme}"), theme)


async def test_in_a_narrow_side_bar(scene: Scene, vscode: VsCode):
    window = await _open(scene, vscode, "looks-narrow")
    await window.narrow_side_bar(250)
    await _panel_and_answers(window, "narrow")
