"""Commands that leave something behind in every way there is, ended in every way there is: nothing is left."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from assent.runtime import leftovers
from assent.runtime.processes import Processes, Running, Start
from tests.support.processes import ROOT, is_running, python
from tests.support.scale import eventually, limit, wait_until
from tests.support.stubborn import ENVIRONMENT, KINDS, kept_by, named, new_name, script, warden_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")

ALL = tuple(KINDS)
EACH = [*((kind,) for kind in KINDS), ALL]
NAMES = [*KINDS, "all at once"]
SOON = 2.0
"""Seconds within which nothing may be left."""


@pytest.fixture
def name() -> Iterator[str]:
    """For the processes of one test. Whatever a failing one leaves is killed."""
    own = new_name()
    yield own
    for pid in named(own):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def started(processes: Processes, name: str, kinds: tuple[str, ...], *, stays: bool = True) -> Running:
    """A command all of whose processes run."""
    running = await processes.start(Start(script(name, kinds, stays=stays), "/", ENVIRONMENT), lambda *_: None)
    await all_run(name, len(kinds) + stays)
    return running


async def all_run(name: str, number: int) -> None:
    """Waits until so many processes of this name run."""
    await eventually(lambda: len(named(name)) == number, within=20, what=f"{number} processes")


async def ends(name: str) -> None:
    """Waits until none of this name is left."""
    await eventually(lambda: not named(name), within=SOON, what="the end of all processes")


@pytest.mark.parametrize("kinds", EACH, ids=NAMES)
async def test_when_the_command_is_ended(name: str, kinds: tuple[str, ...]) -> None:
    running = await started(Processes(), name, kinds)
    await running.end()

    assert named(name) == []
    assert (await running.ended()).signal == "SIGKILL"


@pytest.mark.parametrize("kinds", EACH, ids=NAMES)
async def test_when_the_command_itself_has_ended_before(name: str, kinds: tuple[str, ...]) -> None:
    running = await started(Processes(), name, kinds, stays=False)
    assert (await running.ended()).code == 0
    assert len(named(name)) == len(kinds)
    await running.end()

    assert named(name) == []


async def test_when_its_time_is_over(name: str) -> None:
    ended = await Processes().run(Start(script(name, ALL, stays=True), "/", ENVIRONMENT), limit(0.5), 1_000)

    assert ended.timed_out
    assert named(name) == []


async def test_when_it_runs_to_its_end(name: str) -> None:
    ended = await Processes().run(Start(script(name, ALL, stays=False), "/", ENVIRONMENT), limit(60), 1_000)

    assert (ended.code, ended.timed_out, ended.held_open) == (0, False, True)
    assert named(name) == []


async def test_when_who_waits_is_cancelled(name: str) -> None:
    task = asyncio.create_task(
        Processes().run(Start(script(name, ALL, stays=True), "/", ENVIRONMENT), limit(60), 1_000)
    )
    await all_run(name, len(ALL) + 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert named(name) == []


async def test_being_cancelled_in_the_moment_in_which_it_begins_is_not_forgotten(name: str) -> None:
    processes = Processes()
    for steps in range(40):
        task = asyncio.create_task(
            processes.run(Start(script(name, (), stays=True), "/", ENVIRONMENT), limit(60), 1_000)
        )
        await all_run(name, 1)
        # The news of its start comes in these turns of the loop.
        for _ in range(steps % 4):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ends(name)


async def test_when_all_is_ended(name: str) -> None:
    processes = Processes()
    several = [await processes.start(Start(script(name, ALL, stays=True), "/", ENVIRONMENT), lambda *_: None)]
    several.append(await started(processes, name + "x", ALL))
    await all_run(name, len(ALL) + 1)
    await asyncio.to_thread(processes.end_all)
    await ends(name)
    await ends(name + "x")

    for running in several:
        assert (await running.ended()).signal == "SIGKILL"
        await running.end()


async def test_being_told_politely_reaches_its_group_and_no_other(name: str) -> None:
    running = await started(Processes(), name, ("plain", "deaf", "another session"))
    running.terminate()
    end = await running.ended()
    await eventually(lambda: len(named(name)) == 2, within=10, what="the end of those that heard it")
    assert end.signal == "SIGTERM"
    await running.end()

    assert named(name) == []


async def test_politely_also_after_the_command_itself_has_ended(name: str) -> None:
    running = await started(Processes(), name, ("plain", "deaf"), stays=False)
    await running.ended()
    running.terminate()
    await eventually(lambda: len(named(name)) == 1, within=10, what="the end of the one that heard it")
    await running.end()

    assert named(name) == []


async def test_ending_twice_or_at_the_same_time_is_one_end(name: str) -> None:
    running = await started(Processes(), name, ALL)
    await asyncio.gather(running.end(), running.end(), running.end())
    await running.end()
    running.kill()
    running.terminate()

    assert named(name) == []


async def test_one_that_waits_and_gives_up_changes_nothing(name: str) -> None:
    running = await started(Processes(), name, ("plain",))
    waiting = [asyncio.create_task(running.ended()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.wait(waiting[:1])
    assert len(named(name)) == 2
    await running.end()

    assert {(await task).signal for task in waiting[1:]} == {"SIGKILL"}


@contextmanager
def server(name: str, kinds: tuple[str, ...]) -> "Iterator[subprocess.Popen[str]]":
    """A server of its own, with a command all of whose processes run."""
    process = subprocess.Popen(
        python("-m", "tests.support.commands_server", name, *kinds),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT), *sys.path])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "runs\n"
        wait_until(lambda: len(named(name)) == len(kinds) + 1, within=20, what="all processes")
        yield process
    finally:
        process.kill()
        process.communicate()


def all_end(name: str, *keepers: int) -> None:
    """Nothing of a command is left within two seconds, and nobody who kept it."""
    wait_until(lambda: not named(name), within=SOON, what="the end of all processes")
    wait_until(lambda: not any(is_running(one) for one in keepers), within=SOON, what="the end of those that kept them")


@pytest.mark.parametrize("kinds", EACH, ids=NAMES)
def test_when_the_server_is_killed(name: str, kinds: tuple[str, ...]) -> None:
    with server(name, kinds) as process:
        keepers = kept_by(process.pid) + kept_by(process.pid, "assent-warden")
        assert len(keepers) == 2
        process.kill()
        all_end(name, *keepers)


def test_when_the_server_ends(name: str) -> None:
    with server(name, ALL) as process:
        keepers = kept_by(process.pid) + kept_by(process.pid, "assent-warden")
        process.communicate("\n")
        all_end(name, *keepers)
        assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_to_the_group_of_the_server_reach_no_command(name: str, number: signal.Signals) -> None:
    """An editor's terminal tells the whole group. What ends the commands is the end of the server."""
    with server(name, ("plain",)) as process:
        for one in kept_by(process.pid) + kept_by(process.pid, "assent-warden"):
            assert os.getpgid(one) == one
            os.kill(one, number)
        assert len(named(name)) == 2
        process.kill()
        all_end(name)


