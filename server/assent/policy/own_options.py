"""The answers that an agent of others offers to its own question, and which of them goes with which button.

Whatever the user chooses, the agent is told one of its own answers: Assent's words say how far it reaches here, the
agent's words stand beside.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assent.model.approval import Option, OptionKind, OwnKind, OwnOption
from assent.model.verdict import Situation

_PREFIX = "own:"
_LONGEST = 80
_ALWAYS_ASKED = {
    Situation.PROTECTED: "What is protected is always asked for",
    Situation.ASK_RULE: "A rule or a hook of yours says that this is always asked for",
    Situation.OUTSIDE: "What lies outside the workspace is always asked for",
}
"""Why nothing may be answered with which the agent would not ask the next time."""


def only_once(own: Sequence[OwnOption]) -> OwnOption | None:
    """The one way to allow this call and no other; None where there is none, or more than one."""
    once = [one for one in own if one.kind is OwnKind.ALLOW_ONCE]
    return once[0] if len(once) == 1 else None


def refusal(own: Sequence[OwnOption]) -> OwnOption | None:
    """The way to refuse this call; one that refuses more only where there is nothing narrower."""
    for kind in (OwnKind.REJECT_ONCE, OwnKind.REJECT_ALWAYS):
        found = next((one for one in own if one.kind is kind), None)
        if found is not None:
            return found
    return None


def why_by_hand(own: Sequence[OwnOption], agent_name: str) -> str:
    """Why only a person can answer, in words; empty where a yes to this call alone can be given."""
    if only_once(own) is not None:
        return ""
    if any(one.kind is OwnKind.ALLOW_ONCE for one in own):
        return f"{agent_name} offers several ways to say yes, and only you can know which one you mean."
    if any(one.kind is OwnKind.ALLOW_ALWAYS for one in own):
        return f"{agent_name} offers no way to allow just this call."
    return f"{agent_name} offers no way to say yes that Assent knows, so this can only be refused."


def with_own(
    options: tuple[Option, ...], own: Sequence[OwnOption], situation: Situation, agent_name: str
) -> tuple[Option, ...]:
    """The buttons of a card, cut to what the agent offers, each with the agent's answer that belongs to it."""
    once, no = only_once(own), refusal(own)
    found: list[Option] = []
    for option in options:
        if option.kind.refuses:
            found.append(_told(option, no, agent_name))
        elif once is not None:
            found.append(_told(option, once, agent_name))
        elif option.kind is OptionKind.ALLOW_ONCE:
            found.extend(_ways(own, agent_name))
    return (*found, *_further(own, no, situation, agent_name))


def _told(option: Option, own: OwnOption | None, agent_name: str) -> Option:
    if own is None:
        return replace(option, scope_text=f"{option.scope_text} {agent_name} is told that it was cancelled.")
    words = f"{agent_name} is told “{_name(own)}”."
    return replace(option, scope_text=f"{option.scope_text} {words}", own=own.option_id)


def _ways(own: Sequence[OwnOption], agent_name: str) -> Iterator[Option]:
    """Each of several ways to say yes, by the agent's own words."""
    for one in own:
        if one.kind is OwnKind.ALLOW_ONCE:
            scope = f"This call only, as {agent_name} offers it. What this answer means beside that, only it knows."
            yield Option(_PREFIX + one.option_id, OptionKind.ALLOW_ONCE, _name(one), scope, own=one.option_id)


def _further(own: Sequence[OwnOption], no: OwnOption | None, situation: Situation, agent_name: str) -> Iterator[Option]:
    """Answers of the agent that reach further than this call, as it says itself."""
    for one in own:
        if one.kind is OwnKind.ALLOW_ALWAYS:
            yield _no_more_questions(one, situation, agent_name)
        elif one.kind is OwnKind.REJECT_ALWAYS and one is not no:
            yield Option(
                _PREFIX + one.option_id,
                OptionKind.REJECT_ALWAYS,
                f"Deny, and let {agent_name} remember: “{_name(one)}”",
                f"This call does not run. What {agent_name} will not even ask for any more, only it knows.",
                own=one.option_id,
                by_id_only=True,
            )


def _no_more_questions(own: OwnOption, situation: Situation, agent_name: str) -> Option:
    """Shown wherever the agent offers it. It cannot be chosen where the question is one that is always asked."""
    further = f"This call, and more of which only {agent_name} knows what"
    scope = f"{further}: it stops asking, and Assent will not see such calls."
    name = f"Let {agent_name} stop asking: “{_name(own)}”"
    option = Option(_PREFIX + own.option_id, OptionKind.ALLOW_ALWAYS, name, scope, own=own.option_id, by_id_only=True)
    why = _ALWAYS_ASKED.get(situation)
    if why is None:
        return option
    disabled = f"It cannot be chosen here. {why}, and with this answer {agent_name} would not ask any more."
    return replace(option, scope_text="", disabled=disabled)


def _name(own: OwnOption) -> str:
    shown = own.name or own.option_id
    if not shown.isprintable():
        shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in shown)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
