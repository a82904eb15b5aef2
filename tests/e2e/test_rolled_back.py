"""A run is looked at and rolled back as one, by the command for it, in a real VS Code."""

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.limits import milliseconds, until
from tests.e2e.workbench import Workbench

ROLL_BACK = "Review or Roll Back a Run"


async def _written(window: Workbench) -> None:
    """A run has changed a file and made another one."""
    window.file("old.txt").write_text("before\n")
    await window.chat.send("write after to old.txt and write made to new.txt")
    await (await window.chat.card("old.txt").appears()).approve()
    await (await window.chat.card("new.txt").appears()).approve()
    await window.chat.has_rows("done", 2)


def _row(window: Workbench, text: str) -> Locator:
    return window.page.locator(".quick-input-list .monaco-list-row", has_text=text).first


async def _choose_run(window: Workbench) -> None:
    await window.run_command(ROLL_BACK)
    await _row(window, "2 files").click()
    await expect(_row(window, "Roll all of it back")).to_be_visible(timeout=milliseconds(30))


async def _click(window: Workbench, name: str) -> None:
    await window.page.locator(".monaco-dialog-box").get_by_role("button", name=name, exact=True).click()


async def test_a_run_is_compared_and_rolled_back_after_a_question(in_shared_window: Workbench):
    await _written(in_shared_window)
    await _choose_run(in_shared_window)
    await _row(in_shared_window, "old.txt").click()
    await expect(in_shared_window.page.locator(".monaco-diff-editor").first).to_be_visible(timeout=milliseconds(30))

    await _choose_run(in_shared_window)
    await _row(in_shared_window, "Roll all of it back").click()
    dialog = in_shared_window.page.locator(".monaco-dialog-box")
    await expect(dialog).to_contain_text("Roll 2 files back to before this run?", timeout=milliseconds(30))
    await expect(dialog).to_contain_text("new.txt")
    await _click(in_shared_window, "Cancel")
    assert in_shared_window.file("old.txt").read_text() == "after"

    await _choose_run(in_shared_window)
    await _row(in_shared_window, "Roll all of it back").click()
    await _click(in_shared_window, "Roll Back")
    await until("the files are as before", lambda: not in_shared_window.file("new.txt").exists())
    await until("and the other one too", lambda: in_shared_window.file("old.txt").read_text() == "before\n")
    await in_shared_window.chat.shows("You rolled a run back: 2 files are as before it.")


@pytest.mark.long("tests/integration/test_checkpoints.py proves what is asked")
async def test_what_was_changed_since_is_asked_about_by_itself(in_shared_window: Workbench):
    await _written(in_shared_window)
    in_shared_window.file("old.txt").write_text("by hand\n")
    await _choose_run(in_shared_window)
    await _row(in_shared_window, "Roll all of it back").click()
    await _click(in_shared_window, "Roll Back")
    dialog = in_shared_window.page.locator(".monaco-dialog-box")
    await expect(dialog).to_contain_text("1 file was changed after the run", timeout=milliseconds(30))
    await _click(in_shared_window, "Leave Them")
    await until("the new file is gone", lambda: not in_shared_window.file("new.txt").exists())
    assert in_shared_window.file("old.txt").read_text() == "by hand\n"
