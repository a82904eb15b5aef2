"""`python -m tests.bench page [--page FOLDER]`: how smooth the built chat page is in Chromium, with much on it.

Frames are compared with those of the page while nothing happens, drawing with ten thousand plain boxes.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.support.processes import ROOT

_PROGRAMS = tuple(f"/usr/bin/{name}" for name in ("chromium", "chromium-browser", "google-chrome"))
_SCRIPT = Path(__file__).with_name("page_scenes.js")
_SMOOTH_MS = 50


def main(arguments: list[str]) -> int:
    """Prints the figures; 1 where a flood makes a frame longer than the bar."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench page", description=__doc__)
    parser.add_argument("--page", type=Path, default=ROOT / "client-ts" / "dist", help="where page.js was built")
    options = parser.parse_args(arguments)
    if not _is_current(options.page / "page.js"):
        parser.error(f"{options.page} is older than what it is built from: run `node build.mjs` in client-ts first")
    with _served(options.page) as address, _browser() as page:
        figures = {name: _scene(page, address, name) for name in ("idle", "boxes", *_NAMES)}
    _print(figures)
    slowest = max(figures[name]["longest"] for name in ("stream", "stream below rows"))
    return 1 if slowest > _SMOOTH_MS else 0


def _is_current(built: Path) -> bool:
    sources = (ROOT / "client-ts" / "src").rglob("*.ts")
    return built.exists() and built.stat().st_mtime >= max(one.stat().st_mtime for one in sources)


_NAMES = (
    "stream",
    "stream below rows",
    "rows",
    "scroll through rows",
    "500 cards",
    "1,000 cards",
    "an answer among 1,000 cards",
)


def _scene(page: Page, address: str, name: str) -> dict[str, float]:
    page.goto(address)
    page.wait_for_selector("assent-composer", state="attached")
    found: Any = page.evaluate("name => window.scenes[name]()", name)
    return {key: float(value) for key, value in found.items()}


def _print(figures: dict[str, dict[str, float]]) -> None:
    idle = figures["idle"]
    print(f"{'frames, ms':44}{'median':>9}{'p99':>9}{'longest':>9}{'over 50':>9}{'longest : idle':>16}")
    for name, one in figures.items():
        if "longest" in one:
            ratio = one["longest"] / idle["longest"]
            print(f"{name:44}{one['median']:9.1f}{one['p99']:9.1f}{one['longest']:9.1f}{one['over']:9.0f}{ratio:16.2f}")
    boxes = figures["boxes"]["painted"]
    print(f"{'until painted, ms':44}{'time':>9}{'to 10,000 plain boxes':>24}")
    for name, one in figures.items():
        if "painted" in one:
            print(f"{name:44}{one['painted']:9.1f}{one['painted'] / boxes:24.2f}")
    print(json.dumps(figures), file=sys.stderr)


@contextmanager
def _browser() -> Iterator[Page]:
    named = os.environ.get("CHROMIUM") or os.environ.get("ASSENT_CHROMIUM")
    program = next((one for one in (named, *_PROGRAMS) if one and Path(one).exists()), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 420, "height": 900})
        page.add_init_script("window.acquireVsCodeApi = () => ({postMessage() {}, getState() {}, setState() {}})")
        page.add_init_script(path=_SCRIPT)
        page.set_default_timeout(600_000)
        yield page
        browser.close()


class _Handler(SimpleHTTPRequestHandler):
    """The bundles, and a page that loads the first of them."""

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        body = b'<!doctype html><meta charset="utf-8"><body style="margin:0"><script src="page.js"></script>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
