"""The menu that VS Code opens at the pointer."""

from playwright.async_api import Locator, expect

from tests.e2e.limits import milliseconds, until


async def pick(at: Locator, name: str) -> None:
    """The line of this name, of the menu of what is there.

    For a moment after it has opened, a menu takes no click: the button that opened it may only now be let go. A person
    clicks once more.
    """
    await at.click(button="right")
    line = at.page.get_by_role("menuitem", name=name)
    await expect(line).to_be_visible(timeout=milliseconds(30))

    async def is_taken() -> bool:
        if await line.is_visible():
            await line.click()
        try:
            await expect(line).to_be_hidden(timeout=milliseconds(2))
        except AssertionError:
            return False
        return True

    await until(f"“{name}” is taken", is_taken)
