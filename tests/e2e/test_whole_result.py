"""A result that is too long for the model, opened whole in a real VS Code."""

import re

from playwright.async_api import expect

from tests.e2e.limits import milliseconds
from tests.e2e.text_editor import SettingsEditor
from tests.e2e.workbench import Workbench

_PATIENCE = milliseconds(30)
LINES = 10_000


async def test_a_long_result_is_opened_whole_in_an_editor(in_shared_window: Workbench):
    lines = [f"line {number}" for number in range(LINES)]
    (in_shared_window.workspace / "long.txt").write_text("\n".join([*lines, "the very end"]))
    chat = in_shared_window.chat
    await chat.send("run: cat long.txt")
    await chat.has_rows("done")
    await chat.root.get_by_text("Details", exact=True).click()
    await expect(chat.root.get_by_text(re.compile("bytes left out"))).to_be_visible(timeout=_PATIENCE)
    await chat.root.get_by_role("button", name=re.compile(r"^Open all [\d,]+ characters$")).click()

    shown = SettingsEditor(in_shared_window)
    await shown.holds("Exit code 0.")
    await in_shared_window.page.keyboard.press("Control+End")
    await shown.holds("the very end")
