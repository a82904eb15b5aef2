"""The user's own manual save of a settings file: what changed in it counts as agreed to, if it is really there."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from assent.app.trust import Trust
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest
from assent.model.json import Json
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.jsonc import Node, parse
from assent.settings.loosening import LooseningEntry
from assent.settings.reading import decode, read_bytes
from assent.settings.spelling import PREFIX, find_setting

SAVED = "You saved this by hand"


@dataclass(frozen=True, slots=True)
class Attested:
    """One setting by its full name, whole, before and after the user's edit."""

    key: str
    before: Json
    after: Json


async def attest(
    trust: Trust, workspace_file: Path | None, file: Path, sha256: str, entries: Sequence[Attested]
) -> list[LooseningEntry]:
    """Records these edits as agreed to. Says which entries that are; raises InvalidRequest where none may count."""
    if trust.untrusted:
        raise InvalidRequest("this workspace is not trusted, so nothing in it can be agreed to")
    agreed = attested_entries(trust, workspace_file, file, sha256, entries)
    error = await asyncio.to_thread(trust.to_keep(agreed, ())) if agreed else None
    if error is not None:
        raise InvalidRequest(error, "params.file")
    return agreed


def attested_entries(
    trust: Trust, workspace_file: Path | None, file: Path, sha256: str, entries: Sequence[Attested]
) -> list[LooseningEntry]:
    """What these edits loosen, each of them agreed to by the user's own save. Nothing is recorded here."""
    folder = _owner(trust, workspace_file, file)
    root = _settings(file, sha256, nested=file == workspace_file)
    agreed: list[LooseningEntry] = []
    for entry in entries:
        members = find_setting(root, entry.key) if root is not None and entry.key.startswith(f"{PREFIX}.") else ()
        # Only what the file says now can have been saved.
        if members and members[-1].node.value == entry.after:
            name = entry.key.removeprefix(f"{PREFIX}.")
            agreed += trust.attested(name, entry.before, entry.after, folder)
    return agreed


def _owner(trust: Trust, workspace_file: Path | None, file: Path) -> Path | None:
    """The folder whose settings these are; None for the first one, and for the file of several folders."""
    if file == workspace_file:
        return None
    for folder in trust.folders:
        if file == workspace_settings_file(folder):
            return folder if folder != trust.folders[0] else None
    raise InvalidRequest("this is no settings file of the workspace", "params.file")


def _settings(file: Path, sha256: str, *, nested: bool) -> Node | None:
    """What holds the settings in this file, if it is the one that was saved."""
    try:
        data = read_bytes(file)
        root = parse(decode(data)).root
    except (OSError, SettingsFault) as fault:
        raise InvalidRequest(f"the file cannot be read ({fault})", "params.file") from fault
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidRequest("the file is not the one that was saved", "params.sha256")
    if not nested:
        return root
    settings = root.last.get("settings") if root is not None else None
    return settings.node if settings is not None else None
