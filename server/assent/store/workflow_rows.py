"""The runs of workflows that did not come to their end, so that they can go on in their chat after a restart.

What a step gave passes the veil like any other result; one that it would change goes into no other step, so that it is
not kept at all.
"""

import sqlite3
from collections.abc import Callable, Iterator

from assent.model.ids import CallId, SessionId
from assent.model.workflows import KeptRun, KeptStep, StepState
from assent.store.calls import has_started
from assent.store.plain import Veil

MOST_OF_A_CHAT = 20
LONGEST_RESULT = 256 * 1024
_BEGUN = "begun"
TABLES = ("workflow_runs", "workflow_steps")

VERSION_3 = (
    """
    CREATE TABLE workflow_runs (
        session_id TEXT NOT NULL,
        run TEXT NOT NULL,
        call_id TEXT NOT NULL,
        identity TEXT NOT NULL,
        PRIMARY KEY (session_id, run)
    )
    """,
    """
    CREATE TABLE workflow_steps (
        session_id TEXT NOT NULL,
        run TEXT NOT NULL,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        call_id TEXT NOT NULL,
        state TEXT NOT NULL,
        result TEXT NOT NULL,
        PRIMARY KEY (session_id, run, number)
    )
    """,
)


def put_run(
    connection: sqlite3.Connection, session_id: SessionId, run: str, call_id: CallId, identity: str, *, goes_on: bool
) -> None:
    """The run begins, or goes on, by this call. Of those of a chat the latest are kept."""
    if goes_on and _row_of_run(connection, session_id, run) is None:
        # What it did until now is kept no more: with its next steps alone, those would be made a second time.
        return
    connection.execute(
        "INSERT OR REPLACE INTO workflow_runs SELECT session_id, ?, ?, ? FROM chats WHERE session_id = ?",
        (run, call_id, identity, session_id),
    )
    old = connection.execute(
        "SELECT run FROM workflow_runs WHERE session_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?",
        (session_id, MOST_OF_A_CHAT),
    ).fetchall()
    for (one,) in old:
        forget_run(connection, session_id, one)


def put_begun(
    connection: sqlite3.Connection, session_id: SessionId, run: str, number: int, name: str, call_id: CallId, veil: Veil
) -> None:
    """This step is about to be made by this call."""
    # What an earlier call did for it that was cut off stays unknown, also where this one never starts.
    earlier = [one.state for one in _steps(connection, session_id, run) if one.number == number]
    state = StepState.UNKNOWN.value if StepState.UNKNOWN in earlier else _BEGUN
    connection.execute(
        """
        INSERT OR REPLACE INTO workflow_steps
        SELECT session_id, run, ?, ?, ?, ?, '' FROM workflow_runs WHERE session_id = ? AND run = ?
        """,
        (number, veil.text(name), call_id, state, session_id, run),
    )


def put_result(
    connection: sqlite3.Connection, session_id: SessionId, run: str, number: int, result: str | None, veil: Veil
) -> None:
    """The step is done. None: what it gave goes into no other."""
    kept = result is not None and len(result) <= LONGEST_RESULT and veil.text(result) == result
    state = StepState.DONE if kept else StepState.WITHHELD
    connection.execute(
        "UPDATE workflow_steps SET state = ?, result = ? WHERE session_id = ? AND run = ? AND number = ?",
        (state.value, result if kept else "", session_id, run, number),
    )


def forget_step(connection: sqlite3.Connection, session_id: SessionId, run: str, number: int) -> None:
    """It was not made after all, or failed: it is to be made when the run goes on."""
    connection.execute(
        "DELETE FROM workflow_steps WHERE session_id = ? AND run = ? AND number = ?", (session_id, run, number)
    )


def _row_of_run(connection: sqlite3.Connection, session_id: SessionId, run: str) -> object:
    return connection.execute(
        "SELECT 1 FROM workflow_runs WHERE session_id = ? AND run = ?", (session_id, run)
    ).fetchone()


def forget_run(connection: sqlite3.Connection, session_id: SessionId, run: str) -> None:
    """It came to its end."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table} WHERE session_id = ? AND run = ?", (session_id, run))  # noqa: S608


def read_runs(connection: sqlite3.Connection, session_id: SessionId, bad: Callable[[], None]) -> tuple[KeptRun, ...]:
    """The runs of a chat. `bad` is told of each that cannot be read."""
    rows = connection.execute(
        "SELECT CAST(run AS BLOB), CAST(call_id AS BLOB), CAST(identity AS BLOB) FROM workflow_runs"
        " WHERE session_id = ? ORDER BY rowid",
        (session_id,),
    )
    found = []
    for row in rows.fetchall():
        try:
            run, call_id, identity = (part.decode() for part in row)
            steps = tuple(_steps(connection, session_id, run))
        except ValueError:
            bad()
            continue
        found.append(KeptRun(run, CallId(call_id), identity, steps))
    return tuple(found)


def _steps(connection: sqlite3.Connection, session_id: SessionId, run: str) -> Iterator[KeptStep]:
    """Raises ValueError where one of them makes no sense: to leave it out could make it a second time."""
    rows = connection.execute(
        "SELECT number, CAST(name AS BLOB), CAST(call_id AS BLOB), CAST(state AS BLOB), CAST(result AS BLOB)"
        " FROM workflow_steps WHERE session_id = ? AND run = ? ORDER BY number",
        (session_id, run),
    )
    for number, *texts in rows.fetchall():
        name, call_id, state, result = (part.decode() for part in texts)
        if state != _BEGUN:
            yield KeptStep(int(number), name, StepState(state), result)
        elif has_started(connection, CallId(call_id)):
            yield KeptStep(int(number), name, StepState.UNKNOWN)
