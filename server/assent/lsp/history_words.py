"""Who or what decided, in a few words: for entries of any age, from the words that are kept of them."""

from collections.abc import Mapping
from typing import Any

from assent.model.approval import OptionKind, ResolvedBy
from assent.model.records import Stage
from assent.model.verdict import Reason

_DECIDERS: Mapping[str, str] = {
    ResolvedBy.USER: "by you",
    ResolvedBy.POLICY: "by your settings",
    ResolvedBy.TIMEOUT: "because nobody answered in time",
    ResolvedBy.STOP: "because the run was stopped",
    ResolvedBy.AGENT: "by the agent",
    ResolvedBy.AGENT_EXIT: "because the agent ended",
    ResolvedBy.SHUTDOWN: "because the server ended",
    ResolvedBy.RESTART: "because the server restarted",
}

_CLICKS: Mapping[str, str] = {
    OptionKind.ALLOW_ONCE: " once",
    OptionKind.ALLOW_SESSION: " for this chat",
    OptionKind.ALLOW_ALWAYS: " for good",
    OptionKind.REJECT_ONCE: "",
    OptionKind.REJECT_ALWAYS: " for good",
    OptionKind.BYPASS_SESSION: " with a bypass for this chat",
    OptionKind.BYPASS_AGENT: " with a bypass for the agent",
    OptionKind.BACKGROUND: " in the background",
    OptionKind.ADD_DIRECTORY: " with its directory",
}

_MEANWHILE = "by what you allowed or forbade while it waited"
"""A question that ended without a click: its reason says why it was asked."""
_POLICY: Mapping[str, str] = {
    Reason.INVALID_ARGUMENTS: "because its arguments do not fit",
    Reason.TOOL_NOT_FOUND: "because there is no such tool",
    Reason.CANCELLED: "because the run was stopped",
    Reason.DISABLED: "because Assent is off",
    Reason.LIMIT_REACHED: "by a limit of the run",
    Reason.DENIED_BY_RULE: "",
    Reason.DENIED_BY_HOOK: "by a hook",
    Reason.HOOKS_PENDING: "by a hook",
    Reason.BLOCKED_BY_PROTECTION: "because it is protected",
    Reason.BLOCKED_IN_PLAN_MODE: "by plan mode",
    Reason.PROTECTED: _MEANWHILE,
    Reason.ASK_RULE: _MEANWHILE,
    Reason.OUTSIDE_WORKSPACE: _MEANWHILE,
    Reason.NEEDS_APPROVAL: _MEANWHILE,
    Reason.INTERNAL: "because it has no effect outside the chat",
    Reason.READ_AUTO: "by the chat’s mode",
    Reason.BYPASS_AGENT: "by the bypass for {agent}",
    Reason.BYPASS_SESSION: "by the bypass for this chat",
    Reason.ALLOW_RULE: "by an allow rule",
    Reason.ALWAYS_ALLOW: "because {tool} is always allowed",
    Reason.SESSION_ALLOW: "by what you allowed for this chat",
    Reason.HOOK_ALLOW: "by a hook",
    Reason.SANDBOXED: "because it runs in the sandbox",
    Reason.MODE_AUTO: "by the chat’s mode",
    Reason.AGREED: "by your answer to another call",
    Reason.UNATTENDED: "because nobody could answer",
}


def how_decided(fields: Mapping[str, Any]) -> str | None:
    """For an entry's fields, which somebody may have changed: None where they do not say who decided."""
    by, reason, option = (str(fields.get(name) or "") for name in ("by", "reason", "option"))
    if by == ResolvedBy.POLICY and reason in _POLICY:
        return _POLICY[reason].format(agent=fields.get("agent_name"), tool=fields.get("tool")) or None
    decider = _DECIDERS.get(by)
    clicked = fields.get("stage") == Stage.DECIDED and by == ResolvedBy.USER
    return decider + _CLICKS.get(option, "") if decider is not None and clicked else decider
