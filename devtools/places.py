"""Where things are, and which outside versions the project is built and tested with."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "client-ts"
SERVER = ROOT / "server"
TESTS = ROOT / "tests"
DOCUMENTED_PICTURES = ROOT / "docs" / "pictures"
BOOTSTRAP = SERVER / "bootstrap"
PLAYGROUND_PAGE = CLIENT / "dist" / "playground"

VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
TOOLS = ROOT / ".tools"
CACHE = ROOT / ".cache"
DIST = ROOT / "dist"
TEST_RESULTS = ROOT / "test-results"

DEV_LOCK = ROOT / "requirements-dev.txt"
SHIPPED_LOCK = BOOTSTRAP / "requirements.txt"

NODE_VERSION = "24.21.0"
OLDEST_NODE = (22, 12)
SHIPPED_PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def shown(path: Path) -> str:
    """The path as a person would type it from the project's folder."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
