"""The two pipes to a browser: messages of its DevTools protocol, each ended by a zero byte. No port is ever opened."""

import asyncio
import itertools
import json
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from assent.runtime.processes import Processes, Running, Start, Stream

logger = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024 * 1024
"""Of one message: a screenshot is one."""
_MOST_ERRORS = 4_000
_COMMANDS, _ANSWERS = 3, 4
"""The numbers under which the browser finds its two pipes."""

Message = dict[str, Any]
OnEvent = Callable[[str, Message, str], None]
"""Is told of an event: its name, what it says, and of which session it is."""


class BrowserGone(Exception):
    """The browser is not there any more, or did not understand."""


class Pipe:
    """One browser that was started, and what is said to it."""

    def __init__(self, on_event: OnEvent) -> None:
        self._on_event = on_event
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._rest = bytearray()
        self._out: asyncio.WriteTransport | None = None
        self._in: asyncio.ReadTransport | None = None
        self._running: Running | None = None
        self._errors = bytearray()
        self._gone = ""

    @property
    def is_there(self) -> bool:
        """Whether it can be talked to."""
        return self._running is not None and not self._gone

    @property
    def errors(self) -> str:
        """The last that it printed."""
        return self._errors.decode("utf-8", "replace")

    async def start(
        self, processes: Processes, argv: tuple[str, ...], directory: str, environment: dict[str, str]
    ) -> None:
        """Starts the browser. Raises OSError."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        loop = asyncio.get_running_loop()
        try:
            files = ((_COMMANDS, theirs_in), (_ANSWERS, theirs_out))
            self._running = await processes.start(Start(argv, directory, environment, files), self._printed)
            self._out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(ours_out, "wb", 0))
            ours_out = -1
            self._in, _ = await loop.connect_read_pipe(lambda: _Reading(self), os.fdopen(ours_in, "rb", 0))
            ours_in = -1
        finally:
            for handle in (theirs_in, theirs_out, ours_out, ours_in):
                if handle >= 0:
                    os.close(handle)

    async def ask(self, method: str, session: str = "", **params: Any) -> Message:
        """What it answers. Raises BrowserGone."""
        number = next(self._numbers)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._write(number, method, session, params)
            return await answer
        finally:
            self._waiting.pop(number, None)

    def tell(self, method: str, session: str = "", **params: Any) -> None:
        """Says something without waiting for what it answers. What is not there any more hears nothing."""
        with suppress(BrowserGone):
            self._write(next(self._numbers), method, session, params)

    async def end(self) -> None:
        """Ends the browser, with all that it started."""
        self.lost("it was ended")
        for transport in (self._out, self._in):
            if transport is not None:
                transport.close()
        if self._running is not None:
            await self._running.end()

    def _write(self, number: int, method: str, session: str, params: Message) -> None:
        if self._out is None or self._gone:
            raise BrowserGone(self._gone or "it was not started")
        message: Message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._out.write(json.dumps(message).encode() + b"\0")

    def received(self, data: bytes) -> None:
        """More of what the browser says."""
        self._rest += data
        if len(self._rest) > MOST_BYTES:
            self.lost("it said more at once than anybody reads")
            return
        if 0 not in data:
            return
        *whole, rest = bytes(self._rest).split(b"\0")
        self._rest = bytearray(rest)
        for text in whole:
            self._said(text)

    def _said(self, text: bytes) -> None:
        try:
            message: Message = json.loads(text)
        except ValueError:
            self.lost("what it says cannot be read")
            return
        if "id" not in message:
            self._on_event(str(message.get("method")), message.get("params") or {}, str(message.get("sessionId") or ""))
            return
        answer = self._waiting.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(BrowserGone(str(message["error"].get("message"))))
        else:
            answer.set_result(message.get("result") or {})

    def lost(self, why: str) -> None:
        """Nobody is there any more."""
        self._gone = self._gone or why
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(BrowserGone(self._gone))

    def _printed(self, stream: Stream, data: bytes) -> None:
        if stream is Stream.ERRORS:
            self._errors = bytearray((bytes(self._errors) + data)[-_MOST_ERRORS:])


class _Reading(asyncio.Protocol):
    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def data_received(self, data: bytes) -> None:
        self._pipe.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._pipe.lost("it has ended")
