"""What the machine itself must have. What is missing is installed where that is safe to do, and named where not."""

import contextlib
import os
import shutil
import sys
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from devtools.console import Trouble, step
from devtools.processes import environment, quietly

_APT = "apt-get"
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Prerequisite:
    """Something that comes with the machine: any of these programs or Python modules, and who brings them."""

    what: str
    purpose: str
    packages: tuple[str, ...]
    elsewhere: str
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def present(self) -> bool:
        programs = not self.programs or any(shutil.which(name) for name in self.programs)
        return programs and all(find_spec(name) for name in self.modules)


_PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"

VENV_MODULE = Prerequisite(
    "Python's venv and pip",
    "the project's own Python environment",
    ("python3-venv",),
    f"Install the part of {_PYTHON} that brings the modules venv and ensurepip.",
    modules=("venv", "ensurepip"),
)
NPM = Prerequisite(
    "npm",
    "the editor extension's packages",
    ("nodejs", "npm"),
    "Install Node.js 22.12 or newer from your system's packages; npm comes with it.",
    programs=("npm",),
)
COMPILER = Prerequisite(
    "a C++ compiler and make",
    "the native modules of the VS Code server that the end-to-end tests drive",
    ("build-essential",),
    "Install g++ (or clang) and make.",
    programs=("g++", "c++", "clang++"),
)
MAKE = Prerequisite(
    "make",
    "the native modules of the VS Code server that the end-to-end tests drive",
    ("build-essential",),
    "Install make.",
    programs=("make",),
)
STRACE = Prerequisite(
    "strace",
    "the tests that watch what the server asks of the system",
    ("strace",),
    "Install strace.",
    programs=("strace",),
)
BUBBLEWRAP = Prerequisite(
    "bubblewrap",
    "the test that runs made-up shell commands where they can harm nobody",
    ("bubblewrap",),
    "Install bubblewrap.",
    programs=("bwrap",),
)
GIT = Prerequisite(
    "git",
    "the tests that open a repository",
    ("git",),
    "Install git.",
    programs=("git",),
)
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = Prerequisite(
    "Chromium",
    "the end-to-end tests, which open the editor in it",
    ("chromium",),
    "Install Chromium or Chrome, or name its program in the environment variable ASSENT_CHROMIUM.",
    programs=CHROMIUM_NAMES,
)

HEADLESS_SHELL = Prerequisite(
    "Chromium's headless shell",
    "the tests of the page and the end-to-end tests, which take a third of the time in it",
    ("chromium-headless-shell",),
    "",
    programs=("chromium-headless-shell",),
)


def require(*needed: Prerequisite) -> None:
    """Returns when all are there; installs them where this is a Debian or Ubuntu and we are root, else says how."""
    with _one_at_a_time:
        missing = [each for each in needed if not each.present]
        if missing and _may_install():
            _install(missing)
            missing = [each for each in missing if not each.present]
    if missing:
        raise Trouble("\n".join(_how_to_get(each) for each in missing))


def browser_of_tests() -> Path:
    """What draws the page in tests: Chromium without a window of its own where the machine has or gets it."""
    if not os.environ.get("ASSENT_CHROMIUM"):
        with contextlib.suppress(Trouble):  # other systems and older releases have no such package
            require(HEADLESS_SHELL)
        if found := shutil.which(HEADLESS_SHELL.programs[0]):
            return Path(found)
    return chromium()


def chromium() -> Path:
    """A whole browser."""
    named = os.environ.get("ASSENT_CHROMIUM")
    if named:
        if not os.access(named, os.X_OK):
            raise Trouble(f"ASSENT_CHROMIUM names {named}, which is not a program.")
        return Path(named)
    require(CHROMIUM)
    return Path(next(found for name in CHROMIUM_NAMES if (found := shutil.which(name))))


def _may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which(_APT) is not None


def _install(missing: list[Prerequisite]) -> None:
    packages = sorted({name for each in missing for name in each.packages})
    calm = environment(DEBIAN_FRONTEND="noninteractive")
    with step(f"Installing {', '.join(packages)}"):
        quietly([_APT, "update"], env=calm)
        quietly([_APT, "install", "--yes", "--no-install-recommends", *packages], env=calm)


def _how_to_get(missing: Prerequisite) -> str:
    how = missing.elsewhere
    if shutil.which(_APT):
        how = f"Run: sudo {_APT} update && sudo {_APT} install {' '.join(missing.packages)}"
    return f"Missing: {missing.what}. It is needed for {missing.purpose}. {how}"
