"""What a program of the workspace is at this moment, so that a permission can be for this one and for no other."""

import hashlib
import io
import os
import stat
import time

from assent.tools.places import Place

LARGEST = 64_000_000
"""Bytes. A larger file is read for no command, and has no identity."""
_SMALL = 1_000_000
"""Bytes that are read anew for each look. What is larger is read again once it has changed."""
_TICK = 2_000_000_000
"""Nanoseconds in which two changes of a file can bear the same time."""
_LENGTH = 12


def identity_of(place: Place, roots: tuple[str, ...]) -> str | None:
    """A digest of what it holds; of a link that leads out of the workspace, of where it leads. Empty where that cannot
    be told; None for what no workspace can change, and for what is no file. Looks at the disk."""
    if not place.inside and not any(place.named.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
        return None
    if place.target.mode is None or not stat.S_ISREG(place.target.mode):
        return None
    if not place.inside:
        return hashlib.sha256(os.fsencode(f"leads to {place.real}")).hexdigest()[:_LENGTH]
    try:
        with open(place.real, "rb", buffering=0) as file:  # noqa: PTH123
            status = os.fstat(file.fileno())
            if status.st_size > LARGEST:
                return ""
            is_settled = time.time_ns() - status.st_ctime_ns > _TICK
            if status.st_size <= _SMALL or not is_settled:
                return _digest(file)
            # Whoever changes a file changes this time as well, and cannot set it back.
            key = (place.real, status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns)
            known = _LARGE.get(key)
            if known is None:
                if len(_LARGE) >= _MOST_KEPT:
                    _LARGE.clear()
                known = _LARGE[key] = _digest(file)
            return known
    except OSError:
        return ""


_LARGE: dict[tuple[str, int, int, int, int], str] = {}
_MOST_KEPT = 100


def _digest(file: io.FileIO) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()[:_LENGTH]
