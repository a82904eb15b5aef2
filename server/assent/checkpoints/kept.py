"""What a run found before it wrote: one entry a file. How that is written down, and read back strictly."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from types import NoneType
from typing import Any

from assent.jsontext import NotJson, read_json, write_json
from assent.lazy_dataclasses import dataclass

VERSION = 1
MOST_INDEX_BYTES = 8 * 1024 * 1024


class Unreadable(Exception):
    """What was written down of a checkpoint is not there any more, or makes no sense."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One file as it was before the run first wrote it."""

    path: str
    """Its real name."""
    shown: str
    existed: bool
    mode: int = 0
    """Who may read, write and run it."""
    before: str | None = None
    """What stands for its content then; None where it did not exist, or was not read."""
    copy: str | None = None
    """The name of the copy of its content; None where there is none on the disk."""
    why_not: str | None = None
    """Why its content is not kept on the disk, as a sentence."""
    made: str | None = None
    """What stands for it since the run last wrote it; None where it never came to that."""
    new_folders: int = 0
    """How many of the folders that it lies in, the nearest ones, were not there before either."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that one run wrote by tools that write files."""

    run_id: str
    session_id: str
    began: str
    files: tuple[KeptFile, ...] = ()
    more: int = 0
    """Files beyond those that are listed: too many to be kept."""

    def file(self, path: str) -> KeptFile | None:
        """The entry of this file."""
        return next((one for one in self.files if one.path == path), None)

    def with_file(self, file: KeptFile) -> "Checkpoint":
        """The same with this entry, in the place of the one of the same file."""
        others = [file if one.path == file.path else one for one in self.files]
        return replace(self, files=tuple(others) if self.file(file.path) is not None else (*self.files, file))


def folder_name(run_id: str) -> str:
    """The name of the folder in which what is kept of a run lies."""
    return hashlib.sha256(run_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def index_text(checkpoint: Checkpoint) -> bytes:
    """How it is written down."""
    return write_json({"version": VERSION, **asdict(checkpoint)})


def told_in(text: bytes, version: int) -> dict[str, Any]:
    """What was written down under this version of its words. Raises Unreadable for anything else."""
    try:
        told = read_json(text)
    except NotJson as fault:
        raise Unreadable("it is no JSON") from fault
    if not isinstance(told, dict) or told.pop("version", None) != version:
        raise Unreadable("it is of another version")
    return told


def read_index(text: bytes) -> Checkpoint:
    """What was written down. Raises Unreadable for anything else."""
    told = told_in(text, VERSION)
    files = told.pop("files", None)
    for one in files if isinstance(files, list) else ():
        if isinstance(one, dict):
            # What was written down before folders were: none is known to have been made.
            one.setdefault("new_folders", 0)
    if not (fits(told, _OF_RUN) and isinstance(files, list) and all(fits(one, _OF_FILE) for one in files)):
        raise Unreadable("it makes no sense")
    kept = tuple(KeptFile(**one) for one in files)
    # It becomes the name of a file in a folder of ours.
    if any(one.copy is not None and not (one.copy.isascii() and one.copy.isdigit()) for one in kept):
        raise Unreadable("a copy has a name that was never given")
    return Checkpoint(**told, files=kept)


_TEXT, _MAYBE = (str,), (str, NoneType)
_OF_RUN = {"run_id": _TEXT, "session_id": _TEXT, "began": _TEXT, "more": (int,)}
_OF_FILE = {
    "path": _TEXT,
    "shown": _TEXT,
    "existed": (bool,),
    "mode": (int,),
    **dict.fromkeys(("before", "copy", "why_not", "made"), _MAYBE),
    "new_folders": (int,),
}


def fits(told: object, kinds: Mapping[str, tuple[type, ...]]) -> bool:
    """Whether this is an object with just these members, each of one of its types."""
    if not isinstance(told, dict) or told.keys() != kinds.keys():
        return False
    return all(type(told[name]) in kind for name, kind in kinds.items())
