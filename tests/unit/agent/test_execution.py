"""Running a permitted call: one result, whatever the tool does and whenever a stop comes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from assent.agent import execute as execute_module
from assent.agent.execute import execute
from assent.agent.permit import Permit, Refusal
from assent.agent.ports import Prepared, ToolAnswer
from assent.agent.recorder import Recorder
from assent.model.calls import Caller, CallFacts, ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.preview import JsonPreview
from assent.model.records import Ending, Stage, Subject
from tests.support.clock import FakeClock
from tests.support.journal import MemoryJournal
from tests.support.scale import limit
from tests.support.world import settled


def permit(perform: Callable[[], Awaitable[ToolAnswer]]) -> Permit:
    prepared = Prepared("Do it", "/w", JsonPreview("{}"), (), "", "tool", perform)
    return Permit(SUBJECT, prepared, CallFacts("tool", True, Category.WRITE), "", still=lambda: None)


SUBJECT = Subject(
    ToolCall(CallId("c"), "tool", {}),
    Caller("Agent", "Agent", SessionId("s"), RunId("r")),
    Category.WRITE,
    Mode.DEFAULT,
)


def recorder(journal: MemoryJournal | None = None) -> Recorder:
    return Recorder(journal or MemoryJournal(), FakeClock(), lambda: "/w")


async def run(permitted: Permit, journal: MemoryJournal | None = None) -> ToolOutcome:
    outcome = await execute(permitted, recorder(journal), lambda: None)
    assert isinstance(outcome, ToolOutcome)
    return outcome


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.01)


@pytest.fixture
def long_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", limit(30))


async def test_an_answer_becomes_the_result() -> None:
    async def perform() -> ToolAnswer:
        return ToolAnswer("text", path="a", content="b", truncated=True)

    outcome = await run(permit(perform))

    assert (outcome.content, outcome.path, outcome.file_content) == ("text", "a", "b")
    assert (outcome.truncated, outcome.ran, outcome.is_error, outcome.code) == (True, True, False, None)


async def test_its_start_is_written_down_before_it_is_entered_and_its_end_before_anyone_is_told() -> None:
    journal = MemoryJournal()
    seen: list[list[Stage]] = []

    async def perform() -> ToolAnswer:
        seen.append(journal.stages())
        return ToolAnswer("done")

    started: list[list[Stage]] = []
    await execute(permit(perform), recorder(journal), lambda: started.append(journal.stages()))

    assert seen == started == [[Stage.STARTED]]
    assert journal.stages() == [Stage.STARTED, Stage.FINISHED]
    assert journal.entries[-1].ending is Ending.DONE


async def test_what_cannot_be_written_down_is_not_entered() -> None:
    journal = MemoryJournal()
    journal.refuses = lambda entry: entry.stage is Stage.STARTED
    entered: list[int] = []

    async def perform() -> ToolAnswer:
        entered.append(1)
        return ToolAnswer("done")

    told: list[int] = []
    refusal = await execute(permit(perform), recorder(journal), lambda: told.append(1))

    assert isinstance(refusal, Refusal)
    assert (refusal.code, entered, told) == ("not_recorded", [], [])
    assert "disk is full" in refusal.message


async def test_a_result_that_cannot_be_written_down_is_told_all_the_same() -> None:
    journal = MemoryJournal()
    journal.refuses = lambda entry: entry.stage is Stage.FINISHED

    async def perform() -> ToolAnswer:
        return ToolAnswer("done")

    assert (await run(permit(perform), journal)).content == "done"


async def test_what_is_forbidden_while_its_start_is_written_down_is_not_entered() -> None:
    journal = MemoryJournal()

    async def perform() -> ToolAnswer:
        raise AssertionError

    prepared = Prepared("Do it", "/w", JsonPreview("{}"), (), "", "tool", perform)
    forbidden = Permit(
        SUBJECT,
        prepared,
        CallFacts("tool", True, Category.WRITE),
        "",
        still=lambda: Refusal("denied_by_rule", "a rule forbids it"),
    )
    refusal = await execute(forbidden, recorder(journal), lambda: None)

    assert refusal == Refusal("denied_by_rule", "a rule forbids it")
    assert [(entry.stage, entry.ending) for entry in journal.entries] == [
        (Stage.STARTED, None),
        (Stage.FINISHED, Ending.STOPPED),
    ]


async def test_stopped_while_its_start_is_written_down_it_is_not_entered() -> None:
    journal = MemoryJournal()
    journal.hold = asyncio.Event()

    async def perform() -> ToolAnswer:
        raise AssertionError

    task = asyncio.ensure_future(run(permit(perform), journal))
    await settled()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert [(entry.stage, entry.ending) for entry in journal.entries] == [(Stage.FINISHED, Ending.STOPPED)]


async def test_stopped_while_its_end_is_written_down_it_keeps_its_result() -> None:
    journal = MemoryJournal()

    async def perform() -> ToolAnswer:
        journal.hold = asyncio.Event()
        return ToolAnswer("done")

    task = asyncio.ensure_future(run(permit(perform), journal))
    await settled()
    task.cancel()

    assert (await task).content == "done"
    assert journal.hold is not None
    journal.hold.set()
    await settled()
    assert journal.stages() == [Stage.STARTED, Stage.FINISHED]


async def test_the_model_is_told_what_the_user_changed() -> None:
    async def perform() -> ToolAnswer:
        return ToolAnswer("done")

    prepared = Prepared("Do it", "/w", JsonPreview("{}"), (), "", "tool", perform)
    changed = Permit(
        replace(SUBJECT, call=ToolCall(CallId("c"), "tool", {"n": 2})),
        prepared,
        CallFacts("tool", True, Category.WRITE),
        "",
        still=lambda: None,
        changed=True,
    )

    outcome = await run(changed)

    assert "The user changed the arguments" in outcome.content
    assert '"n": 2' in outcome.content
    assert outcome.content.endswith("done")


async def test_a_fault_of_the_tool_is_a_result() -> None:
    async def perform() -> ToolAnswer:
        raise ToolFault("not_found", "a does not exist.")

    outcome = await run(permit(perform))

    assert (outcome.content, outcome.code, outcome.is_error, outcome.ran) == (
        "a does not exist.",
        "not_found",
        True,
        True,
    )


@pytest.mark.parametrize("fault", [ZeroDivisionError, OSError, TimeoutError, AssertionError])
async def test_any_other_exception_is_a_result_that_says_that_the_effect_is_unknown(fault: type[Exception]) -> None:
    async def perform() -> ToolAnswer:
        raise fault("secret detail")

    outcome = await run(permit(perform))

    assert outcome.code == "tool_failed"
    assert fault.__name__ in outcome.content
    assert "unknown" in outcome.content
    assert "secret detail" not in outcome.content


async def test_a_second_execution_of_one_permit_enters_nothing() -> None:
    entered = 0

    async def perform() -> ToolAnswer:
        nonlocal entered
        entered += 1
        return ToolAnswer("")

    once = permit(perform)
    await run(once)
    with pytest.raises(RuntimeError):
        await run(once)
    assert entered == 1


async def stopped(perform: Callable[[], Awaitable[ToolAnswer]]) -> tuple[str, str | None]:
    """What the result says when the run is stopped while the tool is in the middle of its work."""
    task = asyncio.ensure_future(run(permit(perform)))
    await settled()
    task.cancel()
    outcome = await task
    assert outcome.is_error
    assert outcome.ran
    return outcome.content, outcome.code


async def test_stopped_before_it_is_done(short_grace: None) -> None:
    ended = asyncio.Event()

    async def perform() -> ToolAnswer:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    text, code = await stopped(perform)

    assert code == "cancelled"
    assert "unknown" in text
    await settled()
    assert ended.is_set()


async def test_stopped_and_done_a_moment_later(long_grace: None) -> None:
    go_on = asyncio.Event()

    async def perform() -> ToolAnswer:
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        await go_on.wait()
        return ToolAnswer("done")

    text, code = await stopped(perform)

    assert code == "cancelled"
    assert "already taken effect" in text


async def test_stopped_and_failed_a_moment_later(long_grace: None) -> None:
    go_on = asyncio.Event()

    async def perform() -> ToolAnswer:
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        await go_on.wait()
        raise ToolFault("x", "y")

    text, code = await stopped(perform)

    assert code == "cancelled"
    assert "failed" in text
