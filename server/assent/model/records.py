"""What is written down of every call: asked, decided, started, finished. Written before it happens, kept for years."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.approval import OptionKind, ResolvedBy
from assent.model.calls import Caller, ToolCall
from assent.model.grants import Granted
from assent.model.ids import ApprovalId
from assent.model.modes import Category, Mode
from assent.model.verdict import Reason, RuleOrigin


class Stage(StrEnum):
    """How far a call had come when the entry was written; the last two are about what a click left behind."""

    REQUESTED = "requested"
    """The user is asked."""
    DECIDED = "decided"
    """It may run or it may not; of a question every answer and ending is written, and the last one counts."""
    STARTED = "started"
    """It is about to run. Durable before it does."""
    FINISHED = "finished"
    """It has its result, or will never have one."""
    GRANTED = "granted"
    REVOKED = "revoked"


class Ending(StrEnum):
    """What became of a call: decided as one of the first group, finished as one of the second."""

    ALLOWED = "allowed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    EXPIRED = "expired"
    """The server ended while it waited."""
    DENIED_BY_RULE = "denied_by_rule"
    BLOCKED = "blocked"
    UNUSABLE = "unusable"
    """No such tool, or arguments that make no sense."""

    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """It was stopped while it ran, or before it did."""
    UNKNOWN = "unknown"
    """The server ended while it ran: what it did is not known, and it is never run again."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The call that an entry is about, as it would run."""

    call: ToolCall
    caller: Caller
    category: Category
    mode: Mode
    headline: str = ""
    directory: str = ""
    digest: str = ""
    """What an approval is bound to; empty where the call was not usable."""
    folder: str = ""
    """The workspace's first folder."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the history."""

    stage: Stage
    at: str
    subject: Subject
    approval_id: ApprovalId | None = None
    ending: Ending | None = None
    by: ResolvedBy | None = None
    reason: Reason | None = None
    text: str = ""
    """The sentence that people were told."""
    rule: RuleOrigin | None = None
    option: OptionKind | None = None
    grant: str = ""
    """In words, what the answer allowed or forbade beyond this call, or what was taken back."""
    granted: Granted | None = None
    """What was granted in the chat before, and lets this call run."""
    feedback: str | None = None
    edited: bool = False
    """The user changed the arguments; those of the subject are the changed ones."""
    interrupted: bool = False
    """It waited when an earlier server ended, and was asked anew."""
    waited_ms: int | None = None
    took_ms: int | None = None
    code: str | None = None
    """Of a failure, as the model and the tests are told."""
