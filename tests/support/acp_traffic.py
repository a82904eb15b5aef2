"""Calls as agents of others tell of them, for tests of what is read from it."""

from typing import Any

from assent.acp.claim import Claim, claim_of
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.picture import Picture
from assent.acp.reading import question_of, update_of
from assent.acp.words import Question, ToolTold

CALL = "call-1"
SESSION = "session-1"


def update(sort: str, /, **fields: Any) -> dict[str, Any]:
    """The params of a session/update."""
    return {"sessionId": SESSION, "update": {"sessionUpdate": sort, **fields}}


def request(options: Any = (), /, **call: Any) -> dict[str, Any]:
    """The params of a session/request_permission."""
    return {"sessionId": SESSION, "toolCall": {"toolCallId": CALL, **call}, "options": list(options)}


def told(params: dict[str, Any]) -> ToolTold:
    """The call in a message of either sort."""
    if "toolCall" in params:
        return asked(params).told
    read = update_of(params)
    assert read is not None
    assert isinstance(read[1], ToolTold)
    return read[1]


def asked(params: dict[str, Any]) -> Question:
    """The question in a request."""
    question = question_of(0, params)
    assert question is not None
    return question


def picture(*messages: dict[str, Any]) -> Picture:
    """What these messages, in their order, tell of one call."""
    joined = Picture(CALL)
    for one in messages:
        joined = joined.with_told(told(one))
    return joined


def claim(*messages: dict[str, Any], habits: Habits = NO_HABITS) -> Claim:
    """What a call would do of which these messages tell."""
    return claim_of(picture(*messages), habits)


def option(option_id: Any, kind: Any, name: Any = None) -> dict[str, Any]:
    """An answer that an agent offers."""
    return {"optionId": option_id, "kind": kind, "name": name or f"{kind}!"}
