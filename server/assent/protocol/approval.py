"""Asking the user about one call, the answer, and the end of the question."""

from typing import Any, Literal

from attrs import field, frozen

from assent.protocol.permissions import SettingPlace
from assent.protocol.previews import Preview
from assent.protocol.words import (
    Category,
    Decision,
    Mode,
    OptionKind,
    ResolvedBy,
    RiskLevel,
    Status,
    ToolKind,
)


@frozen
class ToolCallInfo:
    """The call in the terms of the Agent Client Protocol."""

    tool_call_id: str
    title: str | None = None
    kind: ToolKind | None = None
    raw_input: dict[str, Any] | None = None


@frozen
class ApprovalOption:
    """One button: its words, what it does, how far it reaches, how many other waiting calls it settles.

    With a `disabledReason` it is shown and cannot be chosen; its `scopeText` then says why as well.
    """

    option_id: str
    name: str
    kind: OptionKind
    scope_text: str | None = None
    also_resolves: int | None = None
    disabled_reason: str | None = None


@frozen
class RuleOrigin:
    """The rule that made the server ask, and where it is written."""

    pattern: str
    scope: str
    file: str | None = None
    line: int | None = None


@frozen
class ApprovalReason:
    """Why the server asks: a stable word and a sentence."""

    code: str
    text: str
    rule: RuleOrigin | None = None


@frozen
class RiskInfo:
    """What to look out for, computed by the server."""

    level: RiskLevel
    notes: tuple[str, ...] = ()


@frozen
class TimeoutInfo:
    """When the question ends by itself; `running` says whether the clock counts now."""

    seconds: float
    running: bool
    remaining_ms: int


@frozen
class TruncatedInfo:
    """The card does not hold all of what would run; tool/approvalDetails has the whole arguments."""

    args_bytes: int


@frozen
class RepeatedInfo:
    """The user has given the same answer to such calls often in this chat, as the sentence says.

    `optionId` is the answer on this card that would do without asking; it is one of its options, as they are.
    """

    answer: Literal["allowed", "denied"]
    times: int
    text: str
    option_id: str | None = None


@frozen
class ApprovalRequest:
    """A call waits for the user. Drawn as a card; the same id again replaces the card in place."""

    approval_id: str
    seq: int
    session_id: str
    tab_id: str
    agent_name: str
    agent_id: str
    tool_call: ToolCallInfo
    tool: str
    args: Any
    args_digest: str
    category: Category
    headline: str
    directory: str
    options: tuple[ApprovalOption, ...]
    reason: ApprovalReason
    depth: int
    path: tuple[str, ...]
    mode: Mode
    created_at: str
    risk: RiskInfo | None = None
    preview: Preview | None = None
    agent_says: str | None = None
    parent_tool_call_id: str | None = None
    timeout: TimeoutInfo | None = None
    truncated: TruncatedInfo | None = None
    inexact: tuple[str, ...] | None = None
    """JSON pointers into `args` of numbers that JSON cannot carry and that are sent as strings."""
    redactions: int | None = None
    """How many secrets are masked, for clients that announced `reveal`: `tool/reveal` has the card as it is, and no yes
    counts before that. The digest is that of what would run."""
    redelivery: bool | None = None
    refreshed: bool | None = None
    interrupted: bool | None = None
    """It waited when an earlier server ended: it did not run, and this asks anew."""
    repeated: RepeatedInfo | None = None
    limits: bool | None = None
    """Whether what is allowed for the chat may be given with an end."""
    comparable: bool | None = None
    """Whether tool/approvalChange has all of what the call's files would hold."""
    editable: bool | None = None
    """Whether the arguments may be changed before approving."""


@frozen
class Selected:
    """The user picked an option."""

    option_id: str
    outcome: Literal["selected"] = "selected"


@frozen
class Dismissed:
    """The user closed the question: it counts as a refusal."""

    outcome: Literal["cancelled"] = "cancelled"


Outcome = Selected | Dismissed


@frozen
class ResponseBody:
    """The answer in the shape of the Agent Client Protocol."""

    outcome: Outcome


@frozen
class GrantLimits:
    """When a grant for this chat ends by itself."""

    minutes: float | None = None
    uses: int | None = None
    until_run_ends: bool | None = None


