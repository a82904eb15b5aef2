"""Two chats of one agent beside each other in a real VS Code: each question stands in its own, closing denies."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.limits import milliseconds, until
from tests.e2e.workbench import Workbench


def _chats(window: Workbench) -> Locator:
    return window.chat.root.get_by_role("navigation", name="Chats")


def _tab(window: Workbench, title: str, more: str = "") -> Locator:
    return _chats(window).get_by_role("button", name=re.compile(rf"^{title}\s*{more}$"))


async def test_each_question_stands_in_the_chat_that_asked(in_editor: Workbench):
    await in_editor.chat.send("write a to one.txt")
    await in_editor.chat.card("one.txt").appears()
    await in_editor.run_command("Assent: New Chat")
    await expect(_tab(in_editor, "write a to one.txt", ", 1 call waits for you")).to_be_visible(
        timeout=milliseconds(30)
    )
    await in_editor.chat.has_cards(0)

    await in_editor.chat.send("write b to two.txt")
    await in_editor.chat.card("two.txt").appears()
    await in_editor.chat.has_cards(1)
    await in_editor.chat.card("two.txt").approve()
    await until("the second chat's file is there", lambda: in_editor.file("two.txt").exists())
    assert not in_editor.file("one.txt").exists()

    await _tab(in_editor, "write a to one.txt", ", 1 call waits for you").click()
    await in_editor.chat.card("one.txt").appears()
    await in_editor.chat.has_cards(1)


@pytest.mark.long("test/bridge-closed-chats.test.ts and test/page/chats.test.ts prove both sides")
async def test_closing_a_chat_denies_what_waits_in_it_after_a_question(in_editor: Workbench):
    await in_editor.chat.send("write a to one.txt")
    await in_editor.chat.card("one.txt").appears()
    close = _chats(in_editor).get_by_role("button", name="Close the chat: write a to one.txt")
    await in_editor.run_command("Assent: New Chat")
    await close.click()
    question = in_editor.chat.root.get_by_role("group", name="Close the chat?")
    await question.get_by_role("button", name="Keep it").click()
    await _tab(in_editor, "write a to one.txt", ", 1 call waits for you").click()
    await in_editor.chat.card("one.txt").appears()

    await close.click()
    await expect(question).to_contain_text("1 waiting call is denied")
    await question.get_by_role("button", name="Close the chat").click()
    await in_editor.chat.has_cards(0)
    await expect(close).to_have_count(0, timeout=milliseconds(30))
    assert not in_editor.file("one.txt").exists()
