"""A whole VS Code from npm: its server with the workbench that a browser opens. Nothing but npm is asked."""

import json
import os
import secrets
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from devtools import node_packages
from devtools.console import Trouble, step
from devtools.places import TOOLS
from devtools.prerequisites import COMPILER, MAKE, require
from devtools.processes import Background, environment, quietly

_NATIVE = ("@vscode/spdlog", "@parcel/watcher", "node-pty", "@vscode/native-watchdog", "native-watchdog")
_READY = "Extension host agent listening on"


@dataclass(frozen=True)
class Release:
    """A VS Code release, and the code-server package that carries its server."""

    name: str
    vscode: str
    package: str
    ends_what_lost_its_window: bool = False
    """Whether its server can be told after how long."""

    @property
    def folder(self) -> Path:
        return TOOLS / f"vscode-{self.vscode}"

    @property
    def server(self) -> Path:
        return self.folder / "node_modules" / "code-server" / "lib" / "vscode"


RELEASES = {
    release.name: release
    for release in (
        Release("newest", vscode="1.139.1", package="code-server@4.139.1", ends_what_lost_its_window=True),
        Release("oldest", vscode="1.100.3", package="code-server@4.100.3"),
    )
}


def ensure(release: Release) -> None:
    """Installs a release under .tools; does nothing when it is there."""
    marker = release.folder / ".complete"
    if marker.exists():
        return
    require(COMPILER, MAKE)
    node = node_packages.own_node()
    with step(f"Installing VS Code {release.vscode} ({release.package}, 0.8 GB)"):
        shutil.rmtree(release.folder, ignore_errors=True)
        release.folder.mkdir(parents=True)
        _install(release, node)
    marker.touch()


def ensure_all() -> None:
    for release in RELEASES.values():
        ensure(release)


def _install(release: Release, node: Path) -> None:
    """Package scripts stay off except for the native modules: some of the others download from elsewhere."""
    plain = ("install", "--ignore-scripts", "--omit=dev")
    node_packages.npm(*plain, "--no-save", "--no-package-lock", release.package, cwd=release.folder, node=node)
    for folder in (release.server, release.server / "extensions"):
        node_packages.npm(*plain, cwd=folder, node=node)
    native = [name for name in _NATIVE if (release.server / "node_modules" / name).is_dir()]
    node_packages.npm("rebuild", *native, cwd=release.server, node=node)
    said = quietly([node / "bin" / "node", _main(release), "--version"])
    if release.vscode not in said:
        raise Trouble(f"{release.package} was expected to be VS Code {release.vscode}, but says: {said}")


def _main(release: Release) -> Path:
    return release.server / "out" / "server-main.js"


@dataclass(frozen=True)
class Profile:
    """The folders of one VS Code user: settings, extensions, the server's own data."""

    folder: Path

    @property
    def user_data(self) -> Path:
        return self.folder / "user-data"

    @property
    def server_data(self) -> Path:
        return self.folder / "server-data"

    @property
    def extensions(self) -> Path:
        return self.folder / "extensions"

    def write_user_settings(self, settings: dict[str, object]) -> None:
        file = self.user_data / "User" / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings, indent=2), encoding="utf-8")

    def arguments(self) -> list[str]:
        folders = {
            "--user-data-dir": self.user_data,
            "--server-data-dir": self.server_data,
            "--extensions-dir": self.extensions,
        }
        return [word for option, path in folders.items() for word in (option, str(path))]


def install_extension(release: Release, profile: Profile, vsix: Path) -> None:
    command = [*_server_command(release), *profile.arguments(), "--install-extension", str(vsix), "--force"]
    said = quietly(command, env=server_environment())
    if "successfully installed" not in said:
        raise Trouble(f"VS Code did not install {vsix.name}:\n{said}")


@dataclass(frozen=True)
class Server:
    """A running VS Code server and the address under which a browser opens a folder in it."""

    process: Background
    port: int
    token: str

    def address(self, opened: Path) -> str:
        """Of a folder, or of a .code-workspace file with several."""
        kind = "workspace" if opened.suffix == ".code-workspace" else "folder"
        return f"http://127.0.0.1:{self.port}/?tkn={self.token}&{kind}={quote(str(opened))}"


def start(
    release: Release,
    profile: Profile,
    *,
    port: int | None = None,
    env: dict[str, str] | None = None,
    options: tuple[str, ...] = (),
    patience: float = 60,
) -> Server:
    """Starts the server on loopback, closed to whoever does not know its token."""
    port = port or free_port()
    token = secrets.token_hex(16)
    command = [
        *_server_command(release),
        *profile.arguments(),
        *("--host", "127.0.0.1", "--port", str(port), "--connection-token", token),
        *("--telemetry-level", "off", *options),
    ]
    log = profile.folder / "vscode-server.log"
    process = Background(command, cwd=profile.folder, env=env or server_environment(), log=log)
    try:
        process.wait_for(_READY, patience)
    except Trouble:
        process.end()
        raise
    return Server(process, port, token)


def server_environment(**changes: str) -> dict[str, str]:
    """No gallery: the server would ask it for updates."""
    return environment(EXTENSIONS_GALLERY="{}", **changes)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _server_command(release: Release) -> list[str]:
    node = node_packages.own_node() / "bin" / ("node.exe" if os.name == "nt" else "node")
    return [str(node), str(_main(release)), "--accept-server-license-terms"]
