"""An MCP server at an address: each message is a request of its own, and what it says comes as answers to them.

The HTTP library is loaded when the first message is sent, and not on the loop: it takes a tenth of a second.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from assent.jsontext import write_json
from assent.mcp.events import MOST_EVENT, EventMessages
from assent.mcp.faults import McpFault, McpGone, McpUnclear
from assent.mcp.words import Address
from assent.model.json import Json, JsonObject
from assent.runtime.json_lines import Message, read_line
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    import httpx2

MOST_AT_ONCE = 16
"""Messages that are on their way at the same time."""
CONNECT_SECONDS = 10.0
SILENT_SECONDS = 600.0
"""Without a byte while an answer is waited for."""
_ACCEPTED = "application/json, text/event-stream"
_SIGN_IN = "it wants to know who asks: put what it needs into its headers in the settings"

Heard = Callable[[dict[str, Any], Json], None]
"""A message, and which request of ours it came in answer to: what a server asks there belongs to that request."""


class ServerAddress:
    """One server that is reached by HTTP. Nothing of it is kept between two of these."""

    def __init__(
        self,
        name: str,
        address: Address,
        heard: Heard,
        failed: Callable[[Json, McpFault], None],
        over: Callable[[str], None],
    ) -> None:
        self._address = address
        self._heard, self._failed, self._over = heard, failed, over
        self._tasks = TaskGroup(f"mcp address {name}")
        self._client: httpx2.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._session: str | None = None
        self._version: str | None = None
        self._ended = False

    def send(self, message: JsonObject) -> None:
        """On its way; what goes wrong is told for its number."""
        if not self._ended:
            self._tasks.start(self._post(message), "post")

    def introduced(self, version: str) -> None:
        """From now on this version of the protocol is spoken: what the server tells by itself is listened to."""
        self._version = version
        self._tasks.start(self._listen(), "listen")

    def kill(self, why: str) -> None:
        """Nothing more is sent or heard, for this reason."""
        if not self._ended:
            self._ended = True
            self._over(why)

    async def end(self, why: str) -> None:
        """The same, with all connections closed."""
        self.kill(why)
        await self._tasks.cancel()
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _post(self, message: JsonObject) -> None:
        number = message.get("id") if "method" in message else None
        try:
            async with self._room, self._asked("POST", write_json(message)) as response:
                await self._take(response, number)
        except McpFault as fault:
            self._failed(number, fault)

    async def _listen(self) -> None:
        """A stream of what the server tells by itself, where it has one. Where it has none, lists are asked for."""
        with suppress(McpFault):
            async with self._asked("GET", None) as response:
                if response.status_code == 200:
                    await self._take(response, None)

    @asynccontextmanager
    async def _asked(self, method: str, body: bytes | None) -> "AsyncIterator[httpx2.Response]":
        import httpx2

        client = await self._opened()
        try:
            request = client.build_request(method, self._address.url, headers=self._headers(body), content=body)
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                yield response
            finally:
                await response.aclose()
        except (httpx2.RequestError, httpx2.InvalidURL, httpx2.StreamError) as fault:
            raise McpGone(f"it could not be reached: {str(fault) or type(fault).__name__}") from fault

    def _headers(self, body: bytes | None) -> dict[str, str]:
        headers = {**self._address.headers, "Accept": _ACCEPTED if body is not None else "text/event-stream"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        if self._version is not None:
            headers["MCP-Protocol-Version"] = self._version
        return headers

    async def _take(self, response: "httpx2.Response", number: Json) -> None:
        status = response.status_code
        if status == 404 and self._session is not None:
            self.kill("it has ended the session")
            return
        if status in (401, 403):
            raise McpGone(_SIGN_IN)
        if not 200 <= status < 300:
            raise McpGone(f"it answered with the status {status}")
        session = response.headers.get("mcp-session-id")
        if session and self._session is None and session.isascii() and session.isprintable():
            self._session = session
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            await self._take_events(response, number)
        elif kind == "application/json":
            await self._take_one(response, number)
        elif number is not None:
            raise McpUnclear("it answered with what is no message")
        if number is not None:
            # Where the answer was among what came, this finds nothing that still waits.
            raise McpUnclear("it ended its answer without having given one")

    async def _take_events(self, response: "httpx2.Response", number: Json) -> None:
        messages = EventMessages()
        async with aclosing(response.aiter_bytes()) as pieces:
            async for piece in pieces:
                for message in messages.take(piece):
                    self._heard(message.content, number)
                await asyncio.sleep(0)

    async def _take_one(self, response: "httpx2.Response", number: Json) -> None:
        body = bytearray()
        async with aclosing(response.aiter_bytes()) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > MOST_EVENT:
                    raise McpUnclear(f"it sent a message of more than {MOST_EVENT >> 20} MB")
        said = read_line(bytes(body))
        if isinstance(said, Message):
            self._heard(said.content, number)

    async def _opened(self) -> "httpx2.AsyncClient":
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(_new_client, self._address.url)
            return self._client


def _new_client(url: str) -> "httpx2.AsyncClient":
    import logging
    from http.cookiejar import DefaultCookiePolicy

    import httpx2

    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    here = httpx2.URL(url).host in ("localhost", "127.0.0.1", "::1")
    client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(SILENT_SECONDS, connect=CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=MOST_AT_ONCE + 1),
        # What runs on this machine is never asked through a proxy.
        trust_env=not here,
    )
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client
