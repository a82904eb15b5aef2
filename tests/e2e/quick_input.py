"""The box at the top of VS Code's window in which a person picks from a list or types a line."""

import re
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Locator, Page, expect
from playwright.async_api import TimeoutError as TooLate

from tests.e2e.limits import BEFORE_ANOTHER_TRY, milliseconds, until

_PATIENCE = 30


class QuickInput:
    """Lists and lines, one after another. Each step is known by words that stand in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._box = page.locator(".quick-input-widget")

    @property
    def rows(self) -> Locator:
        return self._box.locator(".quick-input-list .monaco-list-row")

    @property
    def line(self) -> Locator:
        return self._box.locator(".quick-input-box input, .quick-input-filter input").first

    async def asks(self, words: str) -> None:
        """Whether it is the step that says so: in its title, above its list or as what to type."""
        said = self._box.get_by_text(words).or_(self._box.get_by_placeholder(words))
        await expect(said.first).to_be_visible(timeout=milliseconds(_PATIENCE))

    async def pick(self, label: str) -> None:
        """The row that begins with this."""
        row = self.rows.filter(has=self.page.locator(".label-name", has_text=re.compile(rf"^{re.escape(label)}"))).first
        await expect(row).to_be_visible(timeout=milliseconds(_PATIENCE))
        await row.click()

    async def type(self, text: str) -> None:
        """A line, and Enter."""
        await self.line.fill(text)
        await self.line.press("Enter")

    async def choose_file(self, path: Path, ends_with: str = "/") -> None:
        """A path typed into the editor's own dialog of files.

        The dialog writes its folder into the line once it has read it, over what was typed before, and takes no Enter
        while it reads another one. A person sees both, and does it again.
        """
        await expect(self.line).to_have_value(re.compile(f"{re.escape(ends_with)}$"), timeout=milliseconds(_PATIENCE))

        async def is_chosen() -> bool:
            with suppress(AssertionError, TooLate):
                await self.line.fill(str(path), timeout=BEFORE_ANOTHER_TRY)
                await self.line.press("Enter", timeout=BEFORE_ANOTHER_TRY)
                await expect(self.line).to_be_hidden(timeout=BEFORE_ANOTHER_TRY)
            return await self.line.is_hidden()

        await until(f"{path} is chosen", is_chosen)

    async def holds_a_secret(self) -> None:
        """What is typed cannot be read."""
        await expect(self.line).to_have_attribute("type", "password", timeout=milliseconds(_PATIENCE))

    async def leave(self) -> None:
        await self.page.keyboard.press("Escape")
