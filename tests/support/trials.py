"""Grants to be tried on a call, and that a trial says what the ladder says."""

from hypothesis import strategies as st

from assent.model.calls import CallFacts
from assent.model.grants import AgentBypass, ChatBypass, Grant, KeyGrant, RuleGrant, ToolGrant
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide, runs
from assent.policy.granting import with_grant
from assent.policy.trial import Trial
from tests.support.ladder import DIRECTORY_GRANTS, KEY, PATTERNS

_TOOLS = st.sampled_from([KEY, "other", "read_file", "bash"])
_COMMANDS = st.sampled_from(["npm test:*", "npm:*", "rm -rf x", "frob go:*", "ls", "git:*"])
GRANTS = st.lists(
    DIRECTORY_GRANTS
    | st.builds(KeyGrant, st.sampled_from([KEY, "other", "", "bash", "bash:npm test", "bash:frob go"]))
    | st.builds(ToolGrant, _TOOLS)
    | st.builds(RuleGrant, _TOOLS, PATTERNS | _COMMANDS, st.booleans())
    | st.just(ChatBypass())
    | st.builds(AgentBypass, st.just("agent")),
    max_size=4,
)


def require_like_ladder(facts: CallFacts, rules: Rules, grants: list[Grant]) -> None:
    """Fails where a trial of one of the grants says something else than the decision would."""
    decision = decide(facts, rules)
    trials = Trial(facts, rules), Trial(facts, rules, decision)
    assert runs(facts, rules) == (decision.outcome is Outcome.RUN)
    for grant in grants:
        would_run = decide(facts, with_grant(rules, grant)).outcome is Outcome.RUN
        assert [trial.runs(grant) for trial in trials] == [would_run, would_run]
