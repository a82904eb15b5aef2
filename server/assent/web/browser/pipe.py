"""The two pipes to a browser: messages of its DevTools protocol, each ended by a zero byte. No port is ever opened."""

import asyncio
import itertools
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, BinaryIO, cast

from assent.runtime.processes import Processes, Running, Start, Stream

logger = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024 * 1024
"""Of one message: a screenshot is one."""
_MOST_ERRORS = 4_000
_SECONDS_TO_END = 2.0
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

    async def start(self, processes: Processes, start: Start) -> None:
        """Starts the browser, which is given the pipes beside what stands there. Raises OSError."""
        loop = asyncio.get_running_loop()
        with _pipe("wb") as (theirs_in, out), _pipe("rb") as (theirs_out, into):
            files = ((_COMMANDS, theirs_in), (_ANSWERS, theirs_out))
            try:
                self._running = await processes.start(replace(start, files=files), self._printed)
                self._out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, out)
                self._in, _ = await loop.connect_read_pipe(lambda: _Reading(self), into)
            except BaseException:
                self.lost("it was not started")
                self._hang_up()
                raise

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

    async def limit(self) -> str:
        """What it had too much of, where it was ended for that; otherwise nothing."""
        if self._running is None or self.is_there:
            return ""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_END):
                return (await self._running.ended()).limit or ""
        return ""

    async def end(self) -> None:
        """Ends the browser, with all that it started."""
        self.lost("it was ended")
        self._hang_up()
        if self._running is not None:
            await self._running.end()

    def _hang_up(self) -> None:
        out, self._out = self._out, None
        into, self._in = self._in, None
        if out is not None and not out.is_closing():
            # To close it would wait for somebody who reads what is not sent yet, for as long as that takes.
            out.abort()
        if into is not None:
            into.close()

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


@contextmanager
def _pipe(mode: str) -> Iterator[tuple[int, BinaryIO]]:
    """Their end, which is closed here, and our own, which is closed where this fails.

    Ours is a file, because a transport that never came to anybody closes it as well: a number would be closed twice.
    """
    reading, writing = os.pipe()
    theirs, ours = (reading, writing) if mode == "wb" else (writing, reading)
    file = cast("BinaryIO", os.fdopen(ours, mode, 0))
    try:
        yield theirs, file
    except BaseException:
        file.close()
        raise
    finally:
        os.close(theirs)


class _Reading(asyncio.Protocol):
    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def data_received(self, data: bytes) -> None:
        self._pipe.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._pipe.lost("it has ended")
