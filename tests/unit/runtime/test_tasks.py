"""Tasks with an owner: named, watched, and ended with it."""

import asyncio
import logging

import pytest

from assent.runtime.tasks import TaskGroup


async def test_a_task_has_a_name_and_a_result() -> None:
    async def work() -> int:
        return 7

    group = TaskGroup("owner")
    task = group.start(work(), "work")

    assert task.get_name() == "owner/work"
    assert await task == 7
    assert len(group) == 0


async def test_cancelling_waits_until_all_have_cleaned_up() -> None:
    cleaned = []

    async def work(number: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(number)

    group = TaskGroup("owner")
    tasks = [group.start(work(number), "work") for number in range(3)]
    await group.cancel()

    assert sorted(cleaned) == [0, 1, 2]
    assert all(task.cancelled() for task in tasks)
    assert len(group) == 0


async def test_a_task_that_was_started_in_this_moment_enters_its_clean_up() -> None:
    ended = False

    async def work() -> None:
        nonlocal ended
        try:
            await asyncio.Event().wait()
        finally:
            ended = True

    group = TaskGroup("owner")
    group.start(work(), "work")
    await group.cancel()

    assert ended


async def test_tasks_that_get_a_moment_come_to_their_own_end_and_the_others_are_ended() -> None:
    ended = []

    async def work() -> None:
        await asyncio.sleep(0)
        ended.append("work")

    group = TaskGroup("owner")
    group.start(work(), "work")
    await group.finish(10)
    assert ended == ["work"] and len(group) == 0

    stuck = group.start(asyncio.Event().wait(), "stuck")
    await group.finish(0)
    assert stuck.cancelled() and len(group) == 0


async def test_a_failure_is_seen_and_takes_nobody_with_it(caplog: pytest.LogCaptureFixture) -> None:
    async def failing() -> None:
        raise ZeroDivisionError

    async def fine() -> str:
        await asyncio.sleep(0)
        return "fine"

    group = TaskGroup("owner")
    with caplog.at_level(logging.ERROR):
        bad, good = group.start(failing(), "bad"), group.start(fine(), "good")
        assert await good == "fine"
        with pytest.raises(ZeroDivisionError):
            await bad
        await asyncio.sleep(0)

    assert "owner/bad" in caplog.text
    assert "ZeroDivisionError" in caplog.text


async def test_a_task_may_end_its_own_group() -> None:
    group = TaskGroup("owner")
    ended = []

    async def other() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("other")

    async def ending() -> str:
        await group.cancel()
        return "still here"

    group.start(other(), "other")
    assert await group.start(ending(), "ending") == "still here"
    assert ended == ["other"]


async def test_nothing_to_cancel() -> None:
    await TaskGroup("owner").cancel()
