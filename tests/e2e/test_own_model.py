"""A user's own model in a real VS Code: picked from what its server has, or set by hand; the editor keeps its key."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.quick_input import QuickInput
from tests.e2e.vscode import VsCode, json_of
from tests.e2e.workbench import Workbench
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall

KEY = "key-of-the-e2e-test-5b1f"
WRITES = SaidCall("write_file", {"path": "a.txt", "content": "hello"})
COMMENT = "// my own words on my settings"
CHAT_IS_THERE = "Ollama asks you before it acts"


@pytest.fixture(scope="module")
def editor(make_vscode: Callable[..., VsCode]) -> VsCode:
    vscode = make_vscode("own-model")
    # As much as an editor can be asked to write down.
    vscode.set_machine_settings({"assent.trace.server": "messages"})
    vscode.start()
    return vscode


@pytest.fixture(autouse=True)
def _usual_settings(editor: VsCode) -> Iterator[None]:
    yield
    editor.set_user_settings({"assent.agents": {}, "assent.agent": "Demo"})


def user_settings(editor: VsCode) -> Path:
    return editor.profile.user_data / "User" / "settings.json"


def toast(window: Workbench, words: str) -> Locator:
    return window.notifications.filter(has_text=words).first


async def tells(window: Workbench, words: str) -> Locator:
    shown = toast(window, words)
    await expect(shown).to_be_visible(timeout=milliseconds(30))
    return shown


async def begun(scene: Scene, editor: VsCode, name: str) -> tuple[Workbench, QuickInput]:
    window = await scene.workbench(editor, editor.new_workspace(name))
    await window.open_chat()
    return window, QuickInput(window.page)


async def chosen_server(window: Workbench, box: QuickInput, models: ModelServer) -> None:
    """As far as the server is asked."""
    await window.run_command("Assent: Choose a Model")
    await box.asks("Where does the model run?")
    await box.pick("Ollama elsewhere")
    await box.asks("The address of the model's server")
    await box.type(models.base_url)


async def test_a_model_is_picked_from_what_its_server_has_and_works_behind_the_gate(scene: Scene, editor: VsCode):
    file = user_settings(editor)
    file.write_text(file.read_text().replace("{", f"{{\n  {COMMENT}", 1))
    turns = (Said("I will write.", (WRITES,)), Said("It is done."))
    with model_server(OllamaWire(), *turns, models=["qwen3", "llama3"]) as models:
        window, box = await begun(scene, editor, "picked")
        await chosen_server(window, box, models)
        await box.asks(f"The models of {models.base_url}")
        await box.pick("llama3")
        await window.chat.shows(CHAT_IS_THERE)
        await window.chat.send("write hello")
        card = await window.chat.card("a.txt").appears()
        assert not window.file("a.txt").exists()
        await card.approve()
        await window.chat.shows("It is done.")
        assert window.file("a.txt").read_text() == "hello"
        assert [seen.model for seen in models.log.seen] == ["llama3", "llama3"]
        await window.chat.shows("240 tokens in · 60 out · < 1 % of the context")
    written = file.read_text()
    assert COMMENT in written
    settings = json.loads(written.replace(COMMENT, ""))
    defined = {"provider": "ollama", "baseUrl": models.base_url, "model": "llama3", "contextWindow": 16_384}
    assert settings["assent.agents"] == {"Ollama": defined}
    assert settings["assent.agent"] == "Ollama"
    file.write_text(written.replace(COMMENT, ""))


async def test_a_key_is_typed_once_and_stands_nowhere_but_in_requests(scene: Scene, editor: VsCode):
    with model_server(OllamaWire(), Said("I have the key."), key=KEY, models=["qwen3"]) as models:
        window, box = await begun(scene, editor, "with-a-key")
        await chosen_server(window, box, models)
        await box.asks("API key of Ollama")
        await box.holds_a_secret()
        await box.type("not-the-key")
        refused = await tells(window, "does not accept the key")
        await refused.get_by_role("button", name="Another Key…").click()
        await box.asks("API key of Ollama")
        await box.type(KEY)
        await box.pick("qwen3")
        await window.chat.shows(CHAT_IS_THERE)
        await window.chat.send("hello")
        await window.chat.shows("I have the key.")
        assert models.log.got[-1].headers["authorization"] == f"Bearer {KEY}"
        await window.run_command("Assent: Remove API Key")
        await box.asks("Which key is to be forgotten?")
        await box.pick("Ollama")
        await tells(window, "is removed")
        models.add(Said("I have it again."))
        await window.chat.send("hello again")
        await window.chat.shows("wants a key, and there is none")
        await window.run_command("Assent: Set API Key")
        await box.asks("Whose key?")
        await box.pick("Ollama")
        await box.holds_a_secret()
        await box.type(KEY)
        await tells(window, "is stored")
        await window.chat.send("and now")
        await window.chat.shows("I have it again.")
    assert "Ollama" in json.dumps(json_of(user_settings(editor))["assent.agents"])
    assert holding(KEY, editor.folder) == []
    assert holding("not-the-key", editor.folder) == []
    assert editor.logs()


@pytest.mark.long("test/model-definitions.test.ts and tests/integration/test_models_by_address.py prove both sides")
async def test_a_key_that_may_not_list_models_is_kept_and_the_model_named_by_hand(scene: Scene, editor: VsCode):
    with model_server(OllamaWire(), Said("I know this key."), key=KEY) as models:
        models.refuses_list = 403
        window, box = await begun(scene, editor, "may-not-list")
        await chosen_server(window, box, models)
        await box.asks("API key of Ollama")
        await box.type(KEY)
        told = await tells(window, "does not allow this with the key")
        await told.get_by_role("button", name="Enter Its Name…").click()
        await box.asks("The model's name")
        await box.type("qwen3")
        await window.chat.shows(CHAT_IS_THERE)
        await window.chat.send("hello")
        await window.chat.shows("I know this key.")
        assert models.log.got[-1].headers["authorization"] == f"Bearer {KEY}"


def holding(text: str, folder: Path) -> list[Path]:
    """The files below that hold it: settings, logs, the server's state, the workspace, whatever the editor keeps."""
    wanted = text.encode()
    return [file for file in folder.rglob("*") if file.is_file() and wanted in file.read_bytes()]


