"""Repositories within a repository: git looks into them even for a status, and does what their configuration says.

The names of all of them stand in the index, among those of the files. Nothing else of the index is read here.
"""
# ruff: noqa: PTH118 - names as the system spells them

import os
from collections.abc import Iterator

from assent.model.errors import ToolFault
from assent.tools.disk import read_regular
from assent.tools.resolve import resolve

MOST_BYTES = 64 * 1024 * 1024
_MODE = bytes.fromhex("0000e000")
"""How an entry says that it is a repository of its own."""
_TO_FLAGS = {36: "SHA-1", 48: "SHA-256"}
"""From the mode to the flags of an entry, by the hash that the repository is kept with."""
_LONG_FLAGS = 0x4000
_MOST_SHARED = 8
_MOST_NAMES = 2_000


def named_in(repository: str) -> tuple[str, ...] | None:
    """What may be the paths of repositories within this one's files. None where that cannot be known."""
    found: list[str] = []
    for file in _index_files(repository):
        data = _content(file)
        names = None if data is None else _names(data)
        if names is None:
            return None
        found += names
    return tuple(dict.fromkeys(found))


def _index_files(repository: str) -> Iterator[str]:
    yield os.path.join(repository, "index")
    try:
        with os.scandir(repository) as entries:
            shared = sorted(entry.name for entry in entries if entry.name.startswith("sharedindex."))
    except OSError:
        return
    yield from (os.path.join(repository, name) for name in shared[:_MOST_SHARED])


def _content(file: str) -> bytes | None:
    try:
        content = read_regular(resolve(file), MOST_BYTES)
    except ToolFault:
        return None
    if content is None:
        return b""
    return content.data if content.whole else None


def _names(index: bytes) -> list[str] | None:
    """An entry begins at a multiple of eight after the head. Bytes that only look like one do no harm."""
    version = int.from_bytes(index[4:8], "big")
    at, names = index.find(_MODE), list[str]()
    while at >= 0:
        # Names that only say in what they differ from the one before are not followed.
        if version not in (2, 3) or len(names) > _MOST_NAMES:
            return None
        if at % 8 == 4:
            names += (name for to_flags in _TO_FLAGS if (name := _name(index, at + to_flags)))
        at = index.find(_MODE, at + 1)
    return names


def _name(index: bytes, flags_at: int) -> str:
    flags = int.from_bytes(index[flags_at : flags_at + 2], "big")
    start = flags_at + (4 if flags & _LONG_FLAGS else 2)
    end = index.find(b"\0", start, start + 4_096)
    return os.fsdecode(index[start:end]) if end > start else ""
