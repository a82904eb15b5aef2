"""How a permitted call is carried out follows from what permitted it, and from nothing else."""

import pytest

from assent.agent.gate import _manner_unseen
from assent.agent.ports import AS_SHOWN, Manner
from assent.model.verdict import Decision, Outcome, Reason

GUARDED = {
    Reason.BYPASS_AGENT,
    Reason.BYPASS_SESSION,
    Reason.ALLOW_RULE,
    Reason.ALWAYS_ALLOW,
    Reason.SESSION_ALLOW,
    Reason.HOOK_ALLOW,
    Reason.MODE_AUTO,
}


@pytest.mark.parametrize("reason", list(Reason))
def test_only_the_sandbox_leads_into_it_and_what_nobody_saw_is_guarded(reason: Reason) -> None:
    manner = _manner_unseen(Decision(Outcome.RUN, reason, "", ()))
    if reason is Reason.SANDBOXED:
        assert manner == Manner(sandboxed=True)
    elif reason in GUARDED:
        assert manner == Manner(unseen=True)
    else:
        assert manner == AS_SHOWN
