"""What stands on the disk of a workflow that was cut off: nothing that was begun is ever taken for not begun."""

import sqlite3

import pytest

from assent.model.ids import CallId, SessionId
from assent.model.records import Stage
from assent.model.workflows import StepState
from assent.store import schema
from assent.store import workflow_rows as rows
from assent.store.facts import fact
from assent.store.plain import BARE

CHAT, OUTER = SessionId("chat"), CallId("outer")
FIRST, SECOND = CallId("first"), CallId("second")


@pytest.fixture
def connection() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    for statements in schema.VERSIONS:
        for statement in statements:
            made.execute(statement)
    made.execute("INSERT INTO chats VALUES (?, '', '', '', '', '', '', '', '')", (CHAT,))
    return made


def starts(connection: sqlite3.Connection, call_id: CallId) -> None:
    connection.execute("INSERT INTO facts (call, stage) VALUES (?, ?)", (fact(call_id), fact(Stage.STARTED.value)))


def states(connection: sqlite3.Connection, run: str = "run") -> list[StepState]:
    found = {one.run: one for one in rows.read_runs(connection, CHAT, lambda: None)}
    return [step.state for step in found[run].steps]


def test_what_a_call_did_that_was_cut_off_stays_unknown_where_the_next_one_never_starts(
    connection: sqlite3.Connection,
) -> None:
    rows.put_run(connection, CHAT, "run", OUTER, "same", goes_on=False)
    rows.put_begun(connection, CHAT, "run", 0, "one", FIRST, BARE)
    assert states(connection) == []
    starts(connection, FIRST)
    assert states(connection) == [StepState.UNKNOWN]
    for again in (SECOND, CallId("third")):
        rows.put_run(connection, CHAT, "run", OUTER, "same", goes_on=True)
        rows.put_begun(connection, CHAT, "run", 0, "one", again, BARE)
        assert states(connection) == [StepState.UNKNOWN]
    rows.put_result(connection, CHAT, "run", 0, "made", BARE)
    assert states(connection) == [StepState.DONE]


def test_a_run_that_is_kept_no_more_is_not_kept_by_half(connection: sqlite3.Connection) -> None:
    rows.put_run(connection, CHAT, "run", OUTER, "same", goes_on=False)
    rows.put_begun(connection, CHAT, "run", 0, "one", FIRST, BARE)
    rows.put_result(connection, CHAT, "run", 0, "made", BARE)
    for number in range(rows.MOST_OF_A_CHAT):
        rows.put_run(connection, CHAT, f"later{number}", OUTER, "same", goes_on=False)
    # It is in memory still, and goes on there with its second step.
    rows.put_run(connection, CHAT, "run", OUTER, "same", goes_on=True)
    rows.put_begun(connection, CHAT, "run", 1, "two", SECOND, BARE)
    starts(connection, SECOND)
    kept = rows.read_runs(connection, CHAT, lambda: None)
    assert "run" not in [one.run for one in kept], "its first step would be made a second time"
    assert len(kept) == rows.MOST_OF_A_CHAT
    assert connection.execute("SELECT count(*) FROM workflow_steps").fetchone()[0] == 0