@frozen
class ApprovalResponse:
    """The answer to one question. Exactly one of `response`, `bypassAll` and `decision` decides.

    A `decision` picks the narrowest option of its kind. `always_allow` alone means the tool: it is stored in
    `assent.toolAllowlist` where the card offers that, else the narrowest rule is. All shell commands (`bash`) are
    allowed by the id of that option only, for the chat and for good: for a command `always_allow` stores exactly that
    command, and `allow_for_chat` means its first words. Where the card has no such option, the answer is refused with
    -31003 and the call still waits.
    """

    approval_id: str
    session_id: str | None = None
    view_id: str | None = None
    response: ResponseBody | None = None
    bypass_all: bool | None = None
    decision: Decision | None = None
    feedback: str | None = None
    args_digest: str | None = None
    edited_args: Any = field(default=None)
    limits: GrantLimits | None = None


@frozen
class StoredSetting:
    """What became of the setting that an answer writes."""

    written: bool
    target: str
    error: str | None = None
    overruled_by: SettingPlace | None = None
    """The entry that wins over what was written, which has no effect; `error` says so, with both places."""


@frozen
class ApprovalOutcome:
    """The answer counted; this is what it decided."""

    approval_id: str
    decision: OptionKind
    status: Literal["accepted"] = "accepted"
    resolved_by: Literal["user"] = "user"
    settings: StoredSetting | None = None


@frozen
class ApprovalResolved:
    """A question ended, however it ended. Every view closes its card."""

    approval_id: str
    session_id: str
    tool_call_id: str
    status: Status
    resolved_by: ResolvedBy
    reason_text: str
    decision: OptionKind | None = None
    resolved_at: str | None = None
    """When that was, as a time of the world."""


@frozen
class PendingApprovalsParams:
    """Which waiting calls: of one chat, or all."""

    session_id: str | None = None


@frozen
class PendingApprovals:
    """All waiting calls, in the order in which they were asked, each marked as a redelivery."""

    approvals: tuple[ApprovalRequest, ...]


@frozen
class RevealParams:
    """A question whose card masks secrets, of a client that announced `reveal`."""

    approval_id: str


@frozen
class ApprovalDetailsParams:
    """A piece of the arguments' JSON text, counted in characters; the text holds ASCII only."""

    approval_id: str
    offset: int
    length: int


@frozen
class ApprovalDetails:
    """The piece, and how long the whole is."""

    text: str
    offset: int
    total_length: int


@frozen
class ApprovalChangeParams:
    """A piece of what one of the files of a waiting call would hold, from this character on.

    The digest says which state of the call is meant; any other is an error, and the card is asked anew.
    """

    approval_id: str
    args_digest: str
    file: int = 0
    offset: int = 0


@frozen
class ApprovalChange:
    """The piece of the file's text as it would be written, and where the next one begins; nothing after the last."""

    path: str
    real_path: str
    text: str
    beside_file: bool
    """Whether there is a file with a text to be compared with."""
    files: int
    """How many files there are."""
    tell_all: bool
    """Whoever has seen all of them has seen all that the call does."""
    next_offset: int | None = None


@frozen
class BatchItem:
    """One of the calls that are answered together, in the state in which it was shown."""

    approval_id: str
    args_digest: str


@frozen
class ApprovalBatch:
    """One answer to several questions, each of which was shown. A yes leaves protected and outside ones waiting."""

    items: tuple[BatchItem, ...]
    decision: Literal["allow_once", "reject_once"]
    feedback: str | None = None
    view_id: str | None = None


@frozen
class BatchFault:
    """Why an answer did not count."""

    code: int
    message: str


@frozen
class BatchResult:
    """What became of one of them: accepted, left waiting, or not counted."""

    approval_id: str
    status: Literal["accepted", "left", "failed"]
    error: BatchFault | None = None


@frozen
class BatchOutcome:
    """One result for each, in the same order."""

    results: tuple[BatchResult, ...]


@frozen
class TestApprovalParams:
    """A card that leads to nothing, to see that the round trip works."""

    session_id: str


@frozen
class TestApprovalResult:
    """What was clicked on the test card."""

    status: Status
    decision: OptionKind | None = None
