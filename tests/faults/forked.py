"""Servers that are forked instead of started, as a client's child: a kill and a new start take tens of milliseconds."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from tests.faults.client import FaultClient
from tests.faults.fork_server import DIED_UNHEARD, MOST_BYTES
from tests.support.processes import ROOT
from tests.support.scale import limit

Before = tuple[str, str, Mapping[str, Any]]
"""A function that the child calls before it becomes a server: its module, its name, and keyword arguments."""


class Forked:
    """A forked child with the face of a subprocess.Popen, as far as a client needs it."""

    def __init__(self, pid: int, pipes: tuple[int, int, int], argv: list[str]) -> None:
        self.pid = pid
        self.args = argv
        self.stdin = os.fdopen(pipes[0], "wb", buffering=0)
        self.stdout = os.fdopen(pipes[1], "rb", buffering=0)
        self.stderr = os.fdopen(pipes[2], "rb", buffering=0)
        self.returncode: int | None = None
        self._ended = threading.Event()

    def ended(self, code: int) -> None:
        """Told by whoever reaps it."""
        self.returncode = code
        self._ended.set()

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, when it has ended."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """A signal, unless it has ended."""
        if self.returncode is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The parent of forked servers, in a process of its own. One for many cases; any thread may ask it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            path = os.pathsep.join([str(ROOT / "server"), str(ROOT)])
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.fork_server", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": path},
                cwd=ROOT,
            )
        self._asking = threading.Lock()
        self._news = threading.Condition()
        self._born: list[int] = []
        self._children: dict[int, Forked] = {}
        self._early: dict[int, int] = {}
        self._over = False
        if self._line.recv(MOST_BYTES) != b'{"ready": true}':
            raise RuntimeError(f"the fork server did not start (exit code {self._process.wait(limit(10))})")
        self._listener = threading.Thread(target=self._listen, name="fork server", daemon=True)
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.shutdown(socket.SHUT_RDWR)
        self._process.wait(limit(10))
        self._listener.join(limit(10))
        self._line.close()

    def client(self, before: Before | None = None) -> "partial[ForkedClient]":
        """What makes clients whose children are forked here."""
        return partial(ForkedClient, self, before)

    def fork(self, argv: list[str], environment: dict[str, str], directory: Path, before: Before | None) -> Forked:
        """A new child: `argv` is the command that would have started it."""
        order = {
            "arguments": argv[argv.index("assent") + 1 :],
            "environment": environment,
            "directory": str(directory),
            "before": before,
        }
        mine, theirs = _pipes()
        with self._asking:
            socket.send_fds(self._line, [json.dumps(order).encode()], theirs)
            with self._news:
                self._news.wait_for(lambda: self._born or self._over, limit(20))
                if not self._born:
                    raise RuntimeError("the fork server made no child")
                pid = self._born.pop()
                child = self._children[pid] = Forked(pid, mine, argv)
                if pid in self._early:
                    child.ended(self._early.pop(pid))
        for one in theirs:
            os.close(one)
        return child

    def _listen(self) -> None:
        while data := self._line.recv(MOST_BYTES):
            self._hear(json.loads(data))
        with self._news:
            self._over = True
            for child in self._children.values():
                child.ended(DIED_UNHEARD)
            self._news.notify_all()

    def _hear(self, news: dict[str, int]) -> None:
        with self._news:
            if "born" in news:
                self._born.append(news["born"])
            elif (child := self._children.pop(news["ended"], None)) is not None:
                child.ended(news["code"])
            else:
                self._early[news["ended"]] = news["code"]
            self._news.notify_all()


class ColdStarts:
    """Starts every server as an editor does, imports and all."""

    def client(self, before: Before | None = None) -> type[FaultClient]:
        """What makes clients whose children start by themselves."""
        if before is not None:
            raise ValueError("only a forked child does something before it is a server")
        return FaultClient


class ForkedClient(FaultClient):
    """A client of a forked server."""

    def __init__(self, fork_server: ForkServer, before: Before | None, *arguments: Any, **options: Any) -> None:
        self._fork_server = fork_server
        self._before = before
        super().__init__(*arguments, **options)

    def _spawn(self, command: list[str], env: dict[str, str], cwd: Path) -> "subprocess.Popen[bytes]":
        return self._fork_server.fork(command, env, cwd, self._before)  # type: ignore[return-value]


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Three pipes: this side's ends of them, and the child's."""
    stdin, stdout, stderr = os.pipe(), os.pipe(), os.pipe()
    return (stdin[1], stdout[0], stderr[0]), (stdin[0], stdout[1], stderr[1])
