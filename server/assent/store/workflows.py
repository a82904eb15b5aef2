"""Keeps the runs of workflows, step by step: what is about to be made is there before it is made."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from assent.model.ids import CallId, SessionId
from assent.model.workflows import KeptRun
from assent.store import workflow_rows as rows
from assent.store.calls import owner_of
from assent.store.faults import elsewhere
from assent.store.owners import Owners
from assent.store.plain import Veil
from assent.store.store import Store

T = TypeVar("T")


class KeptWorkflows:
    """Those of the chats of this process. Whoever waits goes on when it would survive a power cut."""

    def __init__(self, store: Store, owners: Owners, veil: Veil) -> None:
        self._store = store
        self._owners = owners
        self._veil = veil

    async def begins(self, chat: SessionId, run: str, call_id: CallId, identity: str, *, goes_on: bool) -> None:
        """The run begins, or goes on. Raises NotRecorded."""
        await self._ask(
            chat, lambda connection: rows.put_run(connection, chat, run, call_id, identity, goes_on=goes_on)
        )

    async def step_begins(self, chat: SessionId, run: str, number: int, name: str, call_id: CallId) -> None:
        """This step is about to be made by this call. Raises NotRecorded."""
        await self._ask(
            chat, lambda connection: rows.put_begun(connection, chat, run, number, name, call_id, self._veil)
        )

    async def step_gave(self, chat: SessionId, run: str, number: int, result: str | None) -> None:
        """The step is done, and gave this; None: nothing that goes into another. Raises NotRecorded."""
        await self._ask(chat, lambda connection: rows.put_result(connection, chat, run, number, result, self._veil))

    async def step_is_open(self, chat: SessionId, run: str, number: int) -> None:
        """The step was not made after all, or failed: it is still to be made. Raises NotRecorded."""
        await self._ask(chat, lambda connection: rows.forget_step(connection, chat, run, number))

    async def ended(self, chat: SessionId, run: str) -> None:
        """It came to its end. Raises NotRecorded."""
        await self._ask(chat, lambda connection: rows.forget_run(connection, chat, run))

    async def find(self, chat: SessionId, run: str) -> KeptRun | None:
        """The one of this id, if it can be read. Raises NotRecorded."""
        found = await self._ask(chat, lambda connection: rows.read_runs(connection, chat, lambda: None))
        return next((one for one in found if one.run == run), None)

    async def _ask(self, chat: SessionId, job: Callable[[sqlite3.Connection], T]) -> T:
        def mine(connection: sqlite3.Connection) -> T:
            if owner_of(connection, chat) not in {None, self._owners.name}:
                raise elsewhere()
            return job(connection)

        return await self._store.ask(mine)
