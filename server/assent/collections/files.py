"""Where the index of a workspace is kept, and which ones nobody has needed for long."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assent.collections.index import ENDINGS
from assent.collections.reading import digest_of_name

FOLDER = "collections"
_ENDING = ".sqlite3"
_KEPT_SECONDS = 60 * 24 * 60 * 60


def index_file(directory: Path, folders: Sequence[str]) -> Path:
    """The file for a workspace of these folders. Those of workspaces that nobody opened for two months are removed."""
    path = directory / f"{digest_of_name(chr(0).join(folders))}{_ENDING}"
    with suppress(OSError):
        _remove_old(directory, path)
        if path.is_file():
            os.utime(path)
    return path


def _remove_old(directory: Path, own: Path) -> None:
    oldest = time.time() - _KEPT_SECONDS
    for path in directory.glob(f"*{_ENDING}"):
        if path != own and path.lstat().st_mtime < oldest:
            for ending in reversed(ENDINGS):
                path.with_name(path.name + ending).unlink(missing_ok=True)
