"""The same page in a plain browser, over a WebSocket on loopback that only this page may use."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import websockets
from playwright.async_api import expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.playground import Running


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "README.md").write_text("# A folder to work in\n")
    started = Running(folder, tmp_path)
    yield started
    started.process.end()


@pytest_asyncio.fixture(loop_scope="session")
async def chat(scene: Scene, running: Running) -> ChatPage:
    window = await scene.window()
    await window.page.goto(running.address)
    page = ChatPage(window.page)
    await page.is_ready()
    return page


@pytest.mark.long("test_background_commands.py proves it in the editor, with the same page")
async def test_a_command_in_the_playground_goes_on_in_the_background(chat: ChatPage):
    await chat.send("run: i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo printed $i; sleep 0.2; done")
    tail = chat.root.get_by_role("group", name="The latest output")
    await expect(tail).to_contain_text("printed 3", timeout=milliseconds(30))
    await chat.root.get_by_role("button", name="Move to background", exact=True).click()
    await chat.has_rows("background")
    await chat.root.get_by_role("button", name="1 in background").click()
    panel = chat.root.get_by_role("region", name="Commands in the background")
    await expect(panel).to_contain_text("printed", timeout=milliseconds(30))
    await panel.get_by_role("button", name=re.compile("^Kill: ")).click()
    await chat.shows("In background · killed")


@pytest.mark.long("test_a_reloaded_page_has_the_same_card approves, after a reload")
async def test_approve_in_the_playground(chat: ChatPage, running: Running):
    await chat.send("write hello to greeting.txt")
    await (await chat.card("greeting.txt").appears()).approve()
    await chat.has_rows("done")
    assert (running.folder / "greeting.txt").read_text() == "hello"


@pytest.mark.long("test_oldest_editor.py proves it in an editor, with the same page")
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


async def test_a_second_page_is_told_and_the_first_goes_on(chat: ChatPage, running: Running, scene: Scene):
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    second = await scene.window()
    await second.page.goto(running.address)
    await ChatPage(second.page).shows(re.compile("another page", re.IGNORECASE))
    await card.approve()
    await chat.has_rows("done")


async def test_only_its_own_page_with_its_token_may_connect(running: Running):
    page, _, token = running.address.partition("/#")
    right = [websockets.Subprotocol("assent"), websockets.Subprotocol(f"token.{token}")]
    other = ("y" if token[0] == "x" else "x") + token[1:]
    wrong = [websockets.Subprotocol("assent"), websockets.Subprotocol(f"token.{other}")]
    for origin, subprotocols in (("http://evil.example", right), (page, wrong), (page, None)):
        with pytest.raises(websockets.InvalidStatus) as refused:
            await _connect(page, origin, subprotocols)
        assert refused.value.response.status_code == 403
    await _connect(page, page, right)


async def test_the_server_ends_with_its_program(running: Running, scene: Scene):
    window = await scene.window()
    await window.page.goto(running.address)
    page = ChatPage(window.page)
    await page.is_ready()
    running.process.end()
    await expect(page.root.get_by_role("button", name="Send", exact=True)).to_be_disabled(timeout=milliseconds(30))


async def _connect(page: str, origin: str, subprotocols: list[websockets.Subprotocol] | None) -> None:
    address = page.replace("http://", "ws://") + "/rpc"
    async with websockets.connect(address, origin=websockets.Origin(origin), subprotocols=subprotocols):
        pass


@pytest.mark.long("test/page/sub-agents.test.ts and tests/integration/test_sub_agents.py prove both sides")
async def test_two_sub_agents_with_a_card_each_and_their_tree_after_a_reload(
    chat: ChatPage, running: Running, scene: Scene
):
    await chat.send("ask a sub-agent to write one to a.txt, and ask another sub-agent to write two to b.txt")
    first, second = await chat.card("a.txt").appears(), await chat.card("b.txt").appears()
    await expect(first.locator).to_contain_text("through write one to a.txt")
    await expect(second.locator).to_contain_text("through write two to b.txt")
    await second.deny()
    await second.is_gone()
    await first.approve()
    # The two that were handed on, and what the first one wrote.
    await chat.has_rows("done", 3)
    await chat.has_rows("denied", 1)
    assert (running.folder / "a.txt").read_text() == "one"
    assert not (running.folder / "b.txt").exists()

    page = scene.windows[0].page
    await page.reload()
    await chat.is_ready()
    await chat.has_rows("done", 3)
    inside = page.get_by_text("Write a.txt (+1 −0)", exact=True)
    await expect(inside).to_be_hidden()
    await page.get_by_text("1 call").first.click()
    await expect(inside).to_be_visible()
