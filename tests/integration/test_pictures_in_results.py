"""Pictures that tools return, through the whole server: what a model is sent of them, what is kept, what is refused."""

from base64 import b64encode
from collections.abc import Callable, Iterator

import pytest

from tests.support import kept
from tests.support.crashed import again, kill, same
from tests.support.mcp_servers import OFFICIAL, command
from tests.support.media_files import png
from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.plays import refuse
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import DEMO, Chat, Json, Server

Start = Callable[..., Server]
MODEL = "claude-sonnet-4-6"
DONE = Said("Seen.")


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with model_server(AnthropicWire(), models=[MODEL]) as models:
        yield models


def user(models: ModelServer, **more: Json) -> Json:
    remote = {"provider": "anthropic", "model": MODEL, "baseUrl": models.base_url}
    return {"agents": {"Local": remote, DEMO: {"provider": "demo"}}, **more}


@pytest.fixture
def chat(start: Start, models: ModelServer) -> Chat:
    server = start()
    server.meet(user=user(models))
    return server.chat(agent="Local")


def reading(*names: str) -> Said:
    return Said("I look.", tuple(SaidCall("read_file", {"path": name}) for name in names))


def pictures(models: ModelServer) -> list[tuple[str, bytes]]:
    """All that the last request holds."""
    assert models.log.rejected == []
    return [one for message in models.log.seen[-1].messages for one in message.pictures]


def results(models: ModelServer) -> list[str]:
    return [text for message in models.log.seen[-1].messages for text in message.results]


def test_a_picture_that_is_read_is_seen(chat: Chat, models: ModelServer) -> None:
    (chat.server.workspace / "shot.png").write_bytes(png())
    (chat.server.workspace / "named.txt").write_bytes(png(red=7))
    (chat.server.workspace / "text.png").write_text("no picture\n")
    models.add(reading("shot.png", "named.txt", "text.png"), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert pictures(models) == [("image/png", png()), ("image/png", png(red=7))]
    assert results(models)[0] == "[image shot.png: PNG, 1 x 1]" and results(models)[2] == "no picture\n"


def test_hostile_files_are_refused_in_words(chat: Chat, models: ModelServer) -> None:
    hostile = {
        "wide.png": png(width=100_000, height=100_000),
        "cut.png": png()[:-20],
        "huge.png": png() + b"\0" * 50_000_000,
        "broken.jpg": b"\xff\xd8\xff" + b"\xff" * 100,
    }
    for name, data in hostile.items():
        (chat.server.workspace / name).write_bytes(data)
    models.add(reading(*hostile), DONE)
    chat.run()
    assert pictures(models) == []
    wide, cut, huge, broken = results(models)
    assert "wide.png is PNG of 100,000 x 100,000 points; a model is sent pictures of up to 8,000 a side" in wide
    assert "cut.png begins like PNG and is damaged or cut off" in cut
    assert "huge.png is PNG of 50,000,069 bytes; a model is sent pictures of up to 5,000,000" in huge
    assert "A smaller or mended copy could be read" in huge
    assert "broken.jpg begins like JPEG and is damaged or cut off" in broken


def test_it_is_decided_as_the_reading_of_a_file(start: Start, models: ModelServer) -> None:
    server = start()
    server.meet(user=user(models, alwaysDenyRules={"read_file": ["private/**"]}))
    (server.workspace / "private").mkdir()
    (server.workspace / "private/a.png").write_bytes(png())
    (server.workspace.parent / "outside.png").write_bytes(png())
    models.add(reading("private/a.png", str(server.workspace.parent / "outside.png")), DONE)
    chat = server.chat(agent="Local")
    run = chat.send()
    chat.answer(chat.card(), decision="deny")
    run.result()
    assert pictures(models) == []
    assert ["permission_denied" in text or "denied_by_rule" in text for text in results(models)] == [True, True]


def test_nothing_that_is_kept_or_told_holds_their_bytes(start: Start, chat: Chat, models: ModelServer) -> None:
    data = png()
    (chat.server.workspace / "shot.png").write_bytes(data)
    models.add(reading("shot.png"), DONE)
    chat.run()
    assert pictures(models) == [("image/png", data)]
    told = str(chat.client.notifications("agent/event"))
    wait_until(lambda: len(kept.rows(chat.server.state, "SELECT 1 FROM messages")) == 4, what="the answer to be kept")
    kill(chat.server)
    written = [file.read_bytes() for file in chat.server.state.rglob("*") if file.is_file()]
    assert any(b"image shot.png" in content for content in written)
    for secret in (data, data[-40:], b64encode(data)[:40]):
        assert all(secret not in content for content in written)
    assert b64encode(data).decode()[:40] not in told

    server = again(start, user=user(models))
    models.add(DONE)
    same(server, chat).run("and now?")
    assert pictures(models) == []
    assert "Not at hand any more, only named: shot.png" in results(models)[0]


def test_a_run_that_reads_many_is_sent_the_newest(chat: Chat, models: ModelServer) -> None:
    for number in range(24):
        (chat.server.workspace / f"{number}.png").write_bytes(png(red=number))
    models.add(*(reading(*(f"{number}.png" for number in range(at, at + 6))) for at in range(0, 24, 6)), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert [data for _, data in pictures(models)] == [png(red=number) for number in range(6, 24)]
    assert "Not at hand any more, only named: 0.png" in results(models)[0]
    [notice] = [one["data"]["text"] for one in chat.events("Notification") if "Newer pictures" in one["data"]["text"]]
    assert "0.png" in notice and "5.png" in notice and "6.png" not in notice


def test_a_model_that_takes_none_is_told_in_words_and_goes_on(chat: Chat, models: ModelServer) -> None:
    (chat.server.workspace / "shot.png").write_bytes(png())
    models.add(reading("shot.png"), refuse(400, "no image input here"), DONE, reading("shot.png"), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert chat.run("again")["done_reason"] == "stop"
    assert pictures(models) == [] and "this model sees none" in results(models)[0]
    assert len(models.log.seen) == 5


def test_a_picture_of_an_mcp_server_is_seen(start: Start, models: ModelServer) -> None:
    server = start()
    server.meet(user=user(models, mcpServers={"ours": command(OFFICIAL)}))
    chat = server.chat(agent="Local", mode="auto")
    models.add(Said("I look.", (SaidCall("run_node", {"node_type": "mcp.ours.picture", "inputs": {}}),)), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert pictures(models) == [("image/png", png())]
    assert results(models) == ["[image picture 1: PNG, 1 x 1]"]


def test_a_model_that_is_said_to_see_none_is_sent_none(start: Start, models: ModelServer) -> None:
    server = start()
    said = user(models)
    said["agents"]["Local"]["pictures"] = False
    server.meet(user=said)
    (server.workspace / "shot.png").write_bytes(png())
    chat = server.chat(agent="Local")
    models.add(reading("shot.png"), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert len(models.log.seen) == 2
    assert pictures(models) == [] and "this model sees none" in results(models)[0]
    with pytest.raises(RpcError, match="takes none"):
        chat.run("look", attachments=[{"path": "shot.png"}])
