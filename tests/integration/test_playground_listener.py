"""The playground's door, with a real listener and a real client: who gets in, and what they find."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus

from assent.lsp.playground import PLACE_IS_TAKEN, Playground, serve_playground
from assent.lsp.protocol import AssentServer
from tests.support.echo_server import make_server
from tests.support.scale import eventually, limit

HTML = '<!doctype html><style nonce="{{NONCE}}">p{}</style><script nonce="{{NONCE}}" src="playground.js"></script>'


class Opened:
    """A playground with what a test wants to know of it."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        parts = urlsplit(playground.url)
        self.port = parts.port
        self.token = parts.fragment
        self.host = parts.netloc

    def connect(
        self,
        *,
        origin: str | None = "ours",
        token: str | None = "ours",
        path: str = "/rpc",
        protocols: list[str] | None = None,
        **others: Any,
    ) -> connect:
        """As the page connects, but for what is given here."""
        known = {"ours": self.token}.get(token or "", token)
        offered = ["assent"] + ([f"token.{known}"] if known is not None else []) if protocols is None else protocols
        return connect(
            f"ws://{self.host}{path}",
            origin=f"http://{self.host}" if origin == "ours" else origin,
            subprotocols=offered or None,
            proxy=None,
            **others,
        )

    async def get(self, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
        """An answer over HTTP."""
        return await asyncio.to_thread(self._get, path, method, headers)

    def _get(self, path: str, method: str, headers: dict[str, str]) -> tuple[HTTPResponse, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=limit(10))
        try:
            connection.request(method, path, headers={key.replace("_", "-"): value for key, value in headers.items()})
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(HTML)
    (tmp_path / "playground.js").write_text("// the page")
    (tmp_path / "later.js").write_text("// its later part")
    (tmp_path / "secret.txt").write_text("not for you")
    return tmp_path


@pytest.fixture
def closed() -> list[AssentServer]:
    """The servers whose page is gone."""
    return []


@pytest.fixture
async def opened(page: Path, closed: list[AssentServer]) -> AsyncIterator[Opened]:
    async def on_close(server: AssentServer) -> None:
        closed.append(server)

    playground = await serve_playground(make_server, page, on_close=on_close)
    yield Opened(playground)
    await playground.close()


async def say(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps({"jsonrpc": "2.0", **message}))


async def hear(socket: ClientConnection) -> dict[str, Any]:
    return json.loads(await asyncio.wait_for(socket.recv(), limit(10)))


async def begin(socket: ClientConnection) -> dict[str, Any]:
    await say(socket, {"id": 0, "method": "initialize", "params": {"capabilities": {}}})
    return await hear(socket)


async def refused(attempt: connect) -> int:
    with pytest.raises(InvalidStatus) as caught:
        async with attempt:
            pass
    return caught.value.response.status_code


# The page


async def test_the_page_comes_with_a_fresh_nonce_and_a_tight_policy(opened: Opened) -> None:
    first, body = await opened.get("/")
    second, _ = await opened.get("/")

    policy = first.headers["Content-Security-Policy"]
    (nonce,) = set(re.findall(r"nonce-([^']+)'", policy))
    assert body.decode() == HTML.replace("{{NONCE}}", nonce)
    assert policy == (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
        f"connect-src ws://127.0.0.1:{opened.port}; img-src data: blob:; media-src blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert nonce not in second.headers["Content-Security-Policy"]
    assert first.headers["Content-Type"] == "text/html; charset=utf-8"
    for name, value in {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }.items():
        assert first.headers.get_all(name) == [value]


async def test_the_page_under_its_other_name_may_connect_to_that(opened: Opened) -> None:
    response, _ = await opened.get("/", Host=f"localhost:{opened.port}")

    assert f"connect-src ws://localhost:{opened.port};" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("name", "text"), [("playground.js", b"// the page"), ("later.js", b"// its later part")])
async def test_the_scripts_come_from_the_same_folder(opened: Opened, name: str, text: bytes) -> None:
    response, body = await opened.get(f"/{name}")

    assert (response.status, body) == (200, text)
    assert response.headers.get_all("Content-Type") == ["text/javascript; charset=utf-8"]
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/secret.txt",
        "/index.html",
        "/../secret.txt",
        "/./playground.js",
        "//",
        "/?x",
        "/rpc/",
        "/%2e%2e/secret.txt",
        "*",
    ],
)
async def test_nothing_else_is_there(opened: Opened, path: str) -> None:
    response, body = await opened.get(path)

    assert response.status == 404
    assert b"not for you" not in body


async def test_a_missing_page_is_not_found(opened: Opened, page: Path) -> None:
    (page / "playground.js").unlink()
    response, _ = await opened.get("/playground.js")

    assert response.status == 404


