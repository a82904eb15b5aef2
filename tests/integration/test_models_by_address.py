"""A model behind an address as a user sets it up: two settings, a key from the editor, and it works behind the gate."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.server import Chat, Server

Start = Callable[..., Server]
AGENT = "Local"


def begun(start: Start, models: ModelServer, **definition: Any) -> tuple[Server, Chat]:
    """A server whose user defined this agent, and a chat with it."""
    server = start()
    defined = {"provider": models.wire.provider, "model": "m", "baseUrl": models.base_url, **definition}
    server.meet(capabilities=("cards", "secrets/get"), user={"agents": {AGENT: defined}})
    return server, server.chat(agent=AGENT)


def said_by_the_model(chat: Chat) -> str:
    return "".join(event["data"]["text"] or "" for event in chat.events("Chunk"))


def test_a_model_works_behind_the_gate(start: Start):
    writes = SaidCall("write_file", {"path": "a.txt", "content": "hello"})
    with model_server(OllamaWire(), Said("I will write.", (writes,)), Said("It is done.")) as models:
        server, chat = begun(start, models)
        run = chat.send("write hello")
        server.client.wait_for_request("secrets/get").answer({"value": None})
        card = chat.card()
        assert card["args"] == {"path": "a.txt", "content": "hello"}
        assert not (server.workspace / "a.txt").exists()
        chat.select(card, card["options"][0]["optionId"])
        server.client.wait_for_request("secrets/get").answer({"value": None})
        assert run.result()["done_reason"] == "stop"
        assert (server.workspace / "a.txt").read_text() == "hello"
        assert said_by_the_model(chat) == "I will write.It is done."
        second = models.log.seen[1]
        assert [message.role for message in second.messages] == ["user", "assistant", "results"]
        assert "bash" in second.tools and "Mode “default”" in second.system


def test_the_key_comes_from_the_editor_and_goes_nowhere_else(start: Start):
    with model_server(OllamaWire(), Said("hello"), key="key-of-the-test-1234") as models:
        server, chat = begun(start, models)
        run = chat.send()
        asked = server.client.wait_for_request("secrets/get")
        assert asked.params == {"name": f"{AGENT}@{models.base_url}"}
        asked.answer({"value": "key-of-the-test-1234"})
        run.result()
        assert said_by_the_model(chat) == "hello"
        server.client.shutdown()
        kept = [file.read_bytes() for file in server.state.rglob("*") if file.is_file()]
        assert kept
        assert not any(b"key-of-the-test-1234" in content for content in kept)
        assert "key-of-the-test-1234" not in server.client.stderr


def test_without_the_key_the_message_says_what_to_do(start: Start):
    with model_server(OllamaWire(), Said("hello"), key="key-of-the-test-1234") as models:
        server, chat = begun(start, models)
        run = chat.send()
        server.client.wait_for_request("secrets/get").answer({"value": None})
        run.result()
        assert "Set API Key" in chat.events("Error")[0]["data"]["message"]


def test_a_key_in_the_environment_is_used_and_no_command_sees_it(start: Start):
    runs = SaidCall("bash", {"command": "env"})
    with model_server(OllamaWire(), Said("", (runs,)), Said("done"), key="key-of-the-test-1234") as models:
        server = start(env={"MODEL_KEY": "key-of-the-test-1234"})
        defined = {"provider": "ollama", "model": "m", "baseUrl": models.base_url, "apiKeyEnv": "MODEL_KEY"}
        server.meet(capabilities=("cards", "secrets/get"), user={"agents": {AGENT: defined}})
        chat = server.chat(agent=AGENT)
        chat.run()
        (result,) = chat.results()
        assert "PATH=" in result["output"]
        assert "key-of-the-test-1234" not in result["output"]
        listed = server.client.request("keys/list", {})["keys"]
        assert [(one["agent"], one["source"]) for one in listed] == [(AGENT, "environment")]


def test_the_models_of_a_server_are_listed_before_an_agent_is_defined(start: Start):
    with model_server(OllamaWire(), models=["qwen3", "llama3"]) as models:
        server = start()
        server.meet()
        params = {"agent": "New", "provider": "ollama", "baseUrl": models.base_url}
        listed = server.client.request("models/list", params)
        assert [one["name"] for one in listed["models"]] == ["qwen3", "llama3"]
        assert listed["keyName"] == f"New@{models.base_url}"
    listed = server.client.request("models/list", params)
    assert listed["models"] == []
    assert "problem" in listed


@pytest.mark.parametrize(("status", "needs"), [(401, True), (403, None)])
def test_a_key_that_only_may_not_list_models_is_not_to_be_replaced(start: Start, status: int, needs: bool | None):
    with model_server(OllamaWire(), key="key-of-the-test-1234") as models:
        models.refuses_list = status
        server = start(env={"MODEL_KEY": "key-of-the-test-1234"})
        server.meet()
        params = {"agent": "New", "provider": "ollama", "baseUrl": models.base_url}
        assert server.client.request("models/list", params)["needsKey"] is True, "there is none"
        listed = server.client.request("models/list", {**params, "apiKeyEnv": "MODEL_KEY"})
    assert (listed["models"], listed.get("needsKey")) == ([], needs)
    assert "key" in listed["problem"]


def test_an_address_that_makes_no_sense_is_named(start: Start):
    server = start()
    server.meet()
    listed = server.client.request("models/list", {"agent": "New", "provider": "ollama", "baseUrl": "ftp://x"})
    assert "baseUrl begins with http" in listed["problem"]
    refused = server.client.start("models/list", {"agent": "New", "provider": "nobody"}).error()
    assert "nobody" in refused.message