def test_when_the_warden_is_killed_its_commands_go_on_and_end_with_the_server(name: str) -> None:
    with server(name, ALL) as process:
        (warden,) = kept_by(process.pid, "assent-warden")
        (keeper,) = kept_by(process.pid)
        os.kill(warden, signal.SIGKILL)
        wait_until(lambda: not is_running(warden), within=10, what="the end of the warden")
        assert len(named(name)) == len(ALL) + 1
        process.kill()
        all_end(name, keeper)


async def test_after_the_warden_was_killed_the_next_command_has_a_new_one(name: str) -> None:
    processes = Processes()
    before = await started(processes, name, ("plain",))
    warden = warden_of(processes)
    os.kill(warden, signal.SIGKILL)
    await eventually(lambda: not is_running(warden), what="the end of the warden")
    after = await started(processes, name + "x", ("plain",))
    await before.end()
    await after.end()

    assert named(name) + named(name + "x") == []
    assert warden_of(processes) != warden


@pytest.mark.parametrize("kinds", EACH, ids=NAMES)
async def test_when_the_keeper_is_killed(name: str, kinds: tuple[str, ...]) -> None:
    processes = Processes()
    running = await started(processes, name, kinds)
    (keeper,) = kept_by(warden_of(processes))
    os.kill(keeper, signal.SIGKILL)
    end = await running.ended()
    await ends(name)
    await running.end()

    assert (end.code, end.signal) == (None, "SIGKILL")


