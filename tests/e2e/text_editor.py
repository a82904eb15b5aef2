"""A file that is open in VS Code, as a person edits it: typing, saving, not saving."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Self

from playwright.async_api import Locator, expect
from playwright.async_api import TimeoutError as TooLate

from tests.e2e.limits import BEFORE_ANOTHER_TRY, milliseconds, until, until_it_counts
from tests.e2e.workbench import Workbench

# Saved when the person says so, and beside the chat instead of above everything.
PLAIN: dict[str, object] = {"files.autoSave": "off", "workbench.editor.useModal": "off"}
AS_INSTALLED: dict[str, object] = {"files.autoSave": "afterDelay", "workbench.editor.useModal": "some"}


class TextEditor:
    """A file of the workspace, open as text."""

    def __init__(self, window: Workbench, name: str) -> None:
        self.window = window
        self.name = name

    async def open(self) -> Self:
        """A command that is given while the window still starts may come to nothing."""
        await until_it_counts(f"{self.name} is open as text", self.wants_to_open, self._lines.is_visible)
        return self

    async def wants_to_open(self) -> None:
        """What a person does for it."""
        await self.window.page.keyboard.press("Control+p")
        box = self.window.page.locator(".quick-input-widget input").first
        await box.wait_for(state="visible")
        await box.fill(self.name)
        row = self.window.page.locator(".quick-input-list .monaco-list-row", has_text=self.name).first
        with suppress(TooLate):  # a file that the editor had not seen yet when it looked
            await row.click(timeout=BEFORE_ANOTHER_TRY)

    @property
    def _tab(self) -> Locator:
        return self.window.page.locator(".tabs-container .tab.active")

    @property
    def _lines(self) -> Locator:
        return self.window.page.locator(".editor-instance .monaco-editor .view-lines").first

    async def _comes_here(self) -> None:
        """Clicks into a line: above the first one there may be a row that does something when it is clicked."""
        line = self.window.page.locator(".editor-instance .monaco-editor .view-line").first
        await line.click(position={"x": 60, "y": 8})

    async def insert(self, text: str) -> None:
        """Types at the end of the first line, and leaves it unsaved."""
        await self.type(text)
        await expect(self._tab).to_have_class(_with("dirty"), timeout=milliseconds(30))

    async def type(self, text: str) -> None:
        """Types at the end of the first line. Where the cursor stands does not matter."""
        keyboard = self.window.page.keyboard
        await self._comes_here()
        await keyboard.press("Control+Home")
        await keyboard.press("End")
        await keyboard.insert_text(text)

    async def undo(self) -> None:
        """As a person undoes: with the keys for it, in front of the file."""
        await self._comes_here()
        await self.window.page.keyboard.press("Control+z")

    async def save(self) -> None:
        """As a person saves: with the keys for it, in front of the file."""
        await self.window.page.keyboard.press("Control+s")
        await self.is_saved()

    async def is_saved(self) -> None:
        await expect(self._tab).not_to_have_class(_with("dirty"), timeout=milliseconds(30))

    async def is_unsaved(self) -> None:
        await expect(self._tab).to_have_class(_with("dirty"))

    async def holds(self, text: str) -> None:
        """The editor itself shows it: the blanks of a line are others there."""
        shown = self.window.page.locator(".editor-instance .monaco-editor .view-line")

        async def is_shown() -> bool:
            lines = [line.replace("\u00a0", " ") for line in await shown.all_inner_texts()]
            return any(text in line for line in lines)

        await until(f"the editor shows {text!r}", is_shown)


class SettingsEditor(TextEditor):
    """The workspace's settings. What is typed goes behind the bracket that opens them."""

    def __init__(self, window: Workbench) -> None:
        super().__init__(window, "settings.json")

    async def wants_to_open(self) -> None:
        await self.window.run_command("Preferences: Open Workspace Settings (JSON)")


def settings_file(workspace: Path) -> Path:
    return workspace / ".vscode" / "settings.json"


def _with(name: str) -> re.Pattern[str]:
    return re.compile(rf"(^|\s){name}(\s|$)")
