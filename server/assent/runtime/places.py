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
