"""The user's own manual save of a settings file: what changed in it counts as agreed to, if it is really there."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assent.app.trust import Trust
from assent.model.errors import InvalidRequest
from assent.model.json import Json
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.jsonc import Node, parse
from assent.settings.reading import decode, read_bytes
from assent.settings.spelling import PREFIX, find_setting

if TYPE_CHECKING:
    from assent.settings.loosening import LooseningEntry

WORKSPACE_FILE = ".code-workspace"


@dataclass(frozen=True, slots=True)
class Attested:
    """One setting by its full name, whole, before and after the user's edit."""

    key: str
    before: Json
    after: Json


def attest(trust: Trust, file: Path, sha256: str, entries: Sequence[Attested]) -> int:
    """Records the user's agreement to what these edits loosen; says how many entries that are. May take seconds."""
    folder = _owner(trust, file)
    root = _settings(file, sha256)
    agreed: list[LooseningEntry] = []
    for entry in entries:
        members = find_setting(root, entry.key) if root is not None else ()
        # Only what the file says now can have been saved.
        if members and members[-1].node.value == entry.after:
            name = entry.key.removeprefix(f"{PREFIX}.")
            agreed += trust.attested(name, entry.before, entry.after, folder)
    error = trust.keep_consents(agreed, ()) if agreed else None
    if error is not None:
        raise InvalidRequest(error, "params.file")
    return len(agreed)


def _owner(trust: Trust, file: Path) -> Path | None:
    """The folder whose settings these are; None for the file of a workspace of several folders."""
    if file.name.endswith(WORKSPACE_FILE):
        return None
    for folder in trust.folders:
        if file == workspace_settings_file(folder):
            return folder if folder != trust.folders[0] else None
    raise InvalidRequest("this is no settings file of the workspace", "params.file")


def _settings(file: Path, sha256: str) -> Node | None:
    """What holds the settings in this file, if it is the one that was saved."""
    try:
        data = read_bytes(file)
        root = parse(decode(data)).root
    except (OSError, SettingsFault) as fault:
        raise InvalidRequest(f"the file cannot be read ({fault})", "params.file") from fault
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidRequest("the file is not the one that was saved", "params.sha256")
    if not file.name.endswith(WORKSPACE_FILE):
        return root
    settings = root.last.get("settings") if root is not None else None
    return settings.node if settings is not None else None
