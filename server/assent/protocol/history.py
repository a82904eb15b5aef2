"""The history of decisions: looking into it, taking it along, and checking that nobody changed it."""

from attrs import frozen

from assent.protocol.approval import RuleOrigin
from assent.protocol.words import Category, HistoryEnding, HistoryStage, Mode, OptionKind, ResolvedBy


@frozen
class HistoryQueryParams:
    """Entries that fit all of these, newest first; `before` goes on where the last answer ended."""

    session_id: str | None = None
    call_id: str | None = None
    agent: str | None = None
    tool: str | None = None
    stage: HistoryStage | None = None
    ending: HistoryEnding | None = None
    by: ResolvedBy | None = None
    folder: str | None = None
    text: str | None = None
    """Words that stand in the headline, the arguments or the reason."""
    since: str | None = None
    until: str | None = None
    before: int | None = None
    limit: int | None = None


@frozen
class HistoryEntry:
    """One line of the history. Secrets were masked before it was written."""

    n: int
    at: str
    stage: HistoryStage
    hash: str
    session_id: str
    run_id: str
    call_id: str
    agent_id: str
    agent_name: str
    tool: str
    args: str
    """The arguments as JSON text, masked, and cut where they are long."""
    category: Category
    mode: Mode
    headline: str
    directory: str
    folder: str
    digest: str
    path: tuple[str, ...] = ()
    approval_id: str | None = None
    ending: HistoryEnding | None = None
    by: ResolvedBy | None = None
    how: str | None = None
    """In a few words, who or what decided: your click and how far it reached, a rule, a grant, the mode."""
    reason: str | None = None
    text: str | None = None
    rule: RuleOrigin | None = None
    option: OptionKind | None = None
    grant: str | None = None
    """Of an answer: what it allows beyond its call. Of a call that ran by itself: what had been granted in the chat."""
    granted_at: str | None = None
    grant_until: str | None = None
    feedback: str | None = None
    edited: bool | None = None
    interrupted: bool | None = None
    waited_ms: int | None = None
    took_ms: int | None = None
    code: str | None = None
    redactions: int | None = None


@frozen
class HistoryPage:
    """Entries, newest first, and whether there are older ones that fit."""

    entries: tuple[HistoryEntry, ...]
    more: bool


@frozen
class HistoryExportParams:
    """The entries after this one, as JSON lines, about so many characters at a time."""

    after: int | None = None
    length: int | None = None


@frozen
class HistoryExport:
    """Whole lines, and the number of the last entry in them; the same number again means that this was the end."""

    text: str
    last: int
    done: bool


@frozen
class HistoryVerifyParams:
    """Nothing to say."""


@frozen
class HistoryVerified:
    """Whether every entry is as it was written; if not, which is the first that is not, and how that shows."""

    intact: bool
    entries: int
    first_broken: int | None = None
    problem: str | None = None


@frozen
class MetricsParams:
    """Over which time; all of it where nothing is said."""

    since: str | None = None
    until: str | None = None


@frozen
class Spread:
    """How a duration is spread, in milliseconds."""

    count: int
    median: int
    p95: int
    longest: int


@frozen
class ToolSpread:
    """How long the calls of one tool took."""

    tool: str
    took: Spread


@frozen
class Count:
    """How often something happened."""

    name: str
    count: int


@frozen
class Metrics:
    """Figures counted from the history: they are those of the log."""

    decisions: tuple[Count, ...]
    """By reason."""
    endings: tuple[Count, ...]
    answers: tuple[Count, ...]
    """By the option that was clicked."""
    timeouts: int
    settled_by_policy: int
    """Waiting calls that a grant, a rule or a mode settled without a click of their own."""
    waited: Spread | None
    tools: tuple[ToolSpread, ...]
