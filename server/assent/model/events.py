"""What happens in a chat, as everyone who watches it is told. Numbered without gaps by the chat that owns them."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import MadeFile
from assent.model.ids import ApprovalId, CallId, RunId
from assent.model.json import Json
from assent.model.modes import Category, Mode


class Phase(StrEnum):
    """Where a call is on its way."""

    PRE_TOOL_USE = "pre_tool_use"
    AWAITING_APPROVAL = "awaiting_approval"
    RUNNING = "running"
    POST_TOOL_USE = "post_tool_use"


class DoneReason(StrEnum):
    """Why a run ended."""

    STOP = "stop"
    CANCELLED = "cancelled"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The user's message that starts a run."""

    text: str
    replaces: RunId | None = None
    """It is said instead of the message that began this run: for the model, nothing since then was said."""
    files: tuple[str, ...] = ()
    """Named at the end of the text: what went along with it."""


@dataclass(frozen=True, slots=True)
class RunRetried:
    """A run begins where the one before failed, without a new message."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Text or reasoning as it arrives; one of the two is None."""

    text: str | None
    thinking: str | None = None
    parent_call: CallId | None = None


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model made a call."""

    call_id: CallId
    tool: str
    args: Json
    category: Category
    headline: str
    depth: int = 0
    parent_call: CallId | None = None


@dataclass(frozen=True, slots=True)
class PermissionAsked:
    """The call waits for the user: a mirror of the approval request for those who only follow the stream."""

    approval_id: ApprovalId
    call_id: CallId
    tool: str
    args: Json


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """The call entered another phase, or printed something."""

    call_id: CallId
    phase: Phase
    note: str | None = None
    """Why it may run without a card, or who allowed it."""
    output_delta: str | None = None
    shell_id: str | None = None
    """The command that it runs, which can be ended or moved to the background."""
    decided_at: str | None = None
    """When somebody decided what the note says, where one was asked."""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """The one result of a call."""

    call_id: CallId
    tool: str
    success: bool
    output: str
    is_error: bool
    duration_ms: int
    path: str | None = None
    content: str | None = None
    code: str | None = None
    truncated: bool = False
    whole_length: int | None = None
    """How many characters the whole output has, where it is kept beside this part of it."""
    made: MadeFile | None = None
    """A picture or a sound that it has written, to be shown as long as the file is the same."""


@dataclass(frozen=True, slots=True)
class RunDone:
    """The run ended as it should."""

    reason: DoneReason


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The run ended on a fault; nothing of it goes on by itself."""

    message: str
    code: str | None = None
    again: bool = False
    """Whether going on from where it ended makes sense, without a new message."""


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What one turn of the model cost, in tokens, and the whole run so far. None where its server does not say."""

    input: int | None
    output: int | None
    cached: int | None
    run_input: int
    run_output: int
    context_window: int | None = None
    parent_call: CallId | None = None


@dataclass(frozen=True, slots=True)
class BudgetExceeded:
    """The run came to one of its limits."""

    limit: str
    """As the setting names it."""
    value: int
    observed: int
    message: str
    parent_call: CallId | None = None
    """The call of the sub-agent that came to it."""


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The chat's mode is another one now."""

    mode: Mode


class NoticeLevel(StrEnum):
    """How loud a notice is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know that belongs to no call: a grant that could not be stored, a setting without effect."""

    text: str
    level: NoticeLevel = NoticeLevel.INFO


@dataclass(frozen=True, slots=True)
class GrantsChanged:
    """What is allowed in this chat without asking, as labels for a person."""

    grants: tuple[str, ...]
    bypass_agent: bool
    bypass_session: bool


class ShellStatus(StrEnum):
    """How far a command is that runs, or ran, by itself."""

    RUNNING = "running"
    EXITED = "exited"
    KILLED = "killed"
    """It was ended, by a person, an agent, a limit, or with its chat."""
    FAILED = "failed"
    """It could not be ended, and may still run."""


@dataclass(frozen=True, slots=True)
class ShellChanged:
    """A command began to run in the background, or one that did has ended."""

    shell_id: str
    status: ShellStatus
    call_id: CallId
    command: str
    exit_code: int | None = None
    signal: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ShellPrinted:
    """A command in the background printed something. It passes: nobody keeps it."""

    shell_id: str
    stream: str
    line: str


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A step of an agent's plan."""

    content: str
    status: str
    """pending, in_progress, completed, or a word of the agent's own."""


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The whole plan of an agent as it is now."""

    entries: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A word that a message to an agent of others can begin with, behind a slash."""

    name: str
    description: str = ""
    hint: str | None = None
    """What can follow it."""


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """All slash commands that the agent has now."""

    commands: tuple[SlashCommand, ...]


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """A value that a setting of an agent can have."""

    choice_id: str
    name: str
    description: str = ""
    danger: str | None = None
    """A sentence, where the agent then does not ask for everything."""


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """Something that an agent of others lets its user choose: its mode, its model."""

    setting_id: str
    name: str
    current: str | None
    choices: tuple[AgentChoice, ...]
    is_mode: bool = False
    """It says how the agent works."""


@dataclass(frozen=True, slots=True)
class AgentStateChanged:
    """What can be chosen in the agent's session, as it is now."""

    settings: tuple[AgentSetting, ...]
    danger: str | None = None
    """What of it lets the agent act without asking, as a sentence."""
    session: str | None = None
    """The id by which the agent knows this chat: one that keeps its chats can find it again."""


Event = (
    Prompt
    | RunRetried
    | Chunk
    | ToolCalled
    | PermissionAsked
    | ToolProgress
    | ToolFinished
    | RunDone
    | RunFailed
    | TurnUsage
    | BudgetExceeded
    | ModeChanged
    | Notice
    | GrantsChanged
    | ShellChanged
    | PlanChanged
    | CommandsChanged
    | AgentStateChanged
)
"""What is numbered and kept."""

Passing = ShellPrinted | ToolProgress
"""What can be told without being kept."""
