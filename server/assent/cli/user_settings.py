"""The user's settings where no editor tells them: out of the file that is named on the command line."""

from pathlib import Path

from assent.model.errors import InvalidRequest
from assent.settings.faults import SettingsFault
from assent.settings.jsonc import Document, parse
from assent.settings.reading import decode, explain, read_bytes


def read_user_settings(file: Path) -> Document:
    """The settings file. Raises InvalidRequest that says what is wrong with it."""
    try:
        document = parse(decode(read_bytes(file)))
    except (OSError, SettingsFault) as fault:
        raise InvalidRequest(f"{file} cannot be read as settings: {explain(fault)}") from None
    if document.root is not None and document.root.members is None:
        raise InvalidRequest(f"{file} cannot be read as settings: the file should hold {{ }} and holds something else")
    return document
