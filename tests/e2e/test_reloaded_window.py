"""The window or its page is reloaded while calls wait, in a real VS Code: they are there again, and each works."""

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.limits import milliseconds
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(60)
_FILES = ("first.txt", "second.txt", "third.txt")
_INTERRUPTED = "This waited when the server ended. It did not run. Approving runs it now, once."


async def _three_wait(window: Workbench) -> set[str]:
    """The ids of three cards."""
    await window.chat.send('write "one" to first.txt and write "two" to second.txt and write "three" to third.txt')
    return await _ids(window)


async def _ids(window: Workbench) -> set[str]:
    await expect(window.chat.cards).to_have_count(len(_FILES), timeout=_PATIENCE)
    return {await window.chat.card(name).approval_id() for name in _FILES}


def _stop(window: Workbench) -> Locator:
    return window.chat.root.get_by_role("button", name="Stop", exact=True)


async def _each_works(window: Workbench) -> None:
    chat = window.chat
    await chat.card("first.txt").approve()
    await chat.card("third.txt").approve()
    await chat.card("second.txt").deny()
    await chat.has_rows("done", 2)
    await chat.has_rows("denied", 1)
    await chat.has_cards(0)
    assert window.file("first.txt").read_text() == "one"
    assert window.file("third.txt").read_text() == "three"
    assert not window.file("second.txt").exists()
    await expect(_stop(window)).to_have_count(0, timeout=_PATIENCE)


async def test_three_waiting_cards_come_back_and_each_works(in_editor: Workbench):
    before = await _three_wait(in_editor)
    await in_editor.reload()

    assert not await _ids(in_editor) & before
    for name in _FILES:
        card = in_editor.chat.card(name)
        await expect(card.locator.get_by_text(_INTERRUPTED)).to_be_visible(timeout=_PATIENCE)
        assert not in_editor.file(name).exists()
    await _each_works(in_editor)


@pytest.mark.long("test_worst_moments.py reloads the page with one card, and test/bridge.test.ts proves it for several")
async def test_a_reloaded_page_has_the_very_same_three_and_each_works(in_editor: Workbench):
    before = await _three_wait(in_editor)
    server = await in_editor.server()
    await in_editor.chat.root.locator("body").evaluate("body => body.setAttribute('data-earlier-page', '')")
    await in_editor.run_command("Developer: Reload Webviews")
    await expect(in_editor.chat.root.locator("body:not([data-earlier-page])")).to_have_count(1, timeout=_PATIENCE)

    assert await _ids(in_editor) == before
    assert (await in_editor.server()).pid == server.pid
    await expect(in_editor.chat.root.get_by_text(_INTERRUPTED)).to_have_count(0)
    assert not any(in_editor.file(name).exists() for name in _FILES)
    await _each_works(in_editor)


@pytest.mark.long("each alone is in the short run; tests/faults/reloads.py does both by the dozen")
async def test_a_killed_server_and_a_reload_at_once_lose_no_card(in_editor: Workbench):
    before = await _three_wait(in_editor)
    (await in_editor.server()).kill()
    await in_editor.reload()

    assert not await _ids(in_editor) & before
    await _stop(in_editor).click()
    await in_editor.chat.has_cards(0)
    await in_editor.chat.has_rows("cancelled", 3)
    await expect(_stop(in_editor)).to_have_count(0, timeout=_PATIENCE)
    assert not any(in_editor.file(name).exists() for name in _FILES)


@pytest.mark.long("test/page/chats.test.ts and test/bridge.test.ts prove both sides")
async def test_what_waits_in_another_chat_is_one_click_away(in_editor: Workbench):
    chat = in_editor.chat
    before = await _three_wait(in_editor)
    await in_editor.run_command("Assent: New Chat")
    await chat.has_cards(0)
    await chat.shows("3 calls wait for your approval in another chat")
    await chat.root.get_by_role("button", name="Show that chat").click()
    assert await _ids(in_editor) == before
    await expect(chat.root.get_by_text("in another chat")).to_have_count(0, timeout=_PATIENCE)


@pytest.mark.long("test/waiting.test.ts and test/page/shown-option.test.ts prove it")
async def test_a_message_that_waits_behind_a_card_is_not_lost_by_stop(in_editor: Workbench):
    chat = in_editor.chat
    await chat.send("write hello to greeting.txt")
    await chat.card("greeting.txt").appears()
    await chat.send("and list files")
    await chat.shows("Queued")
    await chat.composer.fill("half a thought")
    await _stop(in_editor).click()
    await expect(chat.composer).to_have_value("half a thought\n\nand list files", timeout=_PATIENCE)
    await expect(chat.root.get_by_text("Queued")).to_have_count(0, timeout=_PATIENCE)
    assert not in_editor.file("greeting.txt").exists()
