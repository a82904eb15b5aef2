"""One browser of one chat: a fresh profile, one page, and nothing else that it opens lasts."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol

from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.web.browser import scripts
from assent.web.browser.answering import Answering
from assent.web.browser.installed import Installed
from assent.web.browser.pipe import BrowserGone, Message, Pipe
from assent.web.browser.serving import Serving, same_site
from assent.web.browser.starting import not_started, start_of
from assent.web.target import Target, read_target

_SECONDS_TO_START = 30.0
_SECONDS_TO_ANSWER = 15.0
_SECONDS_TO_LOAD = 45.0
_SECONDS_TO_SETTLE = 10.0
_QUIET = 0.3
_EMPTY = "about:blank"
_MOST_OF_PNG = 500_000
"""Bytes. A window full of text is a fifth of it."""


class Place(Protocol):
    """A folder for the profile, which whoever makes it finds again after a crash."""

    @property
    def scratch(self) -> str: ...

    def make_scratch(self) -> None:
        """Belongs into a thread."""

    def remove(self) -> None:
        """With all that is in it. Belongs into a thread."""


class BrowserSession:
    """The browser of a chat, from its first page to the end of the chat."""

    def __init__(self, processes: Processes, serving: Serving, place: Place) -> None:
        self._processes = processes
        self._place = place
        self.serving = serving
        self._pipe: Pipe | None = None
        self._page = ""
        """The session in which the page is spoken to."""
        self._target = ""
        self._loader = ""
        self._world: tuple[str, int] | None = None
        self._at = ""
        self._stirred = asyncio.Event()
        self._answering = Answering(serving, self._stirred.set)
        self._turn = asyncio.Lock()

    @property
    def state(self) -> str:
        """The document that is open now: another one has another state."""
        return f"{self._at}|{self._loader}" if self._pipe is not None and self._pipe.is_there else ""

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """One call at a time. Only while one is under way does the page reach anything; one that is stopped ends it."""
        async with self._turn:
            self._answering.begin()
            try:
                yield
            except asyncio.CancelledError:
                if self._pipe is not None:
                    self._pipe.tell("Page.stopLoading", self._page)
                self._answering.end()
                await self._answering.stop()
                raise
            finally:
                self._answering.end()

    def current(self) -> Target:
        """The page that is open. Raises ToolFault."""
        page = self.serving.page
        if page is None or not self.state:
            raise ToolFault("no_page", "No page is open. Use the action navigate first.")
        try:
            here = read_target(self._at)
        except ToolFault:
            here = None
        if here is None or not same_site(page, here):
            raise ToolFault("no_page", "The page that was open is not there any more. Use the action navigate.")
        return here

    async def navigate(self, target: Target, installed: Installed, *, near: bool) -> str:
        """Opens the page; its title. Raises ToolFault."""
        await self._start(installed)
        await self._leave(target)
        self.serving.begin(target, near=near)
        told = await self._ask("Page.navigate", seconds=_SECONDS_TO_LOAD, url=target.url)
        if told.get("errorText"):
            fault = self.serving.fault
            raise fault or ToolFault("no_answer", f"{target.url} did not load: {told['errorText']}.")
        await self.settle()
        return str((await self.evaluate("document.title"))[:300])

    async def _leave(self, target: Target) -> None:
        """A page of another site is closed before this one is agreed to.

        What it still asks for comes from a session that nobody listens to: it never acts with what holds for this one.
        """
        page, pipe, left = self.serving.page, self._pipe, self._target
        if pipe is None or page is None or not self._at or same_site(page, target):
            return
        try:
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                await self._open_page(pipe)
                await pipe.ask("Target.closeTarget", targetId=left)
        except (BrowserGone, TimeoutError) as fault:
            raise ToolFault("browser_failed", "The page that is open does not go away. Navigate again.") from fault
        await self._answering.stop()

    async def settle(self) -> None:
        """Waits until the page has asked for nothing for a moment, and not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_SETTLE):
                while not await self._is_quiet():
                    pass

    async def evaluate(self, expression: str) -> Any:
        """What this comes to in a world of its own beside the page. Raises ToolFault."""
        context = await self._context()
        told = await self._ask(
            "Runtime.evaluate", expression=expression, contextId=context, returnByValue=True, timeout=5_000
        )
        if "exceptionDetails" in told:
            raise ToolFault("page_failed", "The page cannot be looked at: what it is made of gets in the way.")
        return told["result"].get("value")

    async def click(self, at: int) -> None:
        """Clicks on what is held under this number. Raises ToolFault where something else lies there."""
        point = await self.evaluate(scripts.POINT % at)
        if not point["free"]:
            raise ToolFault("covered", "Something else lies over it, so a click would not reach it. Nothing was done.")
        if point["other"]:
            text = f"In its middle lies another part, which leads to {point['other']}: click on that. Nothing was done."
            raise ToolFault("covered", text)
        place = {"x": point["x"], "y": point["y"], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            await self._ask("Input.dispatchMouseEvent", type=kind, **place)
        await self.settle()

    async def fill(self, at: int, text: str, *, chooses: bool) -> None:
        """Puts the text into a field in the place of what it holds. Raises ToolFault."""
        done = await self.evaluate(scripts.EMPTY % at)
        if done and chooses:
            done = await self.evaluate(scripts.CHOOSE % (at, json.dumps(text)))
        elif done:
            await self._ask("Input.insertText", text=text) if text else await self._key("Delete", 46)
        if not done:
            raise ToolFault("not_fillable", "It takes no such text. Nothing was typed.")
        await self.settle()

    async def picture(self) -> bytes:
        """The visible part of the page: as PNG, which keeps letters sharp, or as JPEG, where PNG is much for photos."""
        sharp = await self._pictured(format="png")
        return sharp if len(sharp) <= _MOST_OF_PNG else await self._pictured(format="jpeg", quality=80)

    async def _pictured(self, **form: Any) -> bytes:
        told = await self._ask("Page.captureScreenshot", seconds=_SECONDS_TO_LOAD, **form)
        return b64decode(told["data"])

    async def close(self) -> None:
        """Ends the browser and takes its profile away."""
        pipe, self._pipe = self._pipe, None
        await self._answering.stop()
        if pipe is not None:
            await pipe.end()
        await asyncio.to_thread(self._place.remove)

    async def _key(self, name: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            await self._ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    async def _start(self, installed: Installed) -> None:
        if self._pipe is not None and self._pipe.is_there:
            return
        await self.close()
        await asyncio.to_thread(self._place.make_scratch)
        profile = self._place.scratch
        pipe = self._pipe = Pipe(self._happened)
        try:
            async with asyncio.timeout(_SECONDS_TO_START):
                await pipe.start(self._processes, start_of(installed, profile, _EMPTY))
                await self._open(pipe)
        except BaseException as fault:
            # Who stops the call in between must not find a browser that is half there.
            await self.close()
            if isinstance(fault, OSError | BrowserGone | TimeoutError):
                raise not_started(installed, pipe.errors or str(fault)) from fault
            raise

    async def _open(self, pipe: Pipe) -> None:
        await pipe.ask("Browser.setDownloadBehavior", behavior="deny")
        await self._open_page(pipe)
        await pipe.ask("Target.setDiscoverTargets", discover=True)

    async def _open_page(self, pipe: Pipe) -> None:
        opened = await pipe.ask("Target.createTarget", url=_EMPTY)
        attached = await pipe.ask("Target.attachToTarget", targetId=opened["targetId"], flatten=True)
        self._target, self._page = str(opened["targetId"]), str(attached["sessionId"])
        self._at, self._loader, self._world = "", "", None
        await pipe.ask("Fetch.enable", self._page, patterns=[{"urlPattern": "*"}])
        await pipe.ask("Page.enable", self._page)
        await pipe.ask("Page.addScriptToEvaluateOnNewDocument", self._page, source=scripts.TAKEN_AWAY)
        await pipe.ask("Network.setCacheDisabled", self._page, cacheDisabled=True)

    def _happened(self, name: str, said: Message, session: str) -> None:
        handler = _HANDLERS.get(name)
        if handler is not None and (session == self._page or name == "Target.targetCreated"):
            handler(self, said)

    def _paused(self, said: Message) -> None:
        if self._pipe is not None:
            of_page = said.get("resourceType") == "Document" and said.get("frameId") == self._target
            self._answering.paused(said, self._pipe, self._page, of_page=of_page)

    async def _is_quiet(self) -> bool:
        self._stirred.clear()
        try:
            async with asyncio.timeout(_QUIET if not self._answering.busy else _SECONDS_TO_SETTLE):
                await self._stirred.wait()
        except TimeoutError:
            return not self._answering.busy
        return False

    def _navigated(self, said: Message) -> None:
        frame = said["frame"]
        if frame["id"] == self._target:
            self._at, self._loader = str(frame["url"]), str(frame["loaderId"])
            self._stirred.set()

    def _moved_within(self, said: Message) -> None:
        if said["frameId"] == self._target:
            self._at = str(said["url"])

    def _dialog(self, said: Message) -> None:
        self.serving.notes.append(f"The page showed a message, which was dismissed: {str(said.get('message'))[:200]!r}")
        if self._pipe is not None:
            # No page stays only because it asks whether it may be left.
            leaves = said.get("type") == "beforeunload"
            self._pipe.tell("Page.handleJavaScriptDialog", self._page, accept=leaves)

    def _appeared(self, said: Message) -> None:
        info = said["targetInfo"]
        if info.get("type") == "page" and info.get("openerId") and self._pipe is not None:
            self.serving.notes.append("The page opened a window, which was closed.")
            self._pipe.tell("Target.closeTarget", targetId=info["targetId"])

    async def _context(self) -> int:
        if self._world is None or self._world[0] != self._loader:
            loader = self._loader
            made = await self._ask("Page.createIsolatedWorld", frameId=self._target, worldName=scripts.WORLD)
            context = int(made["executionContextId"])
            await self._ask("Runtime.evaluate", expression=scripts.BEGIN, contextId=context, returnByValue=True)
            self._world = (loader, context)
        return self._world[1]

    async def _ask(self, method: str, *, seconds: float = _SECONDS_TO_ANSWER, **params: Any) -> Message:
        if self._pipe is None:
            raise ToolFault("no_page", "No page is open. Use the action navigate first.")
        try:
            async with asyncio.timeout(seconds):
                return await self._pipe.ask(method, self._page, **params)
        except BrowserGone as fault:
            limit = await self._pipe.limit()
            why = f"it used {limit}, so it was ended with all its pages" if limit else str(fault)
            raise ToolFault("browser_failed", f"The browser did not do it: {why}. Navigate again.") from fault
        except TimeoutError:
            raise ToolFault("took_too_long", "The page does not answer. Navigate again, or elsewhere.") from None


_HANDLERS = {
    "Fetch.requestPaused": BrowserSession._paused,
    "Page.frameNavigated": BrowserSession._navigated,
    "Page.navigatedWithinDocument": BrowserSession._moved_within,
    "Page.javascriptDialogOpening": BrowserSession._dialog,
    "Target.targetCreated": BrowserSession._appeared,
}
