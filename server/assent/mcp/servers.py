"""All MCP servers that the settings name: each begun when it is first needed, one process for each."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from assent.agent.ports import FormPort
from assent.mcp.client import Client
from assent.mcp.faults import McpFault, McpGone, McpSilent
from assent.mcp.words import Definition, TimeLimits
from assent.runtime.clock import Clock
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

USUAL = TimeLimits()
_FOR_ENDINGS = 10.0
"""Seconds: more than it takes to ask, to tell and to kill. Whatever is left then is ended with all other programs."""


class Servers:
    """Begins them, finds them again, and ends those that are not meant any more."""

    def __init__(
        self,
        defined: Callable[[], Mapping[str, Definition]],
        processes: Processes,
        known: KnownSecrets,
        clock: Clock,
        limits: TimeLimits = USUAL,
        forms: FormPort | None = None,
    ) -> None:
        self.defined = defined
        """Those that count now, by their names."""
        self._forms = forms
        self._processes, self._known, self._clock, self._limits = processes, known, clock, limits
        self._begun: dict[str, _Begun] = {}
        self._tasks = TaskGroup("mcp")
        self._ended = False

    async def client(self, name: str, *, soon: bool = False, looking: bool = False) -> Client:
        """The server of this name as it is defined now, begun where it is not. Raises McpFault.

        `soon`, and a little later `looking`: one that takes long to begin is not waited for; it goes on to begin.
        """
        definition = self.defined().get(name)
        if definition is None or self._ended:
            raise McpGone(f"there is no MCP server {name!r} now")
        begun = self._begun.get(name)
        if begun is None or not begun.is_of(definition):
            if begun is not None:
                self._tasks.start(begun.end("it is defined otherwise now"), f"end {name}")
            begun = self._begun[name] = _Begun(definition, self._begin, self._tasks, self._clock, self._limits.rest)
        return await begun.client(self._limits.soon if soon else self._limits.look if looking else None)

    def look(self) -> None:
        """The settings may be others now: what is not defined any more is ended."""
        defined = self.defined()
        for name, begun in tuple(self._begun.items()):
            now = defined.get(name)
            if now is None or not begun.is_of(now):
                del self._begun[name]
                self._tasks.start(begun.end("it is not defined so any more"), f"end {name}")

    async def end(self) -> None:
        """The server ends, and all of these with it."""
        self._ended = True
        begun, self._begun = tuple(self._begun.values()), {}
        for one in begun:
            self._tasks.start(one.end("the server ends"), "end")
        # Those that were being ended before are ended to their end, too.
        await self._tasks.finish(_FOR_ENDINGS)

    async def _begin(self, definition: Definition) -> Client:
        client = await Client.begin(definition, self._processes, self._known, self._limits, self._forms)
        logger.info("an MCP server has begun")
        return client


class _Begun:
    """One of them. It begins by itself: several wait for the same beginning, and none of them ends it by going."""

    def __init__(
        self,
        definition: Definition,
        begin: Callable[[Definition], Awaitable[Client]],
        tasks: TaskGroup,
        clock: Clock,
        rest: float,
    ) -> None:
        self._definition = definition
        self._begin = begin
        self._tasks, self._clock, self._rest = tasks, clock, rest
        self._client: Client | None = None
        self._beginning: asyncio.Task[Client | McpFault] | None = None
        self._fault: tuple[float, McpFault] | None = None

    def is_of(self, definition: Definition) -> bool:
        """Whether this is what it means. Trust is no part of what runs."""
        mine = self._definition
        return (mine.digest, mine.means, mine.of_user) == (definition.digest, definition.means, definition.of_user)

    async def client(self, seconds: float | None) -> Client:
        """It, once it has begun. Raises McpFault. None: however long that takes."""
        if self._client is not None and self._client.over is None:
            return self._client
        if self._fault is not None and self._clock.monotonic() - self._fault[0] < self._rest:
            # Whoever asks for all servers asks often: one that cannot begin is not tried each time.
            raise self._fault[1]
        if self._beginning is None or self._beginning.done():
            self._beginning = self._tasks.start(self._begun(), f"begin {self._definition.name}")
        try:
            async with asyncio.timeout(seconds):
                found = await asyncio.shield(self._beginning)
        except TimeoutError:
            raise McpSilent("it is still starting; ask again in a while") from None
        if isinstance(found, McpFault):
            raise found
        return found

    async def end(self, why: str) -> None:
        """Ends it, whether it has begun or not."""
        if self._beginning is not None and not self._beginning.done():
            self._beginning.cancel()
            await asyncio.wait({self._beginning})
        if self._client is not None:
            await self._client.end(why)

    async def _begun(self) -> Client | McpFault:
        if self._client is not None:
            await self._client.end("it is over")
        try:
            self._client = await self._begin(self._definition)
        except McpFault as fault:
            self._fault = (self._clock.monotonic(), fault)
            return fault
        self._fault = None
        return self._client
