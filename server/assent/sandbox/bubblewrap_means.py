"""Confining with bubblewrap: a view of the file system, of programs and of networks that the command has to itself."""
# ruff: noqa: PTH115 - names as the system spells them

import errno
import os
import platform
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.runtime.processes import Processes
from assent.runtime.starts import Start
from assent.sandbox.bubblewrap import System, arguments, find, system_of
from assent.sandbox.layout import Layout
from assent.sandbox.means import in_memory
from assent.sandbox.seccomp import system_calls
from assent.sandbox.words import Tier, Unheld

_ARGUMENTS, _FILTER, _FOLDERS = 28, 29, 30
"""Numbers under which the program finds what it is told, and from which on the folders that it is given."""
_SECONDS_FOR_HELP, _MOST_HELP = 5, 64 * 1024
_MOST_FOLDERS = 150
"""A message to the starter of programs holds not many more."""


@dataclass(frozen=True, slots=True)
class _Ready:
    words: tuple[str, ...]
    program: str
    filter: bytes
    folders: tuple[str, ...]

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command as bubblewrap starts it."""
        words = b"".join(os.fsencode(word) + b"\0" for word in self.words)
        with in_memory(words, self.filter) as (told, filtered), _opened(self.folders) as handles:
            argv: tuple[str, ...] = (self.program, "--args", str(_ARGUMENTS))
            files = (*start.files, (_ARGUMENTS, told), *enumerate(handles, _FOLDERS))
            if self.filter:
                argv, files = (*argv, "--seccomp", str(_FILTER)), (*files, (_FILTER, filtered))
            yield replace(start, argv=(*argv, "--", *start.argv), files=files)


class Bubblewrap:
    """The program as it is installed here."""

    tier = Tier.BUBBLEWRAP
    holds_readers = True

    def __init__(self, machine: System) -> None:
        self._machine = machine
        self._filter = system_calls(platform.machine(), internet=True, apart=True)
        self._filter_of_readers = system_calls(platform.machine(), internet=True, apart=True, only_reads=True)

    def prepare(self, layout: Layout) -> _Ready | Unheld:
        """Writes the layout in bubblewrap's words."""
        program = find(layout.writable)
        if program is None:
            return Unheld("bubblewrap lies where commands may write, so it is not used.")
        if self._filter is None:
            return Unheld(f"There is no filter of system calls for {platform.machine()}.")
        words, folders = arguments(layout, self._machine, _FOLDERS)
        if len(folders) > _MOST_FOLDERS:
            return Unheld("Protected files lie in too many folders of the workspace to hold them all.")
        calls = self._filter_of_readers or self._filter if layout.only else self._filter
        return _Ready(words, program, b"" if layout.everything else calls, folders)


@contextmanager
def _opened(folders: tuple[str, ...]) -> Iterator[list[int]]:
    """The folders, open. Raises OSError where a name leads elsewhere by now."""
    with ExitStack() as stack:
        handles = []
        for path in folders:
            handle = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            stack.callback(os.close, handle)
            if os.readlink(f"/proc/self/fd/{handle}") != path:
                raise OSError(errno.ESTALE, "a folder of the workspace was replaced", path)
            handles.append(handle)
        yield handles


async def said_by_bubblewrap(processes: Processes) -> bytes | None:
    """What the program of this machine says that it can do; None where there is none that starts."""
    program = find()
    if program is None:
        return None
    try:
        told = await processes.run(Start((program, "--help"), "/", {}), _SECONDS_FOR_HELP, _MOST_HELP)
    except OSError:
        return None
    return (told.output.text() + told.errors.text()).encode()


def bubblewrap(empty: str, said: bytes | None) -> Bubblewrap | str:
    """The means, by what the program of this machine said; or why there are none."""
    return "bubblewrap is not installed." if said is None else Bubblewrap(system_of(empty, said))