FOREIGN_HOSTS = [
    "example.com",
    "127.0.0.1",
    "localhost",
    "127.0.0.1:1",
    "evil.localhost:{port}",
    "127.0.0.1.:{port}",
    "LOCALHOST:{port}",
    "[::1]:{port}",
    "127.0.0.1:{port}.example.com",
    "0.0.0.0:{port}",
    "127.1:{port}",
    "",
]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
async def test_another_host_gets_nothing(opened: Opened, host: str) -> None:
    for path in ("/", "/playground.js", "/rpc", "/other"):
        response, body = await opened.get(path, Host=host.format(port=opened.port))
        assert response.status == 403
        assert b"nonce" not in body


# The door


async def test_our_page_with_the_token_gets_in(opened: Opened) -> None:
    async with opened.connect() as socket:
        assert socket.subprotocol == "assent", "the token is never said back"
        assert "error" not in await begin(socket)


async def test_under_its_other_name_too(opened: Opened) -> None:
    async with opened.connect(origin=f"http://localhost:{opened.port}"):
        pass


@pytest.mark.parametrize(
    "token", [None, "", "wrong", "{token}x", "x{token}", "{short}", "{TOKEN}"], ids=lambda one: repr(one)
)
async def test_a_wrong_token_does_not_get_in(opened: Opened, token: str | None) -> None:
    words = {"token": opened.token, "short": opened.token[:-1], "TOKEN": opened.token.swapcase()}
    protocols = ["assent"] + ([] if token is None else [f"token.{token.format(**words)}"])

    headers = {"Sec-WebSocket-Protocol": ", ".join(protocols)}
    assert await refused(opened.connect(protocols=[], additional_headers=headers)) == 403


async def test_the_token_has_256_bits_and_is_new_each_time(opened: Opened, page: Path) -> None:
    other = await serve_playground(make_server, page)
    try:
        assert re.fullmatch(r"[\w-]{43}", opened.token)
        assert Opened(other).token != opened.token
        assert await refused(opened.connect(token=Opened(other).token)) == 403
    finally:
        await other.close()


async def test_two_tokens_or_no_subprotocol_do_not_get_in(opened: Opened) -> None:
    good = f"token.{opened.token}"

    assert await refused(opened.connect(protocols=["assent", good, "token.other"])) == 403
    assert await refused(opened.connect(protocols=[good])) == 403
    assert await refused(opened.connect(protocols=["other", good])) == 403


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://example.com", "https://{host}", "http://{host}.example.com", "http://127.0.0.1", "file://",
     "http://localhost:1", "vscode-webview://x", "http://{host}/"],
)  # fmt: skip
async def test_another_origin_does_not_get_in(opened: Opened, origin: str | None) -> None:
    given = origin.format(host=opened.host) if origin is not None else None

    assert await refused(opened.connect(origin=given)) == 403


async def test_another_path_is_no_door(opened: Opened) -> None:
    assert await refused(opened.connect(path="/other")) == 404
    assert await refused(opened.connect(path="/rpc?x=1")) == 404


async def test_a_plain_request_at_the_door_gets_no_connection(opened: Opened) -> None:
    assert (await opened.get("/rpc"))[0].status == 403
    response, _ = await opened.get(
        "/rpc", Origin=f"http://{opened.host}", Sec_WebSocket_Protocol=f"assent, token.{opened.token}"
    )
    assert response.status == 426


@pytest.mark.parametrize("uid", [os.getuid() + 1, None], ids=["another user", "unknown"])
async def test_a_process_of_another_user_gets_nothing(page: Path, uid: int | None) -> None:
    asked: list[Any] = []

    def lookup(client: tuple[str, int], ours: tuple[str, int]) -> int | None:
        asked.append((client, ours))
        return uid

    playground = await serve_playground(make_server, page, uid_lookup=lookup)
    try:
        opened = Opened(playground)
        assert await refused(opened.connect()) == 403
        assert (await opened.get("/"))[0].status == 403
        assert all(ours == ("127.0.0.1", opened.port) and client[0] == "127.0.0.1" for client, ours in asked)
    finally:
        await playground.close()


async def test_only_loopback_is_bound_and_only_while_it_is_open(page: Path) -> None:
    def listening() -> set[tuple[str, int]]:
        connections = psutil.Process().net_connections(kind="inet")
        return {(one.laddr.ip, one.laddr.port) for one in connections if one.status == psutil.CONN_LISTEN}

    before = listening()
    playground = await serve_playground(make_server, page)
    port = Opened(playground).port
    assert listening() - before == {("127.0.0.1", port)}

    await playground.close()
    assert listening() - before == set()


# One page at a time


async def test_a_second_page_is_told_that_the_place_is_taken(opened: Opened) -> None:
    async with opened.connect() as first:
        await begin(first)
        async with opened.connect() as second:
            with pytest.raises(ConnectionClosedError) as caught:
                await asyncio.wait_for(second.recv(), limit(10))
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == PLACE_IS_TAKEN
        assert "another page" in caught.value.rcvd.reason

        await say(first, {"id": 1, "method": "chat/send", "params": {"sessionId": "s", "text": "echo"}})
        assert (await hear(first))["method"] == "agent/event", "the first one notices nothing"


