"""The settings of an agent change while a chat with it is open: where its history goes from then on."""

import json
import socket
from collections.abc import Callable

from tests.support import told_settings
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said
from tests.support.server import Chat, Json, Server

Start = Callable[..., Server]
AGENT = "Local"


def agents(base_url: str) -> dict[str, Json]:
    return {AGENT: {"provider": "ollama", "model": "m", "baseUrl": base_url}}


def nobody_there() -> str:
    """An address at which nothing answers."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{place.getsockname()[1]}"


def last_fault(chat: Chat) -> Json:
    return chat.events("Error")[-1]["data"]


def test_once_its_address_is_corrected_a_retry_goes_there(start: Start) -> None:
    with model_server(OllamaWire(), Said("hello")) as models:
        server = start()
        server.meet(user={"agents": agents(nobody_there())})
        chat = server.chat(agent=AGENT)
        assert chat.send("hi").result()["done_reason"] == "error"
        assert last_fault(chat)["code"] == "unreachable"

        told_settings.tell(server, agents=agents(models.base_url))
        retry = chat.client.start("chat/retry", {"sessionId": chat.id})
        assert retry.result()["done_reason"] == "stop"
    (request,) = models.log.seen
    assert [(message.role, message.text) for message in request.messages] == [("user", "hi")]
    assert "defined otherwise now" in chat.events("Notification")[-1]["data"]["text"]


def test_taken_out_of_the_settings_it_is_sent_nothing_more(start: Start) -> None:
    with model_server(OllamaWire(), Said("hello"), Said("never said")) as models:
        server = start()
        server.meet(user={"agents": agents(models.base_url)})
        chat = server.chat(agent=AGENT)
        assert chat.send("hi").result()["done_reason"] == "stop"

        told_settings.tell(server)
        assert "not defined any more" in chat.send("secret plan").result()["message"]
        assert len(models.log.seen) == 1
    assert last_fault(chat)["code"] == "agent_gone"


def test_an_agent_of_a_workspace_that_is_trusted_no_more_is_sent_nothing_more(start: Start) -> None:
    with model_server(OllamaWire(), Said("hello"), Said("never said")) as models:
        server = start()
        file = server.workspace / ".vscode" / "settings.json"
        file.parent.mkdir()
        file.write_text(json.dumps({"assent.agents": agents(models.base_url)}))
        server.meet(workspaceTrusted=True)
        asked = server.client.wait_for("settings/consentRequest")
        honour = [entry["entryId"] for entry in asked["entries"]]
        params = {"consentId": asked["consentId"], "digest": asked["digest"], "honour": honour}
        server.client.request("settings/consentResponse", params)
        chat = server.chat(agent=AGENT)
        assert chat.send("hi").result()["done_reason"] == "stop"

        told = {"assent": {"workspaceTrusted": False}}
        server.client.notify("workspace/didChangeConfiguration", {"settings": told})
        assert "does not count now" in chat.send("secret plan").result()["message"]
        assert len(models.log.seen) == 1
