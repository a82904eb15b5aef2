"""Which of a card's options an answer means. Anything that does not fit exactly is refused."""

from dataclasses import replace

from assent.model.approval import Answer, Card, Option, OptionKind
from assent.model.errors import InvalidOption, InvalidRequest
from assent.model.grants import ToolGrant
from assent.model.ids import ApprovalId


def choose(approval_id: ApprovalId, card: Card, answer: Answer) -> Option:
    """The one option that all deciding fields of the answer agree on."""
    card = _as_drawn(card, answer.offered)
    picked = [option for option in _named(approval_id, card, answer) if option is not None]
    if answer.bypass_all:
        picked = [_widened(approval_id, card, picked)]
    if not picked:
        raise InvalidRequest("an answer needs one of response, decision and bypassAll", "params")
    if any(option != picked[0] for option in picked):
        raise _invalid(approval_id, card, "the fields of this answer contradict each other")
    _check_limits(card, answer, picked[0])
    return picked[0]


def _check_limits(card: Card, answer: Answer, option: Option) -> None:
    """An end is for what is allowed for the chat: with anything else it would be promised and not kept."""
    if answer.limits is None:
        return
    if option.kind not in (OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION):
        raise InvalidRequest("only what is allowed for this chat can be given an end", "params.limits")
    if answer.limits.until_run_ends and card.interrupted:
        raise InvalidRequest("the task that this call belonged to has ended already", "params.limits.untilRunEnds")


def _as_drawn(card: Card, offered: frozenset[str] | None) -> Card:
    """The card as the user saw it: what was not on it cannot be chosen."""
    if offered is None:
        return card
    drawn = tuple(one for one in card.options if one.kind in offered or one.kind is OptionKind.REJECT_ONCE)
    return replace(card, options=drawn)


def _named(approval_id: ApprovalId, card: Card, answer: Answer) -> list[Option | None]:
    return [
        _by_id(approval_id, card, answer.option_id) if answer.option_id is not None else None,
        _by_kind(approval_id, card, answer.kind, whole_tool=answer.whole_tool) if answer.kind is not None else None,
        _by_kind(approval_id, card, OptionKind.REJECT_ONCE) if answer.cancelled else None,
    ]


def _widened(approval_id: ApprovalId, card: Card, picked: list[Option]) -> Option:
    """A bypass goes with a plain yes or with nothing beside it; beside a refusal it is a contradiction."""
    if any(option.kind not in (OptionKind.ALLOW_ONCE, OptionKind.BYPASS_AGENT) for option in picked):
        raise _invalid(approval_id, card, "bypassAll contradicts the option that was picked")
    return _by_kind(approval_id, card, OptionKind.BYPASS_AGENT)


def _by_id(approval_id: ApprovalId, card: Card, option_id: str) -> Option:
    for option in card.options:
        if option.option_id == option_id and option.disabled:
            raise _invalid(approval_id, card, f"{option.name!r} is only shown. {option.disabled} The call still waits")
        if option.option_id == option_id:
            return option
    raise _invalid(approval_id, card, f"this card has no option {option_id!r}")


def _by_kind(approval_id: ApprovalId, card: Card, kind: OptionKind, *, whole_tool: bool = False) -> Option:
    of_kind = [one for one in card.options if one.kind is kind and not (one.disabled or one.by_id_only)]
    if not of_kind:
        raise _invalid(approval_id, card, f"{kind} alone means none of this card's options: name one by its id")
    if kind is OptionKind.ALLOW_ONCE and len(of_kind) > 1:
        raise _invalid(approval_id, card, f"this card offers {kind} in several ways: name one by its id")
    tools = (one for one in of_kind if whole_tool and isinstance(one.grant, ToolGrant))
    return next(tools, of_kind[0])


def _invalid(approval_id: ApprovalId, card: Card, message: str) -> InvalidOption:
    return InvalidOption(
        approval_id, message, tuple(option.option_id for option in card.options if not option.disabled)
    )
