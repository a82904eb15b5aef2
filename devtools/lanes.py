"""Programs beside each other, some at a time; what each prints is shown in one piece."""

import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from devtools.console import say
from devtools.processes import Background, Command

_PATIENCE = 30
"""Seconds in which a program that is interrupted may end what it started itself."""


def cores() -> int:
    """How many cores this process may use: a container may allow fewer than the machine has."""
    seen = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        return allowed(seen, Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii"))
    except OSError:
        return seen


def allowed(seen: int, told: str) -> int:
    """So many of the cores that are seen, where the system tells a share of time and its period."""
    words = told.split()
    if len(words) != 2 or not all(word.isdigit() and int(word) for word in words):
        return seen
    return max(1, min(seen, int(words[0]) // int(words[1])))


class Job(Protocol):
    """A program to run."""

    @property
    def name(self) -> str: ...
    @property
    def command(self) -> Command: ...
    @property
    def cwd(self) -> Path: ...
    @property
    def env(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Ended:
    """How a program ended, and all that it printed."""

    code: int
    seconds: float
    lines: list[str]


def run(jobs: Sequence[Job], at_once: int) -> list[Ended]:
    """Runs them all in their order, so many at once. The first that has not ended is shown live, the others after it.

    When this is interrupted, so are they, with everything they started.
    """
    programs = [_Program(job, tells=at_once > 1) for job in jobs]
    with ThreadPoolExecutor(at_once) as lanes:
        futures = [lanes.submit(program.run) for program in programs]
        try:
            for program in programs:
                program.show()
            return [future.result() for future in futures]
        except BaseException:
            lanes.shutdown(wait=False, cancel_futures=True)
            with ThreadPoolExecutor(len(programs)) as ending:
                list(ending.map(_Program.end, programs))
            raise


class _Program:
    """One of them: it waits for its turn, runs, and has ended."""

    def __init__(self, job: Job, *, tells: bool) -> None:
        self._job = job
        self._tells = tells
        self._turn = threading.Lock()
        self._come = threading.Event()
        self._unwanted = False
        self._fault = ""
        self._process: Background | None = None

    def run(self) -> Ended:
        begin = time.monotonic()
        try:
            self._start()
        finally:
            self._come.set()
        if self._process is None:
            return Ended(1, 0, [self._fault])
        self._tell("begins")
        code = self._process.wait()
        seconds = time.monotonic() - begin
        self._tell(f"ended with exit code {code} after {seconds:.0f} s")
        return Ended(code, seconds, self._process.output.splitlines())

    def show(self) -> None:
        self._come.wait()
        say(f"\n{'-' * 30} {self._job.name} {'-' * 30}")
        if self._process is None:
            say(self._fault)
            return
        for line in self._process.lines():
            say(line.rstrip("\n"))

    def end(self) -> None:
        """As Ctrl-C would; it must not start any more either."""
        with self._turn:
            self._unwanted = True
        if self._process is not None:
            self._process.end(_PATIENCE, signal.SIGINT)

    def _start(self) -> None:
        with self._turn:
            if self._unwanted:
                return
            try:
                self._process = Background(self._job.command, cwd=self._job.cwd, env=self._job.env)
            except OSError as fault:
                self._fault = f"{self._job.command[0]} could not be started: {fault}"

    def _tell(self, what: str) -> None:
        if self._tells:
            say(f"* {self._job.name}: {what}")
