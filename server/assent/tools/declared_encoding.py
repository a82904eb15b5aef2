"""The encoding that settings name for a file: as the editor says it, else as the folder's settings.json does."""

import os
from collections.abc import Sequence
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.settings.faults import JsonFault
from assent.settings.jsonc import parse
from assent.settings.spelling import find_setting
from assent.tools.declared import NOTHING_DECLARED, Declared
from assent.tools.disk import read_regular
from assent.tools.encodings import UTF_8, encoding_of_editor
from assent.tools.places import Place
from assent.tools.resolve import resolve

_FILE = (".vscode", "settings.json")
_KEY = "files.encoding"
_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class EditorsWord:
    """What an editor means for the files of one folder, in its own words."""

    folder: str
    """Empty: all files that lie in no other."""
    encoding: str
    names: tuple[tuple[str, str], ...] = ()
    """Patterns of names, and what counts for them instead: the first that fits."""


class _Editor:
    """Whatever reads files asks here: a server has one editor, or none that says something."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Declared] | None = None

    def says(self, words: Sequence[EditorsWord] | None) -> None:
        self._by_folder = None if words is None else {_real(one.folder): _meant(one) for one in words}

    def of(self, path: str) -> Declared | None:
        """For a file or folder by its real path. None: it says nothing of any."""
        known = self._by_folder
        if known is None:
            return None
        folders = (folder for folder in known if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep))
        return known.get(max(folders, key=len, default=""), NOTHING_DECLARED)


_EDITOR = _Editor()
editor_says = _EDITOR.says
"""Takes what the editor means now; None where it does not say."""


def declared_for(place: Place) -> str | None:
    """What the settings say of this file. Belongs into a thread."""
    return declared_in(place.real, place.root).of(place.real)


def declared_in(path: str, root: str) -> Declared:
    """What the settings say of what lies there; `root` is the workspace folder around it, empty where there is none."""
    said = _EDITOR.of(path)
    if said is not None:
        return said
    return _in_file(root) if root else NOTHING_DECLARED


def _real(folder: str) -> str:
    return os.path.realpath(folder) if folder else ""


def _meant(word: EditorsWord) -> Declared:
    names = tuple((pattern, _other(said)) for pattern, said in word.names)
    usual = _other(word.encoding)
    return Declared(usual, names if any(encoding != usual for _, encoding in names) else ())


def _other(said: str) -> str | None:
    """UTF-8 is what is expected where nobody says anything."""
    encoding = encoding_of_editor(said)
    return encoding if encoding != UTF_8 else None


def _in_file(root: str) -> Declared:
    try:
        content = read_regular(resolve(os.path.join(root, *_FILE)), _MOST_BYTES)  # noqa: PTH118 - as the system spells it
    except (ToolFault, ValueError):
        return NOTHING_DECLARED
    return _said(content.data) if content is not None and content.whole else NOTHING_DECLARED


@lru_cache(maxsize=16)
def _said(data: bytes) -> Declared:
    try:
        root = parse(data.decode("utf-8-sig")).root
    except (UnicodeDecodeError, JsonFault):
        return NOTHING_DECLARED
    members = find_setting(root, _KEY) if root is not None else ()
    said = members[-1].node.value if members else None
    return Declared(encoding_of_editor(said) if isinstance(said, str) else None)
