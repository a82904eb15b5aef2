"""The history of decisions, for the faces: it is looked into beside the thread that writes, and never waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from assent.model.errors import InvalidRequest
from assent.runtime.beside import Stopped, in_thread
from assent.store import export, metrics, query, verify
from assent.store.reading import Looking, NoHistory, reading

T = TypeVar("T")

_EMPTY = metrics.Figures((), (), (), 0, 0, None, ())


class KeptHistory:
    """What was written down so far. Where nothing was, there is nothing to find and nothing wrong."""

    def __init__(self, state_directory: Path, settle: Callable[[], Awaitable[None]]) -> None:
        self._directory = state_directory
        self._settle = settle
        # Threads are for others, too: a client that asks much waits for itself.
        self._looking = asyncio.Semaphore(2)
        self._checking = asyncio.Lock()

    async def query(self, filters: query.Filters) -> query.Page:
        """The newest entries that fit."""
        return await self._look(lambda connection: query.look_up(connection, filters), query.Page((), more=False))

    async def export(self, after: int | None, length: int | None) -> export.Piece:
        """The lines after an entry."""
        nothing = export.Piece("", after or 0, done=True)
        return await self._look(lambda connection: export.export(connection, after, length), nothing)

    async def metrics(self, since: str | None, until: str | None) -> metrics.Figures:
        """Figures over a time."""
        return await self._look(lambda connection: metrics.figures(connection, since, until), _EMPTY)

    async def verify(self) -> verify.Verified:
        """Whether all of it is as it was written."""
        await self._settle()
        async with self._checking:
            try:
                return await in_thread(lambda stopped: verify.verify(self._directory, stopped))
            except NoHistory:
                return verify.Verified(True, 0)

    async def _look(self, job: Callable[[Looking], T], nothing: T) -> T:
        await self._settle()
        async with self._looking:
            return await in_thread(lambda stopped: self._looked(job, nothing, stopped))

    def _looked(self, job: Callable[[Looking], T], nothing: T, stopped: Stopped) -> T:
        try:
            with reading(self._directory, stopped) as connection:
                return job(connection)
        except NoHistory:
            return nothing
        except query.InvalidTime as fault:
            raise InvalidRequest(str(fault), f"params.{fault.name}") from fault
