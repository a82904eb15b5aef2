"""Real processes: how they end, what is kept of their output, and that nothing of them is left."""

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from assent.runtime import processes
from assent.runtime.processes import Ended, Processes, Start
from tests.support.processes import is_running, resident_memory
from tests.support.scale import eventually, limit, wait_until

T = TypeVar("T")
KEPT = 30 * 1024


def bash(text: str, *, directory: str = "/", **environment: str) -> Start:
    """A command for the shell, with nothing in its environment but this and where programs are."""
    return Start(
        ("/bin/bash", "--noprofile", "--norc", "-c", text),
        directory,
        {"PATH": "/usr/bin:/bin", **environment},
    )


def run(text: str, *, seconds: float = 60.0, kept: int = KEPT, directory: str = "/", **environment: str) -> Ended:
    """The end of a command that nobody disturbs."""
    start = bash(text, directory=directory, **environment)
    return asyncio.run(Processes().run(start, limit(seconds), kept))


def while_running(
    text: str, act: Callable[["asyncio.Task[Ended]", Processes], Awaitable[T]], *, seconds: float = 60.0
) -> T:
    """Does something while the command runs."""

    async def both() -> T:
        home = Processes()
        task = asyncio.create_task(home.run(bash(text), limit(seconds), KEPT))
        try:
            return await act(task, home)
        finally:
            task.cancel()
            await asyncio.wait({task})

    return asyncio.run(both())


async def appears(file: Path) -> int:
    """The process id that a command writes into this file."""
    await eventually(lambda: number_in(file), within=20, what=f"a number in {file.name}")
    return number_in(file)


def number_in(file: Path) -> int:
    """The number in a file; none as long as it is not there."""
    return int(file.read_text() or 0) if file.exists() else 0


def ends(pid: int) -> None:
    """Nothing is left of this process within a moment."""
    wait_until(lambda: not is_running(pid), within=10, what=f"the end of process {pid}")


def test_output_errors_and_exit_code_come_back() -> None:
    ended = run("echo out; echo err >&2; exit 7")

    assert (ended.code, ended.signal) == (7, None)
    assert (ended.output.text(), ended.errors.text()) == ("out\n", "err\n")
    assert not ended.timed_out
    assert not ended.held_open


def test_an_end_by_a_signal_is_told() -> None:
    ended = run("kill -SEGV $$")

    assert (ended.code, ended.signal) == (None, "SIGSEGV")


def test_a_program_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(FileNotFoundError):
        asyncio.run(Processes().run(Start(("/nowhere/bash",), "/", {}), 5, KEPT))


def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run("true", directory=str(tmp_path / "gone"))


def test_it_starts_in_its_folder_and_reads_nothing(tmp_path: Path) -> None:
    ended = run("pwd; read -r line || echo nothing to read", directory=str(tmp_path))

    assert ended.output.text() == f"{tmp_path}\nnothing to read\n"


def test_it_sees_no_environment_but_what_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {f"PLANTED_{number}": f"secret-{number}" for number in range(20)}
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BASH_ENV", "/dev/null")

    ended = run("cat /proc/self/environ | tr '\\0' '\\n'; env", GIVEN="yes")

    assert "GIVEN=yes" in ended.output.text()
    assert not re.search("PLANTED|secret-|BASH_ENV", ended.output.text())


def test_no_open_file_is_inherited(tmp_path: Path) -> None:
    with (tmp_path / "own").open("w") as own:
        os.set_inheritable(own.fileno(), True)
        ended = run("ls /proc/self/fd | wc -l; ls -l /proc/self/fd")

    assert str(tmp_path) not in ended.output.text()


def test_much_output_is_bounded_in_memory() -> None:
    before = resident_memory(os.getpid())
    ended = run("echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last", kept=KEPT)

    assert ended.output.total > 100_000_000
    assert ended.output.text().startswith("first\n")
    assert ended.output.text().endswith("\nlast\n")
    assert len(ended.output.text()) < KEPT + 100
    assert f"[{ended.output.total - KEPT} bytes left out]" in ended.output.text()
    assert resident_memory(os.getpid()) - before < 20_000_000


def test_the_loop_goes_on_while_it_prints_without_end() -> None:
    async def others_get_their_turn(task: "asyncio.Task[Ended]", _: Processes) -> int:
        turns = 0
        while not task.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert task.result().timed_out
        return turns

    assert while_running("yes", others_get_their_turn, seconds=1.0) >= 10


def test_both_streams_full_do_not_lock_each_other() -> None:
    ended = run("for i in {1..2000}; do printf '%0500d\\n' $i; printf '%0500d\\n' $i >&2; done")

    assert (ended.code, ended.output.total, ended.errors.total) == (0, 1_002_000, 1_002_000)


