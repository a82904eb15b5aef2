"""How the choice of a model, a missing key and what a run cost look in each theme, and in a narrow side bar."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from devtools.places import TEST_RESULTS
from tests.e2e.accessible import violations
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.quick_input import QuickInput
from tests.e2e.themes import THEMES
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said

pytestmark = pytest.mark.long("test/page/looks.test.ts has these states in every theme and width")

SCREENS = TEST_RESULTS / "screens"
KEY = "key-of-the-looks-1234"
MODELS = ["qwen3:8b", "llama3.2", "gpt-oss:20b"]


@pytest.fixture
def models(vscode: VsCode) -> Iterator[ModelServer]:
    """A server that wants a key, and an agent of the user's settings that has none yet."""
    with model_server(OllamaWire(), Said("Here is your answer."), key=KEY, models=MODELS) as server:
        defined = {"provider": "ollama", "baseUrl": server.base_url, "model": MODELS[0], "contextWindow": 4096}
        vscode.set_user_settings({"assent.agents": {"Local": defined}, "assent.agent": "Local"})
        yield server
    vscode.set_user_settings(
        {"assent.agents": {}, "assent.agent": "Demo", "workbench.colorTheme": THEMES["light"].name},
    )


async def _shots(window: Workbench, name: str) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    box = QuickInput(window.page)
    await window.chat.send("hello")
    await window.chat.shows("wants a key, and there is none")
    await window.chat.root.get_by_role("button", name="Set API Key").wait_for()
    await window.page.screenshot(path=SCREENS / f"model-key-missing-{name}.png")
    assert await violations(window.chat) == []
    await window.chat.root.get_by_role("button", name="Set API Key").click()
    await box.asks("API key of Local")
    await window.page.screenshot(path=SCREENS / f"model-key-{name}.png")
    await box.type(KEY)
    await expect(window.notifications.filter(has_text="is stored").first).to_be_visible(timeout=milliseconds(30))
    await window.run_command("Assent: Choose a Model")
    await box.asks("Where does the model run?")
    await window.page.screenshot(path=SCREENS / f"model-server-{name}.png")
    await box.pick("Local")
    await box.asks("The models of")
    await window.page.screenshot(path=SCREENS / f"model-choice-{name}.png")
    await box.pick("llama3.2")
    await window.chat.shows("Local asks you before it acts")
    await window.chat.send("hello")
    await window.chat.shows("Here is your answer.")
    await window.chat.shows("120 tokens in · 30 out · 4 % of the context")
    await window.page.screenshot(path=SCREENS / f"model-cost-{name}.png")
    assert await violations(window.chat) == []


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("theme", THEMES)
async def test_in_each_theme(scene: Scene, vscode: VsCode, theme: str):
    vscode.set_user_settings({"workbench.colorTheme": THEMES[theme].name})
    window = await scene.workbench(vscode, vscode.new_workspace(f"looks-of-models-{theme}"))
    await window.open_chat()
    await _shots(window, theme)


@pytest.mark.usefixtures("models")
async def test_in_a_narrow_side_bar(scene: Scene, vscode: VsCode):
    window = await scene.workbench(vscode, vscode.new_workspace("looks-of-models-narrow"))
    await window.open_chat()
    await window.narrow_side_bar(250)
    await _shots(window, "narrow")
