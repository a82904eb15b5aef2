"""The same conversation through the whole server, over stdio: what a client is told is the same with every model."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from assent.model.conversation import Usage
from tests.support.model_servers.formats import ALL, Format
from tests.support.model_servers.plays import Then, answer
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.server import Chat, Server

LOOKS = SaidCall("list_files", {})
WRITES = SaidCall("write_file", {"path": "größe.txt", "content": "“ä” 🙂\n"})
WORKS = Said("Ich schaue.", (LOOKS, WRITES), thinking="Hm – ß", between=" Und schreibe.", usage=Usage(900, 40))
DONE = Said("Gut, dann nicht.", usage=Usage(1000, 7))

Json = Any


class Desk:
    """A server with an agent for every kind of model server."""

    def __init__(self, server: Server, models: dict[str, ModelServer], *, streaming: bool) -> None:
        self.server = server
        self.models = models
        self.streaming = streaming

    def talk(self, form: Format) -> tuple[Chat, ModelServer]:
        return self.server.chat(agent=form.name), self.models[form.name]


@pytest.fixture(scope="module", params=[True, False], ids=["streamed", "whole"])
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with ExitStack() as running:
        models = {form.name: running.enter_context(model_server(form.wire(), base_path=form.base_path)) for form in ALL}
        agents = {
            form.name: {"provider": form.provider, "model": form.model, "baseUrl": models[form.name].base_url}
            for form in ALL
        }
        server = running.enter_context(Server(tmp_path_factory.mktemp("desk")))
        (server.workspace / "da.txt").write_text("da")
        server.meet(user={"agents": agents, "streaming": request.param})
        yield Desk(server, models, streaming=request.param)


def text_of(chat: Chat, kind: str) -> str:
    return "".join(event["data"].get(kind) or "" for event in chat.events("Chunk"))


def told(chat: Chat) -> dict[str, Json]:
    """What a client learns of a run, without what is new each time."""
    results = sorted(chat.results(), key=lambda result: result["tool"])
    return {
        "text": text_of(chat, "text"),
        "thinking": text_of(chat, "thinking"),
        "calls": [
            (one["data"]["tool"], one["data"]["args"], one["data"]["category"]) for one in chat.events("ToolCall")
        ],
        "results": [(one["tool"], one["success"], one.get("code"), one["output"]) for one in results],
        "usage": [(one["data"].get("input"), one["data"].get("output")) for one in chat.events("Usage")],
        "ends": [event["event"] for event in chat.events() if event["event"] in ("Done", "Error")],
    }


FIRST: dict[bool, dict[str, Json]] = {}


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_a_client_is_told_the_same(desk: Desk, form: Format) -> None:
    chat, models = desk.talk(form)
    models.add(WORKS, DONE)

    run = chat.send("Räum auf")
    card = chat.card()
    assert card["args"] == WRITES.args
    chat.select(card, "deny", feedback="später – bitte")
    assert run.result()["done_reason"] == "stop"

    heard = told(chat)
    assert heard["text"] == "Ich schaue. Und schreibe.Gut, dann nicht."
    assert heard["thinking"] == "Hm – ß"
    assert [call[:2] for call in heard["calls"]] == [("list_files", {}), ("write_file", WRITES.args)]
    assert heard["usage"] == [(900, 40), (1000, 7)]
    assert heard["ends"] == ["Done"]
    assert heard == FIRST.setdefault(desk.streaming, heard)
    assert not (desk.server.workspace / "größe.txt").exists()

    assert models.log.rejected == []
    asked, again = models.log.seen[-2:]
    assert (asked.streaming, again.streaming) == (desk.streaming, desk.streaming)
    assert [message.role for message in again.messages] == ["user", "assistant", "results"]
    looked, denied = again.messages[-1].results
    assert "da.txt" in looked
    assert "später – bitte" in denied
    assert "permission_denied" in denied
    assert again.messages[-1].ids_match


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_what_ran_before_an_answer_broke_off_does_not_run_again(desk: Desk, form: Format) -> None:
    """Of an answer that comes whole, nothing stands before it is whole, so nothing ran."""
    ran = ["list_files"] if desk.streaming else []
    chat, models = desk.talk(form)
    twice = Said("Ich schaue.", (SaidCall("list_files", {"path": "."}), WRITES), between="Und xyzzy")
    body = b"".join(form.wire().stream(twice)) if desk.streaming else form.wire().whole(twice)
    in_a_later_word = body.index(b"yzzy") + 1
    models.add(answer(twice, cut_at=in_a_later_word, then=Then.DROP), DONE)
    asked = len(models.log.got)

    chat.send("Räum auf").result()

    fault = chat.events("Error")[0]["data"]
    assert fault["code"] == "stream_cut"
    assert fault["canRetry"] is True
    assert len(models.log.got) == asked + 1
    assert [result["tool"] for result in chat.results()] == ran
    assert chat.cards() == []

    chat.client.start("chat/retry", {"sessionId": chat.id}).result()

    assert len(models.log.got) == asked + 2
    assert [result["tool"] for result in chat.results()] == ran
    assert models.log.rejected == []
    known = [result for message in models.log.seen[-1].messages for result in message.results]
    assert ["da.txt" in result for result in known] == [True] * len(ran)
    assert text_of(chat, "text").endswith("Gut, dann nicht.")


def test_what_speaks_http_is_loaded_with_the_first_request(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An agent with an address alone is no reason: the way to `initialized` is short."""
    form = ALL[0]
    with model_server(form.wire(), DONE) as models:
        agents = {"Far": {"provider": form.provider, "model": form.model, "baseUrl": models.base_url}}
        folder, imports = tmp_path_factory.mktemp("lazy"), {"PYTHONPROFILEIMPORTTIME": "1"}
        with Server(folder, env=imports, cold="in a fork all is imported") as server:
            server.meet(user={"agents": agents})
            chat = server.chat(agent="Far")
            assert loaded(server, "assent")
            assert not loaded(server, "httpx2")
            assert not loaded(server, "assent.providers.dialects.gemini")
            chat.run()
            assert loaded(server, "httpx2")
            assert not loaded(server, "assent.providers.dialects.gemini")


def loaded(server: Server, name: str) -> bool:
    """Whether the server has imported this, as Python itself tells."""
    return any(
        line.split("|")[-1].strip() == name for line in server.client.stderr.splitlines() if "import time" in line
    )
