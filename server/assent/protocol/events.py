"""What happens in a chat, as its views are told."""

from typing import Any

from attrs import frozen

from assent.protocol.fields import nullable, snake_case
from assent.protocol.words import Category, DoneReason, MediaType, Mode, NoticeLevel, OutputStream, Phase, ShellStatus


@frozen
class PromptData:
    """The user's message that starts a run. With `replaces`, it is said instead of the message that began that run: the
    model knows nothing of what came since. `files` are named at the end of the text, each as `[name]`, pictures as
    `[image name]`."""

    text: str
    replaces: str | None = None
    files: tuple[str, ...] | None = None


@frozen
class RetryData:
    """A run begins where the one before failed, without a new message."""


@frozen
class ChunkData:
    """A piece of text or of reasoning; the other one is null."""

    text: str | None = nullable()  # type: ignore[assignment]
    thinking: str | None = nullable()  # type: ignore[assignment]
    parent_tool_call_id: str | None = None


@frozen
class ToolCallData:
    """The model made a call."""

    tool_call_id: str
    tool: str
    args: Any
    category: Category
    headline: str
    depth: int
    parent_tool_call_id: str | None = None


@frozen
class ToolPermissionData:
    """The call waits for the user: a mirror of tool/approvalRequest for those who only follow the stream."""

    tool_call_id: str
    tool: str
    args: Any
    request_id: str = snake_case("request_id")  # type: ignore[assignment]


@frozen
class ToolUpdateData:
    """The call entered another phase, or printed something."""

    tool_call_id: str
    phase: Phase
    note: str | None = None
    output_delta: str | None = None
    """What it printed since the last time, shortened where it prints fast; such an event passes."""
    shell_id: str | None = None
    """The id under which its command runs: it can be ended, or moved to the background."""
    decided_at: str | None = None
    """When that was decided what the note says, as a time of the world, where somebody was asked."""


@frozen
class MadeInfo:
    """A picture or a sound that a call has written: `tool/media` has it, as long as the file is the same."""

    mime: MediaType
    size: int


@frozen
class ToolResultData:
    """The one result of a call."""

    tool_call_id: str
    tool: str
    success: bool
    output: str
    duration_ms: int
    is_error: bool = snake_case("is_error")  # type: ignore[assignment]
    path: str | None = None
    content: str | None = None
    code: str | None = None
    truncated: bool | None = None
    whole_length: int | None = None
    """The characters of the whole output, where it is kept beside this part of it: `tool/result`."""
    made: MadeInfo | None = None


@frozen
class DoneData:
    """The run ended as it should."""

    done_reason: DoneReason = snake_case("done_reason")  # type: ignore[assignment]


@frozen
class ErrorData:
    """The run ended on a fault."""

    message: str
    code: str | None = None
    can_retry: bool | None = None
    """Going on from where it ended makes sense: `chat/retry`."""


@frozen
class UsageData:
    """What one turn of the model cost, in tokens, and the whole run so far."""

    run_input: int
    run_output: int
    input: int | None = None
    output: int | None = None
    cached: int | None = None
    context_window: int | None = None
    parent_tool_call_id: str | None = None


@frozen
class BudgetExceededData:
    """The run came to one of its limits; `limit` is the name in `assent.limits`."""

    limit: str
    value: int
    observed: int
    message: str
    parent_tool_call_id: str | None = None


@frozen
class ModeData:
    """The chat's mode is another one now."""

    mode: Mode


@frozen
class NotificationData:
    """Something the user should know that belongs to no call."""

    text: str
    level: NoticeLevel


@frozen
class GrantsData:
    """What runs in this chat without asking."""

    grants: tuple[str, ...]
    bypass_agent: bool
    bypass_session: bool


@frozen
class ShellData:
    """A command in the background printed something, was started, moved or ended.

    Either `stream` and `line`, which pass: a piece of its output, not kept in the chat; or `status`.
    """

    shell_id: str
    stream: OutputStream | None = None
    line: str | None = None
    """What it printed last, shortened where it prints fast; `shell/output` has all that is kept."""
    status: ShellStatus | None = None
    exit_code: int | None = None
    signal: str | None = None
    tool_call_id: str | None = None
    """The call that started it, where it begins to run by itself."""
    command: str | None = None
    reason: str | None = None
    """Why it was ended, for people."""


@frozen
class PlanEntry:
    """A step of an agent's plan. `status`: pending, in_progress, completed, or a word of the agent's own."""

    content: str
    status: str


@frozen
class PlanData:
    """The whole plan of an agent as it is now; it takes the place of the one before."""

    entries: tuple[PlanEntry, ...]


@frozen
class SlashCommand:
    """A word that a message to this agent can begin with, behind a slash; `hint`: what can follow it."""

    name: str
    description: str
    hint: str | None = None


@frozen
class CommandsData:
    """All slash commands that an agent of others has now."""

    commands: tuple[SlashCommand, ...]


@frozen
class AgentChoice:
    """A value that a setting of an agent can have; `danger`: why it then does not ask for everything."""

    choice_id: str
    name: str
    description: str
    danger: str | None = None


@frozen
class AgentSetting:
    """Something that an agent of others lets its user choose; `isMode`: it says how the agent works."""

    setting_id: str
    name: str
    is_mode: bool
    choices: tuple[AgentChoice, ...]
    current: str | None = None


@frozen
class AgentStateData:
    """What can be chosen in the session of an agent of others, and what of it lets it act without asking."""

    settings: tuple[AgentSetting, ...]
    danger: str | None = None


EVENT_DATA: dict[str, type] = {
    "Prompt": PromptData,
    "Retry": RetryData,
    "Chunk": ChunkData,
    "ToolCall": ToolCallData,
    "ToolPermission": ToolPermissionData,
    "ToolUpdate": ToolUpdateData,
    "ToolResult": ToolResultData,
    "Done": DoneData,
    "Error": ErrorData,
    "Usage": UsageData,
    "BudgetExceeded": BudgetExceededData,
    "Mode": ModeData,
    "Grants": GrantsData,
    "Notification": NotificationData,
    "Shell": ShellData,
    "Plan": PlanData,
    "Commands": CommandsData,
    "AgentState": AgentStateData,
}
"""The events by name, with the type of their data."""

EventData = (
    PromptData
    | RetryData
    | ChunkData
    | ToolCallData
    | ToolPermissionData
    | ToolUpdateData
    | ToolResultData
    | DoneData
    | ErrorData
    | UsageData
    | BudgetExceededData
    | ModeData
    | GrantsData
    | NotificationData
    | ShellData
    | PlanData
    | CommandsData
    | AgentStateData
)


@frozen
class AgentEvent:
    """One event of a chat; `n` has no gap, so a view can ask for what it missed. `runId` is empty outside of runs."""

    session_id: str
    run_id: str
    n: int
    event: str
    data: EventData
    passing: bool | None = None
    """What a running command prints: it has no number of its own, but that of the event before, and is not kept. A view
    that missed it asks `shell/output`."""
