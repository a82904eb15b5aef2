"""What a card shows of a call, computed by the server from what will really run."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.modes import Category


class LineKind(StrEnum):
    """The side of a diff that a line belongs to; `gap` stands for unchanged lines left out."""

    CONTEXT = "context"
    ADDED = "added"
    REMOVED = "removed"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff with its numbers on either side."""

    kind: LineKind
    text: str
    old_number: int | None = None
    new_number: int | None = None


@dataclass(frozen=True, slots=True)
class DiffPreview:
    """A file as it is and as it would be."""

    path: str
    real_path: str
    is_new: bool
    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    note: str | None = None
    """What the lines alone do not show: other line ends, a missing final newline, an unreadable old content."""
    whole: bool = True
    """Every line that would be written is among the lines, in full. Where not, the full text has to be opened."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """All that a file would hold, for whoever compares it with what is there."""

    path: str
    real_path: str
    text: str
    beside_file: bool
    """There is a text to be compared with. Where not, the file would be a new one, or what is there is no text."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Every file that a call would write."""

    files: tuple[FileChange, ...]
    tell_all: bool = False
    """There is nothing to the call but these: who has seen them has seen all of it."""


@dataclass(frozen=True, slots=True)
class JsonPreview:
    """Arguments as exact JSON text: a number is shown digit by digit as it will be used."""

    text: str


@dataclass(frozen=True, slots=True)
class PartLine:
    """One program of a command: how it is written, what it does in words, and what to look out for."""

    written: str
    does: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandPreview:
    """A command exactly as it runs, and what is known of its parts."""

    text: str
    parts: tuple[PartLine, ...] = ()
    more_parts: int = 0
    """How many parts are not among the lines."""
    unreadable: str | None = None
    """Why nothing is known of its parts, as a sentence."""
    more_only_read: bool = False
    """Those that are not among the lines only read, and there is nothing to be said of them."""
    note: str | None = None
    """What the text alone does not show: how long it may run, in the background, by another shell."""
    sandbox: str | None = None
    """In which sandbox it would run, or that it would not; None where none is in use."""


@dataclass(frozen=True, slots=True)
class UrlPreview:
    """An address exactly as it is reached, its host set apart, and what would be done there."""

    before: str
    """The scheme, with all signs up to the host."""
    host: str
    after: str
    """All that comes behind the host, the port first."""
    note: str | None = None
    """What the address alone does not show: what would be typed there, and into what."""

    @property
    def text(self) -> str:
        """The whole address."""
        return f"{self.before}{self.host}{self.after}"


PlainPreview = DiffPreview | JsonPreview | CommandPreview | UrlPreview
"""What is shown of one call."""


@dataclass(frozen=True, slots=True)
class StepPreview:
    """One call of several that another one would make."""

    number: int
    name: str
    headline: str
    category: Category
    preview: PlainPreview
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepsPreview:
    """All calls that a call would make, one after the other."""

    title: str
    """As the workspace's file has it: the words of a stranger."""
    steps: tuple[StepPreview, ...]
    done: int = 0
    """How many were made before, and are not made again."""


Preview = PlainPreview | StepsPreview
