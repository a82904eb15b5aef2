"""From the words of the wire to the words of the model: the one place where messages become meaning."""

from assent.model.approval import Answer, OptionKind
from assent.model.errors import InvalidRequest
from assent.model.modes import Mode, parse_mode
from assent.protocol.approval import ApprovalResponse, Dismissed, Selected

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
    if response.limits is not None:
        raise InvalidRequest("this server has no grants that end by themselves", "params.limits")
    outcome = response.response.outcome if response.response is not None else None
    return Answer(
        option_id=outcome.option_id if isinstance(outcome, Selected) else None,
        cancelled=isinstance(outcome, Dismissed),
        kind=_kind(response.decision),
        bypass_all=response.bypass_all is True,
        digest=response.args_digest,
        feedback=response.feedback,
        edited=edited,
        offered=offered,
    )


def mode_of(word: str | None) -> Mode | None:
    """The mode for a word that the wire's types have let through."""
    return None if word is None else parse_mode(word)


def _kind(decision: str | None) -> OptionKind | None:
    if decision is None:
        return None
    return _SHORTHANDS.get(decision) or OptionKind(decision)
