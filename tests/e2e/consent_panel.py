"""The panel about settings that a workspace brought, as a person uses it."""

from playwright.async_api import Locator, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.limits import milliseconds

_PATIENCE = 30


class ConsentPanel:
    """One panel above the chat; its entries are found by their words."""

    def __init__(self, chat: ChatPage) -> None:
        self.locator = chat.root.get_by_role("group", name="Settings of this workspace")

    async def appears(self) -> "ConsentPanel":
        await expect(self.locator).to_be_visible(timeout=milliseconds(_PATIENCE))
        return self

    async def is_gone(self) -> None:
        await expect(self.locator).to_have_count(0, timeout=milliseconds(_PATIENCE))

    def box(self, words: str) -> Locator:
        return self.locator.get_by_role("checkbox", name=words)

    async def has_entries(self, count: int) -> None:
        boxes = self.locator.get_by_role("checkbox")
        await expect(boxes).to_have_count(count, timeout=milliseconds(_PATIENCE))
        for box in await boxes.all():
            await expect(box).not_to_be_checked()

    async def tick(self, words: str) -> None:
        await self.box(words).check()

    async def honour(self) -> None:
        await self._answer("Honour the selected")

    async def ignore_all(self) -> None:
        await self._answer("Ignore all")

    async def _answer(self, name: str) -> None:
        button = self.locator.get_by_role("button", name=name, exact=True)
        await expect(button).to_be_enabled(timeout=milliseconds(_PATIENCE))
        await button.click()
        await self.is_gone()
