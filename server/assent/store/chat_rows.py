"""The rows of one chat: written one by one, read all together. Every statement on them stands here."""

import sqlite3
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import AssistantTurn, Message, Summary, ToolOutcome, ToolResults
from assent.model.events import Event
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Mode, parse_mode
from assent.model.workflows import KeptRun
from assent.store import workflow_rows
from assent.store.calls import CutOff, cut_off, forget_others, settled
from assent.store.codec import (
    read_event,
    read_message,
    read_outcome,
    read_turn,
    write_outcome,
    write_row,
    write_turn,
)
from assent.store.plain import BARE, Malformed, Veil
from assent.store.transcript_rows import Row

T = TypeVar("T")

_TABLES = ("transcript", "messages", "turns", "outcomes", "calls", *workflow_rows.TABLES, "chats")


@dataclass(frozen=True, slots=True)
class Heading:
    """What is known of a chat beside what was said in it."""

    session_id: SessionId
    folder: str
    """The one that relative paths start from: chats belong to it."""
    agent_id: str
    agent_name: str
    agent_digest: str
    mode: Mode
    opened: str


@dataclass(frozen=True, slots=True)
class KeptChat:
    """A chat as far as it could be read; `unreadable` says how many rows could not."""

    heading: Heading
    events: tuple[tuple[RunId, Event], ...]
    last_row: int
    messages: tuple[Message, ...]
    turn: AssistantTurn | None
    """The model's last turn, where it is not in the history, or not with all of its results."""
    outcomes: tuple[ToolOutcome, ...]
    """Results of that turn."""
    calls: tuple[CutOff, ...]
    unreadable: int
    workflows: tuple[KeptRun, ...] = ()
    """The runs of workflows that did not come to their end."""


def open_chat(connection: sqlite3.Connection, heading: Heading, owner: str) -> None:
    """A chat begins, and belongs to this process."""
    connection.execute(
        "INSERT OR REPLACE INTO chats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            heading.session_id,
            heading.folder,
            heading.agent_id,
            heading.agent_name,
            heading.agent_digest,
            heading.mode.value,
            heading.opened,
            heading.opened,
            owner,
        ),
    )


def put_mode(connection: sqlite3.Connection, session_id: SessionId, mode: Mode) -> None:
    """The chat has this mode now."""
    connection.execute("UPDATE chats SET mode = ? WHERE session_id = ?", (mode.value, session_id))


def put_agent(connection: sqlite3.Connection, session_id: SessionId, digest: str) -> None:
    """The definition of the chat's agent has this digest now."""
    connection.execute("UPDATE chats SET agent_digest = ? WHERE session_id = ?", (digest, session_id))


def put_event(connection: sqlite3.Connection, session_id: SessionId, row: Row, veil: Veil) -> None:
    """This is what the row of the transcript holds now."""
    text = write_row(row.event, veil)
    _put(connection, session_id, "transcript", (row.n, row.run_id, text))


def put_message(
    connection: sqlite3.Connection, session_id: SessionId, place: int, message: Message, at: str, veil: Veil
) -> None:
    """This is the message in this place of the history now."""
    _put(connection, session_id, "messages", (place, write_row(message, veil)))
    connection.execute("UPDATE chats SET used = ? WHERE session_id = ?", (at, session_id))
    if isinstance(message, ToolResults):
        for outcome in message.results:
            settled(connection, outcome)


def cut_messages(connection: sqlite3.Connection, session_id: SessionId, place: int) -> None:
    """The history ends before this place."""
    connection.execute("DELETE FROM messages WHERE session_id = ? AND place >= ?", (session_id, place))


def put_turn(connection: sqlite3.Connection, session_id: SessionId, turn: AssistantTurn, veil: Veil) -> None:
    """The turn that is not in the history has come this far."""
    _put(connection, session_id, "turns", (write_turn(turn, veil),))


def put_outcome(connection: sqlite3.Connection, session_id: SessionId, outcome: ToolOutcome, veil: Veil) -> None:
    """A result of that turn."""
    _put(connection, session_id, "outcomes", (outcome.call_id, write_outcome(outcome, veil)))


def end_turn(connection: sqlite3.Connection, session_id: SessionId) -> None:
    """The history has the turn with all of its results."""
    for table in ("turns", "outcomes"):
        _clear(connection, table, session_id)


def rewrite_chat(
    connection: sqlite3.Connection,
    heading: Heading,
    events: tuple[Row, ...],
    messages: tuple[Message, ...],
    waiting: frozenset[CallId],
) -> None:
    """Puts a chat that was taken over in the order of today. Of its calls only these go on waiting."""
    session_id = heading.session_id
    connection.execute(
        "UPDATE chats SET agent_digest = ?, mode = ? WHERE session_id = ?",
        (heading.agent_digest, heading.mode.value, session_id),
    )
    for table in ("transcript", "messages", "turns", "outcomes"):
        _clear(connection, table, session_id)
    # All of it comes from the store, or is said by this program: it is masked already, and a long chat takes a while.
    for row in events:
        _put(connection, session_id, "transcript", (row.n, row.run_id, write_row(row.event, BARE)))
    for place, message in enumerate(messages):
        _put(connection, session_id, "messages", (place, write_row(message, BARE)))
    forget_others(connection, session_id, waiting)


