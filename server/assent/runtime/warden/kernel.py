"""Calls of the Linux kernel that Python has no words for."""

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

SET_DEATH_SIGNAL = 1
SET_NAME = 15
SET_SYSTEM_CALL_FILTER = 22
TAKE_ORPHANS = 36
NO_NEW_PRIVILEGES = 38


def prctl(option: int, first: int | bytes, second: "ctypes.c_void_p | int" = 0) -> None:
    """Changes how the kernel treats this process. Raises OSError."""
    given = first if isinstance(first, bytes) else ctypes.c_ulong(first)
    other = second if isinstance(second, ctypes.c_void_p) else ctypes.c_ulong(second)
    if _LIBC.prctl(option, given, other, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        raise _fault()


def syscall(number: int, *arguments: "int | ctypes.c_void_p") -> int:
    """A call by its number. Raises OSError."""
    given = (one if isinstance(one, ctypes.c_void_p) else ctypes.c_long(one) for one in arguments)
    result: int = _LIBC.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise _fault()
    return result


def _fault() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
