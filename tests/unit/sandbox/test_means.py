"""Which means is chosen: the first that holds against its test, run for real on systems that have more or less."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from assent.runtime.processes import Processes
from assent.runtime.starts import Start
from assent.sandbox import landlock_means
from assent.sandbox import sandbox as module
from assent.sandbox.bubblewrap_means import bubblewrap
from assent.sandbox.escape import ways_out
from assent.sandbox.landlock_means import landlock
from assent.sandbox.layout import Layout
from assent.sandbox.means import Means, Prepared
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.words import Found, Tier, Unheld
from tests.support.confining import BOTH, Room, what_bubblewrap_says
from tests.support.processes import ROOT, is_running
from tests.support.scale import limit, wait_until

CHILD = """
import asyncio, json, sys
from assent.runtime.processes import Processes
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.words import Unheld, Wanted
async def main():
    base, processes = sys.argv[1], Processes()
    box = Sandbox(processes, home=base + "/home", hidden=(base + "/state",))
    found = await box.tier()
    confined = await box.confine(Wanted((base + "/workspace",), (), base + "/scratch", base + "/workspace"))
    print(json.dumps([found.tier, found.why, confined.why if isinstance(confined, Unheld) else None]))
    processes.end_all()
asyncio.run(main())
"""


def found_by(room: Room, *before: str) -> list[str | None]:
    """What a server of its own finds, started by these words."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run(
        [*before, sys.executable, "-c", CHILD, str(room.base)],
        env=env,
        capture_output=True,
        text=True,
        timeout=limit(60),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[str | None] = json.loads(done.stdout)
    return found


def test_bubblewrap_comes_first(room: Room) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")

    assert found_by(room) == ["bubblewrap", "", None]


def test_without_namespaces_it_is_landlock(room: Room) -> None:
    if shutil.which("unshare") is None or isinstance(landlock(""), str):
        pytest.skip("this system has no Landlock, or no unshare to take namespaces away")
    text = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"'

    tier, why, unheld = found_by(room, "unshare", "-Ur", "bash", "-c", text)

    assert (tier, unheld) == ("landlock", None)
    assert why is not None
    assert why.startswith("bubblewrap: ")
    assert "namespace" in why


@dataclass
class Leaking:
    """A means that holds, but for one thing."""

    inner: Means
    change: "Change"

    @property
    def tier(self) -> Tier:
        return self.inner.tier

    def prepare(self, layout: Layout) -> Prepared | Unheld:
        ready = self.inner.prepare(self.change(layout))
        assert not isinstance(ready, Unheld)
        return ready


class Change:
    """A layout with something missing."""

    def __init__(self, **empty: object) -> None:
        self._empty = empty

    def __call__(self, layout: Layout) -> Layout:
        return replace(layout, **self._empty)  # type: ignore[arg-type]


LEAKS = {
    "nothing held": Change(held=()),
    "secret files readable": Change(hidden_files=()),
    "secret folders readable": Change(hidden_folders=()),
    "network on": Change(network=True),
    "everything": Change(everything=True),
}


class Nothing:
    """A means that does nothing at all."""

    tier = Tier.BUBBLEWRAP
    holds_readers = True

    def prepare(self, layout: Layout) -> "Nothing":
        return self

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        yield start


async def tried(room: Room, means: Means) -> str:
    processes = Processes()
    try:
        return await ways_out(processes, means, str(room.state))
    finally:
        processes.end_all()


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("leak", LEAKS)
async def test_a_leak_is_found(room: Room, leak: str, tier: Tier) -> None:
    assert await tried(room, room.means(tier)) == ""

    assert await tried(room, Leaking(room.means(tier), LEAKS[leak])) != ""