def delete_chat(connection: sqlite3.Connection, session_id: SessionId) -> None:
    """Nothing of the chat is left."""
    for table in _TABLES:
        _clear(connection, table, session_id)


def read_chat(connection: sqlite3.Connection, session_id: SessionId) -> KeptChat | None:
    """All of a chat, as far as it can be read."""
    head = connection.execute("SELECT * FROM chats WHERE session_id = ?", (session_id,)).fetchone()
    if head is None:
        return None
    bad = _Bad()
    return KeptChat(
        heading=_heading(head, bad),
        events=tuple(_events(connection, session_id, bad)),
        last_row=_last_row(connection, session_id),
        messages=tuple(_messages(connection, session_id, bad)),
        turn=next(iter(_read_all(connection, "turn", "turns", session_id, read_turn, bad)), None),
        outcomes=tuple(_read_all(connection, "outcome", "outcomes", session_id, read_outcome, bad)),
        calls=cut_off(connection, session_id, bad.note),
        workflows=workflow_rows.read_runs(connection, session_id, bad.note),
        unreadable=bad.count,
    )


def _put(connection: sqlite3.Connection, session_id: SessionId, table: str, values: tuple[object, ...]) -> None:
    """Only where the chat itself is kept: what comes after its end leaves nothing behind."""
    places = ", ".join("?" for _ in values)
    connection.execute(
        f"INSERT OR REPLACE INTO {table} SELECT session_id, {places} FROM chats WHERE session_id = ?",  # noqa: S608
        (*values, session_id),
    )


def _clear(connection: sqlite3.Connection, table: str, session_id: SessionId) -> None:
    connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))  # noqa: S608 - a name of ours


class _Bad:
    """Counts the rows that cannot be read, and goes on."""

    def __init__(self) -> None:
        self.count = 0

    def note(self) -> None:
        self.count += 1

    def read(self, reader: Callable[[object], T], text: object) -> T | None:
        try:
            return reader(text)
        except Malformed:
            self.note()
            return None


def _events(connection: sqlite3.Connection, session_id: SessionId, bad: _Bad) -> list[tuple[RunId, Event]]:
    rows = connection.execute(
        "SELECT CAST(run_id AS BLOB), CAST(event AS BLOB) FROM transcript WHERE session_id = ? ORDER BY n",
        (session_id,),
    )
    read = [(run_id, bad.read(read_event, text)) for run_id, text in rows]
    return [(RunId(run_id.decode("ascii", "replace")), event) for run_id, event in read if event is not None]


def _messages(connection: sqlite3.Connection, session_id: SessionId, bad: _Bad) -> list[Message]:
    rows = connection.execute(
        "SELECT CAST(place AS INTEGER), CAST(message AS BLOB) FROM messages WHERE session_id = ? ORDER BY place",
        (session_id,),
    )
    read = [(place, bad.read(read_message, text)) for place, text in rows]
    places = [place for place, message in read if message is not None]
    return [_in_its_place(message, places) for _, message in read if message is not None]


def _in_its_place(message: Message, places: list[int]) -> Message:
    """A summary counts the messages before its end: those that cannot be read are none any more."""
    return replace(message, before=bisect_left(places, message.before)) if isinstance(message, Summary) else message


def _last_row(connection: sqlite3.Connection, session_id: SessionId) -> int:
    found = connection.execute("SELECT max(n) FROM transcript WHERE session_id = ?", (session_id,)).fetchone()[0]
    return found if isinstance(found, int) else 0


def _read_all(
    connection: sqlite3.Connection,
    column: str,
    table: str,
    session_id: SessionId,
    reader: Callable[[object], T],
    bad: _Bad,
) -> list[T]:
    # As bytes: text that is damaged may be none.
    name, _, order = table.partition(" ")
    rows = connection.execute(
        f"SELECT CAST({column} AS BLOB) FROM {name} WHERE session_id = ? {order}",  # noqa: S608 - names of ours
        (session_id,),
    )
    read = [bad.read(reader, text) for (text,) in rows]
    return [one for one in read if one is not None]


def _heading(row: tuple[object, ...], bad: _Bad) -> Heading:
    session_id, folder, agent_id, agent_name, digest, mode, opened, *_ = map(str, row)
    known = parse_mode(mode)
    if known is None:
        # As strict as a mode can be that still lets the user be asked.
        bad.note()
    return Heading(SessionId(session_id), folder, agent_id, agent_name, digest, known or Mode.ASK, opened)
