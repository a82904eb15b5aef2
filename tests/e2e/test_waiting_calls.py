"""What can be done with a call that waits, and what outlives the server, in a real VS Code."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.limits import milliseconds
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)


def _usable(chat: ChatPage, name: str) -> Locator:
    return chat.root.locator('button[aria-disabled="false"]', has_text=name)


async def test_a_killed_server_gives_the_chat_back_and_asks_anew(in_editor: Workbench):
    chat = in_editor.chat
    before = await in_editor.server()
    await chat.send("write hello to greeting.txt")
    old = await (await chat.card("greeting.txt").appears()).approval_id()
    before.kill()
    await chat.card_with_id(old).is_gone()

    await chat.shows("This waited when the server ended. It did not run. Approving runs it now, once.")
    card = await chat.card("greeting.txt").appears()
    assert await card.approval_id() != old
    await expect(chat.root.get_by_text("You: write hello to greeting.txt")).to_have_count(1, timeout=_PATIENCE)
    assert not in_editor.file("greeting.txt").exists()

    await card.approve()
    await chat.has_rows("done")
    await chat.has_cards(0)
    assert in_editor.file("greeting.txt").read_text() == "hello"


@pytest.mark.long("test/page/changing.test.ts and tests/integration/test_changes_compared.py prove both sides")
async def test_what_was_changed_on_the_card_is_what_runs(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    await card.button("Edit before approving…").click()
    await chat.root.get_by_label("Content, as it is to run").fill("good evening")
    await card.answer("Approve as edited")
    await chat.has_rows("done")
    assert in_shared_window.file("greeting.txt").read_text() == "good evening"


@pytest.mark.long("test/page/changing.test.ts and tests/integration/test_changes_compared.py prove both sides")
async def test_a_change_that_leaves_the_workspace_is_shown_before_it_counts(in_editor: Workbench):
    chat = in_editor.chat
    elsewhere = in_editor.workspace.parent / "elsewhere.txt"
    await chat.send("run: echo hello > greeting.txt")
    card = await chat.card("greeting.txt").appears()
    approval_id = await card.approval_id()
    await card.button("Edit before approving…").click()
    await chat.root.get_by_label("Command, as it is to run").fill(f"echo hello > {elsewhere}")
    await card.answer("Approve as edited")

    changed = await chat.card_with_id(approval_id).appears()
    await expect(changed.locator.get_by_text("Changed, please review again.")).to_be_visible(timeout=_PATIENCE)
    assert not elsewhere.exists()
    await changed.deny()
    await chat.has_rows("denied")
    assert not elsewhere.exists()
    assert not in_editor.file("greeting.txt").exists()


async def test_several_are_answered_at_once_after_each_was_seen(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send('write "one" to first.txt and write "two" to second.txt')
    await chat.card("first.txt").appears()
    await chat.card("second.txt").appears()
    await expect(chat.root.get_by_text("Awaiting your approval")).to_be_visible(timeout=_PATIENCE)
    await expect(in_shared_window.status_bar.filter(has_text="2 approvals waiting")).to_be_visible(timeout=_PATIENCE)
    for _ in range(2):
        await chat.root.get_by_role("button", name="Next waiting call").click()
    await expect(chat.root.get_by_text("2 of 2 waiting")).to_be_visible(timeout=_PATIENCE)
    await _usable(chat, "Approve all shown (2)").click()
    await chat.has_rows("done", 2)
    assert in_shared_window.file("first.txt").read_text() == "one"
    assert in_shared_window.file("second.txt").read_text() == "two"
    await expect(in_shared_window.status_bar.filter(has_text="waiting")).to_have_count(0, timeout=_PATIENCE)


@pytest.mark.long("test/page/several-cards.test.ts proves it; several are approved at once in the short run")
async def test_all_are_denied_at_once(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send('write "one" to first.txt and write "two" to second.txt')
    await chat.card("second.txt").appears()
    await _usable(chat, "Deny all (2)").click()
    await chat.has_rows("denied", 2)
    assert not in_shared_window.file("first.txt").exists()
    assert not in_shared_window.file("second.txt").exists()


@pytest.mark.long("test/bridge-permissions.test.ts and tests/integration/test_grants_with_an_end.py prove both sides")
async def test_what_is_allowed_for_a_while_is_seen_taken_back_and_given_again(in_editor: Workbench):
    chat = in_editor.chat
    await chat.send("write one to first.txt")
    card = await chat.card("first.txt").appears()
    how_long = card.locator.get_by_role("combobox", name=re.compile("^How long: Allow"))
    await how_long.first.select_option(label="for the next 5 calls")
    option = (await how_long.first.get_attribute("aria-label") or "").removeprefix("How long: ")
    # The button says when it ends: what is heard is what is agreed to.
    await card.answer(f"{option}. Ends after the next 5 calls, or when the chat is closed.")
    await chat.has_rows("done", 1)

    chips = chat.root.get_by_role("group", name="Runs without asking in this chat")
    await expect(chips.get_by_text("· 5 more")).to_be_visible(timeout=_PATIENCE)
    await chips.get_by_role("button", name=re.compile("^Remove: ")).click()
    await expect(chat.root.get_by_text(re.compile("^Removed: ")).first).to_be_visible(timeout=_PATIENCE)
    await chat.send("write two to second.txt")
    await (await chat.card("second.txt").appears()).deny()
    await chat.has_rows("denied", 1)

    await _usable(chat, "Undo").click()
    await expect(chips.get_by_text("· 5 more")).to_be_visible(timeout=_PATIENCE)
    await chat.send("write three to third.txt")
    await chat.has_rows("done", 2)
    assert in_editor.file("third.txt").read_text() == "three"
    await expect(chips.get_by_text("· 4 more")).to_be_visible(timeout=_PATIENCE)


async def test_the_commands_show_what_was_decided(in_shared_window: Workbench):
    chat, page = in_shared_window.chat, in_shared_window.page
    await chat.send("write hello to greeting.txt")
    await (await chat.card("greeting.txt").appears()).approve()
    await chat.has_rows("done")

    await in_shared_window.run_command("Assent: Show History")
    rows = page.locator(".quick-input-list .monaco-list-row")
    await expect(rows.filter(has_text="greeting.txt").first).to_contain_text("Allowed by you", timeout=_PATIENCE)
    await rows.filter(has_text="greeting.txt").first.click()
    await expect(page.locator(".monaco-editor").get_by_text("Decided: ").first).to_be_visible(timeout=_PATIENCE)

    await in_shared_window.run_command("Assent: Verify History")
    await _says(in_shared_window, "The history is as it was written")
    await in_shared_window.run_command("Assent: Copy Diagnostics")
    await _says(in_shared_window, "The diagnostics are on the clipboard")
    await in_shared_window.run_command("Assent: Show Metrics")
    await expect(page.locator(".monaco-editor").get_by_text("Counted from").first).to_be_visible(timeout=_PATIENCE)
    await in_shared_window.run_command("Assent: What Is Allowed")
    await expect(chat.root.get_by_role("region", name="What is allowed")).to_be_visible(timeout=_PATIENCE)


async def _says(window: Workbench, text: str) -> None:
    await expect(window.notifications.filter(has_text=text).first).to_be_visible(timeout=_PATIENCE)