STUBBORN = """
trap '' TERM
bash -c '
    trap "" TERM
    echo $$ > {folder}/child
    sleep 300 &
    echo $! > {folder}/grandchild
    while :; do sleep 1; done
' &
echo $$ > {folder}/first
echo begun
while :; do sleep 1; done
"""


def test_what_takes_no_hint_is_killed_when_its_time_is_over(tmp_path: Path) -> None:
    ended = run(STUBBORN.format(folder=tmp_path), seconds=4.0)

    assert ended.timed_out
    assert (ended.code, ended.signal) == (None, "SIGKILL")
    assert ended.output.text() == "begun\n"
    for name in ("first", "child", "grandchild"):
        ends(int((tmp_path / name).read_text()))


def test_what_takes_the_hint_may_tidy_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_TO_END", limit(20))
    ended = run("trap 'echo tidied; exit 3' TERM; sleep 300 & wait", seconds=1.0)

    assert (ended.timed_out, ended.code, ended.output.text()) == (True, 3, "tidied\n")


def test_what_is_left_in_the_background_does_not_hold_it_up_and_is_ended(tmp_path: Path) -> None:
    ended = run(f"sleep 300 & echo $! > {tmp_path}/left; echo done")

    assert (ended.code, ended.output.text(), ended.held_open) == (0, "done\n", True)
    ends(int((tmp_path / "left").read_text()))


def test_also_where_it_prints_elsewhere(tmp_path: Path) -> None:
    ended = run(f"sleep 300 >/dev/null 2>&1 & echo $! > {tmp_path}/left; echo done")

    assert (ended.code, ended.output.text(), ended.held_open) == (0, "done\n", False)
    ends(int((tmp_path / "left").read_text()))


def test_another_session_that_holds_the_output_does_not_hold_it_up(tmp_path: Path) -> None:
    stranger = f"setsid bash -c 'echo $$ > {tmp_path}/left; exec sleep 300'"
    ended = run(f"{stranger} & until [ -s {tmp_path}/left ]; do sleep 0.01; done; echo done")

    assert (ended.code, ended.output.text(), ended.held_open) == (0, "done\n", True)
    ends(int((tmp_path / "left").read_text()))


def test_late_output_of_a_child_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_FOR_OUTPUT", limit(10))
    ended = run("(sleep 0.1; echo late) & echo early")

    assert (ended.output.text(), ended.held_open) == ("early\nlate\n", False)


def test_being_cancelled_kills_all_of_it_at_once(tmp_path: Path) -> None:
    async def cancel(task: "asyncio.Task[Ended]", _: Processes) -> list[int]:
        pids = [await appears(tmp_path / name) for name in ("first", "child", "grandchild")]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    for pid in while_running(STUBBORN.format(folder=tmp_path), cancel):
        ends(pid)


def test_being_cancelled_at_any_moment_leaves_nothing(tmp_path: Path) -> None:
    """Before the first step of its task, in it, after some."""

    async def cancelled_after(steps: int) -> None:
        mark = tmp_path / str(steps)
        task = asyncio.create_task(Processes().run(bash(f"echo $$ > {mark}; exec sleep 300"), limit(60), KEPT))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()

    for steps in range(8):
        asyncio.run(cancelled_after(steps))
    wait_until(lambda: not any(is_running(number_in(mark)) for mark in tmp_path.iterdir()), within=10, what="ends")


def test_all_can_be_ended_together(tmp_path: Path) -> None:
    async def end(task: "asyncio.Task[Ended]", home: Processes) -> int:
        pid = await appears(tmp_path / "pid")
        home.end_all()
        assert (await task).signal == "SIGKILL"
        with pytest.raises(OSError, match="nothing more is started"):
            await home.run(bash("true"), limit(60), KEPT)
        return pid

    ends(while_running(f"echo $$ > {tmp_path}/pid; sleep 300", end))


def open_handles() -> int:
    """How many this process has."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_handle_stays_open() -> None:
    async def several() -> tuple[int, int]:
        home = Processes()
        await home.run(bash("true"), limit(60), KEPT)
        before = open_handles()
        for _ in range(3):
            await home.run(bash("echo x; sleep 300 &"), limit(60), KEPT)
        await asyncio.sleep(0)
        return before, open_handles()

    before, after = asyncio.run(several())
    assert after <= before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this folder")
def test_nobody_is_left_unreaped() -> None:
    run("sleep 300 & true")

    def unreaped() -> list[psutil.Process]:
        return [one for one in psutil.Process().children() if one.status() == psutil.STATUS_ZOMBIE]

    wait_until(lambda: not unreaped(), within=10, what="the reaping of all children")
