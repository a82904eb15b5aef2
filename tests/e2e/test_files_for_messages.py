"""Files that a person names for a message, in the ways in which a real VS Code lets them."""

import pytest
from playwright.async_api import Locator, expect

from tests.e2e import context_menu
from tests.e2e.limits import milliseconds, until
from tests.e2e.quick_input import QuickInput
from tests.e2e.text_editor import TextEditor
from tests.e2e.vscode import add_files
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)
_FILES = {"docs/notes of May.md": "# May\n", "src/app.py": "print()\n", ".env": "PASSWORD=hunter2\n"}


@pytest.fixture
def window(in_shared_window: Workbench) -> Workbench:
    add_files(in_shared_window.workspace, _FILES)
    return in_shared_window


def _named(window: Workbench) -> Locator:
    return window.chat.root.get_by_role("list", name="Goes along with the message").get_by_role("listitem")


async def _keyboard_writes_the_message(window: Workbench) -> None:
    await expect(window.chat.composer).to_be_focused(timeout=_PATIENCE)
    await window.page.keyboard.type("look")
    await expect(window.chat.composer).to_have_value("look", timeout=_PATIENCE)
    await window.chat.composer.fill("")


async def test_files_are_chosen_in_the_editors_own_dialog(window: Workbench):
    dialog = QuickInput(window.page)
    for path in ("README.md", ".env", "/etc/hostname"):
        await window.chat.root.get_by_role("button", name="Attach…").click()
        await dialog.asks("Files of the workspace that go along with the next message")
        await dialog.choose_file(window.workspace / path)
        await expect(_named(window).filter(has_text=path)).to_be_visible(timeout=_PATIENCE)
        await _keyboard_writes_the_message(window)
    await expect(_named(window).nth(1)).to_contain_text("Not sent. It looks as if it held keys", timeout=_PATIENCE)
    await expect(_named(window).nth(2)).to_contain_text("outside of the workspace", timeout=_PATIENCE)

    await window.chat.send("write hello to greeting.txt")
    await (await window.chat.card("greeting.txt").appears()).approve()
    await window.chat.has_rows("done")
    assert window.file("greeting.txt").read_text() == "hello"
    await window.chat.shows("[README.md]")
    await expect(_named(window)).to_have_count(2, timeout=_PATIENCE)


async def test_files_are_added_from_the_explorer_and_from_an_editor(window: Workbench):
    page = window.page
    await window.leave_chat()
    rows = page.locator(".explorer-folders-view .monaco-list-row")
    for name in ("docs", "src", ".env"):  # they come late, and move the one below them
        await expect(rows.filter(has_text=name)).to_be_visible(timeout=_PATIENCE)
    await context_menu.pick(rows.filter(has_text="README.md"), "Add to Assent Chat")
    await expect(_named(window).filter(has_text="README.md")).to_be_visible(timeout=_PATIENCE)
    await _keyboard_writes_the_message(window)

    await TextEditor(window, "app.py").open()
    line = page.locator(".editor-instance .monaco-editor .view-line").first
    await context_menu.pick(line, "Add to Assent Chat")
    await expect(_named(window).filter(has_text="src/app.py")).to_be_visible(timeout=_PATIENCE)
    await _keyboard_writes_the_message(window)


async def test_a_file_is_dropped_where_the_message_is_written(window: Workbench):
    await TextEditor(window, "notes of May.md").open()
    tab = window.page.locator(".tabs-container .tab", has_text="notes of May.md")

    async def is_named() -> bool:
        await _drag(window, tab)
        return await _named(window).count() > 0

    await until("the file goes along", is_named)
    await expect(_named(window).filter(has_text="docs/notes of May.md")).to_be_visible(timeout=_PATIENCE)


async def _drag(window: Workbench, what: Locator) -> None:
    """To the message, with Shift held on the way: only then the editor lets it into a page."""
    page, start, end = window.page, await what.bounding_box(), await window.chat.composer.bounding_box()
    assert start is not None
    assert end is not None
    await page.mouse.move(start["x"] + 25, start["y"] + 12)
    await page.mouse.down()
    await page.mouse.move(start["x"] + 30, start["y"] + 100, steps=8)
    await page.keyboard.down("Shift")
    await page.mouse.move(start["x"] + 20, start["y"] + 110, steps=4)
    await page.mouse.move(end["x"] + 60, end["y"] + 20, steps=12)
    await page.mouse.move(end["x"] + 64, end["y"] + 22, steps=4)
    await page.mouse.up()
    await page.keyboard.up("Shift")
