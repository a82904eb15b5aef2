"""What a program of the workspace is at this moment, so that a permission can be for this one and for no other."""

import hashlib
import os
import stat

from assent.tools.places import Place

LARGEST = 1_000_000
"""Bytes. A larger file is read for no command, and has no identity."""
_LENGTH = 12


def identity_of(place: Place, roots: tuple[str, ...]) -> str | None:
    """A digest of what it holds; of a link that leads out of the workspace, of where it leads. Empty where that cannot
    be told; None for what no workspace can change, and for what is no file. Looks at the disk."""
    if not place.inside and not any(place.named.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
        return None
    if place.target.mode is None or not stat.S_ISREG(place.target.mode):
        return None
    content = _content(place.real) if place.inside else os.fsencode(f"leads to {place.real}")
    return "" if content is None else hashlib.sha256(content).hexdigest()[:_LENGTH]


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            content = file.read(LARGEST + 1)
    except OSError:
        return None
    return content if len(content) <= LARGEST else None
