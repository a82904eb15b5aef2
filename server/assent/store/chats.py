"""The chats that are kept: new ones get a keeper, those of processes that are gone are taken over."""

import sqlite3
from collections.abc import Callable

from assent.model.conversation import Message
from assent.model.events import Event
from assent.model.ids import CallId, RunId, SessionId
from assent.runtime.clock import Clock
from assent.store import chat_rows
from assent.store.calls import owner_of
from assent.store.chat_rows import Heading, KeptChat
from assent.store.keeper import ChatKeeper, Write
from assent.store.owners import Owners
from assent.store.plain import Veil
from assent.store.store import Store
from assent.store.transcript_rows import Row

MOST_TAKEN = 20


class Chats:
    """Every chat of this process, and those that have lost theirs."""

    def __init__(self, store: Store, owners: Owners, clock: Clock, veil: Veil) -> None:
        self._store = store
        self._owners = owners
        self._clock = clock
        self._veil = veil
        self._keepers: list[ChatKeeper] = []
        self._told = False

    def keeper(self, heading: Heading) -> ChatKeeper:
        """Where a new chat is kept."""
        return self._keep(ChatKeeper(heading, self._doing(heading), self._claim, self._clock, self._veil))

    def go_on(self, kept: KeptChat) -> ChatKeeper:
        """Goes on keeping a chat that was taken over and is whole as it is."""
        do = self._doing(kept.heading)
        return self._keep(ChatKeeper(kept.heading, do, self._claim, self._clock, self._veil, kept_rows=kept.last_row))

    def rewrite(
        self,
        heading: Heading,
        events: tuple[tuple[RunId, Event], ...],
        messages: tuple[Message, ...],
        waiting: frozenset[CallId],
    ) -> ChatKeeper:
        """Keeps a chat that was taken over as it is from now on, and goes on keeping it."""
        rows = tuple(Row(n, run_id, event) for n, (run_id, event) in enumerate(events, start=1))
        do = self._doing(heading)
        do(lambda connection: chat_rows.rewrite_chat(connection, heading, rows, messages, waiting))
        return self._keep(ChatKeeper(heading, do, self._claim, self._clock, self._veil, kept_rows=len(rows)))

    async def orphans(self, folder: str) -> tuple[tuple[SessionId, ...], bool]:
        """The chats of this folder whose process is gone, oldest first, and whether others of it live elsewhere.

        The latest, and every one with a call of which the end is not told yet. Raises NotRecorded.
        """
        return await self._store.ask(lambda connection: self._orphans(connection, folder))

    async def take_over(self, session_id: SessionId) -> KeptChat | None:
        """Makes the chat this process's own, unless another one was first. Raises NotRecorded."""
        return await self._store.ask(lambda connection: self._take_over(connection, session_id))

    def end(self) -> None:
        """The process ends: everything that was held back is written."""
        for keeper in self._keepers:
            keeper.ended()

    def _doing(self, heading: Heading) -> Callable[[Write], None]:
        """The way to the rows of this chat, for as long as no other process has taken it over."""

        def do(write: Write) -> None:
            def write_mine(connection: sqlite3.Connection) -> None:
                if owner_of(connection, heading.session_id) in {None, self._owners.name}:
                    write(connection)

            self._store.do(write_mine)

        return do

    def _keep(self, keeper: ChatKeeper) -> ChatKeeper:
        self._keepers = [known for known in self._keepers if not known.is_closed]
        self._keepers.append(keeper)
        return keeper

    def _claim(self) -> str:
        try:
            return self._owners.claim()
        except OSError as fault:
            if not self._told:
                self._told = True
                self._store.tell(_not_kept(fault))
            raise

    def _orphans(self, connection: sqlite3.Connection, folder: str) -> tuple[tuple[SessionId, ...], bool]:
        self._owners.sweep()
        rows = connection.execute(
            """
            SELECT session_id, owner, opened, EXISTS (SELECT 1 FROM calls WHERE calls.session_id = chats.session_id)
            FROM chats WHERE folder = ? ORDER BY used DESC, opened DESC
            """,
            (folder,),
        ).fetchall()
        alive = {owner: self._owners.alive(str(owner)) for _, owner, _, _ in rows}
        lost = [(opened, session_id, calls) for session_id, owner, opened, calls in rows if not alive[owner]]
        taken = [(opened, session_id) for n, (opened, session_id, calls) in enumerate(lost) if calls or n < MOST_TAKEN]
        elsewhere = any(lives and owner != self._owners.name for owner, lives in alive.items())
        return tuple(SessionId(session_id) for _, session_id in sorted(taken)), elsewhere

    def _take_over(self, connection: sqlite3.Connection, session_id: SessionId) -> KeptChat | None:
        owner = connection.execute("SELECT owner FROM chats WHERE session_id = ?", (session_id,)).fetchone()
        if owner is None or self._owners.alive(str(owner[0])):
            return None
        mine = self._claim()
        connection.execute("UPDATE chats SET owner = ? WHERE session_id = ?", (mine, session_id))
        return chat_rows.read_chat(connection, session_id)


def _not_kept(fault: OSError) -> str:
    return (
        f"Chats are not kept beyond this window: the file that says that it is open cannot be locked ({fault}). "
        "Let ASSENT_STATE_DIR name a folder on a local disk that is writable for you."
    )
