"""An MCP server as a program of ours: started, fed, listened to within bounds, and ended with all that it started."""

import asyncio
from collections.abc import Callable
from typing import Any

from assent.jsontext import write_json
from assent.masking import mask_text
from assent.mcp.faults import McpGone
from assent.model.json import JsonObject
from assent.runtime.intake import Intake
from assent.runtime.json_lines import Garbage, Message
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.last_words import LastWords
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes, Running, Stream
from assent.runtime.running import happens
from assent.runtime.tasks import TaskGroup

MOST_LINE = 4 << 20
"""Bytes of one message. Who sends a longer one is ended: its answer would never come."""
MOST_UNREAD = 8 << 20
"""Bytes that a server may leave unread. One that leaves more has stopped reading."""
MOST_GARBAGE = 1_000
"""Lines that are no messages. Some servers print a few words first."""
GRACE = 2.0
_FOR_THE_REST = 0.5
_SHOWN_WORDS = 600

Heard = Callable[[dict[str, Any]], None]
Over = Callable[[str], None]


class ServerProcess:
    """One server that runs. Made by `start`."""

    def __init__(self, name: str, heard: Heard, over: Over, known: KnownSecrets) -> None:
        self._heard, self._over, self._known = heard, over, known
        self._intake = Intake(self._take, MOST_LINE, self._too_long)
        self._last_words = LastWords()
        self._garbage = 0
        self._why: str | None = None
        self._exited = asyncio.Event()
        self._gone = asyncio.Event()
        self._tasks = TaskGroup(f"mcp server {name}")
        self._running: Running

    @classmethod
    async def start(
        cls, name: str, processes: Processes, launch: Launch, heard: Heard, over: Over, known: KnownSecrets
    ) -> "ServerProcess":
        """Starts it. Raises McpGone, with what to do about it, where that is not possible."""
        server = cls(name, heard, over, known)
        try:
            server._running = await processes.launch(launch, server._printed)
        except OSError as fault:
            raise _not_started(launch, fault) from fault
        hearing = server._tasks.start(server._intake.hand_on(server._running), "intake")
        server._tasks.start(server._see_to_its_end(hearing), "end")
        server._tasks.start(server._see_to_its_output(), "output")
        return server

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._running.pid

    def send(self, message: JsonObject) -> None:
        """Behind what was sent before. It never blocks."""
        self._running.write(write_json(message) + b"\n")
        if self._running.waiting_bytes > MOST_UNREAD:
            self.kill(f"it had stopped reading: {MOST_UNREAD >> 20} MB waited for it; it was ended")

    def kill(self, why: str) -> None:
        """Ends it at once, for this reason."""
        self._why = self._why or why
        self._running.kill()

    async def end(self, why: str) -> None:
        """Ends it: politely at first, but in any case, with all that it started."""
        self._why = self._why or why
        if not self._exited.is_set():
            self._running.close_input()
        if not await happens(self._exited, GRACE):
            self._running.terminate()
            if not await happens(self._exited, GRACE):
                self._running.kill()
        await self._gone.wait()

    async def _see_to_its_end(self, hearing: "asyncio.Task[None]") -> None:
        try:
            end = await self._running.ended()
            self._exited.set()
            await self._running.silent(_FOR_THE_REST, Stream.OUTPUT)
            await happens(self._intake.idle, _FOR_THE_REST)
            await self._running.end()
            how = f" with code {end.code}" if end.code is not None else f" by {end.signal}" if end.signal else ""
            self._why = self._why or f"it ended{how}"
        finally:
            hearing.cancel()
            self._gone.set()
            self._over(self._why_with_words())

    async def _see_to_its_output(self) -> None:
        """One that can say nothing any more is of no use to anybody."""
        await self._running.silent(None, Stream.OUTPUT)
        if not await happens(self._exited, GRACE):
            self.kill("it closed its output and was ended")

    def _why_with_words(self) -> str:
        said = self._last_words.text(self._known.values)[-_SHOWN_WORDS:].strip()
        why = self._why or "it ended"
        return f"{why}; it printed last: {said}" if said else why

    def _printed(self, stream: Stream, data: bytes) -> None:
        if stream is Stream.OUTPUT:
            self._intake.printed(data)
        else:
            self._last_words.add(data)

    def _take(self, said: Message | Garbage) -> None:
        if isinstance(said, Message):
            self._heard(said.content)
            return
        self._garbage += 1
        head, _ = mask_text(said.head, self._known.values)
        if self._garbage > MOST_GARBAGE:
            self.kill(f"it printed {MOST_GARBAGE} lines that are no messages and was ended; the last began: {head}")

    def _too_long(self) -> None:
        self.kill(f"it sent a message of more than {MOST_LINE >> 20} MB and was ended")


def _not_started(launch: Launch, fault: OSError) -> McpGone:
    program = launch.argv[0] if launch.argv else ""
    if fault.filename == launch.folder:
        return McpGone(f"it cannot work in {launch.folder}: {fault.strerror}")
    if isinstance(fault, FileNotFoundError):
        return McpGone(f"its program {program!r} was not found: install it, or correct its command in the settings")
    return McpGone(f"its program {program!r} could not be started: {fault.strerror or fault}")
