"""What is found once a turn of the loop is never older than what woke whoever asks."""

import asyncio
import threading
from collections.abc import Iterator

from assent.runtime.turns import OnceATurn, OnceTheTurnEnds


class Shelf:
    """Something outside that changes, and a look at it that counts."""

    def __init__(self) -> None:
        self.value = "first"
        self.looks: list[str] = []

    def look(self, what: str) -> str:
        self.looks.append(what)
        return f"{what}: {self.value}"


async def test_in_one_turn_one_look_is_enough() -> None:
    shelf, key = Shelf(), "a"
    once = OnceATurn(shelf.look)

    assert [once.at(key) for _ in range(5)] == ["a: first"] * 5
    assert shelf.looks == ["a"]


async def test_what_is_asked_for_decides_not_what_was_found_before() -> None:
    shelf = Shelf()
    once = OnceATurn(shelf.look)

    assert (once.at("a"), once.at("b"), once.at("a")) == ("a: first", "b: first", "a: first")


async def test_whoever_waits_and_comes_back_sees_what_is_new() -> None:
    shelf = Shelf()
    once = OnceATurn(shelf.look)
    once.at("a")

    shelf.value = "second"
    await asyncio.sleep(0)

    assert once.at("a") == "a: second"


async def test_whoever_is_woken_by_a_change_sees_it() -> None:
    shelf, seen, told = Shelf(), [], asyncio.Event()
    once = OnceATurn(shelf.look)
    loop = asyncio.get_running_loop()

    def woken() -> None:
        seen.append(once.at("a"))
        told.set()

    def change() -> None:
        shelf.value = "second"
        loop.call_soon_threadsafe(woken)

    once.at("a")
    other = threading.Thread(target=change)
    other.start()
    other.join()
    await told.wait()

    assert seen == ["a: second"]


def test_outside_of_a_loop_nothing_is_remembered() -> None:
    shelf = Shelf()
    once = OnceATurn(shelf.look)
    once.at("a")
    shelf.value = "second"

    assert once.at("a") == "a: second"


async def test_a_look_that_fails_is_made_again() -> None:
    results: Iterator[str | OSError] = iter([OSError("gone"), "there"])

    def look(what: str) -> str:
        found = next(results)
        if isinstance(found, OSError):
            raise found
        return found

    once = OnceATurn(look)
    try:
        once.at("a")
    except OSError:
        assert once.at("a") == "there"
    else:
        raise AssertionError("the fault was kept to itself")


async def test_what_is_asked_for_often_is_done_once_and_behind_what_is_queued() -> None:
    done: list[str] = []
    loop = asyncio.get_running_loop()
    soon = OnceTheTurnEnds(lambda: done.append("done"))

    loop.call_soon(done.append, "queued before")
    loop.call_soon(loop.call_soon, done.append, "begun by that")
    for _ in range(5):
        soon.ask()
    assert done == []
    await asyncio.sleep(0)
    assert done == ["queued before"]
    await asyncio.sleep(0)
    assert done == ["queued before", "begun by that", "done"]

    soon.ask()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert done == ["queued before", "begun by that", "done", "done"]


def test_outside_of_a_loop_it_is_done_at_once() -> None:
    done: list[str] = []
    soon = OnceTheTurnEnds(lambda: done.append("done"))

    soon.ask()
    soon.ask()

    assert done == ["done", "done"]
