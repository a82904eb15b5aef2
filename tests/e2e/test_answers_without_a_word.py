"""A click that the server does not answer in time, in a real VS Code: its buttons come back, with words for it."""

import pytest
from playwright.async_api import expect

from tests.e2e.limits import milliseconds
from tests.e2e.workbench import Workbench

NO_WORD = "No word from the server within 5 seconds"


@pytest.mark.long("test/bridge-answers.test.ts proves it against a server that says nothing")
async def test_the_buttons_come_back_and_the_click_counts_once_the_server_goes_on(in_editor: Workbench):
    await in_editor.chat.send("write hello to greeting.txt")
    card = await in_editor.chat.card("greeting.txt").appears()
    approve = await card.armed("Approve")
    server = await in_editor.server()
    server.suspend()
    try:
        await approve.click()
        await expect(card.locator).to_contain_text("Sending your answer", timeout=milliseconds(20))
        await expect(approve).to_be_disabled()
        await expect(card.button("Deny")).to_be_disabled()
        await expect(card.locator).to_contain_text(NO_WORD, timeout=milliseconds(30))
        await card.armed("Approve")
        await card.armed("Deny")
        assert not in_editor.file("greeting.txt").exists()
    finally:
        server.resume()
    await in_editor.chat.has_rows("done")
    await card.is_gone()
    assert in_editor.file("greeting.txt").read_text() == "hello"
