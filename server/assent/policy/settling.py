"""How many of the calls that wait an answer to one of them would settle as well."""

from collections.abc import Iterable
from dataclasses import dataclass

from assent.model.calls import Caller, CallFacts
from assent.model.grants import AgentBypass, ChatBypass, DirectoryGrant, Grant, KeyGrant, RootGrant, RuleGrant
from assent.model.verdict import Outcome
from assent.policy.decide import decide
from assent.policy.granting import with_grant
from assent.policy.offers import facts_with
from assent.policy.rules_in_force import Rules


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A call that waits, with what is in force for it now."""

    caller: Caller
    facts: CallFacts
    rules: Rules


def also_settled(grant: Grant, answered: Caller, others: Iterable[WaitingCall]) -> int:
    """How many of the other calls the grant would let run; of a rule that forbids, how many it would refuse."""
    return sum(1 for other in others if _reaches(grant, answered, other.caller) and _settles(grant, other))


def _reaches(grant: Grant, answered: Caller, other: Caller) -> bool:
    match grant:
        case KeyGrant() | DirectoryGrant() | ChatBypass():
            return other.session_id == answered.session_id
        case AgentBypass():
            return other.agent_id == answered.agent_id
    return True


def _settles(grant: Grant, other: WaitingCall) -> bool:
    facts = facts_with(other.facts, grant) if isinstance(grant, RootGrant) else other.facts
    outcome = decide(facts, with_grant(other.rules, grant)).outcome
    if isinstance(grant, RuleGrant) and not grant.permits:
        return outcome is Outcome.BLOCK
    return outcome is Outcome.RUN
