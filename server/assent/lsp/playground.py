"""The playground: the same page in a plain browser. A listener on loopback, only while somebody asked for it."""

import asyncio
import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assent.lazy_dataclasses import dataclass
from assent.lsp.admission import SUBPROTOCOL, Admission, Refused, UidLookup, check_user
from assent.lsp.peers import system_lookup
from assent.lsp.protocol import AssentServer
from assent.lsp.websocket import MAX_MESSAGE, WebSocketConnection

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

ADDRESS = "127.0.0.1"
PLACE_IS_TAKEN = 4409
STILL_THERE = 1.0
"""Seconds that a connected page has to answer a ping before a newcomer takes its place."""

log = logging.getLogger(__name__)
# The library writes messages to its log, below this level.
logging.getLogger("websockets").setLevel(logging.WARNING)

OnClose = Callable[[AssentServer], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Playground:
    """A playground that is open."""

    url: str
    """With the token behind the #, where a browser does not send it to anybody."""
    _server: "Server"

    async def close(self) -> None:
        """Closes the listener and the page's connection."""
        self._server.close()
        await self._server.wait_closed()


async def serve_playground(
    make_server: Callable[[], AssentServer],
    page: Path,
    *,
    port: int = 0,
    on_close: OnClose | None = None,
    uid_lookup: UidLookup | None = None,
) -> Playground:
    """Opens the playground with the page of this folder (`index.html`, `playground.js`, `later.js`).

    Each connection gets a server of its own; what stands behind it lives on, so that a reload finds everything again.
    `on_close` is told which server has lost its page.
    """
    from websockets.asyncio.server import serve

    door = _Door(make_server, page, secrets.token_urlsafe(32), on_close, uid_lookup or system_lookup())
    server = await serve(
        door.serve,
        ADDRESS,
        port,
        process_request=door.answer,
        subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
        max_size=MAX_MESSAGE,
        compression=None,
        server_header=None,
        close_timeout=STILL_THERE,
        start_serving=False,
    )
    door.open_at(next(iter(server.sockets)).getsockname()[1])
    await server.start_serving()
    return Playground(f"http://{ADDRESS}:{door.admission.port}/#{door.admission.token}", server)


class _Door:
    """Answers what comes over HTTP, and lets one page at a time in."""

    def __init__(
        self,
        make_server: Callable[[], AssentServer],
        page: Path,
        token: str,
        on_close: OnClose | None,
        uid_lookup: UidLookup | None,
    ) -> None:
        self.admission = Admission(0, token)
        self._make_server = make_server
        self._page = page
        self._on_close = on_close
        self._uid_lookup = uid_lookup
        self._inside: ServerConnection | None = None

    def open_at(self, port: int) -> None:
        """The port is known now."""
        self.admission = Admission(port, self.admission.token)

    async def answer(self, connection: "ServerConnection", request: "Request") -> "Response | None":
        """The answer over HTTP, or None for a page that may connect."""
        hosts = request.headers.get_all("Host")
        refused = self.admission.check_host(hosts) or await self._check_user(connection)
        if refused is None and request.path == "/rpc":
            refused = self.admission.check_page(request.headers.get_all("Origin"), _subprotocols(request))
            return _refuse(connection, refused) if refused is not None else None
        if refused is not None:
            return _refuse(connection, refused)
        if getattr(request, "method", "GET") != "GET":
            return _respond(connection, None, "")
        if request.path == "/":
            return _page_response(connection, _read(self._page / "index.html"), hosts[0])
        if request.path in ("/playground.js", "/later.js"):
            return _respond(connection, _read(self._page / request.path[1:]), "text/javascript; charset=utf-8")
        return _respond(connection, None, "")

    async def serve(self, connection: "ServerConnection") -> None:
        """Serves a page that was let in, when the place is free."""
        if not await self._take_place(connection):
            await connection.close(PLACE_IS_TAKEN, "another page is connected to this playground: close it first")
            return
        server = self._make_server()
        try:
            await WebSocketConnection(connection, server).serve()
        finally:
            if self._inside is connection:
                self._inside = None
            if self._on_close is not None:
                await self._on_close(server)

    async def _take_place(self, newcomer: "ServerConnection") -> bool:
        before = self._inside
        if before is not None and await _still_there(before):
            return False
        if self._inside is not before and self._inside is not None:
            return False
        self._inside = newcomer
        if before is not None:
            before.transport.abort()
        return True

    async def _check_user(self, connection: "ServerConnection") -> Refused | None:
        client, ours = connection.remote_address[:2], connection.local_address[:2]
        return await asyncio.to_thread(check_user, self._uid_lookup, client, ours, _own_uid())


async def _still_there(connection: "ServerConnection") -> bool:
    from websockets.exceptions import ConnectionClosed

    try:
        async with asyncio.timeout(STILL_THERE):
            await (await connection.ping())
    except (TimeoutError, ConnectionClosed):
        return False
    return True


def _subprotocols(request: "Request") -> list[str]:
    headers = request.headers.get_all("Sec-WebSocket-Protocol")
    return [one.strip() for header in headers for one in header.split(",")]


def _page_response(connection: "ServerConnection", html: bytes | None, host: str) -> "Response":
    nonce = secrets.token_urlsafe(16)
    text = html.replace(b"{{NONCE}}", nonce.encode()) if html is not None else None
    response = _respond(connection, text, "text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src ws://{host}; "
        "img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return response


def _respond(connection: "ServerConnection", body: bytes | None, content_type: str) -> "Response":
    response = connection.respond(404 if body is None else 200, "There is nothing here.\n")
    if body is not None:
        response.body = body
        del response.headers["Content-Type"], response.headers["Content-Length"]
        response.headers["Content-Type"] = content_type
        response.headers["Content-Length"] = str(len(body))
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response


def _refuse(connection: "ServerConnection", refused: Refused) -> "Response":
    log.warning("somebody was not let in: %s", refused.reason)
    return connection.respond(403, refused.reason + "\n")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _own_uid() -> int:
    return os.getuid() if hasattr(os, "getuid") else -1
