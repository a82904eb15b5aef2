"""A card is waiting, and then: the page goes, the window goes, the server dies."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.limits import until
from tests.e2e.workbench import Workbench
from tests.support.processes import is_running


async def _waiting(window: Workbench) -> str:
    await window.chat.send("write hello to greeting.txt")
    return await (await window.chat.card("greeting.txt").appears()).approval_id()


@pytest.mark.long("test_unseen_calls.py hides the view and shows it again")
async def test_a_hidden_and_shown_view_has_the_same_card(in_shared_window: Workbench):
    approval_id = await _waiting(in_shared_window)
    await in_shared_window.leave_chat()
    await in_shared_window.open_chat()
    card = await in_shared_window.chat.card_with_id(approval_id).appears()
    await in_shared_window.chat.has_cards(1)
    await card.approve()
    await in_shared_window.chat.has_rows("done")
    assert in_shared_window.file("greeting.txt").read_text() == "hello"


async def test_a_reloaded_view_has_the_same_card(in_shared_window: Workbench):
    approval_id = await _waiting(in_shared_window)
    await in_shared_window.chat.composer.fill("half a thought")
    await in_shared_window.run_command("Developer: Reload Webviews")
    await in_shared_window.chat.is_ready()
    card = await in_shared_window.chat.card_with_id(approval_id).appears()
    await expect(in_shared_window.chat.composer).to_have_value("half a thought")
    await card.deny()
    await in_shared_window.chat.has_rows("denied")
    assert not in_shared_window.file("greeting.txt").exists()


@pytest.mark.long("test/bridge.test.ts proves it")
async def test_an_answered_card_stays_answered_after_a_reload(in_shared_window: Workbench):
    await _waiting(in_shared_window)
    await in_shared_window.chat.card("greeting.txt").approve()
    await in_shared_window.chat.has_rows("done")
    await in_shared_window.run_command("Developer: Reload Webviews")
    await in_shared_window.chat.is_ready()
    await in_shared_window.chat.has_rows("done")
    await in_shared_window.chat.has_cards(0)


@pytest.mark.long("test_reloaded_window.py reloads the window with three cards")
async def test_a_reloaded_window_runs_nothing_of_before_by_itself(in_editor: Workbench):
    before = await in_editor.server()
    approval_id = await _waiting(in_editor)
    await in_editor.reload()
    await in_editor.chat.is_ready()
    await until("the old server is gone", lambda: not is_running(before.pid))
    assert await (await in_editor.chat.card("greeting.txt").appears()).approval_id() != approval_id
    assert not in_editor.file("greeting.txt").exists()

    await in_editor.chat.send("write again to second.txt")
    await (await in_editor.chat.card("second.txt").appears()).approve()
    await in_editor.chat.has_rows("done")
    await in_editor.chat.has_cards(1)
    assert in_editor.file("second.txt").read_text() == "again"
    assert not in_editor.file("greeting.txt").exists()


@pytest.mark.long("test_waiting_calls.py kills the server with a card")
async def test_a_killed_server_takes_its_card_with_it_and_a_new_one_answers(in_editor: Workbench):
    before = await in_editor.server()
    approval_id = await _waiting(in_editor)
    before.kill()
    await in_editor.chat.card_with_id(approval_id).is_gone()
    await in_editor.chat.shows(re.compile("did not run", re.IGNORECASE))
    after = await in_editor.server()
    assert after.pid != before.pid
    assert not in_editor.file("greeting.txt").exists()

    await in_editor.chat.is_ready()
    await in_editor.chat.send("write again to second.txt")
    card = await in_editor.chat.card("second.txt").appears()
    assert await card.approval_id() != approval_id
    await card.approve()
    await in_editor.chat.has_rows("done")
    assert in_editor.file("second.txt").read_text() == "again"
    assert not in_editor.file("greeting.txt").exists()


async def test_a_closed_window_leaves_no_server_behind(in_editor: Workbench):
    server = await in_editor.server()
    await _waiting(in_editor)
    await in_editor.page.goto("about:blank")
    await until("its server is gone", lambda: not is_running(server.pid), seconds=60)
    assert not in_editor.file("greeting.txt").exists()
