"""The same page in a plain browser, over a WebSocket on loopback that only this page may use."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets
from devtools import client, playground
from devtools.processes import Background, environment
from playwright.async_api import expect
from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.support.scale import limit


class Running:
    """A playground as `dev.py run` starts it, and the address that it printed."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.folder = folder
        command = playground.command(folder, None, open_browser=False)
        env = environment(ASSENT_STATE_DIR=str(logs / "state"))
        self.process = Background(command, cwd=logs, env=env, log=logs / "playground.log")
        self.process.wait_for("http://127.0.0.1:", limit(60))
        found = re.search(r"http://127\.0\.0\.1:\d+\S*", self.process.output)
        assert found
        self.address = found.group()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    client.build()
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "README.md").write_text("# A folder to work in\n")
    started = Running(folder, tmp_path)
    yield started
    started.process.end()


@pytest.fixture
async def chat(scene: Scene, running: Running) -> ChatPage:
    window = await scene.window()
    await window.page.goto(running.address)
    page = ChatPage(window.page)
    await page.is_ready()
    return page


async def test_approve_in_the_playground(chat: ChatPage, running: Running):
    await chat.send("write hello to greeting.txt")
    await (await chat.card("greeting.txt").appears()).approve()
    await chat.has_rows("done")
    assert (running.folder / "greeting.txt").read_text() == "hello"


async def test_deny_in_the_playground(chat: ChatPage, running: Running):
    await chat.send("write hello to greeting.txt")
    await (await chat.card("greeting.txt").appears()).deny()
    await chat.has_rows("denied")
    assert not (running.folder / "greeting.txt").exists()


async def test_a_reloaded_page_has_the_same_card(chat: ChatPage, running: Running, scene: Scene):
    await chat.send("write hello to greeting.txt")
    approval_id = await (await chat.card("greeting.txt").appears()).approval_id()
    await scene.windows[0].page.reload()
    await chat.is_ready()
    card = await chat.card_with_id(approval_id).appears()
    await chat.has_cards(1)
    await card.approve()
    await chat.has_rows("done")
    assert (running.folder / "greeting.txt").read_text() == "hello"


async def test_two_pages_and_the_first_answer_counts(chat: ChatPage, running: Running, scene: Scene):
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    other_window = await scene.window()
    await other_window.page.goto(running.address)
    other = ChatPage(other_window.page)
    await (await other.card_with_id(await card.approval_id()).appears()).deny()
    await card.is_gone()
    await chat.has_rows("denied")
    assert not (running.folder / "greeting.txt").exists()


async def test_a_foreign_origin_is_refused(running: Running, scene: Scene):
    address = await _socket_address(running, scene)
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with websockets.connect(address, origin=websockets.Origin("http://evil.example")):
            pass
    assert refused.value.response.status_code == 403


async def test_a_wrong_token_is_refused(running: Running, scene: Scene):
    address = await _socket_address(running, scene)
    origin = websockets.Origin(re.sub(r"(http://[^/]+).*", r"\1", running.address))
    spoiled = re.sub(r"[0-9A-Za-z_-]{16,}", lambda token: "x" * len(token.group()), address)
    assert spoiled != address
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with websockets.connect(spoiled, origin=origin):
            pass
    assert refused.value.response.status_code in {401, 403}


async def test_the_server_ends_with_its_program(running: Running, scene: Scene):
    window = await scene.window()
    await window.page.goto(running.address)
    page = ChatPage(window.page)
    await page.is_ready()
    running.process.end()
    await expect(page.root.get_by_role("button", name="Send", exact=True)).to_be_disabled(timeout=milliseconds(30))


async def _socket_address(running: Running, scene: Scene) -> str:
    """The address of the WebSocket that the page itself opens."""
    window = await scene.window()
    async with window.page.expect_websocket() as opened:
        await window.page.goto(running.address)
    return (await opened.value).url
