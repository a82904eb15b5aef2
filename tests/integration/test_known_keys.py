"""A model's own key, which looks like nothing: it is used, and is in no file, no log and no command's environment."""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assent.masking import mask_text
from tests.integration.test_secrets_on_disk import contents
from tests.support.assent_command import run_assent
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import refuse
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.server import Server

Start = Callable[..., Server]
AGENT = "Local"
KEY = "lantern.over.the.river"
TURNS = (
    Said(
        f"I was given {KEY} to use.", (SaidCall("bash", {"command": f"echo {KEY} | cat; env"}),), thinking=f"So: {KEY}."
    ),
    Said("", (SaidCall("read_file", {"path": "note.txt"}), SaidCall("write_file", {"path": "a.txt", "content": KEY}))),
    Said("", (SaidCall("write_file", {"path": f"{KEY}.txt", "content": "x"}),)),
    Said("", (SaidCall("no_tool_" + KEY, f'{{"broken": "{KEY}'),)),
    refuse(400, f"the key {KEY} may not do this"),
    Said("", (SaidCall("bash", {"command": f"cat {KEY}"}),)),
)
OF_THE_CHAT = {"Prompt", "Chunk", "ToolCall", "ToolPermission", "ToolUpdate", "ToolResult"}
TOLD_AS_IT_IS = {"agent/event", "tool/approvalRequest"}
"""What a person reads of a chat and has to judge on a card: shown there as it was said and as it would run."""


def test_the_key_itself_looks_like_no_secret() -> None:
    assert mask_text(f"I was given {KEY} to use: {KEY}.txt") == (f"I was given {KEY} to use: {KEY}.txt", 0)


@pytest.fixture
def after_all(start: Start) -> Iterator[Server]:
    """A server through which the key passed in every place, and in which a call with it waits."""
    with model_server(OllamaWire(), *TURNS, key=KEY) as models:
        server = start("--log-level", "debug", env={"MODEL_KEY": KEY})
        defined = {"provider": "ollama", "model": "m", "baseUrl": models.base_url, "apiKeyEnv": "MODEL_KEY"}
        server.meet(user={"agents": {AGENT: defined}})
        (server.workspace / "note.txt").write_text(f"the key is: {KEY}\n")
        run_through_everything(server)
        assert [got.headers.get("authorization") for got in models.log.got] == [f"Bearer {KEY}"] * len(TURNS)
        yield server


def run_through_everything(server: Server) -> None:
    chat = server.chat(agent=AGENT, mode="ask")
    run = chat.send(f"Your key is {KEY}")
    card = chat.card()
    assert KEY in card["args"]["command"], "what would run is shown"
    assert KEY not in json.dumps(card["options"]), "what lasts would be stored where everybody reads it"
    chat.select(card, "approve")
    chat.select(chat.card("note.txt"), "approve")
    chat.select(chat.card("a.txt"), "approve")
    chat.answer(chat.card(f"{KEY}.txt"), decision="deny", feedback=f"not with {KEY} in its name")
    assert run.result()["done_reason"] == "error"
    assert any(KEY in result["output"] for result in chat.results()[1:]), "the key took no part"
    assert (server.workspace / "a.txt").read_text() == KEY
    assert AGENT in chat.events("Error")[-1]["data"]["message"]
    chat.send("once more")
    chat.card()


def test_it_is_in_no_file_and_no_line_of_the_log(after_all: Server) -> None:
    assert after_all.client.shutdown() == 0
    encoded = [base64.b64encode((" " * shift + KEY).encode())[4:-4] for shift in range(3)]
    for name, text in [("standard error", after_all.client.stderr.encode()), *contents(after_all.state)]:
        assert [form for form in (KEY.encode(), KEY[2:-2].encode(), *encoded) if form in text] == [], name
    assert "reject_once by the user" in after_all.client.stderr


def test_no_message_but_the_chat_and_its_cards_holds_it(after_all: Server) -> None:
    client = after_all.client
    for method in ("history/query", "history/export", "history/metrics", "keys/list"):
        client.request(method, {})
    client.request("history/query", {"tool": "bash", "text": KEY})
    told = [message for message in client.received if KEY in json.dumps(message)]
    assert {str(message.get("method")) for message in told} <= TOLD_AS_IT_IS
    said = [message["params"] for message in told if message["method"] == "agent/event"]
    assert {event["event"] for event in said} == OF_THE_CHAT


def test_no_command_has_it_in_its_environment(after_all: Server) -> None:
    output = str(
        after_all.client.wait_for("agent/event", lambda event: event["event"] == "ToolResult")["data"]["output"]
    )
    assert "PATH=" in output
    assert output.count(KEY) == 1, "it is what the command itself said, and nothing else"


def test_what_is_kept_says_that_something_was_masked(after_all: Server) -> None:
    entries = after_all.client.request("history/query", {"limit": 500})["entries"]
    assert sum(entry.get("redactions", 0) for entry in entries) > 5
    assert any("[masked: known key]" in json.dumps(entry) for entry in entries)


def test_diagnostics_do_not_tell_it(start: Start, tmp_path: Any) -> None:
    settings = tmp_path / "settings.json"
    agent = {"provider": "ollama", "model": KEY, "baseUrl": "http://127.0.0.1:9", "apiKeyEnv": "MODEL_KEY"}
    settings.write_text(json.dumps({"assent.agents": {AGENT: agent}}))
    done = run_assent(
        *("diagnostics", "--folder", str(tmp_path), "--user-settings", str(settings)),
        env={"ASSENT_STATE_DIR": str(tmp_path / "state"), "MODEL_KEY": KEY},
    )
    assert done.returncode == 0, done.stderr
    assert AGENT in done.stdout and KEY not in done.stdout and "known key" in done.stdout
