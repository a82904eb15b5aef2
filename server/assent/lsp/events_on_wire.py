"""What happens in a chat, in the words of the wire: a form for each kind of event."""

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from assent.lsp.media_on_wire import made_info
from assent.lsp.wire_values import MAX_ARGS_BYTES, bounded, word
from assent.model import events
from assent.protocol import events as wire_events

if TYPE_CHECKING:
    from assent.agent.eventlog import Happened

LONGEST_TOLD_COMMAND = 2_000


def agent_event(happened: "Happened") -> wire_events.AgentEvent:
    """An event in its place."""
    name, data = _event(happened.event)
    passing = True if happened.passing else None
    return wire_events.AgentEvent(happened.session_id, happened.run_id, happened.n, name, data, passing)


@singledispatch
def _event(event: object) -> tuple[str, wire_events.EventData]:
    raise TypeError(f"no wire form for {type(event).__name__}")


@_event.register
def _(event: events.Prompt) -> tuple[str, wire_events.EventData]:
    return "Prompt", wire_events.PromptData(event.text, event.replaces, event.files or None)


@_event.register
def _(event: events.Chunk) -> tuple[str, wire_events.EventData]:
    return "Chunk", wire_events.ChunkData(event.text, event.thinking, event.parent_call)


@_event.register
def _(event: events.ToolCalled) -> tuple[str, wire_events.EventData]:
    args = bounded(event.args)
    return "ToolCall", wire_events.ToolCallData(
        event.call_id, event.tool, args, word(event.category), event.headline, event.depth, event.parent_call
    )


@_event.register
def _(event: events.PermissionAsked) -> tuple[str, wire_events.EventData]:
    return "ToolPermission", wire_events.ToolPermissionData(
        tool_call_id=event.call_id, tool=event.tool, args=bounded(event.args), request_id=event.approval_id
    )


@_event.register
def _(event: events.ToolProgress) -> tuple[str, wire_events.EventData]:
    return "ToolUpdate", wire_events.ToolUpdateData(
        event.call_id, word(event.phase), event.note, event.output_delta, event.shell_id, event.decided_at
    )


@_event.register
def _(event: events.ToolFinished) -> tuple[str, wire_events.EventData]:
    content = event.content
    cut = content is not None and len(content) > MAX_ARGS_BYTES
    return "ToolResult", wire_events.ToolResultData(
        tool_call_id=event.call_id,
        tool=event.tool,
        success=event.success,
        output=event.output,
        duration_ms=event.duration_ms,
        is_error=event.is_error,
        path=event.path,
        content=content[:MAX_ARGS_BYTES] if cut and content is not None else content,
        code=event.code,
        truncated=True if event.truncated or cut else None,
        whole_length=event.whole_length,
        made=made_info(event.made),
    )


@_event.register
def _(event: events.RunRetried) -> tuple[str, wire_events.EventData]:
    return "Retry", wire_events.RetryData()


@_event.register
def _(event: events.RunDone) -> tuple[str, wire_events.EventData]:
    return "Done", wire_events.DoneData(word(event.reason))


@_event.register
def _(event: events.RunFailed) -> tuple[str, wire_events.EventData]:
    return "Error", wire_events.ErrorData(event.message, event.code, True if event.again else None)


@_event.register
def _(event: events.TurnUsage) -> tuple[str, wire_events.EventData]:
    return "Usage", wire_events.UsageData(
        event.run_input,
        event.run_output,
        event.input,
        event.output,
        event.cached,
        event.context_window,
        event.parent_call,
    )


@_event.register
def _(event: events.BudgetExceeded) -> tuple[str, wire_events.EventData]:
    return "BudgetExceeded", wire_events.BudgetExceededData(
        event.limit, event.value, event.observed, event.message, event.parent_call
    )


@_event.register
def _(event: events.ModeChanged) -> tuple[str, wire_events.EventData]:
    return "Mode", wire_events.ModeData(word(event.mode))


@_event.register
def _(event: events.Notice) -> tuple[str, wire_events.EventData]:
    return "Notification", wire_events.NotificationData(event.text, word(event.level))


@_event.register
def _(event: events.GrantsChanged) -> tuple[str, wire_events.EventData]:
    return "Grants", wire_events.GrantsData(event.grants, event.bypass_agent, event.bypass_session)


@_event.register
def _(event: events.ShellChanged) -> tuple[str, wire_events.EventData]:
    return "Shell", wire_events.ShellData(
        event.shell_id,
        status=word(event.status),
        exit_code=event.exit_code,
        signal=event.signal,
        tool_call_id=event.call_id,
        command=event.command[:LONGEST_TOLD_COMMAND],
        reason=event.reason,
    )


@_event.register
def _(event: events.PlanChanged) -> tuple[str, wire_events.EventData]:
    return "Plan", wire_events.PlanData(
        tuple(wire_events.PlanEntry(entry.content, entry.status) for entry in event.entries)
    )


@_event.register
def _(event: events.CommandsChanged) -> tuple[str, wire_events.EventData]:
    return "Commands", wire_events.CommandsData(
        tuple(wire_events.SlashCommand(one.name, one.description, one.hint) for one in event.commands)
    )


@_event.register
def _(event: events.AgentStateChanged) -> tuple[str, wire_events.EventData]:
    return "AgentState", wire_events.AgentStateData(tuple(map(_agent_setting, event.settings)), event.danger)


def _agent_setting(setting: events.AgentSetting) -> wire_events.AgentSetting:
    choices = tuple(
        wire_events.AgentChoice(one.choice_id, one.name, one.description, one.danger) for one in setting.choices
    )
    return wire_events.AgentSetting(setting.setting_id, setting.name, setting.is_mode, choices, setting.current)


@_event.register
def _(event: events.ShellPrinted) -> tuple[str, wire_events.EventData]:
    stream: Any = event.stream
    return "Shell", wire_events.ShellData(event.shell_id, stream, event.line)
