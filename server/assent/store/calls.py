"""The calls that wait or run, kept by the entries of the history: what is left here at a start was cut off."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.conversation import ToolOutcome
from assent.model.ids import ApprovalId, CallId, SessionId
from assent.model.records import Ending, Entry, Stage, Subject
from assent.store.codec import read_subject, write_subject
from assent.store.facts import fact
from assent.store.faults import elsewhere
from assent.store.owners import Owners
from assent.store.plain import Veil

_END_OF_SERVER = {ResolvedBy.SHUTDOWN, ResolvedBy.RESTART}
"""What ends a question without ending the call's wait: it is asked anew at the next start."""


class CallState(StrEnum):
    """How far a call had come."""

    WAITING = "waiting"
    """Nothing of it has run, also where the user had already said yes."""
    RUNNING = "running"
    FINISHED = "finished"
    """It has run to its end, and its result is not in the chat's history yet."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """A call of which the end is not known. Where its arguments were not kept, they held what looks like a secret."""

    subject: Subject
    state: CallState
    approval_id: ApprovalId | None
    withheld: bool


def following(owners: Owners, veil: Veil) -> Callable[[sqlite3.Connection, tuple[Entry, ...]], None]:
    """Follows the entries of this process, and lets no call start that is another's by now, or has started before.

    Raises Unwritable, so that nothing of what was to be written down together with the start is kept.
    """

    def follow_mine(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
        chats = {entry.subject.caller.session_id for entry in entries}
        owner = {session_id: owner_of(connection, session_id) for session_id in chats}
        if owners.name in owner.values():
            # What is kept tells of a call that may run soon: others must know that its process lives.
            with suppress(OSError):
                owners.claim()
        for entry in entries:
            mine = owner[entry.subject.caller.session_id] in {None, owners.name}
            if entry.stage is Stage.STARTED and not (mine and _is_first_start(connection, entry)):
                raise elsewhere()
            if mine:
                follow(connection, entry, veil)

    return follow_mine


def owner_of(connection: sqlite3.Connection, session_id: SessionId) -> str | None:
    """The process that a chat belongs to; of one that is not kept there is none."""
    row = connection.execute("SELECT CAST(owner AS TEXT) FROM chats WHERE session_id = ?", (session_id,)).fetchone()
    return None if row is None else str(row[0])


def _is_first_start(connection: sqlite3.Connection, entry: Entry) -> bool:
    """Whether the history tells of no other start: also where another window has closed the chat since.

    The entry itself is written before it is followed. Ids of calls are given once, so that one has one start.
    """
    return _starts(connection, entry.subject.call.call_id) <= 1


def has_started(connection: sqlite3.Connection, call_id: CallId) -> bool:
    """Whether the history tells that this call was about to have its effect."""
    return _starts(connection, call_id) > 0


def _starts(connection: sqlite3.Connection, call_id: CallId) -> int:
    query = "SELECT count(*) FROM facts WHERE call = ? AND stage = ?"
    found: int = connection.execute(query, (fact(call_id), fact(Stage.STARTED.value))).fetchone()[0]
    return found


def follow(connection: sqlite3.Connection, entry: Entry, veil: Veil) -> None:
    """Keeps the table in step with the history, in the transaction that writes the entry."""
    match entry.stage:
        case Stage.REQUESTED:
            _put(connection, entry, CallState.WAITING, veil)
        case Stage.STARTED:
            _put(connection, entry, CallState.RUNNING, veil)
        case Stage.DECIDED if entry.ending is not Ending.ALLOWED and entry.by not in _END_OF_SERVER:
            _forget(connection, entry.subject.call.call_id)
        case Stage.FINISHED if entry.ending is not Ending.UNKNOWN:
            _finish(connection, entry)


def cut_off(connection: sqlite3.Connection, session_id: SessionId, bad: Callable[[], None]) -> tuple[CutOff, ...]:
    """The calls of a chat whose process is gone, in the order in which they came. `bad` is told of unreadable rows."""
    rows = connection.execute(
        "SELECT CAST(subject AS BLOB), state, approval_id, withheld FROM calls WHERE session_id = ? ORDER BY rowid",
        (session_id,),
    )
    found = []
    for subject, state, approval_id, withheld in rows:
        try:
            found.append(CutOff(read_subject(subject), CallState(state), approval_id, bool(withheld)))
        except ValueError:
            bad()
    return tuple(found)


def settled(connection: sqlite3.Connection, outcome: ToolOutcome) -> None:
    """The chat's history has the result of this call. Where it says only that it waits, the call goes on waiting.

    What it says of a call that ran is known, also where the end of the call could not be written down.
    """
    forget_finished(connection, outcome.call_id)
    if outcome.ran:
        _forget_where(connection, outcome.call_id, CallState.RUNNING)


def forget_finished(connection: sqlite3.Connection, call_id: CallId) -> None:
    """The result of this call is kept where it belongs, if it has run to its end."""
    _forget_where(connection, call_id, CallState.FINISHED)


def _forget_where(connection: sqlite3.Connection, call_id: CallId, state: CallState) -> None:
    connection.execute("DELETE FROM calls WHERE call_id = ? AND state = ?", (call_id, state.value))


def forget_others(connection: sqlite3.Connection, session_id: SessionId, kept: frozenset[CallId]) -> None:
    """All but these calls of the chat have their end, also those whose rows could not be read."""
    known = connection.execute("SELECT call_id FROM calls WHERE session_id = ?", (session_id,)).fetchall()
    for (call_id,) in known:
        if call_id not in kept:
            _forget(connection, call_id)


def _forget(connection: sqlite3.Connection, call_id: CallId) -> None:
    connection.execute("DELETE FROM calls WHERE call_id = ?", (call_id,))


def _put(connection: sqlite3.Connection, entry: Entry, state: CallState, veil: Veil) -> None:
    call = entry.subject.call
    # The text of the arguments says the same once more.
    call = replace(call, raw="", says=None)
    withheld = veil.value(call.args) != call.args
    subject = replace(entry.subject, call=replace(call, args=None) if withheld else call)
    connection.execute(
        """
        INSERT INTO calls (call_id, session_id, state, approval_id, subject, withheld) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (call_id) DO UPDATE SET
            state = excluded.state,
            approval_id = coalesce(excluded.approval_id, approval_id),
            subject = excluded.subject,
            withheld = excluded.withheld
        """,
        (
            call.call_id,
            subject.caller.session_id,
            state.value,
            entry.approval_id,
            write_subject(subject, veil),
            withheld,
        ),
    )


def _finish(connection: sqlite3.Connection, entry: Entry) -> None:
    state, call_id = CallState.FINISHED.value, entry.subject.call.call_id
    connection.execute("UPDATE calls SET state = ? WHERE call_id = ?", (state, call_id))
