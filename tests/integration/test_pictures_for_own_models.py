"""Pictures in messages to models of Assent's own, through the whole server: what is sent, and what is kept."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import kept
from tests.support.acp_editor import AcpEditor
from tests.support.crashed import again, kill, same
from tests.support.media_files import JPEG_BYTES, png
from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.plays import refuse
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SeenMessage
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import DEMO, Chat, Json, Server

Start = Callable[..., Server]
MODEL = "claude-sonnet-4-6"
MARK = "Not at hand any more"


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with model_server(AnthropicWire(), *[Said("Seen.")] * 20, models=[MODEL]) as models:
        yield models


def agents_at(models: ModelServer) -> Json:
    remote = {"provider": models.wire.provider, "model": MODEL, "baseUrl": models.base_url}
    return {"Local": remote, DEMO: {"provider": "demo"}}


@pytest.fixture
def chat(start: Start, models: ModelServer) -> Chat:
    server = start()
    server.meet(user={"agents": agents_at(models)})
    return server.chat(agent="Local")


def put(server: Server, **files: bytes) -> list[Json]:
    for name, data in files.items():
        (server.workspace / name).write_bytes(data)
    return [{"path": name} for name in files]


def users(models: ModelServer) -> list[SeenMessage]:
    """What the user says in the last request."""
    assert models.log.rejected == []
    return [one for one in models.log.seen[-1].messages if one.role == "user"]


def test_they_go_with_the_message_and_with_every_later_turn(chat: Chat, models: ModelServer) -> None:
    attachments = put(chat.server, shot=png(), photo=JPEG_BYTES)
    assert chat.run("look", attachments=attachments)["done_reason"] == "stop"
    chat.run("and now?")
    first, second = users(models)
    assert first.text == "look\n[image shot][image photo]"
    assert first.pictures == (("image/png", png()), ("image/jpeg", JPEG_BYTES))
    assert second == SeenMessage("user", "and now?")
    assert chat.events("Prompt")[0]["data"]["files"] == ["shot", "photo"]


def test_nothing_that_is_kept_or_told_holds_their_bytes(start: Start, chat: Chat, models: ModelServer) -> None:
    data = png()
    chat.run("look", attachments=put(chat.server, shot=data))
    assert users(models)[0].pictures == (("image/png", data),)
    told = str(chat.client.notifications("agent/event"))
    wait_until(lambda: len(kept.rows(chat.server.state, "SELECT 1 FROM messages")) == 2, what="the answer to be kept")
    kill(chat.server)
    written = {file: file.read_bytes() for file in chat.server.state.rglob("*") if file.is_file()}
    assert any(b"image shot" in content for content in written.values())
    for secret in (data, data[-40:], b64encode(data)[:40]):
        assert all(secret not in content for content in written.values())
        assert str(secret) not in told and b64encode(data).decode()[:40] not in told

    # The next server says so, instead of asking about a picture that is not there.
    server = again(start, user={"agents": agents_at(models)})
    chat = same(server, chat)
    chat.run("and now?")
    first, second = users(models)
    assert first.pictures == () and f"{MARK}, only named: shot." in first.text
    assert second.text == "and now?"


def test_a_message_said_instead_goes_without_them(chat: Chat, models: ModelServer) -> None:
    chat.run("look", attachments=put(chat.server, shot=png()))
    run_id = chat.events("Prompt")[0]["runId"]
    chat.run("never mind", replacesMessage=run_id)
    assert users(models) == [SeenMessage("user", "never mind")]


def test_old_ones_give_way_to_new_ones_and_that_is_said(chat: Chat, models: ModelServer) -> None:
    for batch in range(3):
        names = {f"{batch}-{number}.png": png(red=batch) for number in range(10)}
        chat.run("look", attachments=put(chat.server, **names))
    first, second, third = users(models)
    assert first.pictures == () and MARK in first.text
    assert (len(second.pictures), len(third.pictures)) == (10, 10)
    [notice] = [one["data"]["text"] for one in chat.events("Notification") if "Newer pictures" in one["data"]["text"]]
    assert "0-0.png" in notice and "0-9.png" in notice and "1-0.png" not in notice


def test_a_model_that_takes_none_is_told_as_a_fault_with_the_way_on(start: Start) -> None:
    with model_server(AnthropicWire(), refuse(400, "no image input here"), Said("Fine."), models=[MODEL]) as models:
        server = start()
        server.meet(user={"agents": agents_at(models)})
        chat = server.chat(agent="Local")
        assert chat.run("look", attachments=put(server, shot=png()))["done_reason"] == "error"
        [fault] = chat.events("Error")
        assert "no image input here" in fault["data"]["message"] and "edit the message" in fault["data"]["message"]
        run_id = chat.events("Prompt")[0]["runId"]
        assert chat.run("look", replacesMessage=run_id)["done_reason"] == "stop"
        assert users(models) == [SeenMessage("user", "look")]


def test_an_agent_that_is_known_to_take_none_says_so_before(chat: Chat) -> None:
    demo = chat.server.chat(agent=DEMO)
    for send in (
        lambda: demo.run("look", attachments=put(chat.server, shot=png())),
        lambda: demo.client.request("chat/attachable", {"sessionId": demo.id, "path": "shot"}),
    ):
        with pytest.raises(RpcError, match=r"shot is a picture .*Demo takes none"):
            send()
    assert demo.events("Prompt") == []


IMAGE = {"type": "image", "data": b64encode(png()).decode(), "mimeType": "image/x-png", "uri": "file:///w/shot.png"}


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (IMAGE, None),
        ({**IMAGE, "data": b64encode(b"no picture").decode()}, "shot.png is no picture that models take"),
        ({**IMAGE, "data": "not base64!"}, "shot.png is no picture that models take"),
        ({**IMAGE, "data": b64encode(png() + b"\0" * 5_000_000).decode()}, "pictures of up to 5,000,000"),
    ],
    ids=["picture", "text", "garbage", "large"],
)
def test_what_an_editor_puts_beside_the_words_is_looked_at_too(
    tmp_path: Path, models: ModelServer, image: Json, why: str | None
) -> None:
    with AcpEditor(tmp_path, agent="Local", user={"assent.agents": agents_at(models)}) as editor:
        words = {"type": "text", "text": "look "}
        number = editor.begin("session/prompt", sessionId=editor.session(), prompt=[words, image])
        answer = editor.answer_to(number)
    if why is None:
        assert answer["result"] == {"stopReason": "end_turn"}
        [seen] = users(models)
        assert (seen.text, seen.pictures) == ("look [image shot.png]", (("image/png", png()),))
    else:
        assert why in answer["error"]["message"]
        assert models.log.seen == []
