"""Every sentence of the demo agent with the real process: each tool is called by typing, and does its work."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from assent.web.browser.installed import WITHOUT_SANDBOX, find_browser
from tests.support.http_sites import Quiet, at_work
from tests.support.scale import wait_until
from tests.support.search_servers import FOUND, answer_of
from tests.support.server import DEMO, Chat, Server

Json = Any
EDITOR = {
    "editor/openFile": {"shown": True},
    "editor/showDiff": {"shown": True},
    "editor/diagnostics": {"diagnostics": [], "total": 0},
    "editor/selection": {},
}
PAGE = "<title>Tides</title><input aria-label=Name><button onclick=\"document.title='sent'\">Send</button>"
FLOW = {
    "parameters": {"type": "object", "properties": {"tag": {"type": "string"}}, "required": ["tag"]},
    "steps": [{"id": "a", "tool": "write_file", "inputs": {"path": "tag.txt", "content": {"$param": "tag"}}}],
}


class Site(Quiet, SimpleHTTPRequestHandler):
    """A page, and a server that searches."""

    def do_GET(self) -> None:
        found = self.path.startswith("/search")
        head = f"GET {self.path} HTTP/1.1\r\n"
        body = json.dumps(answer_of("searxng", head, b"")) if found else PAGE
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if found else "text/html")
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with at_work(ThreadingHTTPServer(("127.0.0.1", 0), Site)) as site:
        yield f"http://127.0.0.1:{site.server_port}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, origin: str) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("words"), env={WITHOUT_SANDBOX: "1"}) as server:
        server.meet(capabilities=("cards", *EDITOR), user={"webSearch": {"provider": "searxng", "baseUrl": origin}})
        server.client.replies |= {word: partial(_answers, word) for word in EDITOR}
        flows = server.workspace / ".assent" / "workflows"
        flows.mkdir(parents=True)
        (flows / "release.json").write_text(json.dumps(FLOW))
        (server.workspace / "docs.md").write_text("# Tides\n\nThe tide comes twice a day.\n")
        (server.workspace / "notes.txt").write_text("hello\n")
        yield server


def _answers(word: str, _: Json) -> Json:
    return EDITOR[word]


@pytest.fixture(scope="module")
def chat(server: Server) -> Chat:
    return server.chat(agent=DEMO)


def made(chat: Chat, sentence: str) -> tuple[list[Json], list[Json]]:
    """The cards of what this sentence asks for, each of which gets a yes, and the results."""
    before, cards = len(chat.results()), []
    run = chat.send(sentence)
    while not run.done:
        wait_until(lambda: run.done or chat.server.waiting(), within=60, what=sentence)
        for card in chat.server.waiting():
            cards.append(card)
            chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    return cards, chat.results()[before:]


SENTENCES: list[tuple[str, list[str], int, str]] = [
    ("write hello to greeting.txt", ["write_file"], 1, "greeting.txt"),
    ("replace hello with goodbye in notes.txt", ["edit_file"], 1, "notes.txt"),
    ("read docs.md", ["read_file"], 0, "twice a day"),
    ("list files", ["list_files"], 0, "docs.md"),
    ("find *.md", ["glob"], 0, "docs.md"),
    ("grep t.de", ["grep"], 0, "twice a day"),
    ("search for twice", ["grep"], 0, "twice a day"),
    ("run: mkdir made", ["bash"], 1, ""),
    ("fetch ORIGIN/", ["web_fetch"], 1, "Send"),
    ("search the web for gates", ["web_search"], 0, FOUND[0][1]),
    ("list the collections", ["list_collections"], 0, "workspace"),
    ("search the documents for tide", ["search_collections"], 0, "twice a day"),
    ("search the collection workspace for tide", ["query_collection"], 0, "twice a day"),
    ("list the nodes of builtin", ["list_nodes"], 0, "builtin.hash"),
    ("search the nodes for hash", ["search_nodes"], 0, "builtin.hash"),
    ("describe node builtin.hash", ["get_node_info"], 0, "algorithm"),
    ("run node builtin.hash with text=hello and algorithm=md5", ["run_node"], 0, "5d41402abc4b2a76b9719d911017c592"),
    ("list the workflows", ["list_workflows"], 0, "file:release"),
    ("describe the workflow release", ["get_workflow"], 0, "tag.txt"),
    ('run the workflow release with {"tag": "v1"}', ["write_file", "run_workflow"], 1, ""),
    ("draw two red stars on a blue sky to stars.svg", ["generate_image"], 1, "stars.svg: SVG"),
    ("show docs.md in the editor", ["ui_open_file"], 0, "shows docs.md"),
    ('compare docs.md with "other words"', ["ui_show_diff"], 0, "Nothing was written"),
    ("check docs.md", ["ui_get_diagnostics"], 0, "finds nothing"),
    ("read the selection", ["ui_get_selection"], 0, ""),
    ("to do: read the notes, write an answer", ["todo_write"], 0, "1 in progress, 1 to do"),
    ("ask a sub-agent to read docs.md", ["read_file", "run_subtask"], 0, "twice a day"),
]


@pytest.mark.parametrize(("sentence", "tools", "asked", "words"), SENTENCES)
def test_the_tool_is_called_and_does_its_work(
    chat: Chat, origin: str, sentence: str, tools: list[str], asked: int, words: str
) -> None:
    cards, results = made(chat, sentence.replace("ORIGIN", origin))
    assert [result["tool"] for result in results] == tools
    assert all(result["success"] for result in results), results
    assert len(cards) == asked
    assert words in results[-1]["output"]


def test_what_was_drawn_and_what_was_written_is_there(chat: Chat, server: Server) -> None:
    for sentence in ("write hello to a.txt", "draw a red heart to b.svg", 'run workflow release with {"tag": "v2"}'):
        made(chat, sentence)
    assert (server.workspace / "a.txt").read_text() == "hello"
    assert 'fill="red"' in (server.workspace / "b.svg").read_text()
    assert (server.workspace / "tag.txt").read_text() == "v2"


def test_a_command_in_the_background_is_read_and_ended(chat: Chat) -> None:
    _, (started,) = made(chat, "run in the background: echo begun; sleep 3600")
    (shell,) = re.findall(r"shell ID: ([\w-]+)", started["output"])
    wait_until(lambda: "begun" in made(chat, f"read the output of {shell}")[1][0]["output"], what="its first words")
    _, (ended,) = made(chat, f"kill {shell}")
    assert ended["tool"] == "kill_bash" and ended["success"]


@pytest.mark.skipif(find_browser({"PATH": os.environ["PATH"]}, ()) is None, reason="no browser is installed here")
def test_a_page_is_used_in_a_browser(chat: Chat, origin: str) -> None:
    cards, (opened, page) = made(chat, f"open {origin}/, then read the page")
    assert opened["success"] and "Send" in page["output"] and len(cards) >= 1
    field, button = re.findall(r"\[(e\d+)\]", page["output"])
    for sentence in (f'type "Ada; and so on" into {field}', f"click on {button}", "take a picture of the page"):
        _, (result,) = made(chat, sentence)
        assert (result["tool"], result["success"]) == ("browser", True), result
    assert "sent" in made(chat, "read the page")[1][0]["output"]


@pytest.mark.skipif(not any(map(shutil.which, ("espeak-ng", "espeak", "say"))), reason="nothing here can speak")
def test_a_text_is_spoken(chat: Chat, server: Server) -> None:
    (card,), (result,) = made(chat, "say hello to hello.wav")
    assert card["tool"] == result["tool"] == "text_to_speech"
    assert result["success"], result
    assert (server.workspace / "hello.wav").read_bytes()[:4] == b"RIFF"


def test_every_tool_that_the_readme_names_has_words(server: Server) -> None:
    table = (Path(__file__).parents[2] / "README.md").read_text("utf-8").split("## What an agent can do")[1]
    named = set(re.findall(r"`([a-z_]+)`", table.split("| to | tools |")[1].split("\n\n")[0]))
    known = {tool for _, tools, _, _ in SENTENCES for tool in tools}
    assert named - known == {"browser", "bash_output", "kill_bash", "text_to_speech"}
