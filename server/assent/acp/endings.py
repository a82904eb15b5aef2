"""What is said until an agent of others begins, and how its turn ended, from what it answered or failed to. No I/O."""

import shlex
from collections.abc import Sequence

from assent.acp.faults import AgentFault, AgentGone
from assent.acp.fields import member
from assent.acp.reading import logins_of
from assent.acp.words import Login
from assent.agent.broken import Broken
from assent.agent.loop_end import LoopEnd
from assent.masking import mask_text
from assent.model.events import DoneReason
from assent.model.json import Json

_LOGIN = -32000
"""What an agent answers that wants the user to log in."""
_REASONS = {
    "end_turn": DoneReason.STOP,
    "max_tokens": DoneReason.LIMIT,
    "max_turn_requests": DoneReason.LIMIT,
    "cancelled": DoneReason.CANCELLED,
}
_LIMITS = {
    "max_tokens": "{agent} has reached the most tokens of an answer.",
    "max_turn_requests": "{agent} has made as many requests to its model as it may for one message.",
}


def end_of_turn(result: Json, agent: str) -> LoopEnd:
    """The end that the agent itself tells."""
    told = result.get("stopReason") if isinstance(result, dict) else None
    if told == "refusal":
        words = f"{agent} refuses to go on with this. What it did before stays done."
        return LoopEnd(None, Broken("agent_refused", words, again=False))
    reason = _REASONS.get(told) if isinstance(told, str) else None
    message = _LIMITS[told].format(agent=agent) if isinstance(told, str) and told in _LIMITS else None
    return LoopEnd(reason or DoneReason.STOP, message=message)


def end_without_answer(fault: AgentFault | OSError, agent: str, last_words: str, logins: Sequence[Login]) -> LoopEnd:
    """The end that is no answer: the agent could not be started, has ended, is silent, or says that it failed."""
    if isinstance(fault, OSError):
        why = fault.strerror or str(fault)
        words = f"{agent} could not be started: {why}. Is it installed? Its command stands in “assent.agents”."
        return _broken("agent_not_started", words)
    if isinstance(fault, AgentGone):
        return _broken("agent_exit", _with_last_words(f"{agent} cannot go on: {fault.message}.", last_words))
    if fault.code == _LOGIN:
        return _broken("agent_login", _login(fault, agent, logins))
    return _broken("agent_failed", _with_last_words(f"{agent}: {fault.message}", last_words))


def waiting_words(agent: str, request: str | None) -> str:
    """That it has not begun yet."""
    return f"Waiting for {agent} to answer {request}…" if request else f"Waiting for {agent} to start…"


def slow_words(agent: str, request: str | None, seconds: int, launch_words: Sequence[str], last_words: str) -> str:
    """What can be done about an agent that does not begin."""
    missing = f"has not answered {request}" if request else "has not started"
    words = (
        f"{agent} {missing} for {seconds} seconds. It may still be on its way: some agents are downloaded when they "
        "are first started. If not, stop this run, try its command in a terminal, and correct it in “assent.agents”: "
        f"{shlex.join(launch_words)}"
    )
    return mask_text(_with_last_words(words, last_words))[0]


def _broken(code: str, words: str) -> LoopEnd:
    # What an agent says of a fault can hold the key that was wrong.
    return LoopEnd(None, Broken(code, mask_text(words)[0], again=True))


def _login(fault: AgentFault, agent: str, logins: Sequence[Login]) -> str:
    # Some say how only when it is missing.
    offered = logins or logins_of(member(fault.data, "authMethods"))
    named = "; ".join(f"{one.name}{f' ({one.description})' if one.description else ''}" for one in offered)
    how = f" It offers: {named}." if named else ""
    return (
        f"{agent} wants you to log in: {fault.message}.{how} Start it once in a terminal and log in there, or give it "
        "a key in the “env” of its definition; then try again."
    )


def _with_last_words(words: str, last_words: str) -> str:
    return f"{words} It printed last:\n{last_words.strip()}" if last_words.strip() else words
