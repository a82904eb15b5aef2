"""Events and messages of a chat as the rows that are kept, and back."""

import json
from typing import Any, NoReturn

from assent.jsontext import write_json
from assent.model.conversation import AssistantTurn, Message, Summary, ToolOutcome, ToolResults, UserText
from assent.model.events import (
    AgentStateChanged,
    BudgetExceeded,
    Chunk,
    CommandsChanged,
    Event,
    GrantsChanged,
    ModeChanged,
    Notice,
    PermissionAsked,
    PlanChanged,
    Prompt,
    RunDone,
    RunFailed,
    RunRetried,
    ShellChanged,
    ToolCalled,
    ToolFinished,
    ToolProgress,
    TurnUsage,
)
from assent.model.records import Subject
from assent.store.plain import Malformed, Veil, from_plain, to_plain

# These words stand in files of years ago: a class may get another name, its word stays.
EVENTS: dict[str, type[Event]] = {
    "prompt": Prompt,
    "chunk": Chunk,
    "tool_called": ToolCalled,
    "permission_asked": PermissionAsked,
    "tool_progress": ToolProgress,
    "tool_finished": ToolFinished,
    "run_done": RunDone,
    "run_failed": RunFailed,
    "run_retried": RunRetried,
    "usage": TurnUsage,
    "budget_exceeded": BudgetExceeded,
    "mode_changed": ModeChanged,
    "notice": Notice,
    "grants_changed": GrantsChanged,
    "shell_changed": ShellChanged,
    "plan": PlanChanged,
    "commands": CommandsChanged,
    "agent_state": AgentStateChanged,
}
MESSAGES: dict[str, type[Message]] = {
    "user": UserText,
    "assistant": AssistantTurn,
    "results": ToolResults,
    "summary": Summary,
}
_WORDS: dict[type, str] = {kind: word for table in (EVENTS, MESSAGES) for word, kind in table.items()}


def write_row(value: Event | Message, veil: Veil) -> str:
    """An event or a message as one line of JSON that says of which kind it is."""
    return _line({"kind": _WORDS[type(value)], **to_plain(value, veil)})


def read_event(text: object) -> Event:
    """The event of a row. Raises Malformed where it is none."""
    event: Event = _tagged(text, EVENTS)
    return event


def read_message(text: object) -> Message:
    """The message of a row. Raises Malformed where it is none."""
    message: Message = _tagged(text, MESSAGES)
    return message


def write_turn(turn: AssistantTurn, veil: Veil) -> str:
    """A turn that is not in the history yet."""
    return _line(to_plain(turn, veil))


def read_turn(text: object) -> AssistantTurn:
    """The turn of a row. Raises Malformed where it is none."""
    return from_plain(_object(text), AssistantTurn)


def write_outcome(outcome: ToolOutcome, veil: Veil) -> str:
    """A result of such a turn."""
    return _line(to_plain(outcome, veil))


def read_outcome(text: object) -> ToolOutcome:
    """The result of a row. Raises Malformed where it is none."""
    return from_plain(_object(text), ToolOutcome)


def write_subject(subject: Subject, veil: Veil) -> str:
    """The call that an entry of the history is about."""
    return _line(to_plain(subject, veil))


def read_subject(text: object) -> Subject:
    """The call of a row. Raises Malformed where it is none."""
    return from_plain(_object(text), Subject)


def _line(data: dict[str, Any]) -> str:
    return write_json(data).decode("ascii")


def _tagged(text: object, kinds: dict[str, Any]) -> Any:
    data = dict(_object(text))
    word = data.pop("kind", None)
    if not isinstance(word, str) or word not in kinds:
        raise Malformed(f"the row is of no known kind ({str(word)[:40]})")
    return from_plain(data, kinds[word])


def _object(text: object) -> dict[str, Any]:
    if not isinstance(text, (str, bytes)):
        raise Malformed("the row is no text")
    try:
        # Not the limits of what comes from outside: a row is a little deeper than the arguments that it holds.
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as fault:
        raise Malformed("the row is no JSON") from fault
    if not isinstance(data, dict):
        raise Malformed("the row is no object")
    return data


def _no_number(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON")
