"""How a permitted call is carried out follows from what permitted it, and from nothing else."""

import pytest

from assent.agent.gate import _manner_unseen
from assent.agent.ports import AS_SHOWN, Manner
from assent.model.calls import CallFacts
from assent.model.modes import Category
from assent.model.verdict import Decision, Outcome, Reason, RuleOrigin

GUARDED = {
    Reason.BYPASS_AGENT,
    Reason.BYPASS_SESSION,
    Reason.ALLOW_RULE,
    Reason.ALWAYS_ALLOW,
    Reason.SESSION_ALLOW,
    Reason.HOOK_ALLOW,
    Reason.MODE_AUTO,
}
CALL = CallFacts("browser", known=True, category=Category.EXTERNAL, grant_key="browser")
OF_PLACE = CallFacts("browser", known=True, category=Category.EXTERNAL, grant_key="browser:http://localhost:3000")


@pytest.mark.parametrize("reason", list(Reason))
def test_only_the_sandbox_leads_into_it_and_what_nobody_saw_is_guarded(reason: Reason) -> None:
    manner = _manner_unseen(Decision(Outcome.RUN, reason, "", ()), CALL)
    if reason is Reason.SANDBOXED:
        assert manner == Manner(sandboxed=True)
    elif reason in GUARDED:
        assert manner == Manner(unseen=True)
    else:
        assert manner == AS_SHOWN


@pytest.mark.parametrize(
    ("reason", "pattern", "call", "named"),
    [
        (Reason.ALLOW_RULE, "localhost:3000", CALL, True),
        (Reason.ALLOW_RULE, "*", CALL, False),
        (Reason.SESSION_ALLOW, None, OF_PLACE, True),
        (Reason.SESSION_ALLOW, None, CALL, False),
        (Reason.BYPASS_AGENT, None, OF_PLACE, False),
        (Reason.ALWAYS_ALLOW, None, OF_PLACE, False),
        (Reason.MODE_AUTO, None, OF_PLACE, False),
    ],
)
def test_only_what_names_the_place_is_as_good_as_a_click_on_it(
    reason: Reason, pattern: str | None, call: CallFacts, named: bool
) -> None:
    rule = RuleOrigin(pattern, "user") if pattern is not None else None
    assert _manner_unseen(Decision(Outcome.RUN, reason, "", (), rule=rule), call) == Manner(unseen=True, named=named)
