"""The project's Python environment: .venv with exactly the locked packages, each checked against its hash."""

import subprocess
import sys

from devtools.console import step
from devtools.places import DEV_LOCK, ROOT, VENV, VENV_PYTHON
from devtools.prerequisites import VENV_MODULE, require
from devtools.processes import quietly
from devtools.stamps import Stamp


def ensure() -> None:
    """Makes or mends .venv; does nothing when it is as the lock says."""
    if not _runs():
        require(VENV_MODULE)
        with step(f"Making {VENV.name} with Python {sys.version_info.major}.{sys.version_info.minor}"):
            quietly([sys.executable, "-m", "venv", "--clear", VENV])
    packages = Stamp(VENV / ".assent-packages", [DEV_LOCK])
    if not packages.fresh:
        with step(f"Installing the Python packages of {DEV_LOCK.name}"):
            quietly([*_PIP, "--require-hashes", "-r", DEV_LOCK])
        packages.set()
    project = Stamp(VENV / ".assent-project", [ROOT / "pyproject.toml"], str(ROOT))
    if not project.fresh:
        with step("Installing Assent itself, editable"):
            quietly([*_PIP, "--no-deps", "--no-build-isolation", "-e", ROOT])
        project.set()


_PIP = (VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")


def _runs() -> bool:
    question = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        asked = subprocess.run([VENV_PYTHON, "-c", question], capture_output=True, check=False)  # noqa: S603
    except OSError:
        return False
    return asked.returncode == 0
