"""What the gate says to a call, and why, step by step."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class Outcome(StrEnum):
    """The four answers of the gate, and one that never leaves it."""

    RUN = "run"
    ASK = "ask"
    BLOCK = "block"
    ERROR = "error"
    NEED_HOOKS = "need_hooks"
    """Nothing is decided: the user's hooks have to be asked first, and then it is decided anew."""


class Reason(StrEnum):
    """Why: stable words for logs, tests and pages. The sentence for a person stands beside it."""

    INVALID_ARGUMENTS = "invalid_arguments"
    TOOL_NOT_FOUND = "tool_not_found"
    CANCELLED = "cancelled"
    DISABLED = "disabled"
    LIMIT_REACHED = "limit_reached"
    DENIED_BY_RULE = "denied_by_rule"
    DENIED_BY_HOOK = "denied_by_hook"
    HOOKS_PENDING = "hooks_pending"
    BLOCKED_BY_PROTECTION = "blocked_by_protection"
    BLOCKED_IN_PLAN_MODE = "blocked_in_plan_mode"
    PROTECTED = "protected"
    ASK_RULE = "ask_rule"
    OUTSIDE_WORKSPACE = "outside_workspace"
    INTERNAL = "internal"
    READ_AUTO = "read_auto"
    BYPASS_AGENT = "bypass_agent"
    BYPASS_SESSION = "bypass_session"
    ALLOW_RULE = "allow_rule"
    ALWAYS_ALLOW = "always_allow"
    SESSION_ALLOW = "session_allow"
    HOOK_ALLOW = "hook_allow"
    SANDBOXED = "sandboxed"
    MODE_AUTO = "mode_auto"
    AGREED = "agreed"
    NEEDS_APPROVAL = "needs_approval"
    UNATTENDED = "unattended"

    @property
    def wants_a_look(self) -> bool:
        """Whether such a call is to be looked at for itself: an answer to many is none to it."""
        return self in {Reason.PROTECTED, Reason.ASK_RULE, Reason.OUTSIDE_WORKSPACE}


class Situation(StrEnum):
    """What kind of asking this is; it decides which buttons a card may have."""

    ORDINARY = "ordinary"
    RAISED = "raised"
    """It reads outside the workspace, or a secret."""
    OUTSIDE = "outside"
    ASK_RULE = "ask_rule"
    BY_HAND = "by_hand"
    """Only a person can say what is meant."""
    PROTECTED = "protected"


@dataclass(frozen=True, slots=True)
class RuleOrigin:
    """The rule that decided, and where it stands."""

    pattern: str
    scope: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One rung of the ladder as it was tried: `matched` ends the climb."""

    level: int
    name: str
    matched: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer of the gate to one call."""

    outcome: Outcome
    reason: Reason
    text: str
    trace: tuple[Step, ...]
    situation: Situation = Situation.ORDINARY
    rule: RuleOrigin | None = None
    held: bool = False
    """It runs because it only reads, and where it can do nothing else."""
