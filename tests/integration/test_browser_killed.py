"""The server is killed while a page loads: its browser ends, its profile goes, the chat says that it does not know."""

import os
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event

import psutil
import pytest

from assent.web.browser.installed import WITHOUT_SANDBOX, find_browser
from tests.support import kept
from tests.support.crashed import Start, of, results, same, transcript
from tests.support.http_sites import Quiet, at_work
from tests.support.processes import descendants
from tests.support.scale import limit, wait_until
from tests.support.server import Server, call

HERE = find_browser({"PATH": os.environ["PATH"]}, ())
pytestmark = pytest.mark.skipif(HERE is None, reason="no Chrome, Edge or Chromium is installed here")


class Site(ThreadingHTTPServer):
    """A page whose picture does not come before the end."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.asked: list[str] = []
        self.over = Event()


class Pages(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        self.server.asked.append(self.path)
        if self.path == "/picture":
            self.server.over.wait(limit(120))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>Hello<img src=/picture>")


@pytest.fixture
def site() -> Iterator[Site]:
    with at_work(Site()) as site:
        yield site
        site.over.set()


def is_there(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def kill_alone(server: Server, browser: set[psutil.Process]) -> None:
    server.client.process.kill()


def kill_with_keepers(server: Server, browser: set[psutil.Process]) -> None:
    """With all that would end the browser when the server is gone."""
    others = [one for one in descendants(server.client.process.pid) if one not in browser]
    for one in (*others, psutil.Process(server.client.process.pid)):
        one.suspend()
    for one in (*others, psutil.Process(server.client.process.pid)):
        one.kill()


def of_browser(server: Server) -> set[psutil.Process]:
    """The browser of this server, with all that it started."""
    led = [one for one in descendants(server.client.process.pid) if "--remote-debugging-pipe" in one.cmdline()]
    assert led
    return {*led, *(below for one in led for below in one.children(recursive=True))}


@pytest.mark.timeout(limit(120))
@pytest.mark.parametrize("kill", [kill_alone, kill_with_keepers])
def test_a_server_that_is_killed_while_a_page_loads(
    start: Start, site: Site, tmp_path: Path, kill: Callable[[Server, set[psutil.Process]], None]
) -> None:
    passing = tmp_path / "passing"
    passing.mkdir()
    env = {WITHOUT_SANDBOX: "1", "TMPDIR": str(passing)}
    first = start(env=env)
    first.meet()
    first.script([call("browser", action="navigate", url=f"http://localhost:{site.server_port}/")])
    chat = first.chat()
    chat.send()
    chat.answer(chat.card(), decision="accept")
    wait_until(lambda: "/picture" in site.asked, what="the page's picture")
    kept.wait_for_calls(first.state, 1, "running")
    browser = of_browser(first)
    (profile,) = [folder for folder in passing.glob("assent-*") if any(folder.iterdir())]

    kill(first, browser)
    first.client.process.wait()
    if kill is kill_alone:
        wait_until(lambda: not any(map(is_there, browser)), what="the end of the browser")
    site.over.set()

    server = start(env=env)
    server.meet()
    wait_until(lambda: not any(map(is_there, browser)), what="the end of the browser")
    wait_until(lambda: not profile.exists(), what="the end of the profile")
    chat = same(server, chat)
    (result,) = results(chat)
    assert (result["code"], result["is_error"]) == ("outcome_unknown", True)
    assert of(transcript(chat), "Error")[0]["message"].startswith("The server ended during this run")
    assert site.asked.count("/") == 1
