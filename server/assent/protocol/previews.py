"""What a card shows of its call: what would be written, run or fetched, step by step where there are several."""

from typing import Literal

from attrs import frozen

from assent.protocol.words import Category, LineKind


@frozen
class DiffLineInfo:
    """A line of a diff; `gap` stands for unchanged lines that are left out."""

    kind: LineKind
    text: str
    old_number: int | None = None
    new_number: int | None = None


@frozen
class DiffPreview:
    """A file as it is and as it would be."""

    path: str
    real_path: str
    is_new: bool
    lines: tuple[DiffLineInfo, ...]
    added: int
    removed: int
    note: str | None = None
    kind: Literal["diff"] = "diff"


@frozen
class JsonPreview:
    """The arguments as exact JSON text."""

    text: str
    kind: Literal["json"] = "json"


@frozen
class CommandPart:
    """One program of a command: how it is written, what it does in words, and what to look out for."""

    written: str
    does: str
    notes: tuple[str, ...] = ()


@frozen
class CommandPreview:
    """A shell command exactly as it would run, and what is known of its parts."""

    text: str
    parts: tuple[CommandPart, ...]
    more_parts: int = 0
    """How many further parts there are."""
    unreadable: str | None = None
    """Why nothing is known of what it would do."""
    more_only_read: bool = False
    """The further parts only read, and there is nothing to be said of them."""
    note: str | None = None
    """What the text alone does not show: how long it may run, in the background, by another shell."""
    sandbox: str | None = None
    """In which sandbox it would run and what that keeps from it, or that it would run outside of it; None where no
    sandbox is in use."""
    kind: Literal["command"] = "command"


@frozen
class UrlPreview:
    """An address exactly as it would be reached, its host set apart."""

    before: str
    """The scheme, with all signs up to the host."""
    host: str
    after: str
    """All that comes behind the host, the port first."""
    note: str | None = None
    """What the address alone does not show: what would be typed there, and into what."""
    kind: Literal["url"] = "url"


PlainPreview = DiffPreview | JsonPreview | CommandPreview | UrlPreview


@frozen
class StepInfo:
    """One call of several that another one would make."""

    number: int
    name: str
    headline: str
    category: Category
    preview: PlainPreview
    notes: tuple[str, ...] = ()


@frozen
class StepsPreview:
    """All calls that a call would make, one after the other. Each is decided about by itself when its turn comes."""

    title: str
    steps: tuple[StepInfo, ...]
    done: int = 0
    """How many were made before, and are not made again."""
    kind: Literal["steps"] = "steps"


Preview = DiffPreview | JsonPreview | CommandPreview | UrlPreview | StepsPreview
