"""Programs beside each other, some at a time."""

import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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
    """A program to run, and who is told of it while it runs, from a thread of its own."""

    @property
    def name(self) -> str: ...
    @property
    def command(self) -> Command: ...
    @property
    def cwd(self) -> Path: ...
    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def log(self) -> Path | None: ...
    def printed(self, line: str) -> None: ...
    def ended(self, end: "Ended") -> None: ...


@dataclass(frozen=True)
class Ended:
    """How a program ended, and all that it printed."""

    code: int
    seconds: float
    lines: list[str]


def run(jobs: Sequence[Job], at_once: int) -> list[Ended]:
    """Runs them all, begun in their order, so many at once.

    When this is interrupted, so are they, with everything they started.
    """
    programs = [_Program(job) for job in jobs]
    with ThreadPoolExecutor(at_once) as lanes:
        futures = [lanes.submit(program.run) for program in programs]
        try:
            return [future.result() for future in futures]
        except BaseException:
            lanes.shutdown(wait=False, cancel_futures=True)
            with ThreadPoolExecutor(len(programs)) as ending:
                list(ending.map(_Program.end, programs))
            raise


class _Program:
    """One of them: it waits for its turn, runs, and has ended."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._turn = threading.Lock()
        self._unwanted = False
        self._process: Background | None = None

    def run(self) -> Ended:
        begin = time.monotonic()
        try:
            self._start()
        except OSError as fault:
            lines, code = [f"{self._job.command[0]} could not be started: {fault}"], 1
        else:
            lines, code = self._listen()
        end = Ended(code, time.monotonic() - begin, lines)
        self._job.ended(end)
        return end

    def end(self) -> None:
        """As Ctrl-C would; it must not start any more either."""
        with self._turn:
            self._unwanted = True
        if self._process is not None:
            self._process.end(_PATIENCE, signal.SIGINT)

    def _start(self) -> None:
        with self._turn:
            if not self._unwanted:
                job = self._job
                if job.log is not None:
                    job.log.unlink(missing_ok=True)
                self._process = Background(job.command, cwd=job.cwd, env=job.env, log=job.log)

    def _listen(self) -> tuple[list[str], int]:
        if self._process is None:
            return [], 1
        lines = []
        for line in self._process.lines():
            lines.append(line.rstrip("\n"))
            self._job.printed(lines[-1])
        return lines, self._process.wait()
