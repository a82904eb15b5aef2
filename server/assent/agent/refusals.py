"""Why a call does not run: as the decision, its answer, or its own impossibility says it. In words for its model."""

from assent.agent.permit import Refusal
from assent.agent.ports import Prepared
from assent.agent.run_view import RunView
from assent.model.approval import Resolution, ResolvedBy, Status
from assent.model.calls import CallFacts
from assent.model.errors import ToolFault
from assent.model.verdict import Decision, Reason
from assent.policy.decide import Rules, is_raised
from assent.policy.withheld import may_read


def pointless(prepared: Prepared, facts: CallFacts, run: RunView, rules: Rules) -> Refusal | None:
    """Why nobody is asked: the call can never work, or there is nobody."""
    never = impossible(prepared, facts)
    if never is not None and (not prepared.impossible_by_content or may_read(facts.paths, rules)):
        return Refusal(never.code, str(never))
    nobody = run.unattended()
    return Refusal(Reason.UNATTENDED, nobody) if nobody is not None else None


def impossible(prepared: Prepared, facts: CallFacts) -> ToolFault | None:
    """Why the call can never work. Of what lies outside, or is secret, nothing is told before anyone agreed."""
    return None if is_raised(facts) else prepared.impossible


def refusal(decision: Decision) -> Refusal:
    """What the decision says to it."""
    codes = {Reason.BLOCKED_BY_PROTECTION: "permission_denied"}
    return Refusal(codes.get(decision.reason, decision.reason.value), decision.text)


def refused_by(resolution: Resolution) -> Refusal:
    """What came of the question about it."""
    if resolution.status is Status.TIMEOUT:
        told = "Nobody answered in time, so this call did not run."
        return Refusal("approval_timeout", told, note=resolution.text, at=resolution.at)
    if resolution.status is Status.REJECTED:
        said = f" You said: “{resolution.feedback}”" if resolution.feedback else ""
        told = "The user did not allow this call."
        note, by_user = f"{resolution.text}{said}", resolution.by is ResolvedBy.USER
        return Refusal("permission_denied", told, resolution.feedback, note, resolution.own, by_user, resolution.at)
    return Refusal("cancelled", resolution.text)
