"""Running a permitted call: one result, whatever the tool does and whenever a stop comes."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from assent.agent import execute as execute_module
from assent.agent.execute import execute
from assent.agent.gate import Permit
from assent.agent.ports import Prepared, ToolAnswer
from assent.model.calls import CallFacts, ToolCall
from assent.model.errors import ToolFault
from assent.model.ids import CallId
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from tests.support.world import settled


def permit(perform: Callable[[], Awaitable[ToolAnswer]]) -> Permit:
    prepared = Prepared("Do it", "/w", JsonPreview("{}"), (), "", "tool", perform)
    return Permit(ToolCall(CallId("c"), "tool", {}), prepared, CallFacts("tool", True, Category.WRITE), "")


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.01)


async def test_an_answer_becomes_the_result() -> None:
    async def perform() -> ToolAnswer:
        return ToolAnswer("text", path="a", content="b", truncated=True)

    outcome = await execute(permit(perform))

    assert (outcome.content, outcome.path, outcome.file_content) == ("text", "a", "b")
    assert (outcome.truncated, outcome.ran, outcome.is_error, outcome.code) == (True, True, False, None)


async def test_a_fault_of_the_tool_is_a_result() -> None:
    async def perform() -> ToolAnswer:
        raise ToolFault("not_found", "a does not exist.")

    outcome = await execute(permit(perform))

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

    outcome = await execute(permit(perform))

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
    await execute(once)
    with pytest.raises(RuntimeError):
        await execute(once)
    assert entered == 1


async def stopped(perform: Callable[[], Awaitable[ToolAnswer]]) -> tuple[str, str | None]:
    """What the result says when the run is stopped while the tool is in the middle of its work."""
    task = asyncio.ensure_future(execute(permit(perform)))
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


async def test_stopped_and_done_a_moment_later() -> None:
    go_on = asyncio.Event()

    async def perform() -> ToolAnswer:
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        await go_on.wait()
        return ToolAnswer("done")

    text, code = await stopped(perform)

    assert code == "cancelled"
    assert "already taken effect" in text


async def test_stopped_and_failed_a_moment_later() -> None:
    go_on = asyncio.Event()

    async def perform() -> ToolAnswer:
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        await go_on.wait()
        raise ToolFault("x", "y")

    text, code = await stopped(perform)

    assert code == "cancelled"
    assert "failed" in text
