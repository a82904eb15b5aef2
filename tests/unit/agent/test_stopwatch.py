"""How long a run has worked: not while it waits for people, and each moment once."""

import asyncio
import random

import pytest

from assent.agent.stopwatch import Stopwatch
from tests.support.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def test_it_stands_still_while_nothing_is_at_work(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    clock.advance(5)
    with watch.working():
        clock.advance(2)
        assert watch.seconds == 2
    clock.advance(600)
    with watch.working():
        clock.advance(3)

    assert watch.seconds == 5
    assert not watch.running


def test_two_at_work_together_count_once(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    first, second = watch.working(), watch.working()
    with first:
        clock.advance(1)
        second.__enter__()
        clock.advance(10)
    clock.advance(4)
    assert watch.running
    second.__exit__(None, None, None)
    clock.advance(100)

    assert watch.seconds == 15


def test_what_fails_has_worked_all_the_same(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    with pytest.raises(ValueError, match="no"), watch.working():
        clock.advance(1)
        raise ValueError("no")

    assert (watch.seconds, watch.running) == (1, False)


@pytest.mark.parametrize("seed", range(50))
def test_it_is_the_length_of_all_intervals_together(clock: FakeClock, seed: int) -> None:
    chance, watch = random.Random(seed), Stopwatch(clock)
    at_work, worked = [], 0
    for _ in range(100):
        if at_work and chance.random() < 0.5:
            at_work.pop(chance.randrange(len(at_work))).__exit__(None, None, None)
        else:
            at_work.append(watch.working())
            at_work[-1].__enter__()
        step = chance.randrange(5)
        clock.advance(step)
        worked += step if at_work else 0
        assert watch.seconds == worked


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_wait_of_ten_minutes_does_not_use_up_three(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    over = asyncio.ensure_future(watch.worked(180))
    with watch.working():
        await settle()
        clock.advance(60)
    await settle()
    clock.advance(600)
    await settle()
    # The timer of before has rung, and found that it stands still: none runs now.
    assert clock.sleeping == 0
    assert not over.done()

    with watch.working():
        await settle()
        clock.advance(119)
        await settle()
        assert not over.done()
        clock.advance(1)
        await settle()
        assert over.done()


async def test_one_timer_at_a_time(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    over = asyncio.ensure_future(watch.worked(180))
    for _ in range(20):
        with watch.working():
            await settle()
            clock.advance(1)
        await settle()

    assert clock.sleeping == 1
    over.cancel()


def test_it_stands_still_while_what_is_at_work_waits_for_a_person(clock: FakeClock) -> None:
    watch = Stopwatch(clock)
    with watch.working():
        clock.advance(1)
        with watch.resting():
            clock.advance(600)
            assert not watch.running
            with watch.working():
                clock.advance(2)
            clock.advance(600)
        clock.advance(4)
    assert watch.seconds == 7 and not watch.running
