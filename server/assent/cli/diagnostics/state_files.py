"""What lies in the state directory: names, sizes and modes, never a content."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from assent.masking import Json

_MOST = 500


def state_files(state: Path) -> dict[str, Json]:
    """The directory and its files; what is wrong with it, where it cannot be listed."""
    try:
        found = state.stat()
    except OSError as fault:
        return {"path": str(state), "problem": _reason(fault), "files": []}
    names = list(_below(state))
    files: list[Json] = [_described(state, name) for name in names[:_MOST]]
    return {"path": str(state), "mode": _mode(found.st_mode), "files": files, "more": max(0, len(names) - _MOST)}


def _below(state: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(state, onerror=None, followlinks=False):
        folders.sort()
        for name in sorted([*files, *(one for one in folders if (Path(folder) / one).is_symlink())]):
            yield Path(folder) / name


def _described(state: Path, file: Path) -> dict[str, Json]:
    name = file.relative_to(state).as_posix()
    try:
        found = file.lstat()
    except OSError as fault:
        return {"name": name, "problem": _reason(fault)}
    kind = "link" if stat.S_ISLNK(found.st_mode) else "file" if stat.S_ISREG(found.st_mode) else "other"
    return {"name": name, "kind": kind, "bytes": found.st_size, "mode": _mode(found.st_mode)}


def _mode(mode: int) -> str:
    return f"{stat.S_IMODE(mode):04o}"


def _reason(fault: OSError) -> str:
    return fault.strerror or type(fault).__name__
