"""From the words of the model to the words of the wire: cards and their ends, chats, agents."""

from typing import TYPE_CHECKING

from assent.jsontext import carry, write_json
from assent.lsp.previews_on_wire import preview_info, shows_all
from assent.lsp.wire_values import MAX_ARGS_BYTES, bounded, word
from assent.model.approval import Card, Option, OptionKind, Question, Resolution, Risk
from assent.model.grants import RuleGrant
from assent.model.modes import Category
from assent.model.patience import Countdown
from assent.model.verdict import RuleOrigin
from assent.protocol import approval as wire
from assent.protocol import policy
from assent.protocol.models import SuggestedAgent, SuggestedVariable
from assent.protocol.permissions import SettingPlace
from assent.protocol.session import SessionInfo
from assent.protocol.words import ToolKind

if TYPE_CHECKING:
    from assent.acp.well_known import KnownAgent
    from assent.agent.chat import Chat
    from assent.agent.gate import Explanation
    from assent.app.chat_rules import Bypasses
    from assent.app.workspace import Workspace
    from assent.settings.layers import Origin
    from assent.settings.store import Stored

_KINDS: dict[Category, ToolKind] = {
    Category.READ: "read",
    Category.WRITE: "edit",
    Category.EXECUTE: "execute",
    Category.EXTERNAL: "fetch",
    Category.INTERNAL: "other",
}


def approval_request(
    question: Question, *, known: frozenset[str] | None, countdown: Countdown | None = None, redelivery: bool = False
) -> wire.ApprovalRequest:
    """A question as a card, with the options that the client can draw. Long arguments are cut and say so."""
    card = question.card
    args, inexact = carry(card.call.args)
    size = len(write_json(args))
    long = size > MAX_ARGS_BYTES
    whole = not long and shows_all(card.preview)
    return wire.ApprovalRequest(
        approval_id=question.approval_id,
        seq=question.seq,
        session_id=question.session_id,
        tab_id=question.session_id,
        agent_name=card.caller.agent_name,
        agent_id=card.caller.agent_id,
        tool_call=_tool_call(card, None if long else args),
        tool=card.call.tool,
        args=bounded(args),
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
        preview=preview_info(card.preview),
        agent_says=card.call.says,
        parent_tool_call_id=card.caller.parent_call,
        timeout=_timeout(countdown),
        truncated=None if whole else wire.TruncatedInfo(size),
        inexact=inexact or None,
        redelivery=True if redelivery else None,
        refreshed=True if question.refreshed else None,
        interrupted=True if card.interrupted else None,
        repeated=_repeated(card, known),
        limits=True if any(option.kind in _WITH_AN_END for option in card.options) else None,
        comparable=True if card.comparable else None,
        editable=True if card.editable else None,
    )


_WITH_AN_END = {OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION}


def _repeated(card: Card, known: frozenset[str] | None) -> wire.RepeatedInfo | None:
    """What was answered often, with the option that would answer from now on, where the client draws it."""
    said = card.repeated
    if said is None:
        return None
    allowed = said.answer is OptionKind.ALLOW_ONCE
    option = _lasting(card, OptionKind.ALLOW_ALWAYS if allowed else OptionKind.REJECT_ALWAYS, known)
    named = None if option is None else option.option_id
    if not allowed:
        text = f"{card.caller.agent_name} keeps asking: you have denied this very call {said.times} times in this chat."
        return wire.RepeatedInfo("denied", said.times, text, named)
    if option is None:
        return None
    text = f"You have allowed this {said.times} times in this chat. “{option.name}” would stop asking."
    return wire.RepeatedInfo("allowed", said.times, text, named)


def _lasting(card: Card, kind: OptionKind, known: frozenset[str] | None) -> Option | None:
    """The narrowest rule of this kind, which stands first."""
    offered = (
        one for one in card.options if one.kind is kind and not one.disabled and isinstance(one.grant, RuleGrant)
    )
    return next(offered, None) if known is None or kind in known else None


def stored_setting(stored: "Stored") -> wire.StoredSetting:
    """What became of what an answer stores."""
    return wire.StoredSetting(stored.written, stored.target, stored.error, setting_place(stored.overruled_by))


def setting_place(origin: "Origin | None") -> SettingPlace | None:
    """Where something stands in the settings."""
    return SettingPlace(word(origin.scope), origin.file, origin.line) if origin is not None else None


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


def session_info(
    chat: "Chat", *, running: bool, waiting: int, bypasses: "Bypasses", workspace: "Workspace"
) -> SessionInfo:
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
        is_guest=True if chat.agent.guest is not None else None,
        own_folder=workspace.own_folder(chat.session_id),
        unreachable=workspace.unreachable or None,
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
