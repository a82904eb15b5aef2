"""One client over a WebSocket: one JSON text for each message, the same dispatch and the same queue as over stdio."""

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from assent.lsp.outbox import Outbox
from assent.lsp.protocol import AssentServer

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

MAX_MESSAGE = 64 * 1024 * 1024
UNWINDING = 1.0
CLIENT_DOES_NOT_READ = 4408
"""A close code of our own: codes from 4000 on belong to applications."""

log = logging.getLogger(__name__)


class WebSocketConnection:
    """The way to a page, from its connection to its end."""

    def __init__(self, socket: "ServerConnection", server: AssentServer) -> None:
        self._socket = socket
        self._protocol = server.protocol
        self._outbox = Outbox(on_overflow=lambda: self._end(CLIENT_DOES_NOT_READ, "the page does not read"))
        self._waiting = asyncio.Event()
        self._outbox.wake = self._waiting.set
        self._ended: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()

    @property
    def congested(self) -> bool:
        """Whether more is waiting to be sent than is good."""
        return self._outbox.congested

    def put(self, body: bytes) -> None:
        """Queues one message."""
        self._outbox.put(body)

    async def drained(self) -> None:
        """Returns when the page has caught up, or is gone."""
        await self._outbox.drained()

    async def serve(self) -> None:
        """Talks to the page until it is gone, then ends what works for it."""
        self._protocol.connect(self, lambda: self._end(1000, "the page said exit"))
        receiver = asyncio.create_task(self._receive(), name="playground receiver")
        sender = asyncio.create_task(self._send(), name="playground sender")
        try:
            ends: list[asyncio.Future[Any]] = [receiver, sender, self._ended]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._finish(receiver, sender)

    async def _finish(self, receiver: "asyncio.Task[None]", sender: "asyncio.Task[None]") -> None:
        receiver.cancel()
        await self._protocol.stopped(UNWINDING)
        await self._protocol.disconnect(UNWINDING)
        emptied = asyncio.create_task(self._outbox.emptied(), name="playground flush")
        await asyncio.wait([sender, emptied], timeout=UNWINDING, return_when=asyncio.FIRST_COMPLETED)
        self._outbox.close()
        sender.cancel()
        await asyncio.wait([receiver, sender, emptied])
        code, reason = self._ended.result() if self._ended.done() else (1000, "")
        await self._socket.close(code, reason)

    async def _receive(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._protocol.receive(await self._socket.recv(decode=False))
        except ConnectionClosed:
            log.info("the page is gone")

    async def _send(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while not self._outbox.closed:
                self._waiting.clear()
                while (body := self._outbox.take_one()) is not None:
                    await self._socket.send(body, text=True)
                    self._outbox.written(len(body))
                await self._waiting.wait()
        except ConnectionClosed:
            self._outbox.close()

    def _end(self, code: int, reason: str) -> None:
        if not self._ended.done():
            self._ended.set_result((code, reason))
