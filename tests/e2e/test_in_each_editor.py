"""What holds in the newest editor and in the oldest one: waiting chats and a reload, two windows, a hidden view."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.themes import THEMES, wear
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench


@pytest_asyncio.fixture(loop_scope="session")
async def in_each_editor(scene: Scene, each_vscode: VsCode, request: pytest.FixtureRequest) -> Workbench:
    """A window with a folder and a chat of its own."""
    window = await scene.workbench(each_vscode, each_vscode.new_workspace(request.node.name))
    await window.open_chat()
    return window


async def _asks(window: Workbench, file: str) -> str:
    """The id of the card of a call that would write it."""
    await window.chat.send(f"write hello to {file}")
    return await (await window.chat.card(file).appears()).approval_id()


def _tab(window: Workbench, file: str) -> Locator:
    chats = window.chat.root.get_by_role("navigation", name="Chats")
    return chats.get_by_role("button", name=re.compile(rf"^write hello to {file}"))


@pytest.mark.long("test_reloaded_window.py and test/restored-chats.test.ts prove it for the newest editor")
async def test_two_chats_that_wait_come_back_each_with_its_own_card(in_each_editor: Workbench):
    window = in_each_editor
    await _asks(window, "one.txt")
    await window.run_command("Assent: New Chat")
    await window.chat.has_cards(0)
    await _asks(window, "two.txt")
    await window.reload()

    for file in ("one.txt", "two.txt"):
        await _tab(window, file).click()
        await window.chat.card(file).appears()
        await window.chat.has_cards(1)
        assert not window.file(file).exists()
    await window.chat.card("two.txt").approve()
    await until("the file is there", lambda: window.file("two.txt").exists())
    await _tab(window, "one.txt").click()
    await window.chat.card("one.txt").deny()
    await window.chat.has_rows("denied")
    assert not window.file("one.txt").exists()


async def test_two_windows_of_one_folder_ask_each_for_themselves(in_each_editor: Workbench, scene: Scene):
    first = in_each_editor
    await _asks(first, "one.txt")
    second = await scene.workbench(first.vscode, first.workspace)
    await second.open_chat()
    await second.run_command("Assent: New Chat")
    await second.chat.has_cards(0)
    await _asks(second, "two.txt")

    await second.chat.card("two.txt").approve()
    await until("the second window's file is there", lambda: first.file("two.txt").exists())
    assert not first.file("one.txt").exists()
    await first.chat.has_cards(1)
    await first.chat.card("one.txt").approve()
    await until("the first window's file is there", lambda: first.file("one.txt").exists())


@pytest.mark.long("test_unseen_calls.py hides the view of a waiting call; test/page/looks.test.ts has the themes")
async def test_a_hidden_view_tells_that_something_waits_and_shows_it_in_the_theme_of_then(in_each_editor: Workbench):
    window = in_each_editor
    waiting = await _asks(window, "one.txt")
    await window.leave_chat()
    told = window.status_bar.filter(has_text=re.compile("1 waiting|1 call|Assent.*1"))
    await expect(told.first).to_be_visible(timeout=milliseconds(30))
    await window.open_chat()
    await wear(window, THEMES["high-contrast-light"])
    card = await window.chat.card("one.txt").appears()
    assert await card.approval_id() == waiting
    await card.approve()
    await window.chat.has_rows("done")
