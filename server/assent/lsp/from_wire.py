"""From the words of the wire to the words of the model: the one place where messages become meaning."""

from assent.model.approval import Answer, OptionKind
from assent.model.errors import InvalidRequest
from assent.model.grants import Limits
from assent.model.modes import Mode, parse_mode
from assent.protocol.approval import ApprovalResponse, Dismissed, GrantLimits, Selected

_SHORTHANDS = {
    "accept": OptionKind.ALLOW_ONCE,
    "allow": OptionKind.ALLOW_ONCE,
    "reject": OptionKind.REJECT_ONCE,
    "deny": OptionKind.REJECT_ONCE,
    "always_allow": OptionKind.ALLOW_ALWAYS,
    "allow_for_chat": OptionKind.ALLOW_SESSION,
}


def answer_of(response: ApprovalResponse, offered: frozenset[str] | None) -> Answer:
    """The answer that a response means, by a client that draws these options (all where None).

    What this server cannot honour is refused, never left out.
    """
    edited = response.edited_args
    if edited is not None and not isinstance(edited, dict):
        raise InvalidRequest("changed arguments must be a JSON object", "params.editedArgs")
    outcome = response.response.outcome if response.response is not None else None
    return Answer(
        option_id=outcome.option_id if isinstance(outcome, Selected) else None,
        cancelled=isinstance(outcome, Dismissed),
        kind=_kind(response.decision),
        whole_tool=response.decision == "always_allow",
        bypass_all=response.bypass_all is True,
        digest=response.args_digest,
        feedback=response.feedback,
        edited=edited,
        limits=_limits(response.limits),
        offered=offered,
    )


MOST_MINUTES = 24 * 60
MOST_USES = 1000


def _limits(told: GrantLimits | None) -> Limits | None:
    if told is None:
        return None
    # Written so that no comparison with what is no number can come out as a yes.
    if told.minutes is not None and not 0 < told.minutes <= MOST_MINUTES:
        raise InvalidRequest(f"must be more than 0 and at most {MOST_MINUTES} minutes", "params.limits.minutes")
    if told.uses is not None and not 1 <= told.uses <= MOST_USES:
        raise InvalidRequest(f"must be from 1 to {MOST_USES} calls", "params.limits.uses")
    if told.minutes is None and told.uses is None and not told.until_run_ends:
        raise InvalidRequest("names no end: it needs minutes, uses or untilRunEnds", "params.limits")
    return Limits(told.minutes, told.uses, told.until_run_ends is True)


def mode_of(word: str | None) -> Mode | None:
    """The mode for a word that the wire's types have let through."""
    return None if word is None else parse_mode(word)


def _kind(decision: str | None) -> OptionKind | None:
    if decision is None:
        return None
    return _SHORTHANDS.get(decision) or OptionKind(decision)
