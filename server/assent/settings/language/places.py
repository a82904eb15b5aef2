"""Whose settings a file holds that is open in an editor."""

import os
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.settings.files import workspace_settings_file
from assent.settings.layers import Scope

_NAME = "settings.json"
_OF_USER = "vscode-userdata"
"""How an editor names the user's own settings, wherever they lie."""
# Where editors keep the settings that hold everywhere, and those of their profiles.
_USER_FOLDERS = {"User", "Machine"}
_PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """One settings file."""

    scope: Scope
    name: str
    """The file, as people read it, and as everything else that is said of it names it."""
    folder: str | None = None
    """One of the further folders of a workspace, where it is that one's own file."""
    in_workspace_file: bool = False
    """The settings are one member of a file that says which folders a workspace has."""


def place_of(scheme: str, path: str, folders: tuple[Path, ...], workspace_file: Path | None) -> SettingsPlace | None:
    """Whose settings this file holds; None where they are nobody's that counts here."""
    file = Path(path)
    if scheme == _OF_USER:
        return SettingsPlace(Scope.USER, path) if file.name == _NAME else None
    if scheme != "file":
        return None
    if workspace_file is not None and _same(file, workspace_file):
        return SettingsPlace(Scope.WORKSPACE, str(workspace_file), in_workspace_file=True)
    for index, folder in enumerate(folders):
        own = workspace_settings_file(folder)
        if _same(file, own):
            if index:
                return SettingsPlace(Scope.FOLDER, str(own), folder=str(folder))
            return SettingsPlace(Scope.WORKSPACE if workspace_file is None else Scope.FOLDER, str(own))
    return SettingsPlace(Scope.USER, path) if _is_users(file) else None


def _is_users(file: Path) -> bool:
    folder = file.parent
    return file.name == _NAME and (folder.name in _USER_FOLDERS or folder.parent.name == _PROFILES)


def _same(file: Path, other: Path) -> bool:
    """The folders above may be named by a link; the file itself is what it is called."""
    if file.name != other.name or file.parent.name != other.parent.name:
        return False
    return os.path.realpath(file.parent.parent) == os.path.realpath(other.parent.parent)
