"""A secret that passes through a server reaches its tool, and no file of Assent's own and no line of its log."""

import base64
import json
import sqlite3
import urllib.parse
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.room import Room
from tests.support.secret_samples import an, glued
from tests.support.server import Server, call, say

Start = Callable[..., Server]

PLACES = ("prompt", "content", "command", "said", "thought", "feedback", "output", "title", "pattern")


def canary(place: str) -> str:
    """What looks like a token, another one for each place."""
    return glued("gh", "p_", (place + an(40))[:40])


def test_a_secret_is_in_no_file_of_the_state_directory(start: Start) -> None:
    server = start("--log-level", "debug")
    server.meet(user={"alwaysAllowRules": {"bash": [f"echo {canary('pattern')}"]}})
    room = Room(server, "room")
    run_through_everything(server, room)
    assert server.client.shutdown() == 0

    assert room.file("written.txt").read_text() == f"key = {canary('content')}", "the tool did not get the true content"
    assert "reject_once by the user" in server.client.stderr
    for name, text in [("standard error", server.client.stderr.encode()), *contents(server.state)]:
        found = [(place, form) for place in PLACES for form in forms(canary(place)) if form in text]
        assert found == [], f"{name} holds {found}"


def run_through_everything(server: Server, room: Room) -> None:
    """A run with secrets in every place, answered in both ways; then one that waits while the server is ended."""
    chat = room.chat(
        [
            say(f"I use {canary('said')}."),
            {"thinking": f"It is {canary('thought')}."},
            room.write("written.txt", f"key = {canary('content')}"),
        ],
        [call("bash", command=f"TOKEN={canary('command')} true && echo {canary('output')} | cat")],
        [room.write("refused.txt", f"password = '{canary('content')}'")],
        [say("Done.")],
        [room.write("waiting.txt", f"{canary('content')}")],
    )
    run = chat.send(f"{canary('title')} is a title, and here is {canary('prompt')}")
    chat.select(chat.card(), "approve")
    card = chat.card()
    # What lasts would be stored where everybody reads it: no option on the card holds the secret.
    assert canary("command") not in json.dumps(card["options"])
    chat.select(card, "approve")
    chat.answer(chat.card(), decision="deny", feedback=f"not with {canary('feedback')}")
    run.result()
    assert canary("output") in json.dumps(chat.results()), "the canary took no part"
    chat.send(f"once more: {canary('prompt')}")
    chat.card()


def contents(state: Path) -> Iterator[tuple[str, bytes]]:
    """Every file as it is, and of databases every cell as it is, as JSON and unpacked."""
    files = [file for file in state.rglob("*") if file.is_file()]
    assert any(file.name == "server.log" for file in files)
    for file in files:
        yield str(file), file.read_bytes()
    for file in (file for file in files if file.suffix == ".sqlite3"):
        yield from cells(file)


def cells(file: Path) -> Iterator[tuple[str, bytes]]:
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert tables
        for table in tables:
            for row in database.execute(f'SELECT * FROM "{table}"'):
                for cell in row:
                    yield from ((f"{file}, {table}", text) for text in readings(cell))
    finally:
        database.close()


def readings(cell: object) -> Iterator[bytes]:
    raw = cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "surrogatepass")
    yield raw
    for unpack in (zlib.decompress, lambda data: repr(json.loads(data)).encode()):
        try:
            yield unpack(raw)
        except (zlib.error, ValueError):
            continue


def forms(secret: str) -> list[bytes]:
    """The secret itself, most of it, and its encodings."""
    encoded = [base64.b64encode((" " * shift + secret).encode())[4:-4] for shift in range(3)]
    return [
        secret.encode(),
        secret[6:36].encode(),
        urllib.parse.quote(secret).encode(),
        secret.encode().hex().encode(),
        *encoded,
    ]


def test_the_search_would_see_it(tmp_path: Path) -> None:
    """The test above looks into files and cells, also where what is kept is packed."""
    file = tmp_path / "assent.sqlite3"
    (tmp_path / "server.log").write_text("nothing")
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE t (a, b)")
    packed = zlib.compress(canary("content").encode() * 3)
    database.execute("INSERT INTO t VALUES (?, ?)", (packed, json.dumps({"x": "ключ " + canary("said")})))
    database.commit()
    database.close()

    found = {place for place in PLACES for _, text in contents(tmp_path) if canary(place).encode() in text}

    assert found == {"content", "said"}


@pytest.mark.parametrize("place", PLACES)
def test_the_canaries_look_like_secrets(place: str) -> None:
    from assent.masking import mask_text

    assert mask_text(canary(place)) == ("[masked: GitHub token]", 1)
