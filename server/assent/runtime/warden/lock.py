"""Locks this process in, with all it starts: Landlock for files and the network, a filter for system calls."""

import contextlib
import ctypes
import errno
import os
import stat

from assent.runtime.warden import kernel
from assent.runtime.warden.words import LockOrder

_OPEN, _CREATE, _ADD, _RESTRICT = 437, 444, 445, 446
"""The numbers of the calls: the same on all machines."""
_BENEATH_A_PATH = 1
_FROM_HERE, _NO_LINKS = -100, 4
_OF_A_FILE = 1 | 2 | 4 | 16384 | 32768
"""Rights that mean something for what is no folder: run, write, read, cut off, control a device."""
_FILTER = 2
_INSTRUCTION = 8
"""Bytes of one instruction of a filter."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


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
    ruleset = kernel.syscall(_CREATE, _at(attributes), size, 0)
    try:
        for path, access in rules:
            _allow(ruleset, path, access)
        kernel.syscall(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: bytes, access: int) -> None:
    """Since it was looked for, it may have gone, or become something else: then the rule gives less, and never more."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        place = _opened(path)
        if place is None:
            return
        try:
            kind = os.fstat(place).st_mode
            given = access if stat.S_ISDIR(kind) else 0 if stat.S_ISLNK(kind) else access & _OF_A_FILE
            if given:
                beneath = _Beneath(given, place)
                kernel.syscall(_ADD, ruleset, _BENEATH_A_PATH, _at(beneath), 0)
        except OSError as fault:
            fault.filename = path
            raise
        finally:
            os.close(place)


def _opened(path: bytes) -> int | None:
    """What the path names, where no link is on the way: when it was looked for there was none. None: there is one."""
    flags = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
    if b"\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    how = _How(flags, 0, _NO_LINKS)
    name = ctypes.create_string_buffer(path)
    try:
        return kernel.syscall(_OPEN, _FROM_HERE, _at(name), _at(how), ctypes.sizeof(how))
    except OSError as fault:
        if fault.errno == errno.ELOOP:
            return None
        if fault.errno in (errno.ENOSYS, errno.EPERM):
            # Some containers forbid the call itself. Then only the last name is known to be no link.
            return os.open(path, flags)
        fault.filename = path
        raise


def _at(thing: "ctypes.Structure | ctypes.Array[ctypes.c_char]") -> ctypes.c_void_p:
    return ctypes.cast(ctypes.byref(thing), ctypes.c_void_p)


def _filter(instructions: bytes) -> None:
    if len(instructions) % _INSTRUCTION:
        raise OSError(22, "the filter is cut off")
    held = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Filter(len(instructions) // _INSTRUCTION, ctypes.cast(held, ctypes.c_void_p))
    kernel.prctl(kernel.SET_SYSTEM_CALL_FILTER, _FILTER, _at(program))
