"""What is granted in a chat, for one call of one agent in it."""

from collections.abc import Callable
from functools import reduce

from assent.agent.grants import ChatGrants
from assent.model.calls import CallFacts
from assent.model.grants import Granted
from assent.model.ids import CallId
from assent.policy.granting import Counted, bare, needed, with_grant
from assent.policy.rules_in_force import Rules


class GrantsForCall:
    """What is granted in a chat, as one call sees it: decided with, set aside, charged."""

    __slots__ = ("_call", "_changed", "_grants", "_rules", "_task")

    def __init__(
        self,
        grants: ChatGrants,
        call: CallId,
        task: CallId | None,
        rules: Callable[[], Rules],
        changed: Callable[[bool], None],
    ) -> None:
        self._grants = grants
        self._call = call
        self._task = task
        self._rules = rules
        self._changed = changed

    def rules(self) -> Rules:
        """What is in force for this call."""
        grants = self._grants
        own = (*grants.within(self._task), *grants.set_aside_for(self._call), *grants.charged_for(self._task))
        return reduce(with_grant, own, self._rules())

    def counted(self) -> tuple[Counted, ...]:
        """The grants of the chat that count for it."""
        return self._grants.counted(self._call, self._task)

    def set_aside(self, facts: CallFacts) -> Granted | None:
        """It is on its way to run by what counts now: the uses that it needs are no other call's. Says what that is."""
        if facts.part_of:
            return None
        spent = needed(facts, bare(self._rules()), self.counted())
        self._grants.set_aside(self._call, spent)
        return self._grants.described(spent)

    def charge(self, facts: CallFacts) -> None:
        """It runs. To be called before anyone else gets a turn after the decision."""
        counted = self.counted()
        # A step of what was allowed uses nothing up: that has counted once, for all of them.
        if not counted or facts.part_of:
            return
        spent = needed(facts, bare(self._rules()), counted)
        self._grants.charge(self._call, spent)
        if spent:
            self._changed(False)

    def release(self) -> None:
        """It does not run by what was set aside for it."""
        if self._grants.release(self._call):
            self._changed(True)
