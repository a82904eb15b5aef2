"""What outlives this process, as the app needs it: the journal of calls, and where chats are kept."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from assent.agent.chat import Agent
from assent.agent.nowhere import NoJournal, NoKeeper
from assent.agent.ports import Journal, Keeper
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.runtime.clock import Clock, SystemClock
from assent.runtime.known_secrets import KnownSecrets
from assent.store.calls import following
from assent.store.chat_rows import Heading
from assent.store.chats import Chats
from assent.store.owners import Owners
from assent.store.store import Store
from assent.store.veil import veil_over
from assent.store.workflows import KeptWorkflows
from assent.tools.workflows.runs import NotKept, RunKeeper


class Records(Protocol):
    """Behind it is the disk; in a process that only thinks, nothing."""

    @property
    def journal(self) -> Journal: ...

    @property
    def secrets(self) -> KnownSecrets:
        """What is never written down: whoever comes to know a secret adds it."""

    @property
    def chats(self) -> Chats | None:
        """The chats that are kept, where there is a place for them."""

    @property
    def workflows(self) -> RunKeeper:
        """Where the runs of workflows are kept."""

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode, folder: str) -> Keeper:
        """Where a new chat in this folder is kept."""

    def notices(self, say: Callable[[str], None]) -> None:
        """From now on says what the user ought to know of what is kept; call it where the event loop runs."""

    async def settle(self) -> None:
        """Returns when what came before can be looked up."""

    async def end(self) -> None:
        """Writes what is left to write."""


class KeptRecords:
    """In the user's state directory."""

    def __init__(self, state_directory: Path, clock: Clock | None = None, secrets: KnownSecrets | None = None) -> None:
        self._clock = clock or SystemClock()
        self._secrets = secrets or KnownSecrets()
        self._owners = Owners(state_directory / "processes")
        veil = veil_over(self._secrets)
        self.store = Store(state_directory, following(self._owners, veil), self._secrets)
        self._chats = Chats(self.store, self._owners, self._clock, veil)
        self._workflows = KeptWorkflows(self.store, self._owners, veil)

    @property
    def journal(self) -> Journal:
        """The history of decisions."""
        return self.store

    @property
    def secrets(self) -> KnownSecrets:
        """What is masked in all that is kept."""
        return self._secrets

    @property
    def chats(self) -> Chats:
        """The chats of this process, and those that have lost theirs."""
        return self._chats

    @property
    def workflows(self) -> RunKeeper:
        """The runs of workflows, in the same file."""
        return self._workflows

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode, folder: str) -> Keeper:
        """In the same file, from its first message on."""
        at = self._clock.timestamp()
        return self._chats.keeper(Heading(session_id, folder, agent.agent_id, agent.name, agent.digest, mode, at))

    def notices(self, say: Callable[[str], None]) -> None:
        """Such as that a damaged file was set aside."""
        loop = asyncio.get_running_loop()

        def tell() -> None:
            while self.store.notices:
                say(self.store.notices.pop(0))

        def noticed() -> None:
            # Told by the thread that writes; where the loop has ended, there is nobody to tell.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(tell)

        self.store.on_notice = noticed
        tell()

    async def settle(self) -> None:
        """Writes what is queued, as far as it can be written."""
        await self.store.settle()

    async def end(self) -> None:
        """Writes what is queued, and lets go of the chats: they can be taken over from here on."""
        self._chats.end()
        await self.store.end()
        self._owners.release()


class NoRecords:
    """Nothing is kept, and nothing runs."""

    journal: Journal = NoJournal()
    chats: Chats | None = None
    workflows: RunKeeper = NotKept()

    def __init__(self) -> None:
        self.secrets = KnownSecrets()

    def keeper(self, session_id: SessionId, agent: Agent, mode: Mode, folder: str) -> Keeper:
        """Nowhere."""
        return NoKeeper()

    def notices(self, say: Callable[[str], None]) -> None:
        """There are none."""

    async def settle(self) -> None:
        """There is nothing to write."""

    async def end(self) -> None:
        """There is nothing to write."""
