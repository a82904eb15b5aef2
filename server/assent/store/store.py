"""The store as the others see it: what is written down before it happens, and what is kept of chats."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from assent.model.records import Entry
from assent.runtime.known_secrets import KnownSecrets
from assent.store import history
from assent.store.database import Database
from assent.store.writer import Writer

logger = logging.getLogger(__name__)

T = TypeVar("T")

Follow = Callable[[sqlite3.Connection, tuple[Entry, ...]], None]
"""Told of all entries in the transaction that writes them, to keep up what is derived from them."""


def _follow_nothing(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
    """Keeps nothing besides the history."""


class Store:
    """The journal of calls, and the way to the database for what else is kept. It touches nothing until it is used."""

    def __init__(
        self, state_directory: Path, follow: Follow = _follow_nothing, secrets: KnownSecrets | None = None
    ) -> None:
        self.directory = state_directory
        self._secrets = secrets or KnownSecrets()
        self.notices: list[str] = []
        """What the user ought to know of the file, such as that a damaged one was set aside; whoever tells it takes
        it out."""
        self.on_notice: Callable[[], None] | None = None
        """Called when there is a notice, from the thread that writes."""
        self._follow = follow
        self._writer = Writer(Database(state_directory, self.tell))

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written at this moment, or None."""
        return self._writer.trouble

    async def write(self, *entries: Entry) -> None:
        """Returns when these, and all before them, would survive a power cut. Raises NotRecorded: then none is kept."""
        await self._writer.ask(lambda connection: self._append(connection, entries))

    def note(self, entry: Entry) -> None:
        """Writes it without anyone waiting for it."""
        self._writer.do(lambda connection: self._append(connection, (entry,)))

    def do(self, job: Callable[[sqlite3.Connection], None]) -> None:
        """Queues work on the database that nobody waits for, in order with everything else."""
        self._writer.do(job)

    async def ask(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Does work on the database after all that came before, and returns its answer when it is durable."""
        return await self._writer.ask(job)

    async def settle(self) -> None:
        """Returns when what came before can be looked up, or cannot be written for now."""
        await self._writer.settle()

    async def end(self) -> None:
        """Writes what is queued and closes the file. Later writes raise NotRecorded."""
        await self._writer.end()

    def _append(self, connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
        history.append(connection, *entries, known=self._secrets.values)
        self._follow(connection, entries)

    def tell(self, words: str) -> None:
        """The user ought to know this."""
        self.notices.append(words)
        if self.on_notice is None:
            return
        try:
            self.on_notice()
        except Exception:
            # What was written is written, whatever becomes of the telling.
            logger.exception("a notice about the history could not be told")
