"""Locks this process in, with all it starts: Landlock for files and the network, a filter for system calls."""

import contextlib
import ctypes
import os
import stat

from assent.runtime.warden import kernel
from assent.runtime.warden.words import LockOrder

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""The numbers of the calls: the same on all machines."""
_BENEATH_A_PATH = 1
_OF_A_FILE = 1 | 2 | 4 | 16384 | 32768
"""Rights that mean something for what is no folder: run, write, read, cut off, control a device."""
_FILTER = 2
_INSTRUCTION = 8
"""Bytes of one instruction of a filter."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("place", ctypes.c_int32))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def apply(lock: LockOrder) -> None:
    """Takes effect at once and cannot be undone. Raises OSError: then the lock is not in place."""
    files, network, scoped, rules, system_calls = lock
    kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
    if files or network or scoped or rules:
        _restrict(files, network, scoped, rules)
    if system_calls:
        _filter(system_calls)


def _restrict(files: int, network: int, scoped: int, rules: tuple[tuple[bytes, int], ...]) -> None:
    attributes = _Ruleset(files, network, scoped)
    # An older kernel takes only as much of it as it knows.
    size = 24 if scoped else 16 if network else 8
    ruleset = kernel.syscall(_CREATE, ctypes.cast(ctypes.byref(attributes), ctypes.c_void_p), size, 0)
    try:
        for path, access in rules:
            _allow(ruleset, path, access)
        kernel.syscall(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: bytes, access: int) -> None:
    """Since it was looked for, it may have gone, or become something else: then the rule gives less, and never more."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            kind = os.fstat(place).st_mode
            given = access if stat.S_ISDIR(kind) else 0 if stat.S_ISLNK(kind) else access & _OF_A_FILE
            if given:
                beneath = _Beneath(given, place)
                kernel.syscall(_ADD, ruleset, _BENEATH_A_PATH, ctypes.cast(ctypes.byref(beneath), ctypes.c_void_p), 0)
        except OSError as fault:
            fault.filename = path
            raise
        finally:
            os.close(place)


def _filter(instructions: bytes) -> None:
    if len(instructions) % _INSTRUCTION:
        raise OSError(22, "the filter is cut off")
    held = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Filter(len(instructions) // _INSTRUCTION, ctypes.cast(held, ctypes.c_void_p))
    kernel.prctl(kernel.SET_SYSTEM_CALL_FILTER, _FILTER, ctypes.cast(ctypes.byref(program), ctypes.c_void_p))
