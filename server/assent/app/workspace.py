"""The folders that the client has open, and those that the settings add to them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class Workspace:
    """Folders come and go while the server runs."""

    further: Callable[[], tuple[str, ...]]
    """Those of the settings."""
    folders: tuple[str, ...] = ()
    file: Path | None = None
    """The settings file of a workspace of several folders, where the editor has one open."""

    def open_folders(self) -> tuple[str, ...]:
        """Those that the client has open."""
        return self.folders

    def roots(self) -> tuple[str, ...]:
        """All that counts as inside, first the folder that relative paths start from."""
        return (*self.folders, *self.further())

    def first(self) -> str:
        """The folder that relative paths start from, where one is open: chats and the history name it."""
        return next(iter(self.folders), "")
