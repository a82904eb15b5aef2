"""What the editor shows, and is asked to show. Offered to a model only while an editor is there that can do it."""

from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault

OPEN_FILE, SHOW_DIFF, DIAGNOSTICS, SELECTION = "openFile", "showDiff", "diagnostics", "selection"
"""What an editor may be able to do."""

_WORDS = {
    "silent": ("editor_silent", "The editor did not answer in time. It can be tried again."),
    "gone": ("no_editor", "No editor is there any more that can do this."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the editor underlines in a file; lines and columns are counted from 1."""

    line: int
    column: int
    severity: str
    message: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What is told of a file: the first of all that there are."""

    found: tuple[Finding, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Where the user is: a file of the disk, and what is selected in it."""

    path: str
    text: str
    first_line: int
    last_line: int
    whole: bool = True
    """False: the text is only the first part of it."""


class EditorViews(Protocol):
    """The editor's side. Everything raises ToolFault where the editor does not do it."""

    def can(self, what: str) -> bool:
        """Whether it can do this now."""

    async def open_file(self, path: str, line: int | None) -> None: ...

    async def show_diff(self, path: str, content: str) -> None:
        """The file as it is beside this text. Nothing is written."""

    async def diagnostics(self, path: str) -> Findings: ...

    async def selection(self) -> Selection | None:
        """None: what the user looks at is no file of the disk, or nothing."""


class NoViews:
    """Where no editor is, nothing can be shown."""

    def can(self, what: str) -> bool:
        return False

    async def open_file(self, path: str, line: int | None) -> None:
        raise fault("gone")

    async def show_diff(self, path: str, content: str) -> None:
        raise fault("gone")

    async def diagnostics(self, path: str) -> Findings:
        raise fault("gone")

    async def selection(self) -> Selection | None:
        raise fault("gone")


NO_VIEWS = NoViews()


def fault(why: str) -> ToolFault:
    """Why the editor did not do it."""
    return ToolFault(*_WORDS[why])


def refused(what: str, why: str | None) -> ToolFault:
    """The editor says that it could not."""
    return ToolFault("editor_refused", f"The editor could not {what}: {why or 'it does not say why'}.")
