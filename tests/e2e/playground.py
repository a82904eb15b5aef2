"""A playground with a server of its own."""

import re
import sys
from pathlib import Path

from devtools.places import ROOT
from devtools.processes import Background, environment
from tests.support.scale import limit


class Running:
    """A playground as `dev.py run` starts it, and the address that it printed."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.folder = folder
        command = [sys.executable, ROOT / "dev.py", "run", "--folder", folder, "--no-open"]
        env = environment(ASSENT_STATE_DIR=str(logs / "state"))
        self.process = Background(command, cwd=logs, env=env, log=logs / "playground.log")
        self.process.wait_for("http://127.0.0.1:", limit(60))
        found = re.search(r"http://127\.0\.0\.1:\d+\S*", self.process.output)
        assert found
        self.address = found.group()
