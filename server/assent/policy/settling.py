"""How many of the calls that wait an answer to one of them would settle as well."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts
from assent.model.grants import AgentBypass, ChatBypass, DirectoryGrant, Grant, KeyGrant, RootGrant, RuleGrant
from assent.model.ids import ApprovalId
from assent.model.verdict import Outcome
from assent.policy.decide import decide
from assent.policy.granting import Counted, bare, granting, needed, with_grant
from assent.policy.offers import facts_with
from assent.policy.rules_in_force import Rules


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A call that waits, with what is in force for it now."""

    caller: Caller
    facts: CallFacts
    rules: Rules
    counted: tuple[Counted, ...] = ()
    """What of these rules is granted in the chat, with the uses that are left."""
    by_click_only: bool = False
    """It runs with a click of its own, whatever is allowed by then."""


class Tally:
    """The calls that wait at one moment. What a grant does to one of them is found once for all cards that offer it."""

    def __init__(self, waiting: Mapping[ApprovalId, WaitingCall]) -> None:
        self._waiting = waiting
        self._counts_uses = any(one.left is not None for call in waiting.values() for one in call.counted)
        self._known: dict[tuple[Grant, ApprovalId], bool] = {}

    def also_settled(self, grant: Grant, answered: ApprovalId) -> int:
        """How many of the others the grant settles, if it answers this one."""
        caller = self._waiting[answered].caller
        others = [one for one in self._waiting if one != answered]
        if self._counts_uses:
            # What one call uses up, the next one has not: each depends on those before it.
            return also_settled(grant, caller, map(self._waiting.__getitem__, others))
        return sum(self._settles(grant, one) for one in others if _reaches(grant, caller, self._waiting[one].caller))

    def _settles(self, grant: Grant, other: ApprovalId) -> bool:
        known = self._known.get((grant, other))
        if known is None:
            known = self._known[grant, other] = _settles(grant, self._waiting[other], Counter())
        return known


def also_settled(grant: Grant, answered: Caller, others: Iterable[WaitingCall]) -> int:
    """How many of the other calls the grant would let run; of a rule that forbids, how many it would refuse.

    Where it takes something with a number of uses beside this grant, no more than those.
    """
    spent: Counter[str] = Counter()
    reached = [other for other in others if _reaches(grant, answered, other.caller)]
    return sum(_settles(grant, other, spent) for other in reached)


def _reaches(grant: Grant, answered: Caller, other: Caller) -> bool:
    match grant:
        case KeyGrant() | DirectoryGrant() | ChatBypass():
            return other.session_id == answered.session_id
        case AgentBypass():
            return other.agent_id == answered.agent_id
    return True


def _settles(grant: Grant, other: WaitingCall, spent: Counter[str]) -> bool:
    facts = facts_with(other.facts, grant) if isinstance(grant, RootGrant) else other.facts
    rules, left = with_grant(other.rules, grant), _left(other.counted, spent)
    if len(left) < len(other.counted):
        rules = with_grant(granting(bare(other.rules), left), grant)
    outcome = decide(facts, rules).outcome
    if isinstance(grant, RuleGrant) and not grant.permits:
        return outcome is Outcome.BLOCK
    if other.by_click_only:
        return False
    if outcome is Outcome.RUN and any(one.left is not None for one in left):
        spent.update(needed(facts, with_grant(bare(rules), grant), left))
    return outcome is Outcome.RUN


def _left(counted: Sequence[Counted], spent: Counter[str]) -> list[Counted]:
    return [one for one in counted if one.left is None or one.left > spent[one.grant_id]]
