"""Public agents that the tests lead: from lock files of their own, every package checked against its hash.

There are two lots of them. Those of the suite are what `dev.py test` installs, and every run of it leads them. The
further ones are many and large: they are installed when somebody asks for them, and led from then on.
"""

import os
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from devtools import node_packages
from devtools.console import Trouble, say, step
from devtools.places import ROOT, TESTS, TOOLS, VENV_PYTHON
from devtools.processes import quietly
from devtools.stamps import Stamp

_UV = VENV_PYTHON.with_name("uv")
_PIP = (VENV_PYTHON, "-m", "pip")
_QUIETLY = ("--quiet", "--disable-pip-version-check", "--no-input")
_OWN = "3.11"
"""The Python that the project itself is developed with, or a newer one."""


@dataclass(frozen=True)
class Lot:
    """Agents that are installed together."""

    folder: Path
    """Where they are installed."""
    locks: Path
    """The folder of their lock files."""
    command: str
    """What a person types to install them."""
    node_size: str
    pythons: Mapping[str, str | None]
    """Those that are written in Python, each with the version that it needs, or None where the project's own will do.

    Each lives in an environment of its own: they want different versions of the same libraries.
    """

    def ensure(self) -> None:
        """Installs them; does nothing when they are as the locks say. One whose Python is not there is left out."""
        if sys.platform != "linux" or platform.machine() != "x86_64":
            raise Trouble("The tests with real agents run on Linux x64 only: the agents' programs are locked for it.")
        self._ensure_node()
        for name in self.pythons:
            self._ensure_python(name)

    def complete(self) -> bool:
        """Whether all of them are there, as the locks say."""
        return self._node_stamp().fresh and all(self._python_stamp(name).fresh for name in self.pythons)

    def missing(self, name: str) -> str:
        """Why the agent cannot be led here, as a sentence; empty when it is there as its lock says."""
        if name not in self.pythons:
            fresh, python = self._node_stamp().fresh, None
        else:
            fresh, python = self._python_stamp(name).fresh, self.pythons[name]
        if fresh:
            return ""
        if python is not None and _python(python) is None:
            return f"{name} needs Python {python}, which is not on this machine"
        return f"{name} is not installed as its lock says; run: {self.command}"

    def script(self, path: str) -> Path:
        """Of an agent that came from npm."""
        return self.folder / "node_modules" / path

    def program(self, name: str, program: str) -> Path:
        """Of an agent that came from PyPI."""
        return self.folder / name / "bin" / program

    def write_locks(self) -> None:
        """Resolves those that are written in Python anew. For those of npm, in the folder of their locks:
        `npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved`.
        """
        for name, python in self.pythons.items():
            resolve = ("--universal", "--python-version", python or _OWN, "--generate-hashes", "--no-emit-index-url")
            told = ("--no-annotate", "--custom-compile-command", "python3 dev.py lock")
            files = (self.locks / f"{name}.in", "--output-file", self._python_lock(name))
            quietly([_UV, "pip", "compile", "--quiet", *resolve, *told, *files], cwd=ROOT)

    def _ensure_node(self) -> None:
        stamp = self._node_stamp()
        if stamp.fresh:
            return
        node = node_packages.own_node()
        with step(f"Installing agents of the tests that run on Node ({self.node_size})"):
            shutil.rmtree(self.folder / "node_modules", ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)
            for file in self._node_lock():
                shutil.copyfile(file, self.folder / file.name)
            # Their scripts stay off: whatever they would download is not in the lock.
            node_packages.npm("install", "--no-save", "--ignore-scripts", "--omit=dev", cwd=self.folder, node=node)
        stamp.set()

    def _ensure_python(self, name: str) -> None:
        stamp = self._python_stamp(name)
        if stamp.fresh:
            return
        wanted = self.pythons[name]
        base = VENV_PYTHON if wanted is None else _python(wanted)
        if base is None:
            say(f"{name} is left out: {self.missing(name)}.")
            return
        with step(f"Installing the agent {name}"):
            quietly([base, "-m", "venv", "--clear", "--without-pip", self.folder / name])
            # By pip, as everything else: it is what a machine has its registry configured for. It takes the lock as it
            # is: where packages want extras of each other, it resolves otherwise, and wants what has no hash.
            requirements = ("--no-deps", "--require-hashes", "-r", self._python_lock(name))
            quietly([*_PIP, "--python", self.program(name, "python"), "install", *_QUIETLY, *requirements])
        stamp.set()

    def _node_lock(self) -> tuple[Path, Path]:
        return self.locks / "package.json", self.locks / "package-lock.json"

    def _python_lock(self, name: str) -> Path:
        return self.locks / f"{name}.txt"

    def _node_stamp(self) -> Stamp:
        return Stamp(self.folder / "node_modules" / ".assent-agents", self._node_lock())

    def _python_stamp(self, name: str) -> Stamp:
        python = self.pythons[name]
        return Stamp(self.folder / name / ".assent-agent", [self._python_lock(name)], *([python] if python else []))


SUITE = Lot(TOOLS / "agents", TESTS / "agents", "python3 dev.py setup --agents", "1.2 GB", {"hermes": None})
FURTHER = Lot(
    TOOLS / "further-agents",
    TESTS / "agents" / "further",
    "python3 dev.py setup --further-agents",
    "1.4 GB",
    {"fast-agent": "3.13", "kimi": "3.13", "openhands": "3.12", "vibe": "3.12"},
)


@cache
def _python(version: str) -> Path | None:
    """A Python of this version, where the machine has one: as a program, or kept by pyenv, which shows only some."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = shutil.which(f"python{version}")
    candidates = [Path(found)] if found else []
    for candidate in [*candidates, *sorted(kept.glob(f"{version}.*/bin/python{version}"))]:
        try:
            # It may also be a stand-in that only says that there is none.
            said = quietly([candidate, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"])
        except Trouble:
            continue
        if said.strip() == version:
            return candidate
    return None
