"""What was put into a workspace goes, also where whoever wanted it is cancelled, or its server was killed."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine

import pytest

from assent.runtime.processes import Processes
from assent.sandbox import sandbox as module
from assent.sandbox.confined import Confined
from assent.sandbox.looking import Look, Looking
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.words import Unheld, Wanted
from tests.support.confining import Room
from tests.support.scale import eventually, limit

Preparing = Callable[[Wanted], Coroutine[object, object, Confined | Unheld]]


class Gate:
    """Holds a thread where it is until it may go on."""

    def __init__(self) -> None:
        self.arrived, self.open = threading.Event(), threading.Event()

    def pass_through(self) -> None:
        self.arrived.set()
        assert self.open.wait(limit(20))


def box_of(room: Room, processes: Processes) -> Sandbox:
    return Sandbox(processes, home=str(room.home), hidden=(str(room.state),))


async def cancelled(room: Room, which: Callable[[Sandbox], Preparing], gate: Gate) -> None:
    processes = Processes()
    try:
        box = box_of(room, processes)
        found = await box.tier()
        if found.tier is None:
            pytest.skip(found.why)
        asked = asyncio.create_task(which(box)(room.wanted()))
        await eventually(gate.arrived.is_set)
        assert (room.root / ".vscode").is_dir()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        gate.open.set()
        await eventually(lambda: list(room.root.iterdir()) == [])
    finally:
        gate.open.set()
        processes.end_all()


@pytest.mark.parametrize("which", [lambda box: box.confine, lambda box: box.guard], ids=["confine", "guard"])
async def test_cancelled_while_it_is_prepared_it_is_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch, which: Callable[[Sandbox], Preparing]
) -> None:
    gate, look = Gate(), Looking.look

    def looked(self: Looking, wanted: Wanted, *, everything: bool, put: bool = True) -> Look | Unheld:
        found = look(self, wanted, everything=everything, put=put)
        if wanted.directory == str(room.root):
            gate.pass_through()
        return found

    monkeypatch.setattr(Looking, "look", looked)

    await cancelled(room, which, gate)


async def test_cancelled_in_the_moment_it_is_ready_it_is_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is done, and nobody has heard of it yet."""
    prepared, loop = module.prepare, asyncio.get_running_loop()
    asked: list[asyncio.Task[Confined | Unheld]] = []

    def cancelling(*arguments: object, **named: object) -> Confined | Unheld:
        made = prepared(*arguments, **named)  # type: ignore[arg-type]
        loop.call_soon_threadsafe(asked[-1].cancel)
        return made

    monkeypatch.setattr(module, "prepare", cancelling)
    processes = Processes()
    try:
        box = box_of(room, processes)
        if (await box.tier()).tier is None:
            pytest.skip("no sandbox here")
        for _ in range(20):
            asked.append(asyncio.create_task(box.confine(room.wanted())))
            with pytest.raises(asyncio.CancelledError):
                await asked[-1]
            await eventually(lambda: list(room.root.iterdir()) == [])
    finally:
        processes.end_all()


def test_what_a_killed_server_has_left_goes_before_any_command(room: Room) -> None:
    places = room.state / "sandbox" / "placeholders"
    code = "import sys, os; from assent.sandbox.placeholders import Placeholders as P; p = P(sys.argv[1])\n"
    code += "for x in ('.vscode', '.git'): p.make(os.path.join(sys.argv[2], x), None)\nos.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(places), str(room.root)], check=False)
    assert (room.root / ".vscode").is_dir()

    box_of(room, Processes()).sweep()

    assert list(room.root.iterdir()) == []


def test_what_a_living_server_needs_is_not_swept(room: Room) -> None:
    places = room.state / "sandbox" / "placeholders"
    code = "import sys, os; from assent.sandbox.placeholders import Placeholders as P; p = P(sys.argv[1])\n"
    code += "p.make(os.path.join(sys.argv[2], '.vscode'), None); print(1, flush=True); sys.stdin.read()"
    words = [sys.executable, "-c", code, str(places), str(room.root)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()

        box_of(room, Processes()).sweep()

        assert (room.root / ".vscode").is_dir()
        other.kill()


def test_nothing_to_sweep_is_no_matter(room: Room) -> None:
    box_of(room, Processes()).sweep()

    assert list(room.state.iterdir()) == []
