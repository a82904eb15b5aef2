"""Commands that run on their own: seen, moved to the background, listed and ended, in a real VS Code."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from playwright.async_api import Locator, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.test_looks import SCREENS, THEMES
from tests.e2e.text_editor import SettingsEditor
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench
from tests.support.processes import is_running

_PATIENCE = milliseconds(30)
_COMMAND = "echo $$ > pid; i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo printed $i; sleep 0.2; done"
_TURNS = [[{"text": "I start it."}, {"call": "bash", "args": {"command": _COMMAND}}], [{"text": "I go on."}]]

Play = Callable[..., None]


@pytest.fixture(autouse=True)
def _scripted(vscode: VsCode, tmp_path: Path) -> Iterator[Play]:
    """The user's agent plays these turns."""
    script = tmp_path / "turns.json"
    script.write_text(json.dumps({"turns": _TURNS}))
    agent = {"Scripted": {"provider": "scripted", "script": str(script)}}

    def play(**more: object) -> None:
        vscode.set_user_settings({"assent.agents": agent, "assent.agent": "Scripted", **more})

    play()
    yield play
    usual = THEMES["light"].name
    vscode.set_user_settings({"assent.agents": {}, "assent.agent": "Demo", "workbench.colorTheme": usual})


def _button(chat: ChatPage, name: str) -> Locator:
    return chat.root.get_by_role("button", name=name, exact=True)


def _chip(chat: ChatPage) -> Locator:
    return chat.root.get_by_role("button", name="1 in background")


def _panel(chat: ChatPage) -> Locator:
    return chat.root.get_by_role("region", name="Commands in the background")


def _tail(within: Locator | ChatPage) -> Locator:
    place = within.root if isinstance(within, ChatPage) else within
    return place.get_by_role("group", name="The latest output")


async def _is_gone(process: psutil.Process) -> None:
    await until("the command's process is gone", lambda: not is_running(process.pid))


async def _starts(window: Workbench, answer: str) -> psutil.Process:
    """The command is asked for, allowed like this, and runs."""
    chat = window.chat
    await chat.send("go")
    await (await chat.card().appears()).answer(answer)
    written = window.file("pid")
    await until("the command has written its number", lambda: written.exists() and written.read_text().strip())
    return psutil.Process(int(written.read_text()))


async def test_a_running_command_is_moved_listed_and_ended(in_editor: Workbench):
    chat = in_editor.chat
    process = await _starts(in_editor, "Approve")
    await expect(_tail(chat)).to_contain_text("printed 3", timeout=_PATIENCE)
    await expect(chat.root.get_by_text(re.compile(r"^Running · \d+ s$"))).to_be_visible(timeout=_PATIENCE)

    await _button(chat, "Move to background").click()
    await chat.has_rows("background")
    await chat.shows("I go on.")
    await expect(chat.root.get_by_text(re.compile(r"^In background · \d+ s$"))).to_be_visible(timeout=_PATIENCE)
    assert is_running(process.pid)

    await _chip(chat).click()
    entry = _panel(chat).get_by_role("listitem")
    await expect(entry).to_have_count(1, timeout=_PATIENCE)
    before = await _tail(entry).inner_text()
    assert "printed" in before
    await expect(_tail(entry)).not_to_have_text(before, timeout=_PATIENCE)

    await entry.get_by_role("button", name=re.compile("^Kill: ")).click()
    await expect(entry).to_contain_text("Killed", timeout=_PATIENCE)
    await chat.shows("In background · killed")
    await _is_gone(process)
    await expect(_chip(chat)).to_have_count(0, timeout=_PATIENCE)
    await expect(entry.get_by_role("button", name=re.compile("^Kill: "))).to_have_count(0, timeout=_PATIENCE)

    await entry.get_by_role("button", name="Open all output").click()
    shown = SettingsEditor(in_editor)
    await shown.holds("printed 1")


@pytest.mark.long(
    "test/page/running.test.ts and tests/integration/test_running_commands.py prove the answer and the row"
)
async def test_a_card_answered_with_run_in_background(in_editor: Workbench):
    chat = in_editor.chat
    process = await _starts(in_editor, "Run in background")
    await chat.has_rows("background")
    await chat.shows("I go on.")
    await expect(_chip(chat)).to_be_visible(timeout=_PATIENCE)
    await _button(chat, "Kill").click()
    await chat.shows("In background · killed")
    await _is_gone(process)


@pytest.mark.long("test/page/running.test.ts and tests/integration/test_running_commands.py prove it")
async def test_a_running_command_is_ended_by_its_row(in_editor: Workbench):
    chat = in_editor.chat
    process = await _starts(in_editor, "Approve")
    await expect(_tail(chat)).to_contain_text("printed", timeout=_PATIENCE)
    await _button(chat, "Kill").click()
    await _is_gone(process)
    await chat.shows("I go on.")
    await chat.has_rows("cancelled")
    note = chat.root.get_by_role("listitem").filter(has_text="It was ended: You ended it")
    await expect(note).to_be_visible(timeout=_PATIENCE)


@pytest.mark.long("test/bridge-running.test.ts proves that a new page gets the list")
async def test_a_page_that_comes_back_shows_what_still_runs(in_editor: Workbench):
    process = await _starts(in_editor, "Approve")
    await expect(_tail(in_editor.chat)).to_contain_text("printed 3", timeout=_PATIENCE)
    await in_editor.leave_chat()
    chat = await in_editor.open_chat()
    await expect(_tail(chat)).to_contain_text("printed 3", timeout=_PATIENCE)
    await _button(chat, "Move to background").click()
    await chat.has_rows("background")
    await in_editor.leave_chat()
    chat = await in_editor.open_chat()
    await chat.has_rows("background")
    await _chip(chat).click()
    await expect(_tail(_panel(chat))).to_contain_text("printed", timeout=_PATIENCE)
    await _button(chat, "Close").click()
    await _button(chat, "Kill").click()
    await _is_gone(process)


@pytest.mark.long("test/page/looks.test.ts has these states in every theme and width")
@pytest.mark.parametrize(("theme", "width"), [("light", 0), ("dark", 0), ("high-contrast", 0), ("light", 250)])
async def test_how_it_looks(scene: Scene, vscode: VsCode, _scripted: Play, theme: str, width: int):
    _scripted(**{"workbench.colorTheme": THEMES[theme].name})
    window = await scene.workbench(vscode, vscode.new_workspace(f"commands-{theme}-{width}"))
    chat = await window.open_chat()
    await expect(chat.root.locator("body")).to_have_class(re.compile(THEMES[theme].body_class), timeout=_PATIENCE)
    if width:
        await window.narrow_side_bar(width)
    process = await _starts(window, "Approve")
    await expect(_tail(chat)).to_contain_text("printed 14", timeout=_PATIENCE)
    SCREENS.mkdir(parents=True, exist_ok=True)
    await window.page.screenshot(path=SCREENS / f"editor-running-{theme}-{width}.png")
    await _button(chat, "Move to background").click()
    await _chip(chat).click()
    await expect(_tail(_panel(chat))).to_contain_text("printed", timeout=_PATIENCE)
    await window.page.screenshot(path=SCREENS / f"editor-shells-{theme}-{width}.png")
    await _panel(chat).get_by_role("button", name=re.compile("^Kill: ")).click()
    await _is_gone(process)