async def test_when_a_keeper_is_killed_other_commands_go_on(name: str) -> None:
    processes = Processes()
    running = await started(processes, name, ALL)
    (keeper,) = kept_by(warden_of(processes))
    other = await started(processes, name + "x", ALL)
    os.kill(keeper, signal.SIGKILL)
    await ends(name)
    assert len(named(name + "x")) == len(ALL) + 1
    await running.end()
    await other.end()


WITH_MARK = tuple(kind for kind in KINDS if "env -i" not in KINDS[kind])


def test_when_everybody_is_killed_the_next_server_finds_what_is_left(name: str) -> None:
    """Only what has thrown away its environment cannot be told from a program of the user's own."""
    with server(name, WITH_MARK) as process:
        keepers = kept_by(process.pid, "assent-warden") + kept_by(process.pid)
        for one in (*keepers, process.pid):
            os.kill(one, signal.SIGSTOP)
        for one in (process.pid, *keepers):
            os.kill(one, signal.SIGKILL)
        process.wait()
        wait_until(lambda: not any(is_running(one) for one in keepers), what="the end of all who watched")
        assert len(named(name)) >= len(WITH_MARK)
        Processes().sweep()
        assert named(name) == []


async def test_what_a_living_server_runs_is_not_swept(name: str) -> None:
    with server(name + "x", ALL):
        running = await started(Processes(), name, ALL)
        Processes().sweep()
        assert len(named(name)) == len(named(name + "x")) == len(ALL) + 1
        await running.end()


@pytest.mark.parametrize(
    "mark",
    [
        "",
        "1",
        "hello",
        "4194303",
        "4194303-1",
        "4194303-1-1",
        "4194303-1-1-1",
        "4194303-x-{space}-1",
        "-{start}-{space}-1",
        "²-1-{space}-1",
        "4194303-1-0-1",
    ],
)
def test_what_carries_no_full_mark_or_one_of_another_place_is_not_swept(mark: str) -> None:
    _, start, space = leftovers.own_mark().split("-")
    with carrying(mark.format(start=start, space=space)) as process:
        # How many it ends is no matter: servers of other tests, running beside this one, leave programs as well.
        leftovers.sweep()
        assert process.poll() is None


@pytest.mark.parametrize("mark", ["4194303-1-{space}-1", "{pid}-1-{space}-1", "{pid}-{start}1-{space}-77"])
def test_what_carries_the_mark_of_a_server_that_is_gone_is_swept(mark: str) -> None:
    """Also where another process has its number by now."""
    pid, start, space = leftovers.own_mark().split("-")
    with carrying(mark.format(pid=pid, start=start, space=space)) as process:
        # A server that starts beside this test may have ended it first.
        leftovers.sweep()
        assert process.wait(limit(10)) == -signal.SIGKILL


@contextmanager
def carrying(mark: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A process with this mark."""
    process = subprocess.Popen(["/bin/sleep", "1000"], env={leftovers.NAME: mark})
    try:
        # Until then it still shows the environment of this process.
        wait_until(lambda: b"sleep" in leftovers.family.read(f"/proc/{process.pid}/cmdline"), what="the program")
        yield process
    finally:
        process.kill()
        process.wait()