async def test_a_leak_of_nothing_but_udp_is_found(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Landlock's own rights hold TCP alone; what holds the rest is the filter of system calls."""
    filter_of = landlock_means.system_calls
    monkeypatch.setattr(
        landlock_means,
        "system_calls",
        lambda machine, *, internet, apart, only_reads=False: filter_of(machine, internet=True, apart=apart),
    )

    assert await tried(room, room.means(Tier.LANDLOCK)) == "UDP was reached."


async def test_no_means_at_all_is_found_out(room: Room) -> None:
    assert "could be" in await tried(room, Nothing())


@pytest.mark.parametrize("way", ["no filter", "no pins"])
async def test_a_bubblewrap_without_its_filter_or_pins_is_found_out(
    room: Room, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    means = bubblewrap(str(room.state / "empty"), what_bubblewrap_says())
    (room.state / "empty").touch()
    assert not isinstance(means, str)
    if way == "no filter":
        means._filter = b""
        assert "namespace" in await tried(room, means)
    else:
        monkeypatch.setattr(Layout, "pinned", lambda _self: ())
        assert "moved" in await tried(room, means)


async def test_nothing_is_left_of_the_test(room: Room) -> None:
    await tried(room, room.means(Tier.BUBBLEWRAP))

    assert [path.name for path in room.state.iterdir()] == ["empty"]


async def test_with_no_means_nothing_is_confined_and_both_reasons_are_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "bubblewrap", lambda _empty, said: "it is not installed.")
    monkeypatch.setattr(module, "landlock", lambda _empty: "this kernel has none.")
    box = Sandbox(Processes(), home=str(room.home), hidden=(str(room.state),))

    assert await box.tier() == Found(None, "bubblewrap: it is not installed. Landlock: this kernel has none.")
    answer = await box.confine(room.wanted())
    assert isinstance(answer, Unheld)
    assert "Landlock" in answer.why
    assert isinstance(await box.guard(room.wanted()), Unheld)


async def test_the_test_is_made_once_and_again_when_it_is_to_be_forgotten(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = 0

    async def counted(*_: object) -> str:
        nonlocal tests
        tests += 1
        await asyncio.sleep(0)
        return ""

    monkeypatch.setattr(module, "ways_out", counted)
    monkeypatch.setattr(module, "bubblewrap", lambda _empty, said: Nothing())
    box = Sandbox(Processes(), home=str(room.home), hidden=(str(room.state),))

    await asyncio.gather(*(box.tier() for _ in range(9)))
    assert tests == 1
    box.forget()
    await box.tier()
    assert tests == 2


SLEEPER = """
import asyncio, sys
from assent.runtime.processes import Processes
from tests.support.confining import Path, Room, Tier
room = Room(Path(sys.argv[1]))
async def main():
    confined = room.confine(Tier.BUBBLEWRAP)
    with confined.applied(room.start("sleep 1234.5 & setsid sleep 1234.5 & echo up > up; wait")) as start:
        await Processes().run(start, 1000, 1000)
asyncio.run(main())
"""


def test_nothing_outlives_a_killed_server(room: Room) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
    with subprocess.Popen([sys.executable, "-c", SLEEPER, str(room.base)], env=env, start_new_session=True) as server:
        wait_until((room.root / "up").exists, within=20, what="the command")
        started = sleepers(room)
        assert started
        server.send_signal(signal.SIGKILL)

    wait_until(lambda: not any(map(is_running, started)), within=10, what="the end of all that it started")


def sleepers(room: Room) -> list[int]:
    """Processes that work in this room, as this system numbers them."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if (process / "cwd").readlink() == room.root:
                    found.append(int(process.name))
            except OSError:
                continue
    return found


PLAIN_PYTHON = "/usr/bin/python3"
NOBODY = 65534


def test_an_ordinary_user_has_it_too() -> None:
    """Run by an administrator, who can become one; otherwise all tests here are run by an ordinary user anyway."""
    if os.geteuid() != 0:
        pytest.skip("all other tests are run by an ordinary user")
    version = [PLAIN_PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    if shutil.which("setpriv") is None or subprocess.run(version, check=False).returncode != 0:
        pytest.skip("there is no setpriv, or no Python that everybody may run")
    base = Path(tempfile.mkdtemp(prefix="assent-sandbox-", dir="/var/lib"))
    try:
        shutil.copytree(ROOT / "server/assent", base / "server/assent", ignore=shutil.ignore_patterns("__pycache__"))
        Room(base)
        for path in (base, *base.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        done = subprocess.run(
            [
                *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--bounding-set=-all"),
                *("--inh-caps=-all", PLAIN_PYTHON, "-c", CHILD, str(base)),
            ],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(base / "server"), "PYTHONDONTWRITEBYTECODE": "1"},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=limit(60),
            check=False,
        )
    finally:
        shutil.rmtree(base)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["bubblewrap", "", None]
