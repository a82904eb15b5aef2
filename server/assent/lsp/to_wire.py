"""From the words of the model to the words of the wire."""

from enum import StrEnum
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from assent.jsontext import carry, write_json
from assent.lsp.media_on_wire import made_info
from assent.model import events
from assent.model.approval import Card, OptionKind, Question, Resolution, Risk
from assent.model.modes import Category
from assent.model.patience import Countdown
from assent.model.preview import (
    CommandPreview,
    DiffPreview,
    JsonPreview,
    PlainPreview,
    Preview,
    StepPreview,
    StepsPreview,
    UrlPreview,
)
from assent.model.verdict import RuleOrigin
from assent.protocol import approval as wire
from assent.protocol import events as wire_events
from assent.protocol import policy
from assent.protocol.models import SuggestedAgent, SuggestedVariable
from assent.protocol.session import SessionInfo
from assent.protocol.words import ToolKind

if TYPE_CHECKING:
    from assent.acp.well_known import KnownAgent
    from assent.agent.chat import Chat
    from assent.agent.eventlog import Happened
    from assent.agent.gate import Explanation
    from assent.app.upkeep import Bypasses

MAX_ARGS_BYTES = 64 * 1024
LONGEST_TOLD_COMMAND = 2_000

_KINDS: dict[Category, ToolKind] = {
    Category.READ: "read",
    Category.WRITE: "edit",
    Category.EXECUTE: "execute",
    Category.EXTERNAL: "fetch",
    Category.INTERNAL: "other",
}


def word(value: StrEnum) -> Any:
    """A word of the model as the same word of the wire; a test holds the two lists equal."""
    return value.value


def approval_request(
    question: Question, *, known: frozenset[str] | None, countdown: Countdown | None = None, redelivery: bool = False
) -> wire.ApprovalRequest:
    """A question as a card, with the options that the client can draw. Long arguments are cut and say so."""
    card = question.card
    args, inexact = carry(card.call.args)
    size = len(write_json(args))
    long = size > MAX_ARGS_BYTES
    whole = not long and _shows_all(card.preview)
    return wire.ApprovalRequest(
        approval_id=question.approval_id,
        seq=question.seq,
        session_id=question.session_id,
        tab_id=question.session_id,
        agent_name=card.caller.agent_name,
        agent_id=card.caller.agent_id,
        tool_call=_tool_call(card, None if long else args),
        tool=card.call.tool,
        args=_bounded(args),
        args_digest=card.digest,
        category=word(card.category),
        headline=card.headline,
        directory=card.directory,
        options=tuple(
            wire.ApprovalOption(
                option.option_id,
                option.name,
                word(option.kind),
                option.scope_text or option.disabled or None,
                question.also_settles.get(option.option_id),
                option.disabled or None,
            )
            for option in card.options
            if known is None or option.kind in known or option.kind is OptionKind.REJECT_ONCE
        ),
        reason=wire.ApprovalReason(card.reason.value, card.reason_text, _rule(card.rule)),
        depth=card.caller.depth,
        path=card.caller.path,
        mode=word(card.mode),
        created_at=question.created_at,
        risk=_risk(card.risk),
        preview=_preview(card.preview),
        agent_says=card.call.says,
        parent_tool_call_id=card.caller.parent_call,
        timeout=_timeout(countdown),
        truncated=None if whole else wire.TruncatedInfo(size),
        inexact=inexact or None,
        redelivery=True if redelivery else None,
        refreshed=True if question.refreshed else None,
        interrupted=True if card.interrupted else None,
        limits=True if any(option.kind in _WITH_AN_END for option in card.options) else None,
        editable=True if card.editable else None,
    )


_WITH_AN_END = {OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION}


def approval_resolved(question: Question, resolution: Resolution) -> wire.ApprovalResolved:
    """How a question ended."""
    return wire.ApprovalResolved(
        approval_id=question.approval_id,
        session_id=question.session_id,
        tool_call_id=question.card.call.call_id,
        status=word(resolution.status),
        resolved_by=word(resolution.by),
        reason_text=resolution.text,
        decision=word(resolution.decision) if resolution.decision else None,
        resolved_at=resolution.at,
    )


def details_text(question: Question) -> str:
    """The whole arguments as JSON text in ASCII, so that pieces can be counted in characters."""
    args, _ = carry(question.card.call.args)
    return write_json(args).decode("ascii")


def explanation(found: "Explanation") -> policy.Explanation:
    """Why a call would run, ask or be blocked."""
    decision = found.decision
    return policy.Explanation(
        outcome=word(decision.outcome),
        headline=found.headline,
        category=word(found.category),
        reason=wire.ApprovalReason(decision.reason.value, decision.text, _rule(decision.rule)),
        trace=tuple(policy.PolicyStep(step.level, step.name, step.matched, step.note) for step in decision.trace),
        suggestions=tuple(policy.RuleSuggestion(one.tool, one.pattern, one.words) for one in found.suggestions),
    )


def session_info(chat: "Chat", *, running: bool, waiting: int, bypasses: "Bypasses") -> SessionInfo:
    """A chat as it is now."""
    return SessionInfo(
        session_id=chat.session_id,
        agent_id=chat.agent.agent_id,
        agent_name=chat.agent.name,
        mode=word(chat.mode),
        title=chat.title,
        running=running,
        waiting=waiting,
        last_n=chat.events.last_n,
        bypass_agent=bypasses.agent,
        bypass_session=bypasses.chat,
    )


