"""Confining with bubblewrap: a view of the file system, of programs and of networks that the command has to itself."""

import os
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from assent.runtime.starts import Start
from assent.sandbox.bubblewrap import System, arguments, find, system
from assent.sandbox.layout import Layout
from assent.sandbox.means import in_memory
from assent.sandbox.seccomp import system_calls
from assent.sandbox.words import Tier, Unheld

_ARGUMENTS, _FILTER = 28, 29
"""Numbers under which the program finds what it is told."""


@dataclass(frozen=True, slots=True)
class _Ready:
    words: tuple[str, ...]
    program: str
    filter: bytes

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command as bubblewrap starts it."""
        words = b"".join(os.fsencode(word) + b"\0" for word in self.words)
        with in_memory(words, self.filter) as (told, filtered):
            argv: tuple[str, ...] = (self.program, "--args", str(_ARGUMENTS))
            files = (*start.files, (_ARGUMENTS, told))
            if self.filter:
                argv, files = (*argv, "--seccomp", str(_FILTER)), (*files, (_FILTER, filtered))
            yield replace(start, argv=(*argv, "--", *start.argv), files=files)


class Bubblewrap:
    """The program as it is installed here."""

    tier = Tier.BUBBLEWRAP

    def __init__(self, machine: System) -> None:
        self._machine = machine
        self._filter = system_calls(platform.machine(), internet=True, apart=True)

    def prepare(self, layout: Layout) -> _Ready | Unheld:
        """Writes the layout in bubblewrap's words."""
        program = find(layout.writable)
        if program is None:
            return Unheld("bubblewrap lies where commands may write, so it is not used.")
        if self._filter is None:
            return Unheld(f"There is no filter of system calls for {platform.machine()}.")
        return _Ready(arguments(layout, self._machine), program, b"" if layout.everything else self._filter)


def bubblewrap(empty: str) -> Bubblewrap | str:
    """The program of this machine, or why there is none."""
    program = find()
    if program is None:
        return "bubblewrap is not installed."
    try:
        told = subprocess.run(  # noqa: S603 - a program of the system, with a fixed word
            [program, "--help"], capture_output=True, timeout=5, check=False, env={}, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as fault:
        return f"{program} could not be started: {type(fault).__name__}."
    return Bubblewrap(system(empty, keeps_namespaces_off=b"--disable-userns" in told.stdout + told.stderr))
