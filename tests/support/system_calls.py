"""Every call of the system that the file tools make, one by one, with a chance to act right before each."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from assent.tools import disk, handles, obstacles, openat2, replacing, resolve

CALLS = {"access", "close", "fchmod", "fchown", "fdopen", "fstat", "fsync", "link", "lstat", "mkdir", "open"} | {
    *("pathconf", "readlink", "rename", "replace", "rmdir", "scandir", "stat", "statvfs", "unlink", "write")
}
MODULES = (disk, handles, obstacles, replacing, resolve)

Before = Callable[[int, str], None]
"""Told the number of the call, from 0, and its name; what it raises is what the call seems to raise."""


class Calls:
    """Counts the calls, and lets a test act before each of them."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.before: Before = lambda _number, _name: None

    def restart(self, before: Before) -> None:
        """Counts from 0 again, acting like this."""
        self.names.clear()
        self.before = before

    def told(self, name: str) -> None:
        """A call is about to be made."""
        number = len(self.names)
        self.names.append(name)
        self.before(number, name)


class _Os:
    """The module `os`, whose calls are told of."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*args: Any, **named: Any) -> Any:
            if name == "close":
                # Whatever the system says, the handle is gone.
                real(*args, **named)
            self._calls.told(name)
            # Thousands of real flushes would only wear the disk.
            return None if name in ("close", "fsync") else real(*args, **named)

        return call


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The calls of all modules of the file tools in this test."""
    counted, one_step = Calls(), openat2.open_beneath

    def told_step(handle: int, path: str, flags: int) -> int:
        counted.told("openat2")
        return one_step(handle, path, flags)

    for module in MODULES:
        monkeypatch.setattr(module, "os", _Os(counted))
    monkeypatch.setattr(openat2, "open_beneath", told_step)
    return counted
