"""A start in the words of the system, as the warden takes it. No I/O."""

import errno
import os

from assent.runtime.starts import Lock, Start
from assent.runtime.warden.words import MOST_HANDLES, LockOrder, Order

_WITH_EACH = 6
"""Handles that go with an order beside its files: five with every one, and an input."""
_HIGHEST = 1_000
"""Number under which a program can be given a file."""


def order_of(start: Start, variables: dict[str, str]) -> Order:
    """The order, with these variables added. Raises OSError where no program could be started so."""
    _check_files(start)
    if not start.argv:
        raise _impossible("it has no name")
    environment = {**start.environment, **variables}
    if any(not name or "=" in name for name in environment):
        raise _impossible("a variable has no name, or one with a '=' in it")
    _bytes(start.directory)
    return Order(
        tuple(_bytes(path) for path in _programs(start.argv[0], environment)),
        tuple(_bytes(text) for text in start.argv),
        {_bytes(name): _bytes(value) for name, value in environment.items()},
        (*((0,) if start.talks else ()), *(number for number, _ in start.files)),
        start.bounds.processes,
        start.bounds.memory_bytes,
        start.bounds.file_bytes,
        _lock_order(start.lock) if start.lock is not None else None,
    )


def _programs(name: str, environment: dict[str, str]) -> list[str]:
    """Where a program of this name may be: at its path, or in one of the folders that the environment names."""
    return [name] if "/" in name else [os.path.join(folder, name) for folder in os.get_exec_path(environment)]  # noqa: PTH118


def _lock_order(lock: Lock) -> LockOrder:
    rules = tuple((_bytes(path), access) for path, access in lock.rules)
    return lock.files, lock.network, lock.scoped, rules, lock.system_calls


def _check_files(start: Start) -> None:
    numbers = [number for number, _ in start.files]
    if len(set(numbers)) < len(numbers) or not all(3 <= number <= _HIGHEST for number in numbers):
        raise _impossible(f"its files have numbers that are not all different and from 3 to {_HIGHEST}")
    if len(numbers) > MOST_HANDLES - _WITH_EACH:
        raise _impossible(f"{len(numbers)} files are too many to be passed on")


def _bytes(text: str) -> bytes:
    if "\0" in text:
        raise _impossible("a NUL character stands in its words, its environment or its folder")
    try:
        return os.fsencode(text)
    except UnicodeEncodeError as fault:
        raise _impossible("its words, its environment or its folder hold half a character") from fault


def _impossible(words: str) -> OSError:
    return OSError(errno.EINVAL, words)
