"""All of a chat marked and copied with the usual keys, in a real VS Code, which has commands of its own on them."""

import re

from playwright.async_api import expect

from tests.e2e.limits import milliseconds
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)


async def test_all_of_a_chat_is_copied_with_what_is_folded(in_shared_window: Workbench):
    chat = in_shared_window.chat
    await chat.send("write hello to greeting.txt")
    await (await chat.card("greeting.txt").appears()).deny()
    await chat.has_rows("denied")
    conversation = chat.root.get_by_role("region", name="Conversation")
    await conversation.focus()
    await in_shared_window.page.keyboard.press("Control+a")
    await expect(chat.root.get_by_text("All of the chat is marked")).to_be_attached(timeout=_PATIENCE)
    await in_shared_window.page.keyboard.press("Control+c")
    await chat.composer.focus()
    await in_shared_window.page.keyboard.press("Control+v")
    for said in ("You: write hello to greeting.txt", "write_file: Write greeting.txt", '"path": "greeting.txt"'):
        await expect(chat.composer).to_have_value(re.compile(re.escape(said)), timeout=_PATIENCE)
    await chat.composer.fill("")
