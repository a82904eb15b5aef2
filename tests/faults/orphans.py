"""Commands that leave something behind, any mix of them, ended in any way, also by kill -9 of everybody: 0 left."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from assent.runtime.processes import Processes, Running, Start
from tests.faults.report import Report, timed
from tests.support.processes import ROOT, is_running, python
from tests.support.scale import eventually, limit, wait_until
from tests.support.stubborn import ENVIRONMENT, KINDS, kept_by, named, new_name, script, warden_of

SOON = 2.0
Mix = tuple[str, ...]


def orphans(size: int, seed: int) -> Report:
    """So many mixes, each ended in the next way."""
    report = Report("F15 what commands leave behind", size, figures={"processes": 0})
    if sys.platform != "linux":
        report.left_out = "the means for it are Linux's"
        return report

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        for n in range(size):
            way = WAYS[n % len(WAYS)]
            kinds = tuple(kind for kind in KINDS if kind in WITH_MARK or way is not _everybody_killed)
            mix = tuple(numbers.choices(kinds, k=numbers.randint(1, 12)))
            report.figures["processes"] += len(mix)
            report.violations += [f"{way.__name__[1:]}, {', '.join(mix)}: {one}" for one in _tried(way, mix)]

    return timed(work, report)


WITH_MARK = [kind for kind in KINDS if "env -i" not in KINDS[kind]]


def _tried(way: "Callable[[str, Mix], None]", mix: Mix) -> list[str]:
    name = new_name()
    try:
        way(name, mix)
        wait_until(lambda: not named(name), within=SOON, what="the end of all of it")
    except AssertionError as fault:
        left = named(name)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return [f"{fault}; {len(left)} left"]
    return []


def _here(name: str, mix: Mix, act: Callable[[Processes, Running], Awaitable[object]], *, stays: bool = True) -> None:
    async def started_and_ended() -> None:
        processes = Processes()
        running = await processes.start(Start(script(name, mix, stays=stays), "/", ENVIRONMENT), lambda *_: None)
        try:
            await eventually(lambda: len(named(name)) == len(mix) + stays, within=20, what="all processes")
            await act(processes, running)
        finally:
            await running.end()
            processes.end_all()

    asyncio.run(started_and_ended())


def _ended(name: str, mix: Mix) -> None:
    _here(name, mix, lambda _, running: running.end())


def _ended_by_itself(name: str, mix: Mix) -> None:
    _here(name, mix, lambda _, running: running.ended(), stays=False)


def _all_ended(name: str, mix: Mix) -> None:
    _here(name, mix, lambda processes, _: asyncio.to_thread(processes.end_all))


def _keeper_killed(name: str, mix: Mix) -> None:
    async def kill(processes: Processes, _: Running) -> None:
        (keeper,) = kept_by(warden_of(processes))
        os.kill(keeper, signal.SIGKILL)
        await eventually(lambda: not named(name), within=SOON, what="the end of all that the keeper kept")

    _here(name, mix, kill)


def _keeper_killed_while_it_starts(name: str, mix: Mix) -> None:
    async def started_or_not() -> None:
        processes = Processes()
        await processes.run(Start(("/bin/true",), "/", {}), limit(20), 100)
        starting = asyncio.create_task(
            processes.start(Start(script(name, mix, stays=True), "/", ENVIRONMENT), lambda *_: None)
        )
        for _ in range(20 * len(mix)):
            await asyncio.sleep(0)
        for keeper in kept_by(warden_of(processes)):
            with suppress(ProcessLookupError):
                os.kill(keeper, signal.SIGKILL)
        with suppress(ConnectionResetError):
            await (await starting).end()
        processes.end_all()

    asyncio.run(started_or_not())


def _time_over(name: str, mix: Mix) -> None:
    asyncio.run(Processes().run(Start(script(name, mix, stays=True), "/", ENVIRONMENT), limit(0.3), 100))


@contextmanager
def _server(name: str, mix: Mix) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        python("-m", "tests.support.commands_server", name, *mix),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'server'}:{ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_until(lambda: len(named(name)) == len(mix) + 1, within=20, what="all processes")
            yield process
        finally:
            process.kill()


def _server_killed(name: str, mix: Mix) -> None:
    with _server(name, mix):
        pass


def _warden_and_server_killed(name: str, mix: Mix) -> None:
    with _server(name, mix) as process:
        for one in kept_by(process.pid, "assent-warden"):
            os.kill(one, signal.SIGKILL)


def _everybody_killed(name: str, mix: Mix) -> None:
    with _server(name, mix) as process:
        everybody = [*kept_by(process.pid, "assent-warden"), *kept_by(process.pid), process.pid]
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for one in everybody:
                os.kill(one, number)
        wait_until(lambda: not any(is_running(one) for one in everybody), what="the end of everybody")
        Processes().sweep()


WAYS = (
    _ended,
    _ended_by_itself,
    _time_over,
    _all_ended,
    _keeper_killed,
    _keeper_killed_while_it_starts,
    _server_killed,
    _warden_and_server_killed,
    _everybody_killed,
)
