"""A headless Chromium that reaches this machine and nothing else, and remembers what was tried."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Route, ViewportSize

from tests.e2e.limits import milliseconds

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


async def launch(playwright: Playwright, program: Path) -> Browser:
    return await playwright.chromium.launch(executable_path=program, args=_FLAGS)


@dataclass
class Window:
    """One page of the browser with what it printed, and what it asked of other machines."""

    page: Page
    context: BrowserContext
    console: list[str] = field(default_factory=list)
    asked_elsewhere: list[str] = field(default_factory=list)


@asynccontextmanager
async def open_window(
    browser: Browser, width: int = 1280, height: int = 800, scale: float = 1
) -> AsyncIterator[Window]:
    """A fresh page; on the way out it is checked that nothing was asked of another machine."""
    viewport: ViewportSize = {"width": width, "height": height}
    context = await browser.new_context(viewport=viewport, device_scale_factor=scale, locale="en-US")
    window = Window(await context.new_page(), context)
    window.page.set_default_timeout(milliseconds(40))
    await context.route(_is_elsewhere, lambda route: _refuse(window, route))
    window.page.on("console", lambda message: window.console.append(_line(message)))
    window.page.on("pageerror", lambda error: window.console.append(f"pageerror: {error}"))
    try:
        yield window
    finally:
        await window.page.goto("about:blank")  # lets an editor take its leave of its server
        await context.close()
    assert window.asked_elsewhere == []


def _is_elsewhere(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in {"127.0.0.1", "localhost"}


async def _refuse(window: Window, route: Route) -> None:
    window.asked_elsewhere.append(route.request.url)
    await route.abort()


def _line(message: ConsoleMessage) -> str:
    return f"{message.type}: {message.text}"
