"""What the server asks of the editor about documents: how they stand in it, and to save one."""

from attrs import frozen


@frozen
class EditorDocumentParams:
    """A file by its names: as it was called, and its real one."""

    paths: tuple[str, ...]


@frozen
class EditorDocument:
    """How the editor has the file open; `open` false: it has not, and nothing else is said."""

    open: bool
    uri: str | None = None
    version: int | None = None
    dirty: bool | None = None
    """It holds changes that are not saved."""
    text: str | None = None
    """All of it; left out where it is longer than 10 MiB."""


@frozen
class EditorSaveParams:
    """A document that is to be saved as it stands."""

    uri: str


@frozen
class EditorSaved:
    """Whether the editor saved it."""

    saved: bool
