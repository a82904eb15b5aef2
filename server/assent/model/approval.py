"""A question to the user, the answers it offers, and the fate that it met."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, ToolCall
from assent.model.grants import Grant, Limits
from assent.model.ids import ApprovalId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category, Mode
from assent.model.preview import Preview
from assent.model.verdict import Reason, RuleOrigin


class OptionKind(StrEnum):
    """What an answer does, beyond running or not running this one call."""

    ALLOW_ONCE = "allow_once"
    ALLOW_SESSION = "allow_session"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"
    BYPASS_SESSION = "bypass_session"
    BYPASS_AGENT = "bypass_agent"
    BACKGROUND = "background"
    ADD_DIRECTORY = "add_directory"

    @property
    def refuses(self) -> bool:
        return self in {OptionKind.REJECT_ONCE, OptionKind.REJECT_ALWAYS}


class OwnKind(StrEnum):
    """What an agent's own answer means, as the agent says."""

    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"
    OTHER = "other"
    """A word that nobody knows here: such an answer is never given."""


@dataclass(frozen=True, slots=True)
class OwnOption:
    """An answer that an agent of others offers to its own question. Its id means something to that agent only."""

    option_id: str
    kind: OwnKind
    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """One button of a card: its words say how far it reaches."""

    option_id: str
    kind: OptionKind
    name: str
    scope_text: str = ""
    grant: Grant | None = None
    """What it permits or forbids beyond this one call. None where it changes nothing but this call's fate."""
    own: str | None = None
    """The id of the agent's own answer that goes with it, where an agent of others asks."""
    disabled: str = ""
    """Why it is shown and cannot be chosen, as a sentence. Empty: it can."""
    by_id_only: bool = False
    """No word for a kind of answer means it: it reaches too far for that, or nobody here knows how far."""


class RiskLevel(StrEnum):
    """How much is at stake, as the server sees it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Risk:
    """What to look out for, computed from the call and never from the model's words."""

    level: RiskLevel
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeated:
    """How often in this chat the user has given the same answer to such calls, each time to one of them alone."""

    answer: OptionKind
    """`allow_once` or `reject_once`."""
    times: int


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that a user sees of a waiting call. `digest` binds an answer to exactly this."""

    headline: str
    call: ToolCall
    caller: Caller
    category: Category
    mode: Mode
    reason: Reason
    reason_text: str
    digest: str
    options: tuple[Option, ...]
    preview: Preview
    directory: str
    grant_key: str
    """What “for this chat” allows."""
    risk: Risk | None = None
    rule: RuleOrigin | None = None
    """The rule for which it is asked, if it is one."""
    editable: bool = False
    """The user may change the arguments before approving."""
    interrupted: bool = False
    """It waited when an earlier server ended: it did not run, and is asked anew."""
    repeated: Repeated | None = None
    """Where the user has given the same answer often. It is said beside the answers, and changes none of them."""
    comparable: bool = False
    """All of what its files would hold can be had, to be compared with what is there."""


@dataclass(frozen=True, slots=True)
class Question:
    """A card with its identity: what is sent, sent again to a new view, and answered once."""

    approval_id: ApprovalId
    seq: int
    created_at: str
    card: Card
    also_settles: Mapping[str, int] = field(default_factory=dict)
    """How many other waiting calls an answer would settle as well, by the ids of the options."""
    refreshed: bool = False
    """The card changed after it was first shown: from then on an answer must name the digest it was given to."""

    @property
    def session_id(self) -> SessionId:
        return self.card.caller.session_id


class Status(StrEnum):
    """The fate of a question; each question meets exactly one."""

    ALLOWED = "allowed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    EXPIRED = "expired"
    DENIED_BY_RULE = "denied_by_rule"


class ResolvedBy(StrEnum):
    """Who or what ended a question."""

    USER = "user"
    POLICY = "policy"
    TIMEOUT = "timeout"
    STOP = "stop"
    AGENT = "agent"
    AGENT_EXIT = "agent_exit"
    SHUTDOWN = "shutdown"
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class Resolution:
    """How a question ended."""

    status: Status
    by: ResolvedBy
    text: str
    at: str
    decision: OptionKind | None = None
    feedback: str | None = None
    own: str | None = None
    """The id of the agent's own answer that belongs to what the user chose."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a user's click says, before it is checked. Where several of its fields decide, they must agree."""

    option_id: str | None = None
    kind: OptionKind | None = None
    """A shorthand: the narrowest option of this kind, where the card offers one."""
    cancelled: bool = False
    bypass_all: bool = False
    """The call may run, and every later one of this agent."""
    digest: str | None = None
    feedback: str | None = None
    edited: JsonObject | None = None
    """The arguments as the user changed them, in the place of those that were shown."""
    limits: Limits | None = None
    """When what is allowed for the chat ends by itself."""
    to_many: bool = False
    """The same answer was given to several calls at once."""
    offered: frozenset[str] | None = None
    """The kinds of options that the user was shown, where the client cannot draw all; a refusal always was."""
    whole_tool: bool = False
    """The shorthand means the tool itself, where the card offers that."""
