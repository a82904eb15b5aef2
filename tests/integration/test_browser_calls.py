"""browser in a real server: its cards, what holds for the chat, and that nothing of it is left."""

import base64
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from assent.web.browser.installed import WITHOUT_SANDBOX, find_browser
from tests.support.http_sites import Quiet, at_work
from tests.support.scale import wait_until
from tests.support.server import Chat, Server, call, refusal

Json = Any
HERE = find_browser({"PATH": os.environ["PATH"]}, ())
pytestmark = pytest.mark.skipif(HERE is None, reason="no Chrome, Edge or Chromium is installed here")
FORM = b"<title>Form</title><form action='/sent'><label>Name <input name=n></label><button>Send</button></form>"


class Site(ThreadingHTTPServer):
    """A form on this machine, and who asked for what."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.asked: list[str] = []
        self.pages: dict[str, bytes] = {}
        """What differs from the form."""

    def url(self, path: str = "/", host: str = "localhost") -> str:
        return f"http://{host}:{self.server_port}{path}"


class Pages(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.pages.get(self.path, FORM))


@pytest.fixture
def site() -> Iterator[Site]:
    with at_work(Site()) as site:
        yield site


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, env={WITHOUT_SANDBOX: "1"}) as server:
        yield server


def browsing(action: str, **args: Json) -> Json:
    return call("browser", action=action, **args)


def kind(card: Json, wanted: str) -> Json:
    return next(option for option in card["options"] if option["kind"] == wanted)


def left(server: Server) -> list[int]:
    """Browsers that this server, or what it started, still runs."""
    found = psutil.Process(server.client.process.pid).children(recursive=True)
    return [one.pid for one in found if "--remote-debugging-pipe" in one.cmdline()]


def test_a_form_is_used_call_by_call_and_another_origin_asks_again(server: Server, site: Site) -> None:
    server.meet()
    server.script(
        [browsing("navigate", url=site.url())],
        [browsing("fill", selector="input", text="Ada")],
        [browsing("click", selector="button")],
        [browsing("navigate", url=site.url("/other", "127.0.0.1"))],
    )
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    assert card["preview"]["host"] == "localhost" and site.asked == []
    session = kind(card, "allow_session")
    assert f"browser:{site.url('')}" in str(session)
    chat.select(card, session["optionId"])

    card = chat.card()
    assert card["reason"]["code"] == "needs_approval" and "127.0.0.1" in card["preview"]["host"]
    chat.answer(card, decision="reject")
    run.result()
    assert "/sent?n=Ada" in site.asked and "/other" not in site.asked
    assert left(server) != []
    server.client.request("session/close", {"sessionId": chat.id})
    wait_until(lambda: left(server) == [])


def one(server: Server, step: Json, **user: Json) -> Chat:
    server.meet(user=user)
    server.script([step])
    chat = server.chat(mode="auto")
    chat.send().result()
    return chat


def test_rules_for_hosts_hold_for_the_browser(server: Server, site: Site) -> None:
    chat = one(server, browsing("navigate", url=site.url()), alwaysDenyRules={"web_fetch": ["localhost"]})
    assert refusal(chat.results()[0])["error"] == "denied_by_rule" and site.asked == []


def test_a_page_goes_by_itself_nowhere_that_an_ask_rule_names(server: Server, site: Site) -> None:
    site.pages["/"] = b"<p>Hello</p><script>location = '/admin/delete'</script>"
    server.meet(user={"alwaysAskRules": {"web_fetch": ["localhost/admin/*"]}})
    server.script([browsing("navigate", url=site.url())], [browsing("navigate", url=site.url("/admin/delete"))])
    chat = server.chat(mode="auto")
    run = chat.send()
    card = chat.card()
    chat.select(card, kind(card, "allow_session")["optionId"])
    card = chat.card()
    assert card["reason"]["code"] == "ask_rule" and "/admin/delete" not in site.asked
    assert "use navigate" in str(chat.results()[0]) and site.url("/admin/delete") in str(chat.results()[0])
    chat.answer(card, decision="accept")
    run.result()
    assert "/admin/delete" in site.asked


@pytest.mark.parametrize("settings", [{}, {"toolAllowlist": ["browser"]}, {"alwaysAllowRules": {"browser": ["*"]}}])
def test_what_is_near_and_named_by_nothing_is_asked_for(server: Server, site: Site, settings: Json) -> None:
    server.meet(user=settings)
    server.script([browsing("navigate", url=site.url())])
    chat = server.chat(mode="auto")
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "needs_approval" and site.asked == []
    chat.answer(card, decision="accept")
    run.result()
    assert "/" in site.asked and "Opened" in str(chat.results()[0])


def test_without_an_open_page_nobody_is_asked(server: Server) -> None:
    server.meet()
    server.script([browsing("click", selector="button")])
    chat = server.chat()
    chat.send().result()
    assert chat.cards() == [] and "No page is open" in str(chat.results()[0])


NOISE = b"""<body style="margin:0"><canvas id=c width=1280 height=800></canvas><script>
const g = c.getContext("2d"), all = g.createImageData(1280, 800);
for (let at = 0; at < all.data.length; at++) all.data[at] = at % 4 < 3 ? Math.random() * 256 : 255;
g.putImageData(all, 0, 0);
</script>"""


@pytest.mark.parametrize(("page", "mime", "begins"), [(FORM, "png", b"\x89PNG"), (NOISE, "jpeg", b"\xff\xd8\xff")])
def test_a_picture_of_a_page_is_shown_in_the_chat(
    server: Server, site: Site, page: bytes, mime: str, begins: bytes
) -> None:
    """As PNG, which would be millions of bytes for a page full of photos."""
    site.pages["/"] = page
    server.meet()
    server.script([browsing("navigate", url=site.url())], [browsing("screenshot")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    chat.select(card, kind(card, "allow_session")["optionId"])
    run.result()
    (shown,) = [one for one in chat.results() if one.get("made")]
    assert shown["made"]["mime"] == f"image/{mime}"
    media = server.client.request("tool/media", {"sessionId": chat.id, "toolCallId": shown["toolCallId"]})
    data = base64.b64decode(media["data"])
    assert data.startswith(begins) and len(data) < 1_500_000
