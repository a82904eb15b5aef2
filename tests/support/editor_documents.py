"""A client whose editor has files open: it answers the server's requests about them, as an editor would.

    documents = Documents(server)
    documents.open(room.file("a.txt"), "unsaved", dirty=True)

Its documents have versions, can be undone, and are saved to the disk.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.support.server import Server

Json = Any

CAPABILITIES = ("cards", "editor/document", "editor/save")
EDITS = {"workspace": {"applyEdit": True}}


@dataclass
class Document:
    """One file as it is open."""

    path: Path
    text: str
    dirty: bool = False
    version: int = 1
    earlier: list[str] = field(default_factory=list)

    def change(self, text: str) -> None:
        """One step that can be undone."""
        self.earlier.append(self.text)
        self.text, self.dirty, self.version = text, True, self.version + 1

    def undo(self) -> None:
        """Takes the last step back, as Ctrl+Z does."""
        self.text, self.dirty, self.version = self.earlier.pop(), True, self.version + 1


class Documents:
    """The editor's side: what it has open, what it was asked, and what goes wrong with it."""

    def __init__(self, server: Server) -> None:
        self._open: dict[str, Document] = {}
        self.asked: list[str] = []
        self.says_nothing = False
        self.saves = True
        self.formats: str | None = None
        """What a formatter makes of the text while it is saved."""
        server.client.replies |= {
            "editor/document": self._document,
            "workspace/applyEdit": self._edit,
            "editor/save": self._save,
        }

    def open(self, path: Path, text: str | None = None, *, dirty: bool = False) -> Document:
        """Opens a file; `text` is what was typed where it is not what is on the disk."""
        document = Document(path, path.read_text() if text is None else text, dirty)
        self._open[path.as_uri()] = document
        return document

    def close(self, document: Document) -> None:
        """Closes it, whatever was not saved."""
        del self._open[document.path.as_uri()]

    def _document(self, params: Json) -> Json:
        self.asked.append("editor/document")
        if self.says_nothing:
            return {"open": "perhaps"}
        found = next((one for uri, one in self._open.items() if _path(uri) in params["paths"]), None)
        if found is None:
            return {"open": False}
        uri = found.path.as_uri()
        return {"open": True, "uri": uri, "version": found.version, "dirty": found.dirty, "text": found.text}

    def _edit(self, params: Json) -> Json:
        self.asked.append("workspace/applyEdit")
        (change,) = params["edit"]["documentChanges"]
        document = self._open.get(change["textDocument"]["uri"])
        if document is None or document.version != change["textDocument"]["version"]:
            return {"applied": False}
        (edit,) = change["edits"]
        assert edit["range"]["start"] == {"line": 0, "character": 0}
        assert edit["range"]["end"]["line"] > document.text.count("\n")
        document.change(edit["newText"])
        return {"applied": True}

    def _save(self, params: Json) -> Json:
        self.asked.append("editor/save")
        document = self._open[params["uri"]]
        if not self.saves:
            return {"saved": False}
        if self.formats is not None:
            document.change(self.formats)
        document.path.write_bytes(document.text.encode())
        document.dirty = False
        return {"saved": True}


def _path(uri: str) -> str:
    return unquote(urlsplit(uri).path)
