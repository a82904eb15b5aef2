"""Confining with Landlock and a filter of system calls: where no other view of the system can be had."""
# ruff: noqa: PTH123 - names as the system spells them

import ctypes
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.runtime.starts import Lock, Start
from assent.sandbox.landlock import BIND_AND_CONNECT, BOTH_SCOPES, NEEDED, WITH_SIGNALS, handled, rules
from assent.sandbox.layout import Layout
from assent.sandbox.seccomp import system_calls
from assent.sandbox.words import Tier, Unheld

_MAKE_RULES = 444
_ASK_VERSION = 1


_PLACES = ("/usr/bin", "/bin", "/run/current-system/sw/bin")
_WITHOUT_RIGHTS = ("--bounding-set=-all", "--inh-caps=-all", "--")


@dataclass(frozen=True, slots=True)
class _Ready:
    lock: Lock
    before: tuple[str, ...] = ()

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command, locked in before it begins."""
        yield replace(start, argv=(*self.before, *start.argv), lock=self.lock)


class Landlock:
    """What this kernel has of it."""

    tier = Tier.LANDLOCK

    def __init__(self, version: int, machine: str, before: tuple[str, ...]) -> None:
        self._version = version
        self._machine = machine
        self._before = before

    @property
    def holds_readers(self) -> bool:
        """Older versions let a command send signals to any program of the user."""
        return self._version >= WITH_SIGNALS

    def prepare(self, layout: Layout) -> _Ready | Unheld:
        """Looks through the folders in which something is held."""
        found = rules(layout, self._version, _entries)
        if found is None:
            return Unheld("There are too many files beside protected ones to open each for the command.")
        if layout.everything:
            return _Ready(Lock(handled(self._version), 0, 0, found))
        calls = system_calls(self._machine, internet=layout.network, apart=False, only_reads=bool(layout.only))
        if calls is None:
            return Unheld(f"There is no filter of system calls for {self._machine}.")
        network = 0 if layout.network else BIND_AND_CONNECT
        scopes = BOTH_SCOPES if self._version >= WITH_SIGNALS else 0
        return _Ready(Lock(handled(self._version), network, scopes, found, calls), self._before)


def landlock(_empty: str) -> Landlock | str:
    """Landlock as this kernel has it, or why it will not do."""
    version = _version()
    if version < NEEDED:
        return "this kernel has no Landlock." if version <= 0 else f"this kernel's Landlock is too old ({version})."
    machine = platform.machine()
    if system_calls(machine, internet=False, apart=False) is None:
        return f"there is no filter of system calls for {machine}."
    if not _has_rights():
        return Landlock(version, machine, ())
    program = next(filter(os.path.isfile, (f"{folder}/setpriv" for folder in _PLACES)), None)
    if program is None:
        return "commands would have an administrator's rights, and setpriv, which takes them away, is not installed."
    return Landlock(version, machine, (program, *_WITHOUT_RIGHTS))


def _has_rights() -> bool:
    """Whether this process has rights of an administrator. Some let it look into other programs past Landlock."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            return any(line.startswith(("CapEff:", "CapPrm:")) and int(line.split()[1], 16) for line in file)
    except (OSError, ValueError, IndexError):
        return True


def _version() -> int:
    try:
        library = ctypes.CDLL(None, use_errno=True)
        return int(library.syscall(_MAKE_RULES, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION)))
    except (OSError, AttributeError):
        return 0


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            found = [(one.path, one.is_dir(follow_symlinks=False)) for one in entries if not one.is_symlink()]
    except OSError:
        return
    yield from found
