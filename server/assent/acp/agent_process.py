"""One agent that runs: a program, the talk with it, what it printed beside that, and its end."""

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from assent import __version__
from assent.acp.connection import Connection, Handler
from assent.acp.faults import AgentFault
from assent.acp.reading import introduction_of
from assent.acp.words import Introduction
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_text
from assent.runtime.intake import Intake
from assent.runtime.json_lines import Garbage, Message
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.last_words import LastWords
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes, Running, Stream
from assent.runtime.running import happens
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from assent.model.json import Json

logger = logging.getLogger(__name__)

PROTOCOL = 1
"""The version of the protocol that is spoken here."""
GRACE = 2.0
"""Seconds for which an agent may end by itself, once it reads the end of its input, and again when it is asked to."""
_FOR_OUTPUT = 0.5
"""Seconds for which more is waited for of an agent that has ended: what it had started may hold its output."""
_FOR_THE_REST = 5.0
"""Seconds after which no more of that is heard."""
_MOST_UNREAD = 256 << 20
"""Bytes that an agent may leave unread. One that leaves more has stopped reading."""
_NOTICES = 10
"""Told one by one; of more, each time that there are twice as many."""
_LONGEST_NOTICE = 500


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an agent may leave to its client."""

    reads: bool = False
    """Files."""
    writes: bool = False
    terminal: bool = False
    forms: bool = False
    """Showing a form to the user."""


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """How an agent ended."""

    code: int | None
    signal: str | None
    wanted: bool
    """It was stopped by us."""
    last_words: str
    """What it printed last beside the protocol, with secrets masked."""
    reason: str | None = None
    """Why it was ended, where we did that without having been asked to."""

    @property
    def words(self) -> str:
        """It in half a sentence."""
        if self.reason is not None:
            return self.reason
        if self.wanted:
            return "the agent was stopped"
        how = f" with code {self.code}" if self.code is not None else f" by {self.signal}" if self.signal else ""
        return f"the agent ended{how}"


class Listener(Protocol):
    """Whoever wants to know how an agent is."""

    def noticed(self, notice: str) -> None:
        """It printed something that is no message. Short, with secrets masked, and not told too often."""

    def ended(self, end: AgentEnd) -> None:
        """Nothing is left of it. Told once."""


class AgentProcess:
    """One running agent. Made by `start`."""

    def __init__(self, handler: Handler, listener: Listener, known: KnownSecrets) -> None:
        self.connection = Connection(self._write, handler, self._notice)
        self.garbage = 0
        """How many lines of it said nothing."""
        self._listener = listener
        self._known = known
        self._intake = Intake(self._take)
        self._last_words = LastWords()
        self._running: Running
        self._tasks: TaskGroup
        self._exited = asyncio.Event()
        self._over = asyncio.Event()
        self._end: AgentEnd | None = None
        self._wanted = False
        self._reason: str | None = None
        self._stopping: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls,
        processes: Processes,
        launch: Launch,
        handler: Handler,
        listener: Listener,
        known: KnownSecrets | None = None,
    ) -> "AgentProcess":
        """Starts it. Raises AgentFault, with what to do about it, where that is not possible."""
        agent = cls(handler, listener, known or KnownSecrets())
        try:
            running = await processes.launch(launch, agent._printed)
        except OSError as fault:
            raise _not_started(launch, fault) from fault
        agent._run(running)
        return agent

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._running.pid

    @property
    def last_words(self) -> str:
        """What it has printed last beside the protocol by now, with secrets masked."""
        return self._last_words.text(self._known.values)

    async def introduce(self, capabilities: Capabilities, seconds: float = 60.0) -> Introduction:
        """The handshake. Raises AgentFault."""
        files = {"readTextFile": capabilities.reads, "writeTextFile": capabilities.writes}
        forms: dict[str, Json] = {"elicitation": {"form": {}}} if capabilities.forms else {}
        result = await self.connection.request(
            "initialize",
            {
                "protocolVersion": PROTOCOL,
                "clientInfo": {"name": "assent", "title": "Assent", "version": __version__},
                "clientCapabilities": {"fs": files, "terminal": capabilities.terminal, **forms},
            },
            seconds,
        )
        introduction = introduction_of(result)
        if introduction is None:
            raise AgentFault("the agent did not say in its handshake which version of the protocol it speaks")
        if introduction.protocol != PROTOCOL:
            raise AgentFault(
                f"the agent speaks version {introduction.protocol} of the Agent Client Protocol, and Assent version "
                f"{PROTOCOL}: another version of the agent is needed"
            )
        return introduction

    async def ended(self) -> AgentEnd:
        """How it ended, as soon as nothing is left of it."""
        await self._over.wait()
        if self._end is None:
            raise AssertionError("it is known when it is over")
        return self._end

    async def stop(self) -> AgentEnd:
        """Ends it: politely at first, but in any case, with all that it started. Several may wait."""
        if self._stopping is None:
            self._wanted = not self._exited.is_set()
            self._stopping = self._tasks.start(self._stop(), "stop")
        await asyncio.shield(self._stopping)
        return await self.ended()

    def _run(self, running: Running) -> None:
        self._running = running
        self._tasks = TaskGroup(f"agent {running.pid}")
        handing_on = self._tasks.start(self._intake.hand_on(running), "intake")
        handing_on.add_done_callback(self._intake_ended)
        self._tasks.start(self._see_to_its_end(handing_on), "end")

    def _intake_ended(self, task: "asyncio.Task[None]") -> None:
        # Nobody hears it any more: what it asks would never be answered.
        if not task.cancelled() and task.exception() is not None:
            self._reason = "what the agent said could not be taken in, and it was ended"
            self._intake.idle.set()
            self._running.kill()

    async def _stop(self) -> None:
        self.connection.close("the agent was stopped")
        self._running.close_input()
        if not await happens(self._exited, GRACE):
            await self._make_it_end()

    async def _make_it_end(self) -> None:
        self._running.terminate()
        if not await happens(self._exited, GRACE):
            self._running.kill()

    async def _see_to_its_end(self, handing_on: "asyncio.Task[None]") -> None:
        try:
            mute = self._tasks.start(self._see_to_its_output(), "output")
            await self._running.ended()
            self._exited.set()
            mute.cancel()
            await self._hear_the_rest()
            await self._running.end()
            await happens(self._intake.idle, _FOR_OUTPUT)
        finally:
            handing_on.cancel()
            await self._tell_its_end()

    async def _see_to_its_output(self) -> None:
        """One that can say nothing any more is of no use to anybody."""
        await self._running.silent(None, Stream.OUTPUT)
        # Whoever ends closes its output a moment before.
        if not await happens(self._exited, GRACE):
            self._reason = "the agent closed its output and was ended"
            await self._make_it_end()

    async def _hear_the_rest(self) -> None:
        try:
            async with asyncio.timeout(_FOR_THE_REST):
                heard = -1
                while heard < self._intake.total:
                    heard = self._intake.total
                    silent = await self._running.silent(_FOR_OUTPUT, Stream.OUTPUT)
                    await self._intake.idle.wait()
                    if silent:
                        return
        except TimeoutError:
            # It has ended all the same.
            return

    async def _tell_its_end(self) -> None:
        if (rest := self._intake.end()) is not None:
            self._notice(rest)
        end = await self._running.ended()
        self._end = AgentEnd(end.code, end.signal, self._wanted, self.last_words, self._reason or _limit(end.limit))
        self.connection.close(self._end.words)
        try:
            self._listener.ended(self._end)
        finally:
            self._over.set()

    def _printed(self, stream: Stream, data: bytes) -> None:
        if stream is Stream.OUTPUT:
            self._intake.printed(data)
        else:
            self._last_words.add(data)

    def _take(self, said: Message | Garbage) -> None:
        if isinstance(said, Message):
            self.connection.receive(said.content)
        else:
            self._notice(said)

    def _notice(self, garbage: Garbage) -> None:
        self.garbage += 1
        # The more there is of it, the less each tells.
        if self.garbage > _NOTICES and self.garbage & (self.garbage - 1):
            return
        so_far = f" ({self.garbage} times by now)" if self.garbage > 1 else ""
        notice = f"The agent printed what is no message{so_far}: {garbage.reason}. It begins with: {garbage.head}"
        masked, _ = mask_text(notice, self._known.values)
        try:
            self._listener.noticed(masked[:_LONGEST_NOTICE])
        except Exception:
            # Whoever cannot be told of garbage hears the messages all the same.
            logger.exception("what an agent printed could not be told of")

    def _write(self, data: bytes) -> None:
        self._running.write(data)
        if self._running.waiting_bytes > _MOST_UNREAD:
            self._reason = f"the agent had stopped reading: {_MOST_UNREAD >> 20} MB waited for it; it was ended"
            self._running.kill()


def _limit(limit: str | None) -> str | None:
    return f"the agent was ended, because it used {limit}" if limit is not None else None


def _not_started(launch: Launch, fault: OSError) -> AgentFault:
    program = launch.argv[0] if launch.argv else ""
    if fault.filename == launch.folder:
        return AgentFault(f"the agent cannot work in {launch.folder}: {fault.strerror}")
    if isinstance(fault, FileNotFoundError):
        return AgentFault(
            f"the agent's program {program!r} was not found: install it, or correct the agent's command in the settings"
        )
    return AgentFault(f"the agent's program {program!r} could not be started: {fault.strerror or fault}")
