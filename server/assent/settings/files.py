"""Changes a workspace's settings file: one entry, nothing lost of what others write at the same time."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from assent.model.json import Json
from assent.settings.faults import Conflict, SettingsFault
from assent.settings.jsonc_edit import append_item, remove_entry, remove_item, set_entry
from assent.settings.locking import locked
from assent.settings.reading import decode, explain, is_workspace_file, read_bytes, settings_within
from assent.settings.replacing import replace_file

_TRIES = 4
# Editors keep the settings that hold everywhere in folders of these names, and in profiles below.
_EVERYWHERE_FOLDERS = {"User", "Machine"}


def workspace_settings_file(folder: Path) -> Path:
    """Where the settings of a folder stand."""
    return folder / ".vscode" / "settings.json"


def patch_file(file: Path, path: Sequence[str], value: Json, *, state_dir: Path) -> Path:
    """Sets one entry of a settings file and returns the file that was written: the target, where `file` is a link.

    `.vscode` is made where it is missing, the folder around it is not. A SettingsFault with a sentence for a person
    where that cannot be: then the file is as it was.
    """
    return edit_file(file, lambda text: set_entry(text, path, value, settings_within(file)), state_dir=state_dir)


def append_to_file(file: Path, path: Sequence[str], value: Json, *, state_dir: Path) -> Path:
    """Adds a value to a list of a settings file, unless it is in there; as `patch_file` otherwise."""
    return edit_file(file, lambda text: append_item(text, path, value, settings_within(file)), state_dir=state_dir)


def unset_in_file(file: Path, path: Sequence[str], *, state_dir: Path) -> Path:
    """Takes one entry out of a settings file; as `patch_file` otherwise."""
    return edit_file(file, lambda text: remove_entry(text, path, settings_within(file)), state_dir=state_dir)


def take_from_file(file: Path, path: Sequence[str], value: Json, *, state_dir: Path) -> Path:
    """Takes a value out of a list of a settings file; as `patch_file` otherwise."""
    return edit_file(file, lambda text: remove_item(text, path, value, settings_within(file)), state_dir=state_dir)


def edit_file(file: Path, edit: Callable[[str], str], *, state_dir: Path) -> Path:
    """Reads, edits and replaces a settings file under a lock, and anew where someone else changed it meanwhile.

    A file of a workspace is never made: without its folders it would be none.

    Takes milliseconds, and at most some three seconds where another process holds the lock.
    """
    try:
        target = Path(os.path.realpath(file))
        _require_own_place(file, target)
        with locked(lock_file_of(target, state_dir)), _folder_of(target):
            _edit_with_retries(target, edit)
    except (OSError, SettingsFault) as fault:
        raise SettingsFault(f"{file} was not changed: {explain(fault)}") from fault
    return target


def lock_file_of(target: Path, state_dir: Path) -> Path:
    """The lock stands in the state directory: a workspace may be read-only, shared, or under version control."""
    name = hashlib.sha256(os.fsencode(target)).hexdigest()[:32]
    return state_dir / "locks" / f"{name}.lock"


def _require_own_place(file: Path, target: Path) -> None:
    """A repository can ship a link: writing through it must not hold for every workspace or make files elsewhere."""
    if is_workspace_file(file) and not target.exists():
        raise SettingsFault("it is not there any more")
    if target.is_relative_to(os.path.realpath(file.parent.parent)):
        return
    if target.parent.name in _EVERYWHERE_FOLDERS or target.parent.parent.name == "profiles":
        raise SettingsFault(f"it is a link to {target}, and settings there hold for every workspace")
    if not target.exists():
        raise SettingsFault(f"it is a link to {target}, outside the workspace, where no file is")


@contextmanager
def _folder_of(target: Path) -> Iterator[None]:
    """`.vscode` where it is missing; gone again if nothing comes to stand in it."""
    folder = target.parent
    if folder.exists():
        yield
        return
    _require_writable(folder.parent, "folder")
    folder.mkdir()
    try:
        yield
    except BaseException:
        with suppress(OSError):
            folder.rmdir()
        raise


def _edit_with_retries(target: Path, edit: Callable[[str], str]) -> None:
    for _ in range(_TRIES):
        try:
            _edit_once(target, edit)
        except Conflict:
            continue
        return
    raise SettingsFault("another program keeps changing it; try again when it is quiet")


def _edit_once(target: Path, edit: Callable[[str], str]) -> None:
    try:
        before = read_bytes(target)
    except FileNotFoundError:
        before = None
    text = "" if before is None else decode(before)
    after = edit(text).encode("utf-8")
    if after == (before or b""):
        return
    if before is not None:
        _require_writable(target, "file")
    _require_writable(target.parent, "folder")
    replace_file(target, before, after)


def _require_writable(place: Path, kind: str) -> None:
    """Replacing a file asks for rights on its folder only; a file that is marked read-only is respected too."""
    if not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK):
        raise SettingsFault(f"the {kind} {place} is read-only")
