"""web_fetch in a real server: its card, the rules for hosts, and what nothing allows."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_sites import Quiet, at_work
from tests.support.server import Chat, Server, call, refusal

Json = Any
SAID = "<title>Local</title><h1>Hello from here</h1>"


class Site(ThreadingHTTPServer):
    """Pages on this machine, and who asked for them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.asked: list[str] = []

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Pages(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site = self.server
        assert isinstance(site, Site)
        site.asked.append(self.path)
        self.send_response(302 if self.path == "/away" else 200)
        self.send_header("Location", "http://example.org/x")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(SAID.encode())


@pytest.fixture
def site() -> Iterator[Site]:
    with at_work(Site()) as site:
        yield site


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def fetching(server: Server, url: str, mode: str | None = None, **user: Json) -> tuple[Chat, Any]:
    server.meet(user=user)
    server.script([call("web_fetch", url=url)])
    chat = server.chat(mode=mode)
    return chat, chat.send()


def test_a_page_of_this_machine_needs_a_click_that_says_so(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/a", "auto", toolAllowlist=["web_fetch"])
    card = chat.card()
    assert card["reason"]["code"] == "needs_approval"
    assert card["preview"] == {
        "kind": "url",
        "before": "http://",
        "host": "127.0.0.1",
        "after": f":{site.server_port}/a",
    }
    assert card["risk"]["level"] == "high" and "on this machine" in card["risk"]["notes"][0]
    assert "allow_session" not in {option["kind"] for option in card["options"]}
    assert site.asked == []
    chat.answer(card, decision="accept")
    run.result()
    assert "# Hello from here" in str(chat.results()[0]) and site.asked == ["/a"]


def test_a_rule_that_names_the_place_is_as_good_as_a_click(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/a", alwaysAllowRules={"web_fetch": ["*", site.place]})
    run.result()
    assert chat.cards() == [] and site.asked == ["/a"]


def test_a_rule_for_all_pages_does_not_name_it(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/a", alwaysAllowRules={"web_fetch": ["*"]})
    chat.answer(chat.card(), decision="reject")
    run.result()
    assert site.asked == []


def test_a_denied_host_is_not_reached_even_by_click(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/a", "auto", alwaysDenyRules={"web_fetch": ["127.0.0.1"]})
    run.result()
    assert refusal(chat.results()[0])["error"] == "denied_by_rule" and site.asked == []


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://0.0.0.0/"]
)
@pytest.mark.parametrize("mode", ["default", "auto"])
def test_what_tells_secrets_to_machines_is_refused_without_asking(server: Server, url: str, mode: str) -> None:
    chat, run = fetching(server, url, mode, alwaysAllowRules={"web_fetch": ["169.254.169.254"]})
    run.result()
    assert chat.cards() == [] and "nothing can allow it" in str(chat.results()[0])


def test_where_a_server_sends_one_is_another_call(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/away", alwaysAllowRules={"web_fetch": [site.place]})
    run.result()
    assert "call web_fetch with this address: http://example.org/x" in str(chat.results()[0])
    assert site.asked == ["/away"]


def test_in_plan_nothing_is_fetched(server: Server, site: Site) -> None:
    chat, run = fetching(server, f"http://{site.place}/a", "plan", alwaysAllowRules={"web_fetch": [site.place]})
    run.result()
    assert refusal(chat.results()[0])["error"] == "blocked_in_plan_mode" and site.asked == []
