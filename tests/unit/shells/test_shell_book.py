"""All commands of a server: which are known, how many may run, what is forgotten when, what ends with what."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from assent.model.errors import ShellNotFound, ShellsFull
from assent.model.events import ShellStatus
from assent.model.ids import CallId, RunId, SessionId
from assent.model.limits import ShellLimits
from assent.runtime.clock import SystemClock
from assent.runtime.processes import Bounds, Processes, Start, Stream
from assent.shells import book
from assent.shells.book import Shells
from assent.shells.shell import Order, Shell, Waited
from assent.shells.telling import MOST_AT_ONCE, Telling
from tests.support.bash_tool import Told
from tests.support.processes import is_running
from tests.support.scale import eventually, limit

CHAT, OTHER = SessionId("chat"), SessionId("other")
_UNBOUNDED = Bounds()
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def order(chat: SessionId = CHAT, call: str = "call") -> Order:
    return Order(chat, CallId(call), RunId("run"), "text", "/")


def start(text: str, bounds: Bounds = _UNBOUNDED) -> Start:
    return Start(("/bin/bash", "--norc", "-c", text), "/", ENVIRONMENT, bounds=bounds)


class Book:
    """A book with settings that a test may change."""

    def __init__(self) -> None:
        self.limits = ShellLimits()
        self.told = Told()
        self.processes = Processes()
        self.shells = Shells(self.processes, SystemClock(), lambda: self.limits, self.told)

    async def run(self, text: str, *, background: bool = True, chat: SessionId = CHAT, **more: str) -> Shell:
        return await self.shells.start(order(chat, **more), start(text), background=background)


@pytest.fixture
async def room() -> AsyncIterator[Book]:
    made = Book()
    yield made
    await made.shells.end()
    made.processes.end_all()


async def test_a_shell_in_the_foreground_is_known_until_it_has_ended(room: Book) -> None:
    shell = await room.run("echo hi; sleep 0.1", background=False)
    assert room.shells.of_call(CallId("call")) is shell
    assert await shell.wait(None) is Waited.ENDED
    await eventually(lambda: room.shells.all() == (), what="its being forgotten")
    assert shell.kept(Stream.OUTPUT).text() == "hi\n"
    with pytest.raises(ShellNotFound):
        room.shells.of_call(CallId("call"))


async def test_one_in_the_background_is_known_with_its_exit_code(room: Book) -> None:
    shell = await room.run("echo hi; exit 7")
    assert await shell.wait_for_end(60)
    assert room.shells.get(shell.shell_id) is shell
    assert (shell.status, shell.exit and shell.exit.code) == (ShellStatus.EXITED, 7)
    assert room.told.changes == [(shell.shell_id, "running"), (shell.shell_id, "exited")]


async def test_of_another_chat_is_not_found(room: Book) -> None:
    shell = await room.run("true", chat=OTHER)
    with pytest.raises(ShellNotFound):
        room.shells.get(shell.shell_id, CHAT)
    assert room.shells.all(CHAT) == ()


async def test_a_limit_holds_for_each_chat_and_frees_with_an_end(room: Book) -> None:
    room.limits = replace(room.limits, max_background=2)
    first = await room.run("sleep 300")
    await room.run("sleep 300")
    with pytest.raises(ShellsFull, match="maxBackground"):
        await room.run("sleep 300")
    waiting = await room.run("sleep 300", background=False, call="waits")
    with pytest.raises(ShellsFull):
        room.shells.move(waiting)
    assert not waiting.in_background
    await room.run("sleep 300", chat=OTHER)
    await first.end("test")
    room.shells.move(waiting)
    assert waiting.in_background


async def test_many_at_once_never_take_more_than_there_is(room: Book) -> None:
    room.limits = replace(room.limits, max_background=3)
    results = await asyncio.gather(*(room.run("sleep 300") for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(result, Shell) for result in results) == 3
    assert sum(isinstance(result, ShellsFull) for result in results) == 7


async def test_what_cannot_be_started_takes_no_place(room: Book) -> None:
    room.limits = replace(room.limits, max_background=1)
    for _ in range(3):
        with pytest.raises(OSError, match="No such file"):
            await room.shells.start(order(), Start(("/nowhere/bash",), "/", {}), background=True)
    assert room.shells.all() == ()
    await room.run("true")


async def test_moving_wakes_who_waits_and_the_process_stays(room: Book) -> None:
    shell = await room.run("echo $$; sleep 300", background=False)
    waiting = asyncio.ensure_future(shell.wait(None))
    await eventually(lambda: shell.output.total > 0, what="its number")
    pid = int(shell.output.read().text)
    room.shells.move(shell)
    room.shells.move(shell)
    assert await waiting is Waited.MOVED
    assert is_running(pid)
    assert room.told.changes[-1] == (shell.shell_id, "running")


async def test_what_has_ended_cannot_be_moved(room: Book) -> None:
    shell = await room.run("true", background=False)
    await shell.wait(None)
    with pytest.raises(ShellNotFound):
        room.shells.move(shell)


async def test_ending_is_polite_first_and_final_then(room: Book) -> None:
    polite = await room.run("trap 'echo bye; exit 3' TERM; echo on; while :; do sleep 0.05; done")
    deaf = await room.run("trap '' TERM; echo on; while :; do sleep 0.05; done")
    for shell in (polite, deaf):
        await eventually(lambda shell=shell: "on" in shell.output.read().text, what="its start")
    await asyncio.gather(polite.end("why"), deaf.end("why"))
    assert "bye" in polite.output.read().text
    assert [shell.status for shell in (polite, deaf)] == [ShellStatus.KILLED] * 2
    assert polite.ended_for == "why"
    assert not is_running(deaf.pid)


async def test_closing_a_chat_ends_all_of_it_and_nothing_else(room: Book) -> None:
    mine = [await room.run("sleep 300") for _ in range(3)]
    other = await room.run("sleep 300", chat=OTHER)
    await room.shells.end_chat(CHAT)
    assert not any(is_running(shell.pid) for shell in mine)
    assert is_running(other.pid)
    assert room.shells.all() == (other,)


async def test_a_time_limit_in_the_background_ends_it(room: Book) -> None:
    shell = await room.run("sleep 300")
    room.shells.end_after(shell, 0.05)
    assert await shell.wait_for_end(60)
    assert shell.ended_for == "Its time was over."


async def test_beyond_so_many_the_oldest_are_forgotten(room: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_ENDED", 2)
    ended = []
    for _ in range(4):
        ended.append(await room.run("true"))
        assert await ended[-1].wait_for_end(60)
    running = await room.run("sleep 300")
    assert room.shells.all() == (*ended[2:], running)
    with pytest.raises(ShellNotFound):
        room.shells.get(ended[0].shell_id)


async def test_output_goes_before_exit_codes_do(room: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_OUTPUT_OF_ENDED", 10)
    first = await room.run("echo 1234567; exit 4")
    assert await first.wait_for_end(60)
    second = await room.run("echo 7654321")
    assert await second.wait_for_end(60)
    assert room.shells.get(second.shell_id).output.read().text == "7654321\n"
    found = room.shells.get(first.shell_id)
    assert (found.output.read().text, found.output.dropped, found.exit and found.exit.code) == ("", 8, 4)


async def test_old_output_is_dropped(room: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "OUTPUT_AGE", -1.0)
    shell = await room.run("echo old")
    assert await shell.wait_for_end(60)
    assert room.shells.get(shell.shell_id).output.read().text == ""


async def test_ended_while_it_begins_it_ends_at_once(room: Book) -> None:
    starting = asyncio.ensure_future(room.run("sleep 300"))
    await asyncio.sleep(0)
    (shell,) = room.shells.all()
    await asyncio.wait_for(shell.end("why"), limit(60))
    assert (await starting) is shell
    assert (shell.status, shell.ended_for) == (ShellStatus.KILLED, "why")
    assert not is_running(shell.pid)


async def test_who_ends_one_that_cannot_be_started_does_not_wait_for_ever(room: Book) -> None:
    starting = asyncio.ensure_future(room.shells.start(order(), Start(("/nowhere",), "/", {}), background=True))
    await asyncio.sleep(0)
    (shell,) = room.shells.all()
    await asyncio.wait_for(shell.end("why"), limit(60))
    with pytest.raises(OSError, match="No such file"):
        await starting


async def test_what_is_being_ended_is_not_moved(room: Book) -> None:
    shell = await room.run("trap '' TERM; echo on; while :; do sleep 0.05; done", background=False)
    await eventually(lambda: shell.output.total > 0, what="its start")
    ending = asyncio.ensure_future(shell.end("why"))
    await asyncio.sleep(0)
    with pytest.raises(ShellNotFound):
        room.shells.move(shell)
    await ending
    assert "on" in shell.kept(Stream.OUTPUT).text()


async def test_a_limit_that_it_reached_is_said(room: Book) -> None:
    text = "for i in $(seq 60); do sleep 300 & done; wait"
    shell = await room.shells.start(order(), start(text, Bounds(processes=20)), background=True)
    assert await shell.wait_for_end(120)
    assert shell.status is ShellStatus.KILLED
    assert "20 processes" in (shell.ended_for or "")


async def test_what_floods_is_told_a_few_times_a_second_and_bounded(room: Book) -> None:
    room.limits = replace(room.limits, max_output_bytes=64 * 1024)
    shell = await room.run("yes; true")
    began = asyncio.get_running_loop().time()
    await eventually(lambda: len(room.told.printed_texts) >= 10, within=60, what="ten pieces")
    took = asyncio.get_running_loop().time() - began
    assert len(room.told.printed_texts) <= 10 + took * 20
    assert all(len(text) <= MOST_AT_ONCE + 60 for _, text in room.told.printed_texts)
    assert shell.output.total - shell.output.dropped <= 64 * 1024
    await shell.end("test")


async def test_telling_ends_with_all_that_there_is() -> None:
    told: list[str] = []
    telling = Telling(lambda shell, stream, text: told.append(text))
    shell = Shell("id", order(), SystemClock(), background=True, most=100, kept=100)
    telling.add(shell, Stream.OUTPUT, "a")
    telling.add(shell, Stream.ERRORS, "b")
    telling.flush(shell)
    telling.flush(shell)
    assert told == ["ab"]
    telling.add(shell, Stream.OUTPUT, "x" * 20_000)
    telling.flush(shell)
    assert told[1] == f"[{20_000 - MOST_AT_ONCE} characters left out]\n" + "x" * MOST_AT_ONCE
