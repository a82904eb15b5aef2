"""How many of the calls that wait an answer to one of them would settle as well."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assent.model.calls import Caller, CallFacts
from assent.model.grants import AgentBypass, ChatBypass, DirectoryGrant, Grant, KeyGrant, RootGrant, RuleGrant
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