@pytest.mark.long("test/page/models.test.ts proves the click; tests/contract prove the model")
async def test_two_settings_by_hand_are_enough_and_a_missing_key_is_one_click_away(scene: Scene, editor: VsCode):
    with model_server(OllamaWire(), Said("Here I am."), key=KEY) as models:
        defined = {"provider": "ollama", "baseUrl": models.base_url, "model": "qwen3"}
        editor.set_user_settings({"assent.agents": {"Mine": defined}, "assent.agent": "Mine"})
        window, box = await begun(scene, editor, "by-hand")
        await window.chat.send("hello")
        await window.chat.shows("wants a key, and there is none")
        await window.chat.root.get_by_role("button", name="Set API Key").click()
        await box.asks("API key of Mine")
        await box.type(KEY)
        await tells(window, f"The key of Mine for {models.base_url} is stored.")
        await window.chat.send("hello")
        await window.chat.shows("Here I am.")
    assert holding(KEY, editor.folder) == []


@pytest.mark.long("tests/contract/test_faults_of_servers.py proves the words")
async def test_what_is_wrong_with_a_server_is_told_in_words_and_can_be_put_right(scene: Scene, editor: VsCode):
    window, box = await begun(scene, editor, "faults")
    with model_server(OllamaWire()) as gone:
        pass
    await chosen_server(window, box, gone)
    told = await tells(window, "Nothing answers at")
    with model_server(OllamaWire(), Said("Here now."), models=["qwen3"]) as models:
        await told.get_by_role("button", name="Another Address…").click()
        await box.asks("The address of the model's server")
        await box.type(models.base_url)
        await box.pick("qwen3")
        await window.chat.shows(CHAT_IS_THERE)
        await window.chat.send("hello")
        await window.chat.shows("Here now.")
    with model_server(OllamaWire(), Said("x")) as empty:
        await window.run_command("Assent: Choose a Model")
        await box.asks("Where does the model run?")
        await box.pick("Ollama elsewhere")
        await box.type(empty.base_url)
        await box.asks("What is the agent to be called?")
        await box.type("Empty")
        await tells(window, "ollama pull")
    assert "Empty" not in user_settings(editor).read_text()
