"""A run that failed and goes on, and a message that takes the place of a run, in a real VS Code."""

from collections.abc import Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import Then, answer
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall

_PATIENCE = milliseconds(60)
_COUNTS = SaidCall("bash", {"command": "echo ran >> counted"})
_NEVER_WHOLE = SaidCall("write_file", {"path": "CUTOFF", "content": "x"})


@pytest.fixture
def models(vscode: VsCode) -> Iterator[ModelServer]:
    """A model whose first answer breaks off behind a whole call, and the agent of the user that speaks to it."""
    cut = answer(Said("I count.", (_COUNTS, _NEVER_WHOLE)), cut_at=b"CUTOFF", then=Then.DROP)
    with model_server(OllamaWire(), cut, Said("Counted.")) as server:
        defined = {"provider": "ollama", "baseUrl": server.base_url, "model": "qwen3"}
        vscode.set_user_settings({"assent.agents": {"Local": defined}, "assent.agent": "Local"})
        yield server
    vscode.set_user_settings({"assent.agents": {}, "assent.agent": "Demo"})


def _button(window: Workbench, name: str) -> Locator:
    return window.chat.root.get_by_role("button", name=name, exact=True)


@pytest_asyncio.fixture(loop_scope="session")
async def failed(models: ModelServer, scene: Scene, vscode: VsCode, request: pytest.FixtureRequest) -> Workbench:
    """A window with a chat whose run broke off behind a call that ran."""
    window = await scene.workbench(vscode, vscode.new_workspace(request.node.name))
    chat = await window.open_chat()
    await chat.send("count")
    await (await chat.card().appears()).approve()
    await chat.has_rows("done")
    await expect(_button(window, "Retry")).to_be_enabled(timeout=_PATIENCE)
    return window


async def _goes_on(window: Workbench, models: ModelServer) -> None:
    """Retry leads to the end, and nothing of before runs again."""
    await _button(window, "Retry").click()
    await window.chat.shows("Counted.")
    await expect(_button(window, "Retry")).to_have_count(0, timeout=_PATIENCE)
    await expect(_button(window, "Stop")).to_have_count(0, timeout=_PATIENCE)
    await window.chat.has_rows("done", 1)
    await window.chat.has_cards(0)
    assert window.file("counted").read_text() == "ran\n"
    assert [message.role for message in models.log.seen[-1].messages] == ["user", "assistant", "results"]
    assert len(models.log.seen[-1].messages[2].results) == 1


@pytest.mark.long("test/page/shells.test.ts and tests/integration/test_retry.py prove both sides")
async def test_a_run_that_failed_goes_on_with_one_click(failed: Workbench, models: ModelServer):
    await _goes_on(failed, models)


@pytest.mark.long("tests/integration/test_retry.py proves it over a restart")
async def test_a_run_that_failed_goes_on_after_a_reload_of_the_window(failed: Workbench, models: ModelServer):
    await failed.reload()
    await expect(_button(failed, "Retry")).to_be_enabled(timeout=_PATIENCE)
    await _goes_on(failed, models)


@pytest.mark.long("test/page/shells.test.ts and tests/integration/test_messages_changed.py prove both sides")
async def test_a_message_takes_the_place_of_a_run_that_waits(in_editor: Workbench):
    chat = in_editor.chat
    await chat.send("write hello to greeting.txt")
    await chat.card("greeting.txt").appears()
    await chat.send("write more to more.txt")
    await chat.shows("Queued")
    await chat.composer.fill("write other to other.txt")
    await _button(in_editor, "Stop and send").click()

    await chat.card("greeting.txt").is_gone()
    await chat.has_rows("cancelled")
    await (await chat.card("other.txt").appears()).approve()
    await chat.has_rows("done")
    assert in_editor.file("other.txt").read_text() == "other"
    # What waited behind the run was meant for it: the user has it again.
    await expect(chat.composer).to_have_value("write more to more.txt", timeout=_PATIENCE)
    await expect(_button(in_editor, "Stop")).to_have_count(0, timeout=_PATIENCE)
    assert not in_editor.file("greeting.txt").exists()
    assert not in_editor.file("more.txt").exists()
