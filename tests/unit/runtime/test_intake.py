"""What a program prints is handed on in its order, at once where nothing waits, and others get their turns between."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any, cast

import pytest

from assent.runtime.intake import Intake
from assent.runtime.json_lines import Garbage, Message
from assent.runtime.processes import Running, Stream
from tests.support.scale import limit


class Source:
    """The program, as far as it can be told to wait."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def pause(self, stream: Stream) -> None:
        self.told.append(f"pause {stream.value}")

    def go_on(self, stream: Stream) -> None:
        self.told.append(f"go on {stream.value}")


class Desk:
    """Takes what comes, and keeps it."""

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.refuses: object = None
        self.source = Source()
        self.intake = Intake(self._take)

    def _take(self, said: Message | Garbage) -> None:
        content = said.content["n"] if isinstance(said, Message) else said.reason
        if content == self.refuses:
            raise ValueError(content)
        self.taken.append(content)

    @contextmanager
    def at_work(self) -> Iterator["asyncio.Task[None]"]:
        task = asyncio.ensure_future(self.intake.hand_on(cast(Running, self.source)))
        try:
            yield task
        finally:
            task.cancel()


def line(number: int, filling: int = 0) -> bytes:
    return json.dumps({"n": number, "filling": "x" * filling}).encode() + b"\n"


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def test_what_comes_while_nothing_waits_is_taken_in_the_same_turn(desk: Desk) -> None:
    with desk.at_work():
        await asyncio.sleep(0)
        desk.intake.printed(line(1) + line(2)[:5])
        assert desk.taken == [1]
        desk.intake.printed(line(2)[5:] + b"no json\n")
        assert desk.taken[:2] == [1, 2] and len(desk.taken) == 3
        assert desk.intake.total == len(line(1) + line(2)) + 8


async def test_before_anybody_listens_it_waits(desk: Desk) -> None:
    desk.intake.printed(line(1))
    assert desk.taken == []
    with desk.at_work():
        async with asyncio.timeout(limit(10)):
            await desk.intake.idle.wait()
    assert desk.taken == [1]


async def test_what_is_little_does_not_overtake_what_is_much(desk: Desk) -> None:
    with desk.at_work():
        await asyncio.sleep(0)
        desk.intake.printed(b"".join(map(line, range(100))))
        desk.intake.printed(line(100))
        assert 100 not in desk.taken
        async with asyncio.timeout(limit(10)):
            await desk.intake.idle.wait()
        desk.intake.printed(line(101))
        assert desk.taken == list(range(102))


async def test_others_have_their_turn_between_many(desk: Desk) -> None:
    seen: list[int] = []

    async def look() -> None:
        while True:
            seen.append(len(desk.taken))
            await asyncio.sleep(0)

    with desk.at_work():
        looking = asyncio.ensure_future(look())
        desk.intake.printed(b"".join(map(line, range(1000))))
        async with asyncio.timeout(limit(10)):
            await desk.intake.idle.wait()
        looking.cancel()
    steps = [after - before for before, after in pairwise(seen)]
    assert max(steps) < 100
    assert desk.taken == list(range(1000))


async def test_a_program_that_prints_too_much_ahead_has_to_wait(desk: Desk) -> None:
    with desk.at_work():
        await asyncio.sleep(0)
        for number in range(40):
            desk.intake.printed(line(number, 65_536))
        assert desk.source.told == ["pause stdout"]
        async with asyncio.timeout(limit(10)):
            await desk.intake.idle.wait()
    assert desk.source.told == ["pause stdout", "go on stdout"]
    assert desk.taken == list(range(40))


@pytest.mark.parametrize("together", [1, 50], ids=["little", "much"])
async def test_whoever_hands_on_meets_a_fault_and_nothing_is_handed_on_after_it(desk: Desk, together: int) -> None:
    desk.refuses = together
    with desk.at_work() as task:
        await asyncio.sleep(0)
        desk.intake.printed(b"".join(line(number) for number in range(1, together + 1)))
        desk.intake.printed(line(99))
        with pytest.raises(ValueError, match=str(together)):
            await asyncio.wait_for(asyncio.shield(task), limit(10))
    desk.intake.printed(line(100))
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(0)
    assert desk.taken == list(range(1, together))


@pytest.mark.parametrize("ends", ["fault", "cancelled"])
async def test_after_its_end_nothing_is_handed_on_whoever_says_that_it_is_idle(desk: Desk, ends: str) -> None:
    desk.refuses = 1
    with desk.at_work() as task:
        await asyncio.sleep(0)
        if ends == "fault":
            desk.intake.printed(line(1))
        else:
            task.cancel()
        with pytest.raises((ValueError, asyncio.CancelledError)):
            await asyncio.wait_for(asyncio.shield(task), limit(10))
        # So that nobody waits for what is never handed on.
        desk.intake.idle.set()
        desk.intake.printed(line(2))
        assert desk.taken == []