def suggested_agent(agent: "KnownAgent") -> SuggestedAgent:
    """A well-known agent, with what a user must know before adding it."""
    return SuggestedAgent(
        key=agent.key,
        name=agent.name,
        about=agent.about,
        command=agent.command,
        args=agent.args,
        install=agent.install,
        needs=agent.needs,
        asks=agent.asks_at_all,
        env=tuple(SuggestedVariable(name, about) for name, about in agent.env),
        advice=agent.advice or None,
    )


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
    return "Prompt", wire_events.PromptData(event.text)


@_event.register
def _(event: events.Chunk) -> tuple[str, wire_events.EventData]:
    return "Chunk", wire_events.ChunkData(event.text, event.thinking, event.parent_call)


@_event.register
def _(event: events.ToolCalled) -> tuple[str, wire_events.EventData]:
    args = _bounded(event.args)
    return "ToolCall", wire_events.ToolCallData(
        event.call_id, event.tool, args, word(event.category), event.headline, event.depth, event.parent_call
    )


@_event.register
def _(event: events.PermissionAsked) -> tuple[str, wire_events.EventData]:
    return "ToolPermission", wire_events.ToolPermissionData(
        tool_call_id=event.call_id, tool=event.tool, args=_bounded(event.args), request_id=event.approval_id
    )


@_event.register
def _(event: events.ToolProgress) -> tuple[str, wire_events.EventData]:
    return "ToolUpdate", wire_events.ToolUpdateData(
        event.call_id, word(event.phase), event.note, event.output_delta, event.shell_id
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


def _tool_call(card: Card, args: object) -> wire.ToolCallInfo:
    raw = args if isinstance(args, dict) else None
    return wire.ToolCallInfo(card.call.call_id, card.headline, _KINDS[card.category], raw)


def _rule(rule: RuleOrigin | None) -> wire.RuleOrigin | None:
    return wire.RuleOrigin(rule.pattern, rule.scope, rule.file, rule.line) if rule else None


def _timeout(countdown: Countdown | None) -> wire.TimeoutInfo | None:
    if countdown is None:
        return None
    return wire.TimeoutInfo(countdown.seconds, countdown.running, round(countdown.remaining * 1000))


def _risk(risk: Risk | None) -> wire.RiskInfo | None:
    return wire.RiskInfo(word(risk.level), risk.notes) if risk else None


def _preview(preview: Preview) -> wire.Preview:
    if isinstance(preview, StepsPreview):
        return wire.StepsPreview(preview.title, tuple(map(_step, preview.steps)), preview.done)
    return _plain(preview)


def _step(step: StepPreview) -> wire.StepInfo:
    shown = _plain(step.preview)
    return wire.StepInfo(step.number, step.name, step.headline, word(step.category), shown, step.notes)


def _plain(preview: PlainPreview) -> wire.PlainPreview:
    match preview:
        case DiffPreview():
            return diff_preview(preview)
        case JsonPreview(text):
            return wire.JsonPreview(text[:MAX_ARGS_BYTES])
        case CommandPreview():
            return _command(preview)
        case UrlPreview(before, host, after, note):
            return wire.UrlPreview(before, host, after, note)


def _shows_all(preview: Preview) -> bool:
    if isinstance(preview, StepsPreview):
        return all(_shows_all(step.preview) for step in preview.steps)
    return preview.whole if isinstance(preview, DiffPreview) else len(preview.text) <= MAX_ARGS_BYTES


def diff_preview(preview: DiffPreview) -> wire.DiffPreview:
    """A file as it is and as it would be."""
    return wire.DiffPreview(
        path=preview.path,
        real_path=preview.real_path,
        is_new=preview.is_new,
        lines=tuple(
            wire.DiffLineInfo(word(line.kind), line.text, line.old_number, line.new_number) for line in preview.lines
        ),
        added=preview.added,
        removed=preview.removed,
        note=preview.note,
    )


def _command(preview: CommandPreview) -> wire.CommandPreview:
    return wire.CommandPreview(
        text=preview.text[:MAX_ARGS_BYTES],
        parts=tuple(wire.CommandPart(part.written, part.does, part.notes) for part in preview.parts),
        more_parts=preview.more_parts,
        unreadable=preview.unreadable,
        more_only_read=preview.more_only_read,
        note=preview.note,
        sandbox=preview.sandbox,
    )


def _bounded(args: object) -> object:
    """The arguments, or the same shape with its long texts cut, or the beginning of their text."""
    carried, _ = carry(args)
    if len(write_json(carried)) <= MAX_ARGS_BYTES:
        return carried
    shortened = _shortened(carried)
    if len(text := write_json(shortened)) <= MAX_ARGS_BYTES:
        return shortened
    return text[:MAX_ARGS_BYTES].decode("ascii") + "…"


def _shortened(value: object, limit: int = 4_096) -> object:
    """The same shape with its long texts cut, for the row of a call; never for what runs."""
    if isinstance(value, str) and len(value) > limit:
        return value[:limit] + "…"
    if isinstance(value, dict):
        return {key[:limit]: _shortened(item, limit) for key, item in list(value.items())[:100]}
    if isinstance(value, list):
        return [_shortened(item, limit) for item in value[:100]]
    return value
