"""Public agents that the tests lead: from lock files of their own, every package checked against its hash."""

import platform
import shutil
import sys
from pathlib import Path

from devtools import node_packages
from devtools.console import Trouble, step
from devtools.places import ROOT, TESTS, TOOLS, VENV_PYTHON
from devtools.processes import quietly
from devtools.stamps import Stamp

AGENTS = TOOLS / "agents"
LOCKS = TESTS / "agents"
NODE_LOCK = (LOCKS / "package.json", LOCKS / "package-lock.json")
PYTHON_AGENTS = ("hermes",)
"""Each lives in an environment of its own: they want different versions of the same libraries."""
_UV = VENV_PYTHON.with_name("uv")
_PIP = (VENV_PYTHON, "-m", "pip")
_QUIETLY = ("--quiet", "--disable-pip-version-check", "--no-input")


def ensure_all() -> None:
    """Installs them under .tools; does nothing when they are as the locks say."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Trouble("The tests with real agents run on Linux x64 only: the agents' programs are locked for it.")
    _node_agents()
    for name in PYTHON_AGENTS:
        _python_agent(name)


def complete() -> bool:
    """Whether all of them are there, as the locks say."""
    return _node_stamp().fresh and all(_python_stamp(name).fresh for name in PYTHON_AGENTS)


def write_locks() -> None:
    """Resolves the Python ones anew. Those of npm: `npm install --package-lock-only` in their folder."""
    for name in PYTHON_AGENTS:
        resolve = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url")
        told = ("--no-annotate", "--custom-compile-command", "python3 dev.py lock")
        files = (LOCKS / f"{name}.in", "--output-file", _lock(name))
        quietly([_UV, "pip", "compile", "--quiet", *resolve, *told, *files], cwd=ROOT)


def _node_agents() -> None:
    stamp = _node_stamp()
    if stamp.fresh:
        return
    node = node_packages.own_node()
    with step("Installing the agents of the tests that run on Node (0.7 GB)"):
        shutil.rmtree(AGENTS / "node_modules", ignore_errors=True)
        AGENTS.mkdir(parents=True, exist_ok=True)
        for file in NODE_LOCK:
            shutil.copyfile(file, AGENTS / file.name)
        # Their scripts stay off: whatever they would download is not in the lock.
        node_packages.npm("install", "--no-save", "--ignore-scripts", "--omit=dev", cwd=AGENTS, node=node)
    stamp.set()


def _python_agent(name: str) -> None:
    stamp = _python_stamp(name)
    if stamp.fresh:
        return
    with step(f"Installing the agent {name} (0.15 GB)"):
        quietly([VENV_PYTHON, "-m", "venv", "--clear", "--without-pip", _environment(name)])
        python = _environment(name) / "bin" / "python"
        # By pip, as everything else: it is what a machine has its registry configured for.
        quietly([*_PIP, "--python", python, "install", *_QUIETLY, "--require-hashes", "-r", _lock(name)])
    stamp.set()


def _environment(name: str) -> Path:
    return AGENTS / name


def _lock(name: str) -> Path:
    return LOCKS / f"{name}.txt"


def _node_stamp() -> Stamp:
    return Stamp(AGENTS / "node_modules" / ".assent-agents", NODE_LOCK)


def _python_stamp(name: str) -> Stamp:
    return Stamp(_environment(name) / ".assent-agent", [_lock(name)])


if __name__ == "__main__":
    try:
        ensure_all()
    except Trouble as trouble:
        sys.exit(str(trouble))
