"""Programs of the user's that are asked about calls, told of results, or told what happens: words only."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, Hooks, ToolCall
from assent.model.json import JsonObject
from assent.model.modes import Mode

EVERY_TOOL = "*"
SHORTEST_TIME, LONGEST_TIME, USUAL_TIME = 0.1, 60.0, 10.0
"""Seconds that a hook may take."""
LONGEST_PATIENCE, USUAL_PATIENCE = 3600.0, 30.0
"""Seconds for which a call waits until somebody is told of it."""
_NAMED_IN = {"run_node": "node_type", "run_workflow": "workflow_id"}
"""Tools that do what another name stands for, and the argument with that name."""
_NAME_BEGINS, _NAME_ENDS = 24, 48


class HookEvent(StrEnum):
    """When a hook is started; spelled as its setting and its input are."""

    PRE_TOOL_USE = "PreToolUse"
    POST_TOOL_USE = "PostToolUse"
    NOTIFICATION = "Notification"


class Occasion(StrEnum):
    """What a hook is told of that is no call: the matcher of a Notification is compared with it."""

    APPROVAL_WAITING = "approval_waiting"
    RUN_FINISHED = "run_finished"
    ERROR = "error"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Hook:
    """One program that counts, and when it is started."""

    event: HookEvent
    command: str
    matcher: str = EVERY_TOOL
    timeout_seconds: float = USUAL_TIME
    fail_closed: bool = True
    """Where it gives no answer that can be read, the user is asked."""
    after_seconds: float = 0.0
    """For how long a call waits until it is told of that."""
    fault: str = ""
    """Why it cannot be started at all: then it fails whenever it should be asked."""
    may_allow: bool = True
    """Whether a call may run without a question because of its word."""
    may_change: bool = True
    """Whether a call is changed because of its word; where it is not, the user is asked."""

    @property
    def name(self) -> str:
        """How people and models are told of it, on one line."""
        line = "".join(char if char.isprintable() else " " for char in " ".join(self.command.split()))
        if len(line) > _NAME_BEGINS + _NAME_ENDS:
            line = f"{line[:_NAME_BEGINS]}…{line[-_NAME_ENDS:]}"
        return f"“{line}”"


@dataclass(frozen=True, slots=True)
class HookCall:
    """A call as hooks are told of it."""

    call: ToolCall
    caller: Caller
    mode: Mode
    also: tuple[str, ...] = ()
    """Other tools that do the same: a hook for one of them may restrict this call, and does not allow it."""
    changed: str = ""
    """Why its arguments are what they are, where hooks have changed them already."""
    fixed: str = ""
    """Why nobody can change its arguments, where that is so."""


@dataclass(frozen=True, slots=True)
class HookVerdict:
    """What all hooks together say before a call."""

    hooks: Hooks
    arguments: JsonObject | None = None
    """The call is to be another one: with these arguments it goes down the whole ladder again."""
    notes: tuple[str, ...] = ()
    """Sentences for people: what went wrong."""


@dataclass(frozen=True, slots=True)
class HookResult:
    """The end of a call that ran, as hooks are told of it."""

    call: HookCall
    output: str
    success: bool
    code: str | None = None


@dataclass(frozen=True, slots=True)
class HookRemarks:
    """What hooks say after a call."""

    for_model: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences for people: what went wrong."""


@dataclass(frozen=True, slots=True)
class HookNotice:
    """Something that happened in a chat, as hooks are told of it."""

    occasion: Occasion
    message: str
    caller: Caller
    mode: Mode
    call: ToolCall | None = None


def own_names(call: ToolCall) -> tuple[str, ...]:
    """The names that mean this very call: of its tool, and of what that stands for here, as `run_workflow:<id>`."""
    named = (call.args or {}).get(_NAMED_IN.get(call.tool, ""))
    if not isinstance(named, str):
        return (call.tool,)
    closer = f"{call.tool}:{named}"
    # An id that could be the name of a tool is none.
    return (call.tool, closer, named) if "." in named or ":" in named else (call.tool, closer)
