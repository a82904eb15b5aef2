"""The test of a sandbox: a command that tries to get out of it, run as every other is."""
# ruff: noqa: PTH103, PTH118, PTH123 - names as the system spells them

import asyncio
import errno
import os
import shutil
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from assent.lazy_dataclasses import dataclass
from assent.runtime.ids import new_id
from assent.runtime.processes import Processes
from assent.runtime.starts import Ended, Start
from assent.sandbox.attempts import PROBE, SCRIPT
from assent.sandbox.confined import Confined
from assent.sandbox.looking import Looking
from assent.sandbox.means import Means
from assent.sandbox.placeholders import Placeholders
from assent.sandbox.words import Unheld, Wanted

_SECONDS = 10.0
_KEPT = 16_384
_PYTHON = os.path.realpath(sys.executable)
_SECRET = "planted-secret"  # noqa: S105 - planted, to be looked for


@dataclass(frozen=True, slots=True)
class _Ground:
    """Folders in which the attempts are made."""

    base: str

    def at(self, *names: str) -> str:
        return os.path.join(self.base, *names)

    def make(self) -> None:
        """The workspace with what is protected in it, and what lies outside of it."""
        for names in (("workspace", "sub"), ("scratch",), ("home", ".ssh"), ("hidden",), ("outside",)):
            os.makedirs(self.at(*names))
        for planted, text in _PLANTED.items():
            with open(self.at(*planted), "x") as file:
                file.write(text)

    def damage(self) -> str | None:
        """What is not as it was made."""
        for planted, text in _PLANTED.items():
            try:
                with open(self.at(*planted)) as file:
                    changed = file.read() != text
            except OSError:
                changed = True
            if changed:
                return f"{planted[-1]} was changed."
        made = next((never for never in _NEVER_MADE if os.path.lexists(self.at(*never))), None)
        return None if made is None else f"{made[-1]} was made."


_PLANTED: dict[tuple[str, ...], str] = {
    ("workspace", "sub", "package.json"): "{}\n",
    ("workspace", ".env"): _SECRET,
    ("home", ".ssh", "id_test"): _SECRET,
    ("hidden", "state"): _SECRET,
    ("outside", "file"): "as it was\n",
}
_NEVER_MADE: tuple[tuple[str, ...], ...] = (
    ("outside", "new"),
    ("workspace", ".vscode", "tasks.json"),
    ("workspace", ".git", "config"),
)


class _Listeners:
    """Sockets of all kinds that nobody may reach."""

    def __init__(self, stack: ExitStack) -> None:
        self._abstract = f"\0assent-{new_id()}"
        self.tcp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        self.udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.abstract = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self.named = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self.messages = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))

    def open(self, folder: str) -> None:
        """Begins to listen. The named ones stand in this folder, which is reached by a short name of ours."""
        self.tcp.bind(("127.0.0.1", 0))
        self.tcp.listen(8)
        self.udp.bind(("127.0.0.1", 0))
        self.abstract.bind(self._abstract)
        self.abstract.listen(8)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.named.bind(f"/proc/self/fd/{handle}/stream")
            self.messages.bind(f"/proc/self/fd/{handle}/messages")
        finally:
            os.close(handle)
        self.named.listen(8)
        for one in (self.tcp, self.udp, self.abstract, self.named, self.messages):
            one.setblocking(False)

    def environment(self) -> dict[str, str]:
        """Where they are."""
        return {
            "TCP": str(self.tcp.getsockname()[1]),
            "UDP": str(self.udp.getsockname()[1]),
            "ABSTRACT": self._abstract[1:],
        }

    def reached(self) -> str | None:
        """Which one somebody has reached."""
        for name, one in (("TCP", self.tcp), ("an abstract socket", self.abstract), ("a named socket", self.named)):
            if _happened(one.accept):
                return f"{name} was reached."
        for name, one in (("UDP", self.udp), ("a named socket", self.messages)):
            if _happened(partial(one.recv, 1)):
                return f"{name} was reached."
        return None


def _happened(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError as fault:
        return fault.errno not in {errno.EAGAIN, errno.EWOULDBLOCK}
    return True


async def ways_out(processes: Processes, means: Means, own: str) -> str:
    """Tries all there is against this means. How it failed, or nothing where it held."""
    ground = _Ground(os.path.join(await asyncio.to_thread(os.path.realpath, own), f"test-{new_id()[:8]}"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, ground.base, ignore_errors=True)
        try:
            await asyncio.to_thread(ground.make)
            listeners = _Listeners(stack)
            listeners.open(ground.at("workspace"))
        except OSError as fault:
            return f"it could not be tested: {fault.strerror}."
        return await _attempted(processes, means, ground, listeners)


async def _attempted(processes: Processes, means: Means, ground: _Ground, listeners: _Listeners) -> str:
    looking = Looking(ground.at("home"), (ground.at("hidden"),), (), Placeholders(ground.at("hidden", "placeholders")))
    workspace = ground.at("workspace")
    wanted = Wanted((workspace,), (), ground.at("scratch"), workspace)
    look = await asyncio.to_thread(looking.look, wanted, everything=False)
    if isinstance(look, Unheld):
        return look.why
    prepared = await asyncio.to_thread(means.prepare, look.layout)
    if isinstance(prepared, Unheld):
        looking.release(look.placed)
        return prepared.why
    confined = Confined(means.tier, prepared, look, looking, ground.at("hidden"))
    start = Start(
        ("/bin/bash", "--noprofile", "--norc", "-c", SCRIPT),
        workspace,
        {
            **listeners.environment(),
            "PATH": "/usr/bin:/bin",
            "BASE": ground.base,
            "SECRET": _SECRET,
            "SERVER": str(os.getpid()),
            "PYTHON": _PYTHON,
            "PROBE": PROBE,
        },
    )
    try:
        with confined.applied(start) as inside:
            ended = await processes.run(inside, _SECONDS, _KEPT)
    except OSError as fault:
        return f"it could not be started: {fault.strerror}."
    finally:
        appeared = (await confined.after()).all
    return _told(ended) or ground.damage() or listeners.reached() or (f"{appeared[0]} was made." if appeared else "")


def _told(ended: Ended) -> str | None:
    lines = ended.output.text().splitlines()
    out = next((line for line in lines if line.startswith("escaped: ")), None)
    if out is not None:
        return f"{out.removeprefix('escaped: ')}."
    if "probe ended" in lines and lines[-1:] == ["script ended"] and ended.code == 0:
        return None
    said = ended.errors.text().strip().splitlines()[-1:] or ["its test ended early"]
    return f"it does not work here: {said[0][:200]}."
