"""One running VS Code server with the packed extension, under a user of its own, and what can be seen of it outside."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import psutil

from devtools import workbench
from devtools.places import VENV
from devtools.workbench import Profile, Release
from tests.support.processes import descendants
from tests.support.scale import limit

EXTENSION_ID = "assent.assent"

_QUIET: dict[str, object] = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    "git.enabled": False,
    "window.autoDetectColorScheme": False,
    "window.autoDetectHighContrast": False,
    "window.menuBarVisibility": "classic",
    "remote.autoForwardPorts": False,
}
_ASK_NOBODY_ABOUT_TRUST: dict[str, object] = {
    "security.workspace.trust.enabled": True,
    "security.workspace.trust.startupPrompt": "never",
}


class VsCode:
    """A VS Code server. `trusting` takes every folder for trusted; else folders open in Restricted Mode."""

    def __init__(self, release: Release, folder: Path, *, trusting: bool = True) -> None:
        self.release = release
        self.profile = Profile(folder / "profile")
        self.folder = folder
        self.state = folder / "state"
        self._trusting = trusting
        self._settings = {**_QUIET, **({} if trusting else _ASK_NOBODY_ABOUT_TRUST)}
        self.server: workbench.Server | None = None

    def prepare(self, vsix: Path, settings: Mapping[str, object] | None = None) -> None:
        self.set_user_settings(settings or {})
        workbench.install_extension(self.release, self.profile, vsix)

    def set_user_settings(self, settings: Mapping[str, object]) -> None:
        self._settings.update(settings)
        self.profile.write_user_settings(self._settings)

    def set_machine_settings(self, settings: Mapping[str, object]) -> None:
        """Those that a window takes from the machine it works on, and from nowhere else."""
        file = self.profile.user_data / "Machine" / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), encoding="utf-8")

    def start(self, **environment: str) -> None:
        """Starts it with the machine's own programs: nothing of the project's environment is on its path.

        Nor does it ask the user's login shell for a path, which would be another one than the test's.
        """
        own = {"PATH": _path_without(VENV), "ASSENT_STATE_DIR": str(self.state), **environment}
        options = ["--force-disable-user-env"]
        if self._trusting:
            options.append("--disable-workspace-trust")
        if self.release.ends_what_lost_its_window:
            # A window that is closed does not always get to say so: what ran for it ends soon even then.
            options += ["--reconnection-grace-time", "10"]
        self.server = workbench.start(
            self.release,
            self.profile,
            env=workbench.server_environment(**own),
            options=tuple(options),
            patience=limit(60),
        )

    def stop(self) -> None:
        if self.server is not None:
            self.server.process.end()
            self.server = None

    def address(self, workspace: Path) -> str:
        assert self.server is not None
        return self.server.address(workspace)

    def new_workspace(self, name: str, files: Mapping[str, str] | None = None) -> Path:
        workspace = self.folder / "workspaces" / name
        add_files(workspace, {"README.md": "# A folder to work in\n", **(files or {})})
        return workspace

    def clear(self, workspace: Path) -> None:
        """Makes it as a new one is."""
        for file in workspace.iterdir():
            shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
        self.new_workspace(workspace.name)

    def assent_servers(self) -> list[psutil.Process]:
        """The Python servers that its windows run now."""
        assert self.server is not None
        return [child for child in descendants(self.server.process.pid) if _is_assent(child)]

    def logs(self) -> dict[str, str]:
        """Everything that it and the extension wrote, by file name, for the person who looks into a failure."""
        found = [*self.profile.folder.rglob("*.log")]
        return {str(file.relative_to(self.profile.folder)): file.read_text(errors="replace") for file in found}


def add_files(workspace: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(text, encoding="utf-8")


def settings_of(workspace: Path) -> dict[str, object]:
    return json_of(workspace / ".vscode" / "settings.json")


def json_of(file: Path) -> dict[str, object]:
    """What a file says; nothing while there is none, or while the editor is just writing it: it does so in place."""
    try:
        read: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return read


def _path_without(folder: Path) -> str:
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(part for part in parts if not Path(part).is_relative_to(folder))


def _is_assent(process: psutil.Process) -> bool:
    try:
        words = process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
    return "-m" in words and "assent" in words and "serve" in words
