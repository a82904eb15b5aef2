"""The calls of sub-agents in the table of calls: there until their result is told; the history has no place for it."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assent.model.calls import Caller, ToolCall
from assent.model.events import ToolCalled, ToolFinished
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.runtime.known_secrets import KnownSecrets
from assent.store import chats_schema, workflow_rows
from assent.store.calls import follow
from assent.store.chat_rows import Heading
from assent.store.keeper import ChatKeeper
from assent.store.veil import veil_over
from tests.support.clock import FakeClock

CHAT, RUN, OUTER, INNER = SessionId("chat"), RunId("run"), CallId("outer"), CallId("inner")
HEADING = Heading(CHAT, "/w", "Agent", "Agent", "digest", Mode.ASK, "2026-01-01")
VEIL = veil_over(KnownSecrets())
ROOT = Caller("Agent", "Agent", CHAT, RUN)
SUB = replace(ROOT, parent_call=OUTER, path=("Title",))


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:")
    for statement in (*chats_schema.VERSION_1, *workflow_rows.VERSION_3):
        made.execute(statement)
    yield made
    made.close()


@pytest.fixture
def keeper(connection: sqlite3.Connection) -> ChatKeeper:
    """Of a chat that is kept already; writes at once."""
    return ChatKeeper(HEADING, lambda write: write(connection), lambda: "me", FakeClock(), VEIL, kept_rows=0)


def has_run(connection: sqlite3.Connection, call_id: CallId, caller: Caller) -> None:
    subject = Subject(ToolCall(call_id, "bash", {}), caller, Category.EXECUTE, Mode.AUTO)
    follow(connection, Entry(Stage.STARTED, "now", subject), VEIL)
    follow(connection, Entry(Stage.FINISHED, "now", subject, ending=Ending.DONE), VEIL)


def states(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT call_id, state FROM calls").fetchall())


def called(call_id: CallId, caller: Caller) -> ToolCalled:
    return ToolCalled(call_id, "bash", {}, Category.EXECUTE, "Run x", caller.depth, caller.parent_call)


def finished(call_id: CallId) -> ToolFinished:
    return ToolFinished(call_id, "bash", success=True, output="", is_error=False, duration_ms=1)


def test_one_that_has_run_is_known_until_its_result_is_told(connection: sqlite3.Connection, keeper: ChatKeeper) -> None:
    keeper.event(1, RUN, called(INNER, SUB))
    has_run(connection, INNER, SUB)
    assert states(connection) == {"inner": "finished"}
    keeper.event(2, RUN, finished(INNER))
    assert states(connection) == {}


def test_one_of_the_chat_s_own_agent_waits_for_its_place_in_the_history(
    connection: sqlite3.Connection, keeper: ChatKeeper
) -> None:
    keeper.event(1, RUN, called(OUTER, ROOT))
    has_run(connection, OUTER, ROOT)
    keeper.event(2, RUN, finished(OUTER))
    assert states(connection) == {"outer": "finished"}


def test_one_whose_end_could_not_be_written_down_stays_as_running(
    connection: sqlite3.Connection, keeper: ChatKeeper
) -> None:
    keeper.event(1, RUN, called(INNER, SUB))
    subject = Subject(ToolCall(INNER, "bash", {}), SUB, Category.EXECUTE, Mode.AUTO)
    follow(connection, Entry(Stage.STARTED, "now", subject), VEIL)
    keeper.event(2, RUN, finished(INNER))
    assert states(connection) == {"inner": "running"}
