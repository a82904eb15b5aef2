"""The tables of chats and calls: what they hold after each thing that can happen, and that closing leaves nothing."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from assent.agent.context import spoken
from assent.agent.mending import mended_history
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, Message, Summary, ToolOutcome, ToolResults, ToolUse, UserText
from assent.model.events import Chunk, DoneReason, Notice, Prompt, RunDone, ToolProgress
from assent.model.events import Phase as CallPhase
from assent.model.ids import ApprovalId, CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.runtime.known_secrets import KnownSecrets
from assent.store import chats_schema, workflow_rows
from assent.store.calls import CallState, CutOff, cut_off, follow
from assent.store.chat_rows import Heading, KeptChat, delete_chat, read_chat
from assent.store.keeper import ChatKeeper
from assent.store.veil import veil_over
from tests.support.clock import FakeClock

VEIL = veil_over(KnownSecrets())
CHAT, RUN, CALL = SessionId("chat"), RunId("run"), CallId("call")
SECRET = "ghp_" + "Zx8Lk3QwR7tYp2MnB5vCa9DfG1hJs6Ku4EoI"
TABLES = ("chats", "transcript", "messages", "turns", "outcomes", "calls")
HEADING = Heading(CHAT, "/w", "Agent", "Agent", "digest", Mode.ASK, "2026-01-01")


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:")
    for statement in (*chats_schema.VERSION_1, *workflow_rows.VERSION_3):
        made.execute(statement)
    yield made
    made.close()


def keeper(connection: sqlite3.Connection, heading: Heading = HEADING) -> ChatKeeper:
    """Writes at once."""
    return ChatKeeper(heading, lambda write: write(connection), lambda: "me", FakeClock(), VEIL)


def entry(
    stage: Stage,
    ending: Ending | None = None,
    *,
    by: ResolvedBy | None = None,
    approval: str | None = None,
    **args: str,
) -> Entry:
    caller = Caller("Agent", "Agent", CHAT, RUN)
    subject = Subject(ToolCall(CALL, "bash", args, "the raw text", "says"), caller, Category.EXECUTE, Mode.ASK)
    return Entry(stage, "now", subject, ApprovalId(approval) if approval else None, ending, by)


def state(connection: sqlite3.Connection, *entries: Entry) -> CutOff | None:
    """What is left of the call after these entries."""
    for one in entries:
        follow(connection, one, VEIL)
    found = cut_off(connection, CHAT, lambda: pytest.fail("a row is unreadable"))
    assert len(found) <= 1
    return found[0] if found else None


REQUESTED = entry(Stage.REQUESTED, approval="id", command="ls")
STARTED = entry(Stage.STARTED, command="ls")


def test_a_call_waits_runs_and_ends(connection: sqlite3.Connection) -> None:
    waiting = state(connection, REQUESTED)
    assert waiting is not None
    assert (waiting.state, waiting.approval_id, waiting.withheld) == (CallState.WAITING, "id", False)
    assert waiting.subject.call == ToolCall(CALL, "bash", {"command": "ls"})

    allowed = state(connection, entry(Stage.DECIDED, Ending.ALLOWED, by=ResolvedBy.USER, approval="id"))
    assert allowed == waiting, "nothing of it has run"
    running = state(connection, STARTED)
    assert running is not None
    assert (running.state, running.approval_id) == (CallState.RUNNING, "id")
    ended = state(connection, entry(Stage.FINISHED, Ending.DONE))
    assert ended is not None
    assert ended.state is CallState.FINISHED


def test_an_automatic_call_is_known_from_its_start(connection: sqlite3.Connection) -> None:
    running = state(connection, entry(Stage.DECIDED, Ending.ALLOWED, by=ResolvedBy.POLICY), STARTED)
    assert running is not None
    assert (running.state, running.approval_id) == (CallState.RUNNING, None)


@pytest.mark.parametrize("ending", [Ending.REJECTED, Ending.CANCELLED, Ending.TIMEOUT, Ending.DENIED_BY_RULE])
def test_what_may_not_run_is_gone(connection: sqlite3.Connection, ending: Ending) -> None:
    assert state(connection, REQUESTED, entry(Stage.DECIDED, ending, by=ResolvedBy.USER, approval="id")) is None


@pytest.mark.parametrize(("ending", "by"), [("cancelled", "shutdown"), ("expired", "restart")])
def test_the_end_of_a_server_does_not_end_the_wait(connection: sqlite3.Connection, ending: str, by: str) -> None:
    kept = state(connection, REQUESTED, entry(Stage.DECIDED, Ending(ending), by=ResolvedBy(by), approval="id"))
    assert kept is not None
    assert kept.state is CallState.WAITING
    asked_anew = state(connection, entry(Stage.REQUESTED, approval="new", command="ls"))
    assert asked_anew is not None
    assert asked_anew.approval_id == "new"


def test_what_is_said_to_be_unknown_is_still_known_to_have_run(connection: sqlite3.Connection) -> None:
    kept = state(connection, STARTED, entry(Stage.FINISHED, Ending.UNKNOWN, by=ResolvedBy.RESTART))
    assert kept is not None
    assert kept.state is CallState.RUNNING


def test_arguments_with_a_secret_are_not_kept(connection: sqlite3.Connection) -> None:
    kept = state(connection, entry(Stage.REQUESTED, approval="id", command=f"curl -H 'token: {SECRET}'"))
    assert kept is not None
    assert (kept.withheld, kept.subject.call.args) == (True, None)
    assert SECRET not in "\n".join(connection.iterdump())


def test_everything_of_a_chat_is_read_again(connection: sqlite3.Connection) -> None:
    kept = keeper(connection)
    turn = AssistantTurn("text", (ToolUse(CALL, "bash", {"command": "ls"}),))
    outcome = ToolOutcome(CALL, "bash", "done")
    kept.event(1, RUN, Notice("before the first message"))
    kept.event(2, RUN, Prompt("go"))
    assert connection.execute("SELECT count(*) FROM transcript").fetchone() == (0,), "an empty chat is not kept"
    kept.message(0, UserText("go"))
    kept.event(3, RUN, Chunk("te"))
    kept.event(4, RUN, Chunk("xt"))
    kept.turn(turn)
    kept.event(5, RUN, ToolProgress(CALL, CallPhase.RUNNING))
    kept.outcome(outcome)
    kept.mode(Mode.PLAN)
    kept.ended()

    assert read_chat(connection, CHAT) == KeptChat(
        heading=replace(HEADING, mode=Mode.PLAN),
        events=(
            (RUN, Notice("before the first message")),
            (RUN, Prompt("go")),
            (RUN, Chunk("text")),
            (RUN, ToolProgress(CALL, CallPhase.RUNNING)),
        ),
        last_row=4,
        messages=(UserText("go"),),
        turn=turn,
        outcomes=(outcome,),
        calls=(),
        unreadable=0,
    )

    kept.message(1, turn)
    assert read_chat(connection, CHAT).turn == turn  # type: ignore[union-attr]
    kept.message(2, ToolResults((outcome,)))
    whole = read_chat(connection, CHAT)
    assert whole is not None
    assert (whole.turn, whole.outcomes) == (None, ())
    assert whole.messages == (UserText("go"), turn, ToolResults((outcome,)))


def test_the_result_in_the_history_settles_a_call_that_ended_and_not_one_that_waits(
    connection: sqlite3.Connection,
) -> None:
    kept = keeper(connection)
    kept.message(0, UserText("go"))
    result = ToolResults((ToolOutcome(CALL, "bash", "it waits"),))
    assert state(connection, REQUESTED) is not None
    kept.message(1, result)
    assert state(connection) is not None
    assert state(connection, STARTED, entry(Stage.FINISHED, Ending.DONE)) is not None
    kept.message(1, result)
    assert state(connection) is None


@pytest.mark.parametrize("ran", [True, False])
def test_the_result_of_a_call_that_ran_settles_it_also_where_its_end_could_not_be_written(
    connection: sqlite3.Connection, ran: bool
) -> None:
    kept = keeper(connection)
    kept.message(0, UserText("go"))
    assert state(connection, REQUESTED, STARTED) is not None
    kept.message(1, ToolResults((ToolOutcome(CALL, "bash", "as it says", ran=ran),)))
    assert (state(connection) is None) is ran


def test_a_result_that_says_it_ran_settles_no_call_that_waits(connection: sqlite3.Connection) -> None:
    kept = keeper(connection)
    kept.message(0, UserText("go"))
    kept.message(1, ToolResults((ToolOutcome(CALL, "bash", "another", ran=True),)))
    assert state(connection, REQUESTED) is not None


def test_a_closed_chat_leaves_nothing_whatever_comes_after(connection: sqlite3.Connection) -> None:
    kept = keeper(connection)
    kept.message(0, UserText("go"))
    kept.event(1, RUN, Chunk("and "))
    kept.turn(AssistantTurn("x", (ToolUse(CALL, "bash", {}),)))
    follow(connection, REQUESTED, VEIL)
    kept.closed()
    kept.message(2, UserText("too late"))
    kept.event(3, RUN, Prompt("too late"))
    kept.ended()
    assert kept.is_closed
    for table in TABLES:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_what_comes_after_another_has_forgotten_the_chat_leaves_nothing(connection: sqlite3.Connection) -> None:
    kept = keeper(connection)
    kept.message(0, UserText("go"))
    delete_chat(connection, CHAT)

    kept.event(2, RUN, Prompt("late"))
    kept.message(1, UserText("late"))
    kept.turn(AssistantTurn("late"))
    kept.outcome(ToolOutcome(CALL, "bash", "late"))

    for table in TABLES:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_no_secret_comes_to_the_disk_by_any_way(connection: sqlite3.Connection, tmp_path: Path) -> None:
    kept = keeper(connection)
    kept.event(1, RUN, Prompt(f"use {SECRET}"))
    kept.message(0, UserText(f"use {SECRET}"))
    for at in range(0, len(SECRET), 5):
        kept.event(2, RUN, Chunk(SECRET[at : at + 5]))
        kept.event(3, RUN, ToolProgress(CALL, CallPhase.RUNNING, f"note {SECRET}", SECRET))
    turn = AssistantTurn(SECRET, (ToolUse(CALL, "bash", {"command": [SECRET]}),), f"thinking of {SECRET}")
    kept.turn(turn)
    kept.outcome(ToolOutcome(CALL, "bash", SECRET, path=SECRET, file_content=f"a {SECRET} b"))
    kept.message(1, turn)
    kept.message(2, ToolResults((ToolOutcome(CALL, "bash", SECRET),)))
    kept.ended()
    follow(connection, entry(Stage.REQUESTED, approval="id", command=SECRET), VEIL)

    held = "\n".join(connection.iterdump())
    assert SECRET not in held
    assert SECRET[:20] not in held


def test_no_message_cuts_a_text_that_goes_on(connection: sqlite3.Connection) -> None:
    """The last words of a turn can come after it; the result of an interrupted call comes at any time."""
    kept = keeper(connection)
    turn = AssistantTurn("", (ToolUse(CALL, "bash", {}),))
    waiting, done = (ToolResults((ToolOutcome(CALL, "bash", text),)) for text in ("it waits", "done"))
    said: tuple[Message, ...] = (UserText("go"), turn, waiting, UserText("and?"))
    for place, message in enumerate(said):
        kept.message(place, message)
    kept.event(1, RUN, Chunk(f"use {SECRET[:20]}"))
    kept.message(2, done)
    kept.event(2, RUN, Chunk(SECRET[20:30]))
    kept.message(4, AssistantTurn(f"use {SECRET} now"))
    kept.event(3, RUN, Chunk(f"{SECRET[30:]} now"))
    kept.event(4, RUN, RunDone(DoneReason.STOP))

    held = "\n".join(connection.iterdump())
    assert [part for part in (SECRET[:20], SECRET[20:30], SECRET[30:]) if part in held] == []
    events = read_chat(connection, CHAT).events  # type: ignore[union-attr]
    assert [event.text for _, event in events if isinstance(event, Chunk)] == ["use [masked: GitHub token] now"]


def test_a_long_turn_is_written_as_it_is_when_the_write_comes_about(connection: sqlite3.Connection) -> None:
    queued: list[object] = []
    kept = ChatKeeper(HEADING, queued.append, lambda: "me", FakeClock(), VEIL)
    kept.message(0, UserText("go"))
    uses = tuple(ToolUse(CallId(str(n)), "bash", {}) for n in range(50))
    for n in range(50):
        kept.turn(AssistantTurn("", uses[: n + 1]))
    written: list[str] = []
    connection.set_trace_callback(written.append)
    for write in queued:
        write(connection)  # type: ignore[operator]

    assert sum("INTO turns" in statement for statement in written) == 1
    assert read_chat(connection, CHAT).turn == AssistantTurn("", uses)  # type: ignore[union-attr]


SUMMARISED: tuple[Message, ...] = (
    UserText("first"),
    AssistantTurn("", (ToolUse(CallId("early"), "bash", {}),)),
    ToolResults((ToolOutcome(CallId("early"), "bash", "done"),)),
    UserText("only look, never write"),
    AssistantTurn("", (ToolUse(CALL, "bash", {}),)),
    ToolResults((ToolOutcome(CALL, "bash", "done"),)),
    UserText("and now?"),
    Summary("it began", 3),
    AssistantTurn("fine"),
)


@pytest.mark.parametrize("damaged", [*combinations(range(9), 1), *combinations(range(9), 2)], ids=str)
def test_what_is_damaged_takes_nothing_else_from_what_is_sent_after_a_summary(
    connection: sqlite3.Connection, damaged: tuple[int, ...]
) -> None:
    kept = keeper(connection)
    for place, message in enumerate(SUMMARISED):
        kept.message(place, message)
    for place in damaged:
        connection.execute("UPDATE messages SET message = 'garbage' WHERE place = ?", (place,))

    found = read_chat(connection, CHAT)
    assert found is not None
    sent = spoken(mended_history(found.messages, None, (), {}))

    begin = 3 if 7 not in damaged else 0
    left = [message for place, message in enumerate(SUMMARISED) if place >= begin and place not in damaged]
    mine = [message for message in sent if not isinstance(message, ToolResults)]
    assert mine[begin // 3 :] == [one for one in left if not isinstance(one, ToolResults | Summary)]
    for at, message in enumerate(sent):
        calls = [use.call_id for use in message.calls] if isinstance(message, AssistantTurn) else []
        after = sent[at + 1] if at + 1 < len(sent) else None
        assert [one.call_id for one in after.results] == calls if isinstance(after, ToolResults) else not calls


@pytest.mark.parametrize("before", [-5, 0, 4, 99])
def test_a_summary_never_stands_for_what_comes_after_it(connection: sqlite3.Connection, before: int) -> None:
    kept = keeper(connection)
    for place, message in enumerate((UserText("go"), Summary("it began", before), UserText("and now?"))):
        kept.message(place, message)

    found = read_chat(connection, CHAT)
    assert found is not None
    assert spoken(mended_history(found.messages, None, (), {}))[-1] == UserText("and now?")


@pytest.mark.parametrize("text", ["'garbage'", "x'ff00'", "CAST(x'fffe' AS TEXT)", "7"])
@pytest.mark.parametrize(
    "table", ["transcript SET event", "messages SET message", "turns SET turn", "calls SET subject"]
)
def test_a_damaged_row_is_counted_and_the_rest_is_read(connection: sqlite3.Connection, table: str, text: str) -> None:
    kept = keeper(connection)
    kept.event(1, RUN, Prompt("go"))
    kept.message(0, UserText("go"))
    kept.turn(AssistantTurn("x"))
    follow(connection, REQUESTED, VEIL)
    connection.execute(f"UPDATE {table} = {text}")

    found = read_chat(connection, CHAT)

    assert found is not None
    assert found.unreadable == 1
    assert len(found.events) + len(found.messages) + len(found.calls) + (found.turn is not None) == 3


def test_a_secret_that_becomes_known_is_masked_in_what_was_written_before_as_well() -> None:
    secrets = KnownSecrets()
    veil = veil_over(secrets)
    said = "the word for today is correct-horse-battery, as was told before to everybody who came in"
    assert veil.text(said) == veil.text(said) == said
    secrets.add("correct-horse-battery")
    assert "correct-horse" not in veil.text(said)
