"""A headless Chromium that reaches this machine and nothing else, and remembers what was tried."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Route

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
    browser: Browser, width: int = 1280, height: int = 800, scale: float = 1, *, stays: bool = False
) -> AsyncIterator[Window]:
    """A fresh page; on the way out it is checked that nothing was asked of another machine.

    Pages of one scale share what the browser fetched and compiled, which takes most of the time in which an editor
    opens, and nothing that a page has stored. One that stays open beside them is apart: cookies know of no ports, so
    that the next editor's would take its place, and its own page would be forbidden.
    """
    context = await _context(browser, scale, stays)
    window = Window(await context.new_page(), context)
    window.page.set_default_timeout(milliseconds(40))
    await window.page.set_viewport_size({"width": width, "height": height})
    refuse = partial(_refuse, window)
    await context.route(_is_elsewhere, refuse)
    window.page.on("console", lambda message: window.console.append(_line(message)))
    window.page.on("pageerror", lambda error: window.console.append(f"pageerror: {error}"))
    try:
        yield window
    finally:
        last = len(context.pages) == 1
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(window.page.url))
        await window.page.goto("about:blank")  # lets an editor take its leave of its server
        if last:
            await _forget(window.page, origin)
        await window.page.close()
        await context.unroute(_is_elsewhere, refuse)
    assert window.asked_elsewhere == []


_CONTEXTS: dict[tuple[Browser, float, bool], BrowserContext] = {}


async def _context(browser: Browser, scale: float, stays: bool) -> BrowserContext:
    key = browser, scale, stays
    if key not in _CONTEXTS:
        _CONTEXTS[key] = await browser.new_context(device_scale_factor=scale, locale="en-US")
    return _CONTEXTS[key]


async def _forget(page: Page, origin: str) -> None:
    """All that pages of the origin have stored. What was fetched stays, and so do workers: to have them cleared away
    leaves the page's process behind."""
    session = await page.context.new_cdp_session(page)
    kinds = "cookies,indexeddb,local_storage"
    await session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kinds})
    await session.detach()


def _is_elsewhere(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in {"127.0.0.1", "localhost"}


async def _refuse(window: Window, route: Route) -> None:
    window.asked_elsewhere.append(route.request.url)
    await route.abort()


def _line(message: ConsoleMessage) -> str:
    return f"{message.type}: {message.text}"
