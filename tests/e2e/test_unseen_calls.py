"""Calls that wait while nobody sees the chat, in a real VS Code: told of after a while, answered where that is safe."""

from collections.abc import Awaitable, Callable, Iterator

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.limits import milliseconds, until_it_counts
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)


@pytest.fixture(autouse=True)
def _soon(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings({"assent.notifyAfterSeconds": 2})
    yield
    vscode.set_user_settings({"assent.notifyAfterSeconds": 5})


async def _told(window: Workbench, text: str) -> Locator:
    toast = window.notifications.filter(has_text=text)
    await expect(toast).to_be_visible(timeout=_PATIENCE)
    return toast


async def _press(window: Workbench, told: Locator, name: str, happens: Callable[[], Awaitable[bool]]) -> None:
    """What is pressed in the first moments counts for nothing, and after ten seconds it stands only where the bell
    lists it: a person presses again, and looks there."""

    async def press() -> None:
        if not await told.is_visible():
            await window.run_command("Notifications: Show Notifications")
        if await told.is_visible():
            await told.get_by_role("button", name=name).click()

    await until_it_counts(f"{name!r} counts", press, happens)


def _nothing_waits(window: Workbench) -> Callable[[], Awaitable[bool]]:
    async def looked() -> bool:
        return await window.status_bar.filter(has_text="waiting").count() == 0

    return looked


async def test_a_call_that_is_told_whole_is_allowed_where_it_is_told_of(in_shared_window: Workbench):
    await in_shared_window.chat.send("run: mkdir notes")
    await in_shared_window.chat.card("mkdir notes").appears()
    await in_shared_window.leave_chat()
    await expect(in_shared_window.status_bar.filter(has_text="1 approval waiting")).to_be_visible(timeout=_PATIENCE)
    toast = await _told(in_shared_window, "Demo asks: mkdir notes")
    await expect(toast).to_contain_text(str(in_shared_window.workspace))
    await _press(in_shared_window, toast, "Allow once", _nothing_waits(in_shared_window))
    chat = await in_shared_window.open_chat()
    await chat.has_rows("done")
    assert in_shared_window.file("notes").is_dir()


async def test_a_change_of_a_file_can_be_denied_there_and_is_allowed_only_on_its_card(in_shared_window: Workbench):
    await in_shared_window.chat.send("write hello to greeting.txt")
    await in_shared_window.chat.card("greeting.txt").appears()
    await in_shared_window.leave_chat()
    toast = await _told(in_shared_window, "Demo asks: Write greeting.txt")
    await expect(toast.get_by_role("button", name="Review")).to_be_visible(timeout=_PATIENCE)
    await expect(toast.get_by_role("button", name="Allow once")).to_have_count(0)
    await _press(in_shared_window, toast, "Deny", _nothing_waits(in_shared_window))
    chat = await in_shared_window.open_chat()
    await chat.has_rows("denied")
    assert not in_shared_window.file("greeting.txt").exists()


@pytest.mark.long("tests/integration/test_answers_that_do_not_count.py proves that the answer does not count")
async def test_a_call_that_changed_meanwhile_is_looked_at_on_its_card(in_editor: Workbench):
    await in_editor.chat.send("run: mkdir notes")
    await in_editor.chat.card("mkdir notes").appears()
    await in_editor.leave_chat()
    toast = await _told(in_editor, "Demo asks: mkdir notes")
    in_editor.file("notes").symlink_to(in_editor.workspace.parent / "elsewhere")
    warned = in_editor.notifications.filter(has_text="your answer did not count")
    await _press(in_editor, toast, "Allow once", lambda: warned.is_visible())
    await warned.get_by_role("button", name="Review").click()
    await in_editor.chat.is_ready()
    await in_editor.chat.has_cards(1)
    assert not (in_editor.workspace.parent / "elsewhere").exists()
    await in_editor.chat.card().deny()


@pytest.mark.long("test/waiting.test.ts proves whom a notification tells of what")
async def test_what_waits_later_is_told_of_too_where_nobody_closed_what_was_told_before(in_editor: Workbench):
    await in_editor.chat.send("write one to first.txt")
    await in_editor.chat.card("first.txt").appears()
    await in_editor.leave_chat()
    await _told(in_editor, "Demo asks: Write first.txt")
    chat = await in_editor.open_chat()
    await (await chat.card("first.txt").appears()).deny()
    await chat.has_rows("denied")

    await chat.send("write two to second.txt")
    await chat.card("second.txt").appears()
    await in_editor.leave_chat()
    await _press(in_editor, await _told(in_editor, "Demo asks: Write second.txt"), "Deny", _nothing_waits(in_editor))


@pytest.mark.long("test/page/long-chats.test.ts proves it")
async def test_what_waits_at_the_end_of_a_long_chat_is_in_sight_when_it_is_opened_again(in_editor: Workbench):
    for name in ("first", "second", "third"):
        await in_editor.chat.send(f"write {name} to {name}.txt")
        await (await in_editor.chat.card(name).appears()).deny()
        await in_editor.chat.card(name).is_gone()
    await in_editor.chat.send("run: mkdir notes")
    await in_editor.chat.card("mkdir notes").appears()
    await in_editor.leave_chat()
    chat = await in_editor.open_chat()
    card = await chat.card("mkdir notes").appears()
    await expect(card.locator.get_by_role("heading")).to_be_in_viewport(timeout=_PATIENCE)
    await card.deny()


@pytest.mark.long("test/waiting.test.ts proves it")
async def test_one_that_stands_there_late_does_nothing_and_says_so(in_editor: Workbench):
    """The editor cannot take a notification back: its call was denied on the card meanwhile."""
    await in_editor.chat.send("run: mkdir notes")
    await in_editor.chat.card("mkdir notes").appears()
    await in_editor.leave_chat()
    toast = await _told(in_editor, "Demo asks: mkdir notes")
    chat = await in_editor.open_chat()
    await (await chat.card("mkdir notes").appears()).deny()
    await chat.has_rows("denied")
    await in_editor.leave_chat()
    warned = in_editor.notifications.filter(has_text="This question is no longer open, so your answer did not count.")

    async def is_warned() -> bool:
        return await warned.count() == 1

    await _press(in_editor, toast, "Allow once", is_warned)
    await warned.get_by_role("button", name="Review").click()
    await in_editor.chat.is_ready()
    await in_editor.chat.has_cards(0)
    await in_editor.chat.has_rows("denied")
    assert not in_editor.file("notes").exists()
