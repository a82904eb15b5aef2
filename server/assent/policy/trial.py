"""Would a call run, if this were granted? Tried by the ladder itself."""

from assent.model.calls import CallFacts
from assent.model.grants import Grant, KeyGrant, RuleGrant, ToolGrant
from assent.model.verdict import Decision
from assent.policy import permissions
from assent.policy.answer import Answer, Rung
from assent.policy.decide import FLOOR, LADDER, first_answer, is_left_to_ask, is_past_floor, lets_run, runs
from assent.policy.granting import with_grant
from assent.policy.rules_in_force import Rules

_ABOVE = LADDER[len(FLOOR) : -1]
"""Between the floor and the question."""


def _among(*rungs: Rung) -> tuple[tuple[int, str, Rung], ...]:
    return tuple(one for one in _ABOVE if one[2] in rungs)


_LOOKING_AT: dict[type[Grant], tuple[tuple[int, str, Rung], ...]] = {
    KeyGrant: _among(permissions.session_grant),
    ToolGrant: _among(permissions.always_allowed),
    RuleGrant: _among(permissions.allow_rule, permissions.session_grant),
}
"""The rungs above the floor that know of such a grant. All others say what they said without it."""


class Trial:
    """One call, on which grants are tried. What most of them cannot change is found out once."""

    def __init__(self, facts: CallFacts, rules: Rules, decided: Decision | None = None) -> None:
        """`decided`: what the ladder says of it by these very rules, where that is known."""
        self._facts = facts
        self._rules = rules
        past_floor = decided is not None and is_past_floor(decided)
        self._on_floor: tuple[Answer | None] | None = (None,) if past_floor else None
        self._silent_so_far = decided is not None and is_left_to_ask(decided)

    def runs(self, grant: Grant) -> bool:
        """Whether the call would run by itself."""
        rules = with_grant(self._rules, grant)
        if not _leaves_floor_alone(grant):
            return runs(self._facts, rules)
        if self._on_floor is None:
            self._on_floor = (first_answer(self._facts, self._rules, FLOOR),)
        rungs = _LOOKING_AT[type(grant)] if self._silent_so_far else _ABOVE
        return lets_run(self._on_floor[0] or first_answer(self._facts, rules, rungs), self._facts)


def _leaves_floor_alone(grant: Grant) -> bool:
    """Rungs of the floor look at restrictions and at directories. None of them knows what else is permitted."""
    return isinstance(grant, KeyGrant | ToolGrant) or (isinstance(grant, RuleGrant) and grant.permits)
