"""Pictures that the user names in a message to an agent of others: sent as what they are, or not and that is said."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import kept
from tests.support.crashed import kill
from tests.support.guests import Guest, House, says
from tests.support.media_files import GIF_BYTES, JPEG_BYTES, WEBP_BYTES, png, wav
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, Chat, Json

PICTURES = {"shot.png": png(), "photo": JPEG_BYTES, "moves.txt": GIF_BYTES, "small.webp": WEBP_BYTES}
KINDS = {"shot.png": "PNG", "photo": "JPEG", "moves.txt": "GIF", "small.webp": "WebP"}
PRIVATE = {"alwaysDenyRules": {"read_file": ["private/**"]}, "alwaysAskRules": {"read_file": ["asked/**"]}}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, many=2, **PRIVATE) as house:
        yield house


def put(house: House, path: str, content: bytes) -> Path:
    file = house.workspace / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def look(chat: Chat, path: str) -> Json:
    return chat.client.request("chat/attachable", {"sessionId": chat.id, "path": path})


def prompt_blocks(guest: Guest) -> list[Json]:
    blocks: list[Json] = guest.wait_told("session/prompt")["prompt"]
    return blocks


def test_pictures_go_as_pictures_by_their_bytes_and_the_chat_tells_their_names(house: House) -> None:
    guest = house.guest([says("Seen.")], takes=["image"])
    chat = guest.chat()
    files = {name: put(house, name, data) for name, data in PICTURES.items()}
    assert {name: look(chat, name)["picture"] for name in files} == KINDS
    end = chat.run("look", attachments=[{"path": name} for name in files])
    assert end["done_reason"] == "stop"
    words, *sent = prompt_blocks(guest)
    assert words == {"type": "text", "text": "look\n"}
    mimes = ["image/png", "image/jpeg", "image/gif", "image/webp"]
    assert sent == [
        {"type": "image", "data": b64encode(PICTURES[name]).decode(), "mimeType": mime, "uri": file.resolve().as_uri()}
        for (name, file), mime in zip(files.items(), mimes, strict=True)
    ]
    [prompt] = chat.events("Prompt")
    assert prompt["data"]["files"] == list(files)
    assert prompt["data"]["text"] == "look\n" + "".join(f"[image {name}]" for name in files)


def test_texts_beside_them_go_as_resources(house: House) -> None:
    guest = house.guest([says("Seen.")], takes=["image", "embeddedContext"])
    put(house, "shot.png", png())
    text = put(house, "a.txt", b"text").resolve().as_uri()
    guest.chat().run("look", attachments=[{"path": "a.txt"}, {"path": "shot.png"}])
    _, resource, image = prompt_blocks(guest)
    assert resource == {"type": "resource", "resource": {"uri": text, "text": "text", "mimeType": "text/plain"}}
    assert image["type"] == "image"


def test_an_agent_that_takes_none_is_sent_nothing_and_the_user_is_told(house: House) -> None:
    guest = house.guest([says("Seen.")])
    put(house, "shot.png", png())
    chat = guest.chat()
    # Before it runs, nobody knows what it takes.
    assert look(chat, "shot.png")["picture"] == "PNG"
    assert chat.run("look", attachments=[{"path": "shot.png"}])["done_reason"] == "error"
    [failed] = chat.events("Error")
    for words in ("Guest 0 takes no pictures", "nothing of your message was sent", "shot.png", "Send it without"):
        assert words in failed["data"]["message"]
    for request in (lambda: look(chat, "shot.png"), lambda: chat.run(attachments=[{"path": "shot.png"}])):
        with pytest.raises(
            RpcError, match=r"shot.png is a picture .PNG., and Guest 0 takes none: leave it out"
        ) as fault:
            request()
        assert fault.value.code == INVALID_PARAMS
    assert guest.told("session/prompt") == []
    chat.run("without")
    assert prompt_blocks(guest) == [{"type": "text", "text": "without"}]


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("private/shot.png", png(), "rule"),
        ("../shot.png", png(), "lies outside of the workspace"),
        ("large.png", png() + b"\0" * 5_000_000, r"large.png has 5,000,0\d\d bytes; pictures of up to 5,000,000"),
        ("sound.png", wav(), "is not text but sound"),
        ("broken.png", b"\x89PNG\0\xff", "neither text nor a picture"),
    ],
)
def test_what_cannot_go_along_keeps_the_message_back(house: House, path: str, content: bytes, why: str) -> None:
    guest = house.guest([says("Seen.")], takes=["image"])
    put(house, path, content)
    chat = guest.chat()
    for request in (lambda: look(chat, path), lambda: chat.run(attachments=[{"path": path, "agreedDigest": "0"}])):
        with pytest.raises(RpcError, match=why):
            request()
    assert chat.events("Prompt") == [] and guest.told("session/prompt") == []


def test_what_a_rule_asks_about_goes_along_only_with_a_second_yes(house: House) -> None:
    guest = house.guest([says("Seen.")], takes=["image"])
    put(house, "asked/shot.png", png())
    chat = guest.chat()
    looked = look(chat, "asked/shot.png")
    assert looked["warning"]
    with pytest.raises(RpcError, match="was not sent, and neither was the message"):
        chat.run(attachments=[{"path": "asked/shot.png"}])
    assert chat.events("Prompt") == []
    chat.run(attachments=[{"path": "asked/shot.png", "agreedDigest": looked["warningDigest"]}])
    assert prompt_blocks(guest)[1]["type"] == "image"


@pytest.mark.parametrize(
    ("count", "padding", "why"), [(11, 0, "11 pictures cannot go along"), (5, 4_500_000, "20,000,000 can go along")]
)
def test_more_than_a_message_takes_is_not_sent_in_part(house: House, count: int, padding: int, why: str) -> None:
    guest = house.guest([says("Seen.")], takes=["image"])
    names = [f"{number}.png" for number in range(count)]
    for name in names:
        put(house, name, png() + b"\0" * padding)
    chat = guest.chat()
    with pytest.raises(RpcError, match=why):
        chat.run(attachments=[{"path": name} for name in names])
    assert chat.events("Prompt") == [] and guest.told("session/prompt") == []


def test_a_message_that_is_tried_again_has_its_pictures_still(house: House) -> None:
    failure = [{"error": {"code": -32603, "message": "overloaded"}}]
    guest = house.guest(failure, [says("Seen.")], takes=["image"])
    file = put(house, "shot.png", png())
    chat = guest.chat()
    assert chat.run("look", attachments=[{"path": "shot.png"}])["done_reason"] == "error"
    # What was agreed is what is sent: not what stands there by now.
    file.write_bytes(png(red=1))
    chat.client.request("chat/retry", {"sessionId": chat.id})
    first, second = (one["params"]["prompt"] for one in guest.told("session/prompt"))
    assert second[:2] == first and second[1]["data"] == b64encode(png()).decode()


def test_after_a_restart_it_is_said_that_they_are_not_at_hand_any_more(house: House, tmp_path: Path) -> None:
    guest = house.guest([{"error": {"code": -32603, "message": "overloaded"}}], takes=["image"])
    put(house, "shot.png", png())
    chat = guest.chat()
    assert chat.run("look", attachments=[{"path": "shot.png"}])["done_reason"] == "error"
    query = "SELECT 1 FROM transcript WHERE event LIKE '%overloaded%'"
    wait_until(lambda: kept.rows(house.server.state, query) != [], what="the fault to be kept")
    kill(house.server)
    house.server.client.close()
    with House(tmp_path, many=2) as again:
        guest = again.guest([says("Seen.")], takes=["image"])
        again.server.client.request("session/load", {"sessionId": chat.id}, within=30)
        again.server.client.request("chat/retry", {"sessionId": chat.id}, within=30)
        first, second = (one["params"]["prompt"] for one in guest.told("session/prompt"))
    assert first[1]["type"] == "image"
    assert [one["type"] for one in second] == ["text"] * len(second)
    assert "Not at hand any more, only named: shot.png" in second[0]["text"]
