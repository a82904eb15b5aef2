"""web_search in a real server: by whose word it searches, and that nothing is sent before."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_sites import Quiet, at_work
from tests.support.search_servers import answer_of
from tests.support.server import Server, call

Json = Any


class Engine(ThreadingHTTPServer):
    """A SearXNG on this machine, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Searches)
        self.asked: list[str] = []

    @property
    def setting(self) -> Json:
        return {"provider": "searxng", "baseUrl": f"http://127.0.0.1:{self.server_port}"}


class Searches(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Engine)
        self.server.asked.append(self.path)
        body = json.dumps(answer_of("searxng", f"GET {self.path} HTTP/1.1\r\n", b"")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with at_work(Engine()) as engine:
        yield engine


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        server.script([call("web_search", query="gates")])
        yield server


@pytest.mark.parametrize("mode", ["plan", "default"])
def test_it_is_a_reading_so_it_runs_where_reading_does(server: Server, engine: Engine, mode: str) -> None:
    server.meet(user={"webSearch": engine.setting})
    chat = server.chat(mode=mode)
    chat.send().result()
    assert chat.cards() == [] and "https://one.example/a?b=c" in str(chat.results()[0])
    assert engine.asked == ["/search?q=gates&format=json"]


def test_where_reading_asks_the_card_says_what_goes_where(server: Server, engine: Engine) -> None:
    server.meet(user={"webSearch": engine.setting})
    chat = server.chat(mode="ask")
    run = chat.send()
    card = chat.card()
    assert card["preview"]["host"] == f"127.0.0.1:{engine.server_port}" and "gates" in card["preview"]["note"]
    assert engine.asked == []
    chat.answer(card, decision="accept")
    run.result()
    assert len(engine.asked) == 1


@pytest.mark.parametrize("mode", ["ask", "auto"])
def test_without_the_setting_it_says_so_and_asks_nobody(server: Server, mode: str) -> None:
    server.meet()
    chat = server.chat(mode=mode)
    chat.send().result()
    assert chat.cards() == [] and "assent.webSearch is not set" in str(chat.results()[0])


def test_an_address_of_the_workspace_is_not_asked_before_the_user_agreed(server: Server, engine: Engine) -> None:
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"assent.webSearch": engine.setting}))
    server.meet()
    chat = server.chat(mode="auto")
    chat.send().result()
    assert "assent.webSearch is not set" in str(chat.results()[0]) and engine.asked == []
