"""What outlives this process, as the app needs it: the journal of calls, and where chats are kept."""

from pathlib import Path
from typing import Protocol

from assent.agent.chat import Agent
from assent.agent.nowhere import NoJournal, NoKeeper
from assent.agent.ports import Journal, Keeper
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.store.store import Store


class Records(Protocol):
    """Behind it is the disk; in a process that only thinks, nothing."""

    @property
    def journal(self) -> Journal: ...

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
        """Where a new chat is kept."""

    async def settle(self) -> None:
        """Returns when what came before can be looked up."""

    async def end(self) -> None:
        """Writes what is left to write."""


class KeptRecords:
    """In the user's state directory."""

    def __init__(self, state_directory: Path) -> None:
        self.store = Store(state_directory)

    @property
    def journal(self) -> Journal:
        """The history of decisions."""
        return self.store

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
        """Nowhere."""
        return NoKeeper()

    async def settle(self) -> None:
        """Writes what is queued, as far as it can be written."""
        await self.store.settle()

    async def end(self) -> None:
        """Writes what is queued."""
        await self.store.end()


class NoRecords:
    """Nothing is kept, and nothing runs."""

    journal: Journal = NoJournal()

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
        """Nowhere."""
        return NoKeeper()

    async def settle(self) -> None:
        """There is nothing to write."""

    async def end(self) -> None:
        """There is nothing to write."""
