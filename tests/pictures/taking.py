"""Takes pictures of the page with a real server behind it, in a folder whose name tells nothing of this machine."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from devtools import prerequisites
from devtools.console import Trouble
from tests.e2e.browser import launch, open_window
from tests.e2e.chat_page import ChatPage
from tests.e2e.playground import Running
from tests.pictures.scenes import FILES, Picture

PLACE = Path("/tmp/project")  # it can be read in the pictures, so it is the same everywhere
SCALE = 1.5

# The playground's own colours go: a theme that leaves one out means that.
_PUT_ON = """(variables) => {
    for (const sheet of document.styleSheets)
        for (const rule of sheet.cssRules)
            if (rule.selectorText === ":root")
                for (const name of [...rule.style])
                    if (name.startsWith("--vscode-")) rule.style.removeProperty(name);
    for (const [name, value] of Object.entries(variables))
        document.documentElement.style.setProperty(`--vscode-${name}`, value);
}"""


@contextmanager
def _project() -> Iterator[Path]:
    """The folder that the agent works in, made anew and gone afterwards."""
    if PLACE.exists():
        raise Trouble(f"The pictures show an agent that works in {PLACE}, which is there already. Move it away first.")
    try:
        for name, text in FILES.items():
            (PLACE / name).parent.mkdir(parents=True, exist_ok=True)
            (PLACE / name).write_text(text, encoding="utf-8")
        yield PLACE
    finally:
        shutil.rmtree(PLACE, ignore_errors=True)


async def take(picture: Picture, browser: Browser, folder: Path) -> Path:
    """The file in which it is."""
    with tempfile.TemporaryDirectory() as logs, _project() as project:
        running = Running(project, Path(logs))
        try:
            return await _taken(picture, browser, running.address, folder)
        finally:
            running.process.end()


async def _taken(picture: Picture, browser: Browser, address: str, folder: Path) -> Path:
    file = folder / picture.file_name
    async with open_window(browser, width=picture.width, height=picture.height, scale=SCALE) as window:
        # Nothing turns: two pictures of the same are the same.
        await window.page.emulate_media(reduced_motion="reduce")
        await window.page.goto(address)
        await window.page.evaluate(_PUT_ON, picture.variables)
        chat = ChatPage(window.page)
        await chat.is_ready()
        await picture.pose(chat)
        await window.page.screenshot(path=file)
    return file


async def take_all(pictures: Sequence[Picture], folder: Path) -> None:
    async with async_playwright() as playwright:
        browser = await launch(playwright, prerequisites.chromium())
        for picture in pictures:
            await take(picture, browser, folder)
        await browser.close()
