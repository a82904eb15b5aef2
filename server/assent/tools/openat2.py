"""openat2: the kernel opens a whole path in one step, from a handle, and follows no link on the way. Linux only."""

import ctypes
import errno
import os
import platform
import sys
from functools import cache

_NUMBER = 437
"""The same on all of these machines; older ones number their calls each in their own way."""
_MACHINES = ("x86_64", "aarch64", "armv7l", "i686", "ppc64le", "riscv64", "s390x")
_NO_MAGIC_LINKS = 0x02
_NO_SYMBOLIC_LINKS = 0x04
_BENEATH = 0x08
_LONGEST = 4_095
_ATTEMPTS = 8


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_beneath(handle: int, path: str, flags: int) -> int:
    """A handle on what lies beneath another, reached without a link. Raises OSError, as os.open does."""
    text = os.fsencode(path)
    for _ in range(_ATTEMPTS):
        opened, fault = _call(handle, text, flags)
        if opened >= 0:
            return opened
        if fault not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(fault, os.strerror(fault), path)


@cache
def is_available() -> bool:
    """Whether this kernel has it, and lets this process use it. A sandbox may forbid it."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return False
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.close(open_beneath(root, ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except OSError:
        return False
    finally:
        os.close(root)
    return _stays_beneath()


def takes(path: str) -> bool:
    """Whether this path can be given in one step."""
    return len(os.fsencode(path)) <= _LONGEST and is_available()


def _stays_beneath() -> bool:
    """An emulated kernel may accept the call and not know what it promises."""
    below = os.open("/dev", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.close(open_beneath(below, "..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except OSError as fault:
        return fault.errno == errno.EXDEV
    finally:
        os.close(below)
    return False


def _call(handle: int, path: bytes, flags: int) -> tuple[int, int]:
    how = _How(flags, 0, _NO_MAGIC_LINKS | _NO_SYMBOLIC_LINKS | _BENEATH)
    library = _library()
    opened = library.syscall(
        ctypes.c_long(_NUMBER), ctypes.c_int(handle), path, ctypes.byref(how), ctypes.c_size_t(ctypes.sizeof(how))
    )
    return int(opened), ctypes.get_errno()


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library
