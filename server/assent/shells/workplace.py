"""Where the commands of a chat work: the folder in which the next one starts, and a scratch folder of their own."""

import os
import shutil
from contextlib import suppress

from assent.model.ids import SessionId
from assent.runtime.ids import new_id
from assent.runtime.leftovers import own_mark, server_is_gone
from assent.runtime.places import temporary_directory

_START = "assent-"


class Workplace:
    """The place of one chat. Its scratch folder is made when the first command runs."""

    def __init__(self, session_id: SessionId) -> None:
        self.session_id = session_id
        self.directory: str | None = None
        """Where the last command has gone to; None: where all begin."""
        self.told_withheld = False
        """Whether the agent knows which variables its commands do not get."""
        self.scratch = str(temporary_directory() / f"{_START}{own_mark()}-{new_id()}")

    def make_scratch(self) -> None:
        """Makes the folder, for nobody else to enter. Looks at the disk: belongs into a thread."""
        try:
            os.mkdir(self.scratch, 0o700)  # noqa: PTH102
        except FileExistsError:
            # Its name cannot be guessed, so it is ours; were it a link by now, nothing may be written through it.
            if os.path.islink(self.scratch) or os.stat(self.scratch).st_uid != _own_user():  # noqa: PTH114, PTH116
                raise

    def remove(self) -> None:
        """Takes the folder away with all that is in it. Belongs into a thread."""
        shutil.rmtree(self.scratch, ignore_errors=True)


class Workplaces:
    """The places of all chats."""

    def __init__(self) -> None:
        self._places: dict[SessionId, Workplace] = {}

    def of(self, session_id: SessionId) -> Workplace:
        """The place of this chat."""
        return self._places.setdefault(session_id, Workplace(session_id))

    def close(self, session_id: SessionId) -> None:
        """The chat is closed. Belongs into a thread."""
        place = self._places.pop(session_id, None)
        if place is not None:
            place.remove()

    def close_all(self) -> None:
        """The server ends. Belongs into a thread."""
        for session_id in tuple(self._places):
            self.close(session_id)


def sweep_scratch() -> int:
    """Takes away what servers have left that were killed; says how many folders. Belongs into a thread."""
    count = 0
    for folder in temporary_directory().glob(f"{_START}*-*-*-*"):
        pid, start, space = folder.name.removeprefix(_START).split("-")[:3]
        with suppress(OSError):
            status = folder.lstat()
            is_ours = folder.is_dir() and not folder.is_symlink() and status.st_uid == _own_user()
            if is_ours and server_is_gone(f"{pid}-{start}-{space}-0"):
                shutil.rmtree(folder, ignore_errors=True)
                count += 1
    return count


def _own_user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
