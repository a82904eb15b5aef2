"""Where Assent keeps what it remembers: outside every workspace."""

import os
import sys
from pathlib import Path


def state_directory() -> Path:
    """The user's state directory for Assent, or the one that ASSENT_STATE_DIR names. Not made here."""
    named = os.environ.get("ASSENT_STATE_DIR")
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "assent"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "assent"
    return Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state") / "assent"


def own_folders(state: Path) -> Path:
    """Where chats work that are held in a window without a folder: beside what Assent remembers."""
    return state.parent / f"{state.name}-chats"


def temporary_directory() -> Path:
    """Where this system keeps what passes. Unlike the library's own, it writes nothing to find that out."""
    named = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    usual = ("C:\\TEMP", "C:\\TMP") if sys.platform == "win32" else ("/tmp", "/var/tmp")  # noqa: S108 - only its name
    folders = (Path(name) for name in (*named, *usual) if name)
    found = next((folder for folder in folders if folder.is_absolute() and folder.is_dir()), Path.home())
    return found.resolve()
