"""Would a call run, if this were granted? Tried by the ladder itself."""

from typing import TYPE_CHECKING

from assent.model.calls import CallFacts
from assent.model.grants import Grant, KeyGrant, RuleGrant, ToolGrant
from assent.policy.decide import FLOOR, LADDER, first_answer, lets_run, runs
from assent.policy.granting import with_grant
from assent.policy.rules_in_force import Rules

if TYPE_CHECKING:
    from assent.policy.answer import Answer

_ABOVE = LADDER[len(FLOOR) : -1]
"""Between the floor and the question."""


class Trial:
    """One call, on which grants are tried. What most of them cannot change is found out once."""

    def __init__(self, facts: CallFacts, rules: Rules, *, past_floor: bool = False) -> None:
        """`past_floor`: it was decided already by these rules, and no rung of the floor had an answer."""
        self._facts = facts
        self._rules = rules
        self._on_floor: tuple[Answer | None] | None = (None,) if past_floor else None

    def runs(self, grant: Grant) -> bool:
        """Whether the call would run by itself."""
        rules = with_grant(self._rules, grant)
        if not _leaves_floor_alone(grant):
            return runs(self._facts, rules)
        if self._on_floor is None:
            self._on_floor = (first_answer(self._facts, self._rules, FLOOR),)
        return lets_run(self._on_floor[0] or first_answer(self._facts, rules, _ABOVE), self._facts)


def _leaves_floor_alone(grant: Grant) -> bool:
    """Rungs of the floor look at restrictions and at directories. None of them knows what else is permitted."""
    return isinstance(grant, KeyGrant | ToolGrant) or (isinstance(grant, RuleGrant) and grant.permits)
