"""What lets a page near this machine be opened names it: a rule or a grant for the whole tool does not."""

from dataclasses import replace

import pytest

from assent.model.addresses import Addresses
from assent.model.calls import CallFacts
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason, RuleOrigin
from assent.policy.decide import Rules, decide, is_named, runs
from assent.policy.rules.addresses import read_address
from assent.policy.rules.rule import WEB_TOOL, Effect
from tests.support import ladder

NEAR, FAR = "http://localhost:3000/", "https://docs.example.com/"
DEFAULT = Rules(Mode.DEFAULT, agent_name="A", roots=(ladder.ROOT,), home=ladder.HOME)


def visit(address: str, tool: str = WEB_TOOL, *also: str, key: str | None = None) -> CallFacts:
    reached = Addresses((read_address(address),))
    grant_key = tool if key is None else key
    return CallFacts(tool, known=True, category=Category.EXTERNAL, grant_key=grant_key, addresses=reached, also=also)


def ruled(pattern: str) -> Rules:
    return replace(DEFAULT, book=ladder.book(ladder.rule(Effect.ALLOW, pattern, tool=WEB_TOOL)))


@pytest.mark.parametrize(
    ("rules", "near"),
    [
        (ruled("*"), False),
        (ruled("localhost:3000"), True),
        (replace(DEFAULT, always_allowed=frozenset({WEB_TOOL})), False),
        (replace(DEFAULT, session_grants=frozenset({WEB_TOOL})), False),
        (replace(DEFAULT, mode=Mode.AUTO), False),
        (replace(DEFAULT, bypass_agent=True), False),
        (replace(DEFAULT, bypass_session=True), False),
    ],
    ids=["every page", "this place", "the tool", "the tool for the chat", "auto", "agent's bypass", "chat's bypass"],
)
def test_only_what_names_a_place_near_this_machine_lets_it_be_opened(rules: Rules, near: bool) -> None:
    decision = decide(visit(NEAR), rules)

    assert decision.outcome is (Outcome.RUN if near else Outcome.ASK)
    assert runs(visit(NEAR), rules) is near
    if rules.book.rules != ruled("localhost:3000").book.rules:
        assert decide(visit(FAR), rules).outcome is Outcome.RUN


def test_a_tool_that_stands_for_a_visit_of_pages_reaches_no_further() -> None:
    allowed = replace(DEFAULT, bypass_agent=True)

    assert decide(visit(NEAR, "other"), allowed).outcome is Outcome.RUN
    assert decide(visit(NEAR, "other", WEB_TOOL), allowed).outcome is Outcome.ASK


@pytest.mark.parametrize(
    ("reason", "pattern", "key", "named"),
    [
        # As `{"browser": ["*"]}` in the settings.
        (Reason.ALLOW_RULE, "*", "browser", False),
        (Reason.ALLOW_RULE, "localhost:3000", "browser", True),
        (Reason.SESSION_ALLOW, None, "browser", False),
        (Reason.SESSION_ALLOW, None, "browser:http://localhost:3000", True),
        (Reason.ALWAYS_ALLOW, None, "browser:http://localhost:3000", False),
        (Reason.BYPASS_AGENT, None, "browser:http://localhost:3000", False),
    ],
)
def test_a_rule_or_a_grant_for_the_whole_tool_names_nothing(
    reason: Reason, pattern: str | None, key: str, named: bool
) -> None:
    rule = None if pattern is None else RuleOrigin(pattern, "user")

    assert is_named(reason, rule, visit(NEAR, "browser", key=key)) is named
