"""Why a call would run, ask or be blocked."""

from typing import Any

from attrs import field, frozen

from assent.protocol.approval import ApprovalReason
from assent.protocol.words import Category, ModeOrAlias, PolicyOutcome


@frozen
class ExplainParams:
    """A call that is only thought of. With a chat, what is allowed there counts; agent and mode default to its own."""

    tool: str
    args: Any = field(default=None)
    agent: str | None = None
    mode: ModeOrAlias | None = None
    session_id: str | None = None


@frozen
class PolicyStep:
    """One rung of the ladder as it was tried; the one that matched decided."""

    level: int
    name: str
    matched: bool
    note: str


@frozen
class RuleSuggestion:
    """A pattern for assent.alwaysAllowRules that would let the call run, with words for all that it allows."""

    tool: str
    pattern: str
    words: str


@frozen
class Explanation:
    """What would be decided now, and the way there. Nothing ran and nothing was asked: where hooks have a say, not even
    they."""

    outcome: PolicyOutcome
    headline: str
    category: Category
    reason: ApprovalReason
    trace: tuple[PolicyStep, ...]
    suggestions: tuple[RuleSuggestion, ...]
