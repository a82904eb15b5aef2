"""VS Code's own window: what a person does around the chat."""

from functools import partial
from pathlib import Path

import psutil
from playwright.async_api import Locator, Page, expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.limits import milliseconds, until, until_it_counts
from tests.e2e.vscode import EXTENSION_ID, VsCode


class Workbench:
    """One window of VS Code with a folder open in it."""

    def __init__(self, vscode: VsCode, page: Page, workspace: Path) -> None:
        self.vscode = vscode
        self.page = page
        self.workspace = workspace
        self._servers_of_others = set(vscode.assent_servers())

    async def server(self) -> psutil.Process:
        """The Python server of this window, as soon as there is exactly one."""
        return await until("this window has one server", self._only_server)

    def _only_server(self) -> psutil.Process | None:
        own = set(self.vscode.assent_servers()) - self._servers_of_others
        return own.pop() if len(own) == 1 else None

    @property
    def chat(self) -> ChatPage:
        frame = self.page.frame_locator(f'iframe.webview.ready[src*="extensionId={EXTENSION_ID}"]')
        return ChatPage(frame.frame_locator("iframe#active-frame"))

    async def open(self) -> "Workbench":
        await self.page.goto(self.vscode.address(self.workspace))
        await self.page.locator(".monaco-workbench").wait_for()
        if self.workspace.suffix == ".code-workspace":
            await self._have_folders()
        return self

    async def _have_folders(self) -> None:
        """Opened as a file, a workspace now and then starts without its folders: the editor reads it too early, and
        the explorer says so. A window that is loaded once more has them."""
        folders = self.page.locator(".explorer-folders-view .monaco-list-row")
        none = self.page.get_by_text("You have not yet added a folder to the workspace.")
        for _ in range(5):
            await expect(folders.or_(none).first).to_be_visible(timeout=milliseconds(30))
            if await folders.count():
                return
            await self.reload()
        raise AssertionError("the editor opened the workspace five times without its folders")

    async def click_icon(self) -> None:
        icon = self.page.locator('a[aria-label^="Assent"]')
        await self.page.locator(".activitybar .action-item").filter(has=icon).click()

    async def open_chat(self) -> ChatPage:
        await self.click_icon()
        await self.chat.is_ready()
        return self.chat

    async def leave_chat(self) -> None:
        """Shows another view in the side bar, so that the chat's page is hidden."""
        await self.page.locator('.activitybar .action-item a[aria-label^="Explorer"]').click()
        await expect(self.page.locator('iframe.webview.ready[src*="extensionId="]')).to_have_count(
            0, timeout=milliseconds(30)
        )

    async def reload(self) -> None:
        await self.page.reload()
        await self.page.locator(".monaco-workbench").wait_for()

    async def reload_into_a_new_chat(self) -> None:
        """The window again, with a chat that nothing of before comes back in."""
        await self.reload()
        await self.chat.is_ready()
        await self.begin_new_chat()

    async def begin_new_chat(self) -> None:
        """Leaves the chat that came back with the folder."""
        await self.run_command("Assent: New Chat")
        for status in ("done", "denied"):
            await self.chat.has_rows(status, 0)

    async def begin_anew(self) -> None:
        """For the next test: nothing open but the chat, a new one, and a folder as it was made."""
        await self.run_command("View: Close All Editors")
        await self.run_command("Notifications: Clear All Notifications")
        self.vscode.clear(self.workspace)
        await self.run_command("Assent: New Chat")
        await self.chat.is_ready()
        await expect(self.chat.rows()).to_have_count(0, timeout=milliseconds(30))
        await self.chat.has_nothing_to_send()

    async def run_command(self, title: str) -> None:
        box = self.page.locator(".quick-input-widget input").first
        await until_it_counts("a command can be named", partial(self.page.keyboard.press, "F1"), box.is_visible)
        await box.fill(f">{title}")
        await self.page.locator(".quick-input-list .monaco-list-row", has_text=title).first.click()

    def file(self, name: str) -> Path:
        return self.workspace / name

    @property
    def notifications(self) -> Locator:
        """Those in sight: after some seconds the editor shows them only where its bell lists them."""
        return self.page.locator(".notification-list-item")

    @property
    def announcements(self) -> Locator:
        """What the window says to a screen reader, progress included."""
        return self.page.locator(".monaco-aria-container")

    @property
    def status_bar(self) -> Locator:
        return self.page.locator(".statusbar-item")

    async def narrow_side_bar(self, width: int) -> None:
        """Drags the side bar's edge, as a person does."""
        bar = await self.page.locator(".part.sidebar").bounding_box()
        assert bar is not None
        edge, middle = bar["x"] + bar["width"], bar["y"] + bar["height"] / 2
        await self.page.mouse.move(edge, middle)
        await self.page.mouse.down()
        await self.page.mouse.move(bar["x"] + width, middle, steps=8)
        await self.page.mouse.up()
