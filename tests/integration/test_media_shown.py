"""What a call has made is shown from its file: that very one, also after a restart, or none, with the reason."""

import base64
from collections.abc import Callable, Iterator

import pytest

from assent.app.made_files import MOST_SHOWN
from tests.support.media_files import png, wav
from tests.support.media_server import MediaServer
from tests.support.rpc import RpcError
from tests.support.server import INVALID_PARAMS, Chat, Json, Server, call, say, write

Start = Callable[..., Server]


@pytest.fixture
def painter() -> Iterator[MediaServer]:
    with MediaServer() as made:
        made.makes(png())
        yield made


def meet(server: Server, painter: MediaServer) -> None:
    there = {"provider": "openai-compatible", "baseUrl": f"{painter.origin}/v1", "model": "m"}
    server.meet(user={"images": there, "speech": there})


def made_by(server: Server, *calls: Json) -> Chat:
    server.script(list(calls), [say("Done.")])
    chat = server.chat(mode="auto")
    assert chat.run()["done_reason"] == "stop"
    return chat


def shown(chat: Chat, result: Json, server: Server | None = None) -> Json:
    params = {"sessionId": chat.id, "toolCallId": result["toolCallId"]}
    return (server or chat.server).client.request("tool/media", params)


def refused(chat: Chat, result: Json) -> str:
    with pytest.raises(RpcError) as raised:
        shown(chat, result)
    assert raised.value.code == INVALID_PARAMS
    return str(raised.value)


PICTURE = call("generate_image", prompt="a dot", path="a.png")


def test_a_picture_and_a_sound_are_shown_as_they_stand_in_their_files(start: Start, painter: MediaServer) -> None:
    server = start()
    meet(server, painter)
    chat = made_by(server, PICTURE)
    (result,) = chat.results()
    assert result["made"] == {"mime": "image/png", "size": len(png())}
    assert shown(chat, result) == {"mime": "image/png", "data": base64.b64encode(png()).decode()}
    painter.makes(wav())
    spoken = made_by(server, call("text_to_speech", text="Hi", path="a.wav"))
    told = shown(spoken, spoken.results()[0])
    assert (told["mime"], base64.b64decode(told["data"])) == ("audio/wav", wav())
    # Nothing of the bytes is in what is told of the call to everybody.
    assert base64.b64encode(png()).decode()[:40] not in str(chat.events())


def test_another_file_is_not_shown_as_what_the_call_made(start: Start, painter: MediaServer) -> None:
    server = start()
    meet(server, painter)
    chat = made_by(server, PICTURE)
    (result,) = chat.results()
    file = server.workspace / "a.png"
    file.write_bytes(png(1))
    assert "another one" in refused(chat, result)
    file.unlink()
    assert "not there any more" in refused(chat, result)
    file.symlink_to("/etc/hostname")
    refused(chat, result)
    file.unlink()
    file.write_bytes(png())
    assert shown(chat, result)["mime"] == "image/png"


def test_nothing_else_is_read_by_this_way(start: Start, painter: MediaServer) -> None:
    server = start()
    meet(server, painter)
    chat = made_by(server, write("notes.txt"))
    assert "nothing that could be shown" in refused(chat, chat.results()[0])
    assert "nothing that could be shown" in refused(chat, {"toolCallId": "none"})
    other = made_by(server, PICTURE)
    assert "nothing that could be shown" in refused(chat, other.results()[0])


def test_what_is_too_large_is_named_and_not_sent(start: Start, painter: MediaServer) -> None:
    server = start()
    meet(server, painter)
    painter.makes(png()[:33] + b"\0" * MOST_SHOWN + png()[33:])
    chat = made_by(server, PICTURE)
    (result,) = chat.results()
    assert result["made"]["size"] > MOST_SHOWN
    assert "too large" in refused(chat, result)


def test_after_a_restart_the_picture_is_read_again_from_its_file(start: Start, painter: MediaServer) -> None:
    server = start()
    meet(server, painter)
    chat = made_by(server, PICTURE)
    (result,) = chat.results()
    server.client.close()
    again = start()
    meet(again, painter)
    loaded = again.client.request("session/load", {"sessionId": chat.id})
    told = [one["data"] for one in loaded["events"] if one["event"] == "ToolResult"]
    assert [one["made"] for one in told] == [result["made"]]
    assert shown(chat, result, again)["mime"] == "image/png"
    kept = b"".join(path.read_bytes() for path in again.state.rglob("*") if path.is_file())
    assert base64.b64encode(png())[:40] not in kept
    assert png() not in kept
