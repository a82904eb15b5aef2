"""Entries of a history, made to order or at random, and what a test does to a history behind the server's back."""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from assent.model.approval import OptionKind, ResolvedBy
from assent.model.calls import Caller, ToolCall
from assent.model.ids import ApprovalId, CallId, RunId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.model.verdict import Reason, RuleOrigin
from assent.store.database import FILE
from assent.store.store import Store

T = TypeVar("T")

NOON = "2030-01-31T12:00:00.000Z"


def a_subject(
    call: str = "call-1",
    *,
    tool: str = "bash",
    args: JsonObject | None = None,
    session: str = "chat-1",
    headline: str = "Run a command",
    agent: str = "Demo",
    folder: str = "/home/me/code",
) -> Subject:
    """A call of the demo agent."""
    caller = Caller(agent.lower(), agent, SessionId(session), RunId("run-1"), path=("Demo",))
    return Subject(
        ToolCall(CallId(call), tool, {"command": "ls"} if args is None else args),
        caller,
        Category.EXECUTE,
        Mode.DEFAULT,
        headline,
        "/home/me/code",
        "d" * 64,
        folder,
    )


def decided(call: str = "call-1", **more: object) -> Entry:
    """The user allowed the call."""
    subject = more.pop("subject", None) or a_subject(call)
    fields: dict[str, object] = {
        "stage": Stage.DECIDED,
        "at": NOON,
        "approval_id": ApprovalId(f"approval of {call}"),
        "ending": Ending.ALLOWED,
        "by": ResolvedBy.USER,
        "reason": Reason.NEEDS_APPROVAL,
        "text": "The user allowed it.",
        "option": OptionKind.ALLOW_ONCE,
        "waited_ms": 1200,
    }
    return Entry(subject=subject, **{**fields, **more})  # type: ignore[arg-type]


def random_entries(many: int, seed: int) -> list[Entry]:
    """Calls of several chats, agents and tools in every stage, at times that mostly but not always rise."""
    dice = random.Random(seed)
    return [_random_entry(dice, number) for number in range(many)]


def _random_entry(dice: random.Random, number: int) -> Entry:
    stage = dice.choice(list(Stage))
    subject = a_subject(
        f"call-{dice.randrange(max(2, number // 3 + 1))}",
        tool=dice.choice(["bash", "write_file", "read_file", "tool with “quotes”"]),
        args={"path": f"src/Datei-{number % 17}-ü.txt", "deep": {"list": [1, 2.5, None, "π"]}},
        session=f"chat-{dice.randrange(5)}",
        headline=dice.choice(["Run the tests", "Write a file", "Straße lesen"]),
        agent=dice.choice(["Demo", "Other agent"]),
        folder=dice.choice(["/home/me/code", "/home/me/other code"]),
    )
    minute = number + dice.randrange(-3, 4)
    return Entry(
        stage=stage,
        at=f"2030-01-{1 + abs(minute) // 1440 % 28:02}T{abs(minute) // 60 % 24:02}:{abs(minute) % 60:02}:00.000Z",
        subject=subject,
        approval_id=ApprovalId(f"approval-{number}") if dice.random() < 0.6 else None,
        ending=dice.choice([*Ending, None]),
        by=dice.choice([*ResolvedBy, None]),
        reason=dice.choice([*Reason, None]),
        text=dice.choice(["", "It asks because it writes.", "A rule of the user allows it."]),
        rule=dice.choice([None, RuleOrigin("bash(ls:*)", "user", "/home/me/settings.json", 3)]),
        option=dice.choice([*OptionKind, None]),
        feedback=dice.choice([None, "use the other file"]),
        edited=dice.random() < 0.1,
        interrupted=dice.random() < 0.1,
        waited_ms=dice.choice([None, 0, dice.randrange(60_000)]),
        took_ms=dice.choice([None, 0, dice.randrange(9_000)]),
    )


def kept(folder: Path, entries: list[Entry], *, at_once: int = 50) -> None:
    """Writes them with a store of their own, and ends it."""

    async def write(store: Store) -> None:
        for start in range(0, len(entries), at_once):
            await store.write(*entries[start : start + at_once])

    with_store(folder, write)


def with_store(folder: Path, use: Callable[[Store], Awaitable[T]]) -> T:
    """Runs something with a store on this folder, which is ended afterwards."""

    async def run() -> T:
        store = Store(folder)
        try:
            return await use(store)
        finally:
            await store.end()

    return asyncio.run(run())


def behind_its_back(folder: Path, *statements: str) -> None:
    """Changes the file with nothing but SQLite."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


def rows(folder: Path, query: str = "SELECT n, hash, body FROM entries ORDER BY n") -> list[tuple[object, ...]]:
    """What the file holds."""
    connection = sqlite3.connect(folder / FILE)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()
