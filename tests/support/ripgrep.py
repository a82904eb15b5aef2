"""The real ripgrep, where this machine has one: on the path, or in an editor that is here for tests."""

import os
import platform
import shutil
import sys
from functools import cache
from pathlib import Path

from tests.support.processes import ROOT

_MACHINES = {"x86_64": "x64", "aarch64": "arm64", "AMD64": "x64", "arm64": "arm64"}


@cache
def ripgrep() -> str | None:
    """Its whole path."""
    found = shutil.which("rg")
    if found is not None:
        return found
    place = f"{sys.platform}-{_MACHINES.get(platform.machine(), platform.machine())}"
    editors = sorted(Path(ROOT, ".tools").glob("vscode-*/node_modules/code-server/lib/vscode/node_modules/@vscode"))
    paths = [editor / kind for editor in editors for kind in (f"ripgrep-universal/bin/{place}/rg", "ripgrep/bin/rg")]
    return next((str(path) for path in paths if os.access(path, os.X_OK)), None)
