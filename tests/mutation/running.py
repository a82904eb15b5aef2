"""Runs tests in a forked process in which one module is a mutant."""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.mutation.mutants import Mutant

OPTIONS = (
    "-q",
    "-x",
    "-p",
    "no:cacheprovider",
    "--no-header",
    "-p",
    "no:faulthandler",
    "--timeout=0",
    "--assert=plain",
)
A_NAP = 0.01
KILLED, SURVIVED, TOO_LONG = "killed", "survived", "too long"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the mutant where its module is imported."""

    def __init__(self, mutant: Mutant, root: Path) -> None:
        self._file = root / mutant.file
        parts = mutant.file.relative_to("server").with_suffix("").parts
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self._tree = mutant.tree(root)

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(name, self._file, loader=self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self._file)
        exec(compile(self._tree, str(self._file), "exec"), module.__dict__)


def begin(mutant: Mutant, tests: Sequence[str], root: Path) -> int:
    """Starts the tests; gives the process."""

    def run() -> int:
        os.chdir(root)
        sys.path.insert(0, str(root / "server"))
        sys.meta_path.insert(0, _Finder(mutant, root))
        code = pytest.main([*OPTIONS, *tests])
        # A test that is not there any more is no kill; what cannot be collected is one.
        return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)

    return _forked(run)


def ending_of(mutant: Mutant, tests: Sequence[str], root: Path, seconds: float) -> str:
    """Runs the tests to their end."""
    process, until = begin(mutant, tests, root), time.monotonic() + seconds
    while (end := ending(process, until)) is None:
        time.sleep(A_NAP)
    return end


def ending(process: int, until: float) -> str | None:
    """What came of it; None while it goes on."""
    ended, status = os.waitpid(process, os.WNOHANG)
    if ended:
        return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED
    if time.monotonic() < until:
        return None
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return TOO_LONG


def result_of(work: Callable[[], Any]) -> Any:
    """What this gives back in a process of its own, which leaves nothing imported here."""
    reading, writing = os.pipe()

    def run() -> int:
        with os.fdopen(writing, "wb") as file:
            pickle.dump(work(), file)
        return 0

    process = _forked(run, (reading,))
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        result = pickle.load(file)
    os.waitpid(process, 0)
    return result


def _forked(run: Callable[[], int], closing: Sequence[int] = ()) -> int:
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        os.setpgid(0, 0)
        for one in closing:
            os.close(one)
        silent = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silent, descriptor)
        code = run()
    finally:
        os._exit(code)
