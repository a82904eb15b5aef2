"""The folders that the client has open, those that the settings add, and what a chat works in where none is open."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.ids import SessionId
from assent.tools.places import Roots


@dataclass(slots=True)
class Workspace:
    """Folders come and go while the server runs."""

    further: Callable[[], tuple[str, ...]]
    """Those of the settings."""
    own: Path
    """Above the folders of chats that have no other one. Outside of the state directory, where nobody may write."""
    folders: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    """Folders that are open and not on this disk, by their names."""
    trouble: str | None = None
    """Why the last of the chats' own folders could not be made."""
    file: Path | None = None
    """The settings file of a workspace of several folders, where the editor has one open."""
    _made: set[SessionId] = field(default_factory=set)

    def open_folders(self) -> tuple[str, ...]:
        """Those that the client has open."""
        return self.folders

    def roots(self) -> tuple[str, ...]:
        """All that counts as inside, first the folder that relative paths start from."""
        return (*self.folders, *self.further())

    def roots_of(self, session_id: SessionId) -> Roots:
        """The same for one chat: with the folder of its own, where none is open."""

        def roots() -> tuple[str, ...]:
            self.own_folder(session_id)
            return (*self.folders_of(session_id), *self.further())

        return roots

    def folders_of(self, session_id: SessionId) -> tuple[str, ...]:
        """The open folders, or the chat's own, which may not be there yet."""
        return self.folders or ((self._own(session_id),) if session_id else ())

    def own_folder(self, session_id: SessionId) -> str | None:
        """The folder that this chat works in because none is open; it is made, and kept until the chat is closed."""
        if self.folders or not session_id:
            return None
        folder = self._own(session_id)
        self._made.add(session_id)
        try:
            # Whoever may write here could let it lead elsewhere, and elsewhere would count as inside.
            if os.path.islink(folder):  # noqa: PTH114 - asked for every look
                os.unlink(folder)  # noqa: PTH108
            if not os.path.isdir(folder):  # noqa: PTH112
                self.own.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.mkdir(folder, 0o700)  # noqa: PTH102
            self.trouble = None
        except OSError as fault:
            self.trouble = (
                f"This chat has no folder to work in: {folder} could not be made ({fault.strerror or fault}). Open a "
                "folder, or let ASSENT_STATE_DIR name a place beside which you may write."
            )
        return folder

    def first(self) -> str:
        """The folder that relative paths start from, where one is open: chats and the history name it."""
        return next(iter(self.folders), "")

    def closed(self, session_id: SessionId) -> None:
        """The chat is closed, and with it goes its own folder. Belongs into a thread."""
        if session_id and not self.folders:
            shutil.rmtree(self._own(session_id), ignore_errors=True)
            self._made.discard(session_id)

    def end(self) -> None:
        """The server ends: of the chats' own folders those stay that hold something. Belongs into a thread."""
        for session_id in self._made:
            with suppress(OSError):
                Path(self._own(session_id)).rmdir()

    def _own(self, session_id: SessionId) -> str:
        return str(self.own / Path(session_id).name)
