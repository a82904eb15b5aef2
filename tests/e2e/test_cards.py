"""From a prompt to a card to a click to a file, in a real VS Code with the packed extension."""

import pytest
from playwright.async_api import expect

from tests.e2e.limits import milliseconds, until
from tests.e2e.vscode import settings_of
from tests.e2e.workbench import Workbench


@pytest.mark.long("test_card_keys.py and test_oldest_editor.py approve and deny, by keys and by clicks")
async def test_approve_writes_the_file(in_shared_window: Workbench):
    await in_shared_window.chat.send("write hello to greeting.txt")
    card = await in_shared_window.chat.card("greeting.txt").appears()
    assert not in_shared_window.file("greeting.txt").exists()
    await card.approve()
    await in_shared_window.chat.has_rows("done")
    assert in_shared_window.file("greeting.txt").read_text() == "hello"
    await in_shared_window.chat.has_cards(0)


@pytest.mark.long("test/page/card.test.ts and tests/integration/test_masked_cards.py prove both sides")
async def test_a_secret_is_revealed_before_it_can_be_approved(in_shared_window: Workbench):
    token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    await in_shared_window.chat.send(f'write "{token}" to token.txt')
    card = await in_shared_window.chat.card("token.txt").appears()
    await expect(card.locator).to_contain_text("[masked: GitHub token]")
    await expect(card.locator).not_to_contain_text(token)
    await card.armed("Deny")
    await expect(card.button("Approve")).to_be_disabled()
    await card.button("Reveal (1)").click()
    await expect(card.locator).to_contain_text(token)
    await card.approve()
    await in_shared_window.chat.has_rows("done")
    assert in_shared_window.file("token.txt").read_text() == token


@pytest.mark.long("test_card_keys.py and test_oldest_editor.py approve and deny, by keys and by clicks")
async def test_deny_writes_nothing_and_the_row_says_so(in_shared_window: Workbench):
    await in_shared_window.chat.send("write hello to greeting.txt")
    await (await in_shared_window.chat.card("greeting.txt").appears()).deny()
    await in_shared_window.chat.has_rows("denied")
    await in_shared_window.chat.shows("You did not allow write_file")
    assert not in_shared_window.file("greeting.txt").exists()


@pytest.mark.long("test_waiting_calls.py answers several here; tests/integration/test_several_cards.py in any order")
async def test_two_cards_at_once_answered_in_reverse_order(in_shared_window: Workbench):
    await in_shared_window.chat.send('write "one" to first.txt and write "two" to second.txt')
    first = await in_shared_window.chat.card("first.txt").appears()
    second = await in_shared_window.chat.card("second.txt").appears()
    assert await first.approval_id() != await second.approval_id()

    await second.approve()
    await in_shared_window.chat.has_rows("done", 1)
    assert in_shared_window.file("second.txt").read_text() == "two"
    assert not in_shared_window.file("first.txt").exists()

    await first.deny()
    await in_shared_window.chat.has_rows("denied", 1)
    assert not in_shared_window.file("first.txt").exists()


@pytest.mark.long("tests/integration/test_approval.py proves it")
async def test_an_approved_call_says_nothing_about_the_next(in_shared_window: Workbench):
    for _ in range(2):
        await in_shared_window.chat.send("write hello to greeting.txt")
        card = await in_shared_window.chat.card("greeting.txt").appears()
        await card.approve()
        await card.is_gone()
    await in_shared_window.chat.has_rows("done", 2)


@pytest.mark.long("test/page/card.test.ts proves it, by a real browser too")
async def test_a_double_click_sends_one_answer(in_shared_window: Workbench):
    await in_shared_window.chat.send('write "one" to first.txt, then write "two" to second.txt')
    card = await in_shared_window.chat.card("first.txt").appears()
    await (await card.armed("Approve")).dblclick()
    second = await in_shared_window.chat.card("second.txt").appears()
    await in_shared_window.chat.has_rows("done", 1)
    await expect(in_shared_window.chat.root.get_by_role("alert")).to_have_count(0)
    await second.deny()
    await in_shared_window.chat.has_rows("denied", 1)
    assert not in_shared_window.file("second.txt").exists()


@pytest.mark.long("tests/integration/test_file_tools.py proves it")
async def test_reading_in_the_workspace_asks_nobody(in_shared_window: Workbench):
    await in_shared_window.chat.send("read README.md")
    await in_shared_window.chat.has_rows("done")
    await in_shared_window.chat.shows("A folder to work in")
    await in_shared_window.chat.has_cards(0)


@pytest.mark.long("test_bypass_settings.py bypasses, and the next write asks nobody there")
async def test_bypass_is_stored_and_the_next_write_asks_nobody(in_shared_window: Workbench):
    await in_shared_window.chat.send("write one to first.txt")
    card = await in_shared_window.chat.card("first.txt").appears()
    await card.answer("Bypass permissions for Demo")
    await in_shared_window.chat.has_rows("done", 1)
    await until(
        "the bypass stands in the workspace's settings",
        lambda: settings_of(in_shared_window.workspace).get("assent.bypassPermissions") == {"Demo": True},
    )
    await in_shared_window.chat.send("write two to second.txt")
    await in_shared_window.chat.has_rows("done", 2)
    await in_shared_window.chat.has_cards(0)
    assert in_shared_window.file("second.txt").read_text() == "two"


@pytest.mark.long("tests/integration/test_routes_to_bypass.py proves it")
async def test_bypass_still_asks_for_a_protected_file(in_editor: Workbench):
    await in_editor.chat.send("write one to first.txt")
    await (await in_editor.chat.card("first.txt").appears()).answer("Bypass permissions for Demo")
    await in_editor.chat.has_rows("done", 1)
    await in_editor.chat.send("write {} to .vscode/tasks.json")
    await (await in_editor.chat.card("tasks.json").appears()).deny()
    await in_editor.chat.has_rows("denied", 1)
    assert not in_editor.file(".vscode/tasks.json").exists()


@pytest.mark.long("test_commands_of_the_palette.py stops by the command, test/page/chats.test.ts by the button")
async def test_stop_ends_the_run_with_its_card(in_shared_window: Workbench):
    await in_shared_window.chat.send("write hello to greeting.txt")
    card = await in_shared_window.chat.card("greeting.txt").appears()
    await in_shared_window.chat.root.get_by_role("button", name="Stop", exact=True).click()
    await card.is_gone()
    await in_shared_window.chat.has_rows("cancelled", 1)
    assert not in_shared_window.file("greeting.txt").exists()


async def test_the_keyboard_alone_is_enough(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.composer.fill("write hello to greeting.txt")
    await expect(chat.send_button).to_be_enabled(timeout=milliseconds(30))
    await chat.composer.press("Enter")
    card = await chat.card("greeting.txt").appears()
    await expect(chat.composer).to_be_focused()
    await chat.composer.press("Enter")
    await expect(card.locator).to_be_visible()
    approve = await card.armed("Approve")
    await approve.focus()
    await approve.press("Enter")
    await expect(chat.rows("done")).to_have_count(1, timeout=milliseconds(30))
    assert in_shared_window.file("greeting.txt").read_text() == "hello"
