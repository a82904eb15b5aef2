"""The encoding that an editor's settings name for the files of a folder: `files.encoding` in its own settings.json."""

import os
from functools import lru_cache

from assent.model.errors import ToolFault
from assent.settings.faults import JsonFault
from assent.settings.jsonc import parse
from assent.settings.spelling import find_setting
from assent.tools.disk import read_regular
from assent.tools.encodings import encoding_of_editor
from assent.tools.places import Place
from assent.tools.resolve import resolve

_FILE = (".vscode", "settings.json")
_KEY = "files.encoding"
_MOST_BYTES = 1024 * 1024


def declared_for(place: Place) -> str | None:
    """What the settings of the workspace folder say in which this place lies. Belongs into a thread."""
    return declared_in(place.root) if place.root else None


def declared_in(root: str) -> str | None:
    """What the settings of this workspace folder say; None where they say nothing that can be used."""
    try:
        content = read_regular(resolve(os.path.join(root, *_FILE)), _MOST_BYTES)  # noqa: PTH118 - as the system spells it
    except (ToolFault, ValueError):
        return None
    return _said(content.data) if content is not None and content.whole else None


@lru_cache(maxsize=16)
def _said(data: bytes) -> str | None:
    try:
        root = parse(data.decode("utf-8-sig")).root
    except (UnicodeDecodeError, JsonFault):
        return None
    members = find_setting(root, _KEY) if root is not None else ()
    said = members[-1].node.value if members else None
    return encoding_of_editor(said) if isinstance(said, str) else None
