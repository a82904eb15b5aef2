"""Files as the editor has them open: with changes that are not on the disk yet, and with a history to undo."""

import re
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.tools.disk import digest_of
from assent.tools.places import Place

UNSAVED = "unsaved"
"""The code of what has to do with changes that are only in the editor."""
_LINE_END = re.compile("\r\n|\r|\n")


class EditorSilent(Exception):
    """The editor did not answer in time, or with a fault: what it did nobody knows."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A file that is open in the editor, as it stood there a moment ago."""

    path: str
    """One of the names of the file."""
    uri: str
    version: int
    dirty: bool
    """It holds changes that are not saved."""
    text: str | None
    """None: it is too long to be told."""

    @property
    def unsaved(self) -> str | None:
        """The text that only the editor has."""
        return self.text if self.dirty else None

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(_LINE_END.findall(self.text or "")) + 1

    def state(self, on_disk: str) -> str:
        """What stands for the file as the user sees it: where nothing is unsaved, that is what is on the disk."""
        if not self.dirty:
            return on_disk
        text = "too long" if self.text is None else digest_of(self.text.encode("utf-8", "surrogatepass"))
        return f"{on_disk}+unsaved:{text}"


class OpenDocuments(Protocol):
    """The editor's side. Each answer is one of this moment."""

    @property
    def writes(self) -> bool:
        """Whether the editor offers to change documents and to save them."""

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        """The document of the file with these names. None: it is not open, or the editor does not say."""

    async def replace(self, document: OpenDocument, text: str) -> bool:
        """Gives the document this text, in one step that can be undone. False: it is another one by now, so nothing
        happened. Raises EditorSilent."""

    async def save(self, document: OpenDocument) -> bool:
        """Saves it as it stands. False: it was not saved. Raises EditorSilent."""


class NoDocuments:
    """Where there is no editor, nothing is open."""

    writes = False

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        return None

    async def replace(self, document: OpenDocument, text: str) -> bool:
        return False

    async def save(self, document: OpenDocument) -> bool:
        return False


NO_DOCUMENTS = NoDocuments()


async def document_of(place: Place, documents: OpenDocuments) -> OpenDocument | None:
    """The document of this place."""
    if "\0" in place.real:
        return None
    return await documents.find(tuple(dict.fromkeys((place.named, place.real))))
