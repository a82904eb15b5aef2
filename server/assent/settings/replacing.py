"""Replaces a file as a whole: a reader sees the old content or the new one, and a fault leaves nothing behind."""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from assent.settings.faults import Conflict
from assent.settings.reading import read_bytes


def replace_file(target: Path, before: bytes | None, after: bytes, *, mode: int = 0o666) -> None:
    """Puts `after` in the place of `before` (None: no file yet), keeping an existing file's mode.

    Conflict where the file no longer holds `before`; OSError where the system says no. `mode` is that of a new file,
    less what the process masks.
    """
    # The name is ours alone: nobody can have put a link there.
    draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        _write(draft, after, mode)
        if before is not None:
            draft.chmod(target.stat().st_mode & 0o7777)
        _require_unchanged(target, before)
        if before is None and sys.platform != "win32":
            # Unlike a rename, a link never takes the place of a file that came into being meanwhile.
            _link_new(draft, target)
        else:
            draft.replace(target)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    _sync_folder(target.parent)


def _write(draft: Path, data: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(draft, flags, mode), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _link_new(draft: Path, target: Path) -> None:
    try:
        os.link(draft, target)
    except FileExistsError:
        raise Conflict("the file came into being meanwhile") from None
    except OSError:
        # A file system without hard links.
        draft.replace(target)


def _require_unchanged(target: Path, before: bytes | None) -> None:
    try:
        now = read_bytes(target)
    except FileNotFoundError:
        now = None
    if now != before:
        raise Conflict("the file changed meanwhile")


def _sync_folder(folder: Path) -> None:
    """Makes the new name last through a power cut, where the system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
