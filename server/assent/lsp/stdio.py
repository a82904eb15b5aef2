"""The face over standard input and output: one client, from the start of the process to its end.

One thread reads, one thread writes, the loop does everything else. Whatever ends the connection (the end of input,
`exit`, a broken frame, a closed output, a signal), everything that waits is ended first, and then the process, in time.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from assent.lsp.descriptors import ClientPipes, take_client_pipes
from assent.lsp.faults import where_it_happened
from assent.lsp.framing import Broken, Frame, FrameParser, framed
from assent.lsp.last_resort import LastResort
from assent.lsp.lifecycle import Phase
from assent.lsp.outbox import Outbox
from assent.lsp.pipe_writer import PipeWriter
from assent.lsp.protocol import AssentServer

EVERYTHING = 1.7
"""Seconds from the end of the connection to the end of the process, whatever happens; the next four are parts of it."""
LAST_ANSWER = 0.1
ENDING = 0.8
UNWINDING = 0.2
FLUSHING = 0.2

READ_SIZE = 64 * 1024
CHUNKS_AHEAD = 16
"""So many pieces are read before the loop has looked at them; then the pipe fills, and the client waits."""

log = logging.getLogger(__name__)

OnEnd = Callable[[], Awaitable[None]]


def run_stdio(server: AssentServer, *, on_end: OnEnd, at_last: Callable[[], None]) -> int:
    """Serves the client of this process until it is gone, then returns the exit code.

    `on_end` ends everything that waits; it has about a second. The process ends soon after, also when it does not;
    `at_last` is called then, from any thread, and ends what must not outlive it.
    """
    connection = StdioConnection(server, on_end, at_last, take_client_pipes())
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(connection.serve())
        loop.run_until_complete(_cancel_the_rest())
    finally:
        at_last()
        loop.close()
    return connection.exit_code


class StdioConnection:
    """The way to the one client, and its end."""

    def __init__(self, server: AssentServer, on_end: OnEnd, at_last: Callable[[], None], pipes: ClientPipes) -> None:
        self._protocol = server.protocol
        self._on_end = on_end
        self._pipes = pipes
        self._outbox = Outbox(on_overflow=lambda: self.end("the client does not read, and too much waits for it"))
        self._writer = PipeWriter(pipes.outgoing, self._outbox, lambda: self.end("the client closed its end"))
        self._reader = _Reader(pipes.incoming, self._take, self._end_of_input)
        self._parser = FrameParser()
        self._last_resort = LastResort(EVERYTHING, lambda: self.exit_code, at_last)
        self._reader.on_eof_seen = self._last_resort.arm
        self._ended = asyncio.Event()
        self._reason = ""
        self._exited = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def exit_code(self) -> int:
        """0 after `shutdown` and `exit`, as LSP wants it."""
        return 0 if self._exited else 1

    @property
    def congested(self) -> bool:
        """Whether more is waiting to be sent than is good."""
        return self._outbox.congested

    def put(self, body: bytes) -> None:
        """Queues one message."""
        self._outbox.put(framed(body))

    async def drained(self) -> None:
        """Returns when the client has caught up, or is gone."""
        await self._outbox.drained()

    def end(self, reason: str) -> None:
        """Ends the connection, once. Any thread may call; the clock runs even when the loop is blocked."""
        self._last_resort.arm()
        if not self._reason:
            self._reason = reason
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._ended.set)

    async def serve(self) -> None:
        """Talks to the client until the end, and cleans up."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_log_without_data)
        self._listen_to_signals(self._loop)
        self._protocol.connect(self, self._exit)
        self._writer.start()
        self._reader.start(self._loop)
        await self._ended.wait()
        self._reader.stop()
        log.info("the connection ends: %s", self._reason)
        await self._finish()

    async def _finish(self) -> None:
        await self._protocol.stopped(LAST_ANSWER)
        await _bounded(self._on_end(), ENDING)
        await self._protocol.disconnect(UNWINDING)
        await asyncio.wait([asyncio.ensure_future(self._outbox.emptied())], timeout=FLUSHING)
        if not self._writer.stop(within=0.05):
            log.info("the client did not read the last messages")

    def _take(self, data: bytes) -> None:
        for event in self._parser.feed(data):
            match event:
                case _ if self._reason:
                    return
                case Frame(body):
                    self._protocol.receive(body)
                case Broken(reason):
                    log.error("the client sent something that is no message: %s. The connection ends here.", reason)
                    self.end(reason)

    def _end_of_input(self) -> None:
        if (fault := self._parser.end()) is not None:
            log.warning("%s", fault.reason)
        self.end("the input is over")

    def _exit(self) -> None:
        self._exited = self._protocol.phase is Phase.STOPPED
        self.end("the client said exit")

    def _listen_to_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            name = signal.Signals(number).name
            try:
                loop.add_signal_handler(number, self.end, f"{name} came")
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_, name=name: self.end(f"{name} came"))


class _Reader:
    """The thread that waits for input. A daemon, because nothing can wake it from a read."""

    def __init__(self, fd: int, take: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._fd = fd
        self._take = take
        self._on_end = on_end
        self.on_eof_seen: Callable[[], None] = lambda: None
        """Called at once and in the thread: the loop may be blocked, and then learns of the end too late."""
        self._chunks: deque[bytes] = deque()
        self._room = threading.Semaphore(CHUNKS_AHEAD)
        self._stopped = False

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begins to read for this loop."""
        if sys.platform == "win32":
            # A native module that is loaded while a thread waits for input can deadlock there.
            import pydantic_core  # noqa: F401
        threading.Thread(target=self._run, args=(loop,), name="client-reader", daemon=True).start()

    def stop(self) -> None:
        """What is read from now on goes nowhere."""
        self._stopped = True

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        data = b"?"
        while data and not self._stopped:
            self._room.acquire()
            data = self._read()
            if not data:
                self.on_eof_seen()
            # The bytes travel beside the callback: asyncio prints the arguments of one that fails.
            self._chunks.append(data)
            try:
                loop.call_soon_threadsafe(self._hand_over)
            except RuntimeError:  # the loop is closed
                return

    def _read(self) -> bytes:
        try:
            return os.read(self._fd, READ_SIZE)
        except OSError:
            return b""

    def _hand_over(self) -> None:
        data = self._chunks.popleft()
        self._room.release()
        if not data:
            self._on_end()
        elif not self._stopped:
            self._take(data)


async def _bounded(work: Awaitable[None], within: float) -> None:
    task = asyncio.ensure_future(work)
    await asyncio.wait([task], timeout=within)
    if not task.done():
        log.error("not everything could be ended within %s s", within)
        task.cancel()
    elif not task.cancelled() and (fault := task.exception()) is not None:
        log.error("ending what waits failed: %s", where_it_happened(fault))


async def _cancel_the_rest() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    if rest:
        await asyncio.wait(rest, timeout=UNWINDING / 2)


def _log_without_data(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    fault = context.get("exception")
    what = str(context.get("message", "")).partition("(")[0].partition("<")[0]  # behind these stand values
    log.error("%s: %s", what, where_it_happened(fault) if fault is not None else "no exception")
