"""Words about programs that are started: what is started, within which bounds, how it ended."""

import signal
from collections.abc import Mapping
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.runtime.kept_output import KeptOutput


class Stream(StrEnum):
    """Where a program prints."""

    OUTPUT = "stdout"
    ERRORS = "stderr"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a program may use, together with all it starts. At its limit it is killed. None: as much as there is."""

    processes: int | None = None
    memory_bytes: int | None = None
    file_bytes: int | None = None
    """The size of one file that it writes."""


@dataclass(frozen=True, slots=True)
class Lock:
    """What a program is locked into, in the words of Linux: Landlock, and a filter for system calls.

    Where any of it cannot be put in place, the program does not start.
    """

    files: int
    network: int
    scoped: int
    """These three say what is forbidden unless a rule allows it. 0: nothing of the kind."""
    rules: tuple[tuple[str, int], ...]
    """A path, and what is allowed at it and below it."""
    system_calls: bytes = b""
    """A program for the kernel that looks at each system call. Empty: none."""


@dataclass(frozen=True, slots=True)
class Start:
    """A program to be started, and with what. Nothing is inherited but this: no other input, no other environment."""

    argv: tuple[str, ...]
    directory: str
    environment: Mapping[str, str]
    files: tuple[tuple[int, int], ...] = ()
    """The number under which the program finds a file, and our handle on it, which stays ours to close."""
    bounds: Bounds = Bounds()
    lock: Lock | None = None
    talks: bool = False
    """Something is written to its standard input. Otherwise there is nothing to be read there."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended: with a code, or by a signal. Neither: that could not be learned."""

    code: int | None
    signal: str | None
    limit: str | None = None
    """What it had too much of, where it was killed for that."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program that was waited for ended: by itself with a code or by a signal, or because its time was over."""

    code: int | None
    signal: str | None
    output: KeptOutput
    errors: KeptOutput
    timed_out: bool = False
    held_open: bool = False
    """Something that it had started still held its output, and was ended."""
    limit: str | None = None
    """What it had too much of, where it was killed for that."""


def exit_of(code: int, limit: str | None = None) -> Exit:
    """The end of a process by its code, where one below zero is the number of a signal."""
    return Exit(code, None, limit) if code >= 0 else Exit(None, _signal_name(-code), limit)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
