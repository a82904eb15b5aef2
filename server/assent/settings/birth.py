"""When a folder came into being. A number that a file system gave to a folder may be given to the next one at once."""

import ctypes
import os
import struct
import sys
from functools import cache
from typing import Any

_HERE = -100
_WANTED = 0x800
_SIZE = 256
_MASK = struct.Struct("=I")
_BIRTH_AT, _BIRTH = 80, struct.Struct("=qI")


def birth_of(folder: str, info: Any) -> int:
    """Nanoseconds since 1970, or 0 where nobody knows: some file systems keep no such time. `info`: its `stat`."""
    for name, factor in (("st_birthtime_ns", 1), ("st_birthtime", 1_000_000_000)):
        if hasattr(info, name):
            return int(getattr(info, name) * factor)
    return _from_linux(os.fsencode(folder)) if sys.platform == "linux" else 0


@cache
def _statx() -> Any:
    """The C library's function, which Python has no name for; None where there is none."""
    return getattr(ctypes.CDLL(None, use_errno=True), "statx", None)


def _from_linux(folder: bytes) -> int:
    statx = _statx()
    buffer = ctypes.create_string_buffer(_SIZE)
    if statx is None or statx(_HERE, folder, 0, _WANTED, buffer) != 0:
        return 0
    (known,) = _MASK.unpack_from(buffer, 0)
    seconds, nanoseconds = _BIRTH.unpack_from(buffer, _BIRTH_AT)
    return int(seconds) * 1_000_000_000 + int(nanoseconds) if known & _WANTED else 0
