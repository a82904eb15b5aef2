"""A call as it was found, and who wants it: what the decision, the card and the records are made from."""

from dataclasses import field, replace

from assent.agent.hearing import Hearing
from assent.agent.ports import Prepared
from assent.agent.run_view import RunView
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts, ToolCall
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.decide import Rules, decide


@dataclass(frozen=True, slots=True)
class Look:
    """What would run, and what the decision may know of it."""

    call: ToolCall
    prepared: Prepared
    facts: CallFacts


@dataclass(slots=True)
class Asker:
    """Who wants the call, and what is in force for it whenever that is asked."""

    caller: Caller
    run: RunView
    hearing: Hearing | None = None
    """What the user's hooks say to it, where they have a say."""
    _decided: list[tuple[CallFacts, Rules, Decision]] = field(default_factory=list, repr=False, compare=False)
    """The same facts under the same rules are decided once, though a call is decided again at each step of its way."""

    def decide(self, facts: CallFacts, rules: Rules) -> Decision:
        """The decision by these rules, which are those of this moment: read once for all that is made of them."""
        decision = self._decide(facts, rules)
        if decision.outcome is not Outcome.RUN or not self.run.interrupted:
            return decision
        text = "It waited when the server ended, so nobody has agreed to it since."
        return replace(decision, outcome=Outcome.ASK, reason=Reason.NEEDS_APPROVAL, text=text, rule=None)

    def _decide(self, facts: CallFacts, rules: Rules) -> Decision:
        for known_facts, known_rules, decision in self._decided:
            if known_rules == rules and known_facts == facts:
                return decision
        decision = decide(facts, rules)
        self._decided[:] = (*self._decided[-1:], (facts, rules, decision))
        return decision