async def test_a_reload_finds_the_place_free_and_a_fresh_server(opened: Opened, closed: list[AssentServer]) -> None:
    for _ in range(3):
        async with opened.connect() as socket:
            assert "result" in await begin(socket), "each connection begins anew"
    async with opened.connect() as last:
        assert "result" in await begin(last)

    await told(closed, 4)
    assert len(set(map(id, closed))) == 4


async def told(closed: list[AssentServer], count: int) -> None:
    await eventually(lambda: len(closed) >= count, what="the owner being told")


async def test_a_page_that_vanished_without_a_word_gives_its_place(opened: Opened) -> None:
    dead = await opened.connect(ping_interval=None)
    await begin(dead)
    dead.transport.pause_reading()  # from now on it answers no ping, and its end stays open

    async with opened.connect() as newcomer:
        assert "result" in await begin(newcomer)
    dead.transport.abort()


async def test_when_a_page_goes_its_work_ends_and_the_owner_is_told(opened: Opened, closed: list[AssentServer]) -> None:
    async with opened.connect() as socket:
        await begin(socket)
        await say(socket, {"id": 1, "method": "chat/send", "params": {"sessionId": "s", "text": "hang"}})
        await say(socket, {"id": 2, "method": "session/list"})
        await hear(socket)
    await told(closed, 1)

    assert closed[0].protocol.channel is None
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "request chat/send"]


# What is said


async def test_a_full_round_trip(opened: Opened) -> None:
    async with opened.connect() as socket:
        assert (await begin(socket))["result"]["serverInfo"]["name"] == "assent"
        context = {"a-b": [1, "\ud800", 10**30], "type_name": {"jsonrpc": None}}
        await say(
            socket, {"id": 1, "method": "chat/send", "params": {"sessionId": "s", "text": "echo", "context": context}}
        )
        event, answer = await hear(socket), await hear(socket)
        assert event["params"]["data"]["args"] == context
        assert answer["result"]["message"] == "echoed"

        await say(socket, {"id": 2, "method": "chat/send", "params": {"sessionId": "s", "text": "ask", "context": {}}})
        question = await hear(socket)
        await say(socket, {"id": question["id"], "result": {"written": True, "target": "here"}})
        assert "written=True" in (await hear(socket))["result"]["message"]


@pytest.mark.parametrize(("text", "code"), [("not json", -32700), ("[]", -32600), ('{"id":1}', -32600), ("", -32700)])
async def test_what_is_no_message_is_answered(opened: Opened, text: str, code: int) -> None:
    async with opened.connect() as socket:
        await socket.send(text)
        assert (await hear(socket))["error"]["code"] == code
        assert "result" in await begin(socket)


async def test_shutdown_and_exit_close_this_connection_only(opened: Opened) -> None:
    async with opened.connect() as socket:
        await begin(socket)
        await say(socket, {"id": 1, "method": "shutdown"})
        assert (await hear(socket))["result"] is None
        await say(socket, {"method": "exit"})
        with pytest.raises(ConnectionClosed):
            await hear(socket)
    async with opened.connect() as socket:
        assert "result" in await begin(socket)


async def test_a_page_that_does_not_read_stops_nobody_and_loses_nothing(opened: Opened) -> None:
    flood = {"sessionId": "s", "text": "flood", "context": {"count": 2000, "size": 10_000, "polite": True}}
    async with opened.connect(max_queue=1) as socket:
        await begin(socket)
        await say(socket, {"id": 1, "method": "chat/send", "params": flood})
        await eventually(lambda: any(map(is_waiting, asyncio.all_tasks())), within=30, what="a producer that waits")
        messages = [await hear(socket) for _ in range(2001)]

    assert [message["params"]["n"] for message in messages[:-1]] == list(range(2000))
    assert json.loads(messages[-1]["result"]["message"])["waits"] > 0


def is_waiting(task: "asyncio.Task[Any]") -> bool:
    frames: list[str] = []
    awaited: Any = task.get_coro()
    while awaited is not None:
        frames.append(getattr(awaited, "__qualname__", ""))
        awaited = getattr(awaited, "cr_await", None)
    return "Outbox.drained" in frames


async def test_a_message_beyond_the_limit_ends_the_connection(opened: Opened) -> None:
    socket = await opened.connect()
    await begin(socket)
    with pytest.raises(ConnectionClosedError) as caught:
        await socket.send("x" * (64 * 1024 * 1024 + 1))
        await hear(socket)

    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1009


async def test_closing_the_playground_closes_its_page(page: Path) -> None:
    playground = await serve_playground(make_server, page)
    async with Opened(playground).connect() as socket:
        await begin(socket)
        await asyncio.wait_for(playground.close(), limit(10))
        with pytest.raises(ConnectionClosed):
            await hear(socket)
