"""A call as it was found, and who wants it: what the decision, the card and the records are made from."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from assent.agent.ports import Prepared
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller, CallFacts, ToolCall
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.decide import Rules, decide
from assent.policy.granting import Counted


@dataclass(frozen=True, slots=True)
class Look:
    """What would run, and what the decision may know of it."""

    call: ToolCall
    prepared: Prepared
    facts: CallFacts


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wants the call, and what is in force for it whenever that is asked."""

    caller: Caller
    rules: Callable[[], Rules]
    ended_by: Callable[[], ResolvedBy]
    interrupted: bool = False
    """The call waited when an earlier server ended: it runs with a click, or not at all."""
    counted: Callable[[], tuple[Counted, ...]] = tuple
    """What is granted in the chat, with the uses that are left for this call."""
    set_aside: Callable[[CallFacts], None] = lambda facts: None

    def decide(self, facts: CallFacts, rules: Rules) -> Decision:
        """The decision by these rules, which are those of this moment: read once for all that is made of them."""
        decision = decide(facts, rules)
        if decision.outcome is not Outcome.RUN or not self.interrupted:
            return decision
        text = "It waited when the server ended, so nobody has agreed to it since."
        return replace(decision, outcome=Outcome.ASK, reason=Reason.NEEDS_APPROVAL, text=text, rule=None)
