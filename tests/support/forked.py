"""Processes of Assent that are forked instead of started, with the face of a subprocess.Popen.

A cold start takes more than a second of processor time, nearly all of it for imports. One process, the parent, imports
everything once; each server and each command is a fork of it. There is one parent for each process that runs tests. It
starts when it is first needed and ends when that process does, however that ends.

What a forked process has as a cold one: its pipes, its environment, its working directory, `sys.argv`, the exit code,
fresh random numbers, one thread, the default signal handlers, and no descriptors but its own.

What differs, so that tests of these start cold:
- All modules are imported, also those that a cold one imports late or never, and what they keep from then on is there,
  such as compiled patterns. All forks of one parent share the seed of hashes.
- The command line that the system shows, and the environment below /proc, are the parent's. Its own parent is that
  process, not the test.
- Memory is shared with the parent until it is written to, and what was imported is never swept for garbage.
- umask and resource limits are those of the test's process when the first fork was needed.
- What Python, the C library and the loader read when they start (`READ_AT_THE_START`) is the parent's: a fork with
  other values is refused.
"""

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

from tests.support.fork_parent import DIED_UNHEARD, MOST_BYTES
from tests.support.processes import ROOT, environment_with, python
from tests.support.scale import limit

CAN_FORK = sys.platform == "linux"
"""Windows cannot fork, and macOS has no sockets of this kind."""

Before = tuple[str, str, Mapping[str, Any]]
"""A function that the child calls before it becomes Assent: its module, its name, and keyword arguments."""

ASSENT = python("-m", "assent")
"""The command that a fork stands for, up to its arguments."""

READ_AT_THE_START = ("PYTHON", "LC_ALL", "LC_CTYPE", "LANG", "LD_", "MALLOC_", "GLIBC_")
"""How the names of variables begin that only a cold start obeys."""


_STARTING = threading.Lock()
"""Tests ask in many threads, and there is one parent for all."""


class Spawn(Protocol):
    """Makes a process with three pipes."""

    def __call__(self, argv: list[str], environment: dict[str, str], directory: Path) -> "subprocess.Popen[bytes]": ...


def started(argv: list[str], environment: dict[str, str], directory: Path) -> "subprocess.Popen[bytes]":
    """A cold start, as an editor does it."""
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=directory, bufsize=0)


def forked(before: Before | None = None) -> Spawn:
    """A fork of this process's parent of forks. Where nothing can be forked, a cold start."""
    if not CAN_FORK:
        assert before is None, "only a forked child does something before it is Assent"
        return started
    with _STARTING:
        parent = _parent()
    return partial(parent.fork, before=before)


@cache
def _parent() -> "ForkParent":
    parent = ForkParent()
    atexit.register(parent.end)
    return parent


class Forked:
    """A forked child with the face of a subprocess.Popen, as far as a client needs it."""

    def __init__(self, pid: int, pipes: tuple[int, int, int], argv: list[str]) -> None:
        self.pid = pid
        self.args = argv
        self.stdin = os.fdopen(pipes[0], "wb", buffering=0)
        self.stdout = os.fdopen(pipes[1], "rb")
        self.stderr = os.fdopen(pipes[2], "rb")
        self.returncode: int | None = None
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.wait()

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

    def communicate(self, given: bytes = b"", timeout: float | None = None) -> tuple[bytes, bytes]:
        """Says this to it, and hears all that it says to the end."""
        said: dict[BinaryIO, bytes] = {}

        def write() -> None:
            with contextlib.suppress(BrokenPipeError), self.stdin:
                rest = memoryview(given)
                while rest:
                    rest = rest[self.stdin.write(rest) :]

        def read(stream: BinaryIO) -> None:
            said[stream] = stream.read()

        threads = [threading.Thread(target=write, daemon=True)]
        threads += [threading.Thread(target=read, args=[one], daemon=True) for one in (self.stdout, self.stderr)]
        for thread in threads:
            thread.start()
        self.wait(timeout)
        for thread in threads:
            thread.join()
        return said[self.stdout], said[self.stderr]

    def send_signal(self, number: int) -> None:
        """A signal, unless it has ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


class ForkParent:
    """The parent of forks, as the process that runs tests sees it. Any thread may ask it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = environment_with()
        self._environment = _read_at_the_start(environment)
        with theirs:
            self._process = subprocess.Popen(
                python("-m", "tests.support.fork_parent", str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=environment,
                cwd=ROOT,
            )
        self._asking = threading.Lock()
        self._news = threading.Condition()
        self._born: list[int] = []
        self._children: dict[int, Forked] = {}
        self._early: dict[int, int] = {}
        self._over = False
        if self._line.recv(MOST_BYTES) != b'{"ready": true}':
            raise RuntimeError(f"the parent of forks did not start (exit code {self._process.wait(limit(10))})")
        self._listener = threading.Thread(target=self._listen, name="forks", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """The parent's process."""
        return self._process.pid

    def end(self) -> None:
        """Ends the parent. Its children end by themselves, when their input does."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._process.wait(limit(10))
        self._listener.join(limit(10))
        self._line.close()

    def fork(
        self, argv: list[str], environment: dict[str, str], directory: Path, before: Before | None = None
    ) -> "subprocess.Popen[bytes]":
        """A new child: `argv` is the command that would have started it."""
        if argv[: len(ASSENT)] != ASSENT:
            raise ValueError(f"only {ASSENT} is forked, not {argv}: start it cold")
        if _read_at_the_start(environment) != self._environment:
            names = ", ".join(f"{one}*" for one in READ_AT_THE_START)
            raise ValueError(f"a fork obeys no other {names} than its parent's: start it cold")
        order = {
            "arguments": argv[len(ASSENT) :],
            "environment": environment,
            "directory": str(directory),
            "before": before,
        }
        mine, theirs = _pipes()
        try:
            with self._asking:
                socket.send_fds(self._line, [json.dumps(order).encode()], theirs)
                return self._next(mine, argv)  # type: ignore[return-value]
        finally:
            for one in theirs:
                os.close(one)

    def _next(self, pipes: tuple[int, int, int], argv: list[str]) -> Forked:
        with self._news:
            self._news.wait_for(lambda: self._born or self._over, limit(20))
            if not self._born:
                raise RuntimeError("the parent of forks made no child")
            pid = self._born.pop()
            child = Forked(pid, pipes, argv)
            if pid in self._early:
                child.ended(self._early.pop(pid))
            else:
                self._children[pid] = child
        return child

    def _listen(self) -> None:
        with contextlib.suppress(ConnectionError):
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


def _read_at_the_start(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_THE_START)}


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Three pipes: this side's ends of them, and the child's."""
    stdin, stdout, stderr = os.pipe(), os.pipe(), os.pipe()
    return (stdin[1], stdout[0], stderr[0]), (stdin[0], stdout[1], stderr[1])
