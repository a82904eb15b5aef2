"""Keeps one chat as it goes on. An empty chat is not kept: it begins with its first message."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from assent.model.conversation import AssistantTurn, Message, ToolOutcome, ToolResults
from assent.model.events import Event, ToolCalled, ToolFinished
from assent.model.ids import CallId, RunId
from assent.model.modes import Mode
from assent.runtime.clock import Clock
from assent.store import chat_rows as rows
from assent.store.calls import forget_finished
from assent.store.chat_rows import Heading
from assent.store.plain import Veil
from assent.store.transcript_rows import Row, TranscriptRows

Write = Callable[[sqlite3.Connection], None]


class ChatKeeper:
    """Where a chat is kept: an `agent.ports.Keeper`. Nobody waits for it, and the order is kept."""

    def __init__(
        self,
        heading: Heading,
        do: Callable[[Write], None],
        owner: Callable[[], str],
        clock: Clock,
        veil: Veil,
        *,
        kept_rows: int | None = None,
    ) -> None:
        self._heading = heading
        self._do = do
        self._owner = owner
        self._clock = clock
        self._veil = veil
        self._rows = TranscriptRows(kept_rows or 0, clock.monotonic, veil.text)
        # A chat that was taken over has so many rows already; a new one is not in the store yet.
        self._held: list[Write] | None = [] if kept_rows is None else None
        self._turn: AssistantTurn | None = None
        self._beside: set[CallId] = set()
        """Calls of sub-agents, and those that other calls make, that have no result yet."""
        self._results_at: int | None = None
        """The place in the history in which the results come that end the turn."""
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether there is nothing more to keep."""
        return self._closed

    def agent(self, digest: str) -> None:
        """The agent of the chat is defined otherwise now."""
        self._heading = replace(self._heading, agent_digest=digest)
        session_id = self._heading.session_id
        self._write(lambda connection: rows.put_agent(connection, session_id, digest))

    def mode(self, mode: Mode) -> None:
        """The chat has this mode now."""
        self._heading = replace(self._heading, mode=mode)
        session_id = self._heading.session_id
        self._write(lambda connection: rows.put_mode(connection, session_id, mode))

    def event(self, number: int, run_id: RunId, event: Event) -> None:
        """This happened. Its number is of this process: text that was told in pieces is one row."""
        for row in self._rows.take(run_id, event):
            self._put(row)
        if isinstance(event, ToolCalled) and (event.depth or event.parent_call is not None):
            self._beside.add(event.call_id)
        elif isinstance(event, ToolFinished) and event.call_id in self._beside:
            # Its result has no place in the history, so that this is where it is kept.
            self._beside.discard(event.call_id)
            self._write(lambda connection: forget_finished(connection, event.call_id))

    def message(self, index: int, message: Message) -> None:
        """The message in this place of the history: a new one, or in the place of the one before."""
        session_id, at, veil = self._heading.session_id, self._clock.timestamp(), self._veil
        if isinstance(message, ToolResults) and index == self._results_at:
            # Those of a call that is asked for anew can come in the middle of a text, and the last words of a turn
            # after the turn itself.
            for row in self._rows.complete():
                self._put(row)
        self._results_at = index + 1 if isinstance(message, AssistantTurn) else None
        self._begin_or_go_on(lambda connection: rows.put_message(connection, session_id, index, message, at, veil))
        if not (isinstance(message, AssistantTurn) and message.calls):
            # Until its results are there too, the turn beside the history is what knows them.
            self._turn = None
            self._write(lambda connection: rows.end_turn(connection, session_id))

    def cut(self, index: int, messages: Sequence[Message]) -> None:
        """From this place on the history is these, and nothing else."""
        session_id, at, veil, kept = self._heading.session_id, self._clock.timestamp(), self._veil, tuple(messages)
        self._turn = self._results_at = None

        def cut(connection: sqlite3.Connection) -> None:
            rows.cut_messages(connection, session_id, index)
            for place, message in enumerate(kept, index):
                rows.put_message(connection, session_id, place, message, at, veil)
            rows.end_turn(connection, session_id)

        self._begin_or_go_on(cut)

    def turn(self, turn: AssistantTurn) -> None:
        """How far the model's turn has come that is not in the history yet."""
        self._turn = turn
        session_id = self._heading.session_id

        def put(connection: sqlite3.Connection) -> None:
            # A long turn changes with every call: where a newer state waits to be written, this one is not.
            if self._turn is turn:
                rows.put_turn(connection, session_id, turn, self._veil)

        self._write(put)

    def outcome(self, outcome: ToolOutcome) -> None:
        """A result of that turn."""
        session_id = self._heading.session_id
        self._write(lambda connection: rows.put_outcome(connection, session_id, outcome, self._veil))

    def closed(self) -> None:
        """The user closed the chat: nothing of it comes back."""
        session_id = self._heading.session_id
        self._write(lambda connection: rows.delete_chat(connection, session_id))
        self._closed = True

    def ended(self) -> None:
        """The process ends: what was held back of the last text is kept too."""
        for row in self._rows.complete():
            self._put(row)

    def _put(self, row: Row) -> None:
        session_id = self._heading.session_id
        self._write(lambda connection: rows.put_event(connection, session_id, row, self._veil))

    def _begin_or_go_on(self, message: Write) -> None:
        if self._held is None or self._closed:
            self._write(message)
            return
        heading, held, self._held = self._heading, self._held, None

        def begin(connection: sqlite3.Connection) -> None:
            rows.open_chat(connection, heading, self._owner())
            for write in (*held, message):
                write(connection)

        self._do(begin)

    def _write(self, write: Write) -> None:
        if self._closed:
            return
        if self._held is None:
            self._do(write)
        else:
            self._held.append(write)
