"""One browser, one packed extension, and editors with it: made when the first test wants them."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from devtools import extension, prerequisites, workbench
from tests.e2e import failure
from tests.e2e.browser import Window, launch, open_window
from tests.e2e.text_editor import PLAIN
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench

_outcome = pytest.StashKey[pytest.TestReport]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these share one browser, so they share one event loop; and each is an end-to-end test."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.e2e)
            if inspect.iscoroutinefunction(getattr(item, "obj", None)):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[_outcome] = report
    return report


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The extension as a person gets it."""
    return extension.package_for_linux()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await launch(playwright, prerequisites.browser_of_tests())
        yield launched
        await launched.close()


@pytest.fixture(scope="session")
def make_vscode(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., VsCode]]:
    """Makes editors with the extension installed and not yet started; ends them all in the end."""
    made: list[VsCode] = []

    def make(name: str, *, release: str = "newest", trusting: bool = True, **settings: object) -> VsCode:
        wanted = workbench.RELEASES[release]
        workbench.ensure(wanted)
        vscode = VsCode(wanted, tmp_path_factory.mktemp(name), trusting=trusting)
        made.append(vscode)
        vscode.prepare(vsix, settings)
        return vscode

    yield make
    for vscode in made:
        vscode.stop()


@pytest.fixture(scope="session")
def vscode(make_vscode: Callable[..., VsCode]) -> VsCode:
    """The editor that most tests share; each opens its own folder in it."""
    shared = make_vscode("shared")
    shared.start()
    return shared


@pytest.fixture(scope="session")
def oldest_vscode(make_vscode: Callable[..., VsCode]) -> VsCode:
    """The oldest one that the extension promises to work in."""
    oldest = make_vscode("oldest", release="oldest")
    oldest.start()
    return oldest


_ONCE_MORE = pytest.mark.long("test_oldest_editor.py proves that the oldest one asks, in the short run")


@pytest.fixture(scope="session", params=["newest", pytest.param("oldest", marks=_ONCE_MORE)])
def each_vscode(request: pytest.FixtureRequest) -> VsCode:
    """The newest editor and the oldest one, one after the other."""
    found: VsCode = request.getfixturevalue("vscode" if request.param == "newest" else "oldest_vscode")
    return found


@dataclass
class Scene:
    """What one test has open."""

    browser: Browser
    stack: AsyncExitStack
    windows: list[Window] = field(default_factory=list)
    editors: list[VsCode] = field(default_factory=list)

    async def window(self, **size: int) -> Window:
        window = await self.stack.enter_async_context(open_window(self.browser, **size))
        self.windows.append(window)
        return window

    async def workbench(self, vscode: VsCode, workspace: Path, **size: int) -> Workbench:
        """A window of the editor with the folder open."""
        if vscode not in self.editors:
            self.editors.append(vscode)
        window = await self.window(**size)
        return await Workbench(vscode, window.page, workspace).open()


@pytest_asyncio.fixture(loop_scope="session")
async def scene(browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Scene]:
    """What the test opens is closed after it; of a failed one, everything is kept that could explain it."""
    async with AsyncExitStack() as stack:
        opened = Scene(browser, stack)
        yield opened
        report = request.node.stash.get(_outcome, None)
        if report is not None and report.failed:
            report.sections.append(
                ("the editor", await failure.keep(request.node.name, opened.windows, opened.editors))
            )


@pytest_asyncio.fixture(loop_scope="session")
async def in_editor(scene: Scene, vscode: VsCode, request: pytest.FixtureRequest) -> Workbench:
    """A window of the shared editor with a folder and a chat of its own."""
    workbench_window = await scene.workbench(vscode, vscode.new_workspace(request.node.name))
    await workbench_window.open_chat()
    return workbench_window


@dataclass
class _Shared:
    """A window that one test after the other gets, as if it was new."""

    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    window: Window | None = None
    shown: Workbench | None = None
    opened: int = 0
    fit: bool = False
    """Whether the last test that had it passed."""

    async def anew(self, browser: Browser, vscode: VsCode) -> tuple[Window, Workbench]:
        if self.window is None or self.shown is None:
            self.opened += 1
            self.window = await self.stack.enter_async_context(open_window(browser, stays=True))
            workspace = vscode.new_workspace(f"shared-{self.opened}")
            self.shown = await Workbench(vscode, self.window.page, workspace).open()
            await self.shown.open_chat()
        else:
            await self.shown.begin_anew()
        return self.window, self.shown

    async def close_unless_fit(self) -> None:
        if not self.fit:
            await self.close()

    async def close(self) -> None:
        self.window = self.shown = None
        await self.stack.aclose()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _shared(browser: Browser) -> AsyncIterator[_Shared]:
    shared = _Shared()
    yield shared
    await shared.close()


@pytest.fixture(scope="session")
def _calm_vscode(make_vscode: Callable[..., VsCode]) -> VsCode:
    """One whose user settings nobody changes: a window that stays open hears of them some time later, or never."""
    calm = make_vscode("calm", **PLAIN, **{"assent.notifyAfterSeconds": 2})
    calm.start()
    return calm


@pytest_asyncio.fixture(loop_scope="session")
async def in_shared_window(
    _shared: _Shared, scene: Scene, _calm_vscode: VsCode, request: pytest.FixtureRequest
) -> AsyncIterator[Workbench]:
    """A window that other tests have used and will use: with a new chat and an empty folder, which opens much sooner.

    For tests that leave no call waiting, no consent behind, the server running and the user's settings as they are.
    """
    _shared.fit = False
    # After the scene has kept what could explain a failure.
    scene.stack.push_async_callback(_shared.close_unless_fit)
    window, shown = await _shared.anew(scene.browser, _calm_vscode)
    scene.windows.append(window)
    scene.editors.append(_calm_vscode)
    yield shown
    report = request.node.stash.get(_outcome, None)
    _shared.fit = report is not None and report.passed
