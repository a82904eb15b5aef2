"""What holds of the decision for all facts and rules."""

from dataclasses import replace

from hypothesis import assume, given

from assent.model.calls import Access, CallFacts
from assent.model.modes import Category, Mode, graver, tightest
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide, effective_category
from assent.policy.protected import protection
from tests.support.ladder import FACTS, RULES

HOW_MUCH = {Outcome.ERROR: 0, Outcome.BLOCK: 0, Outcome.ASK: 1, Outcome.RUN: 2}


def permits(facts: CallFacts, rules: Rules) -> int:
    return HOW_MUCH[decide(facts, rules).outcome]


@given(FACTS, RULES)
def test_it_always_answers_and_always_the_same(facts: CallFacts, rules: Rules) -> None:
    first = decide(facts, rules)

    assert first == decide(facts, rules)
    assert first.text


@given(FACTS, RULES)
def test_the_trace_ends_with_the_only_step_that_matched(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, rules)
    *before, last = decision.trace

    assert last.matched
    assert last.note == decision.text
    assert not any(step.matched for step in before)
    assert [step.level for step in decision.trace] == sorted({step.level for step in decision.trace})


@given(FACTS, RULES)
def test_plan_runs_nothing_but_reading_and_what_is_internal(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, replace(rules, mode=Mode.PLAN))

    if decision.outcome is Outcome.RUN:
        assert effective_category(facts) in (Category.READ, Category.INTERNAL)
    assert decision.outcome is not Outcome.ASK


@given(FACTS, RULES)
def test_taking_something_away_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)

    assert permits(facts, replace(rules, session_grants=frozenset())) <= now
    for grant in rules.session_grants:
        assert permits(facts, replace(rules, session_grants=rules.session_grants - {grant})) <= now
    assert permits(facts, replace(rules, bypass_agent=False)) <= now
    assert permits(facts, replace(rules, bypass_session=False)) <= now
    assert permits(facts, replace(rules, bypass_available=False)) <= now
    assert permits(facts, replace(rules, confirm_outside_workspace=True)) <= now
    assert permits(facts, replace(rules, enabled=False)) <= now
    assert permits(facts, replace(rules, alive=False)) == 0
    assert permits(facts, replace(rules, own_places=(*rules.own_places, "/my project/src"))) <= now


@given(FACTS, RULES)
def test_a_mode_beside_another_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for mode in Mode:
        both = {rules.mode, *rules.beside, mode}
        assert permits(facts, replace(rules, mode=tightest(both), beside=frozenset(both))) <= now


@given(FACTS, RULES)
def test_a_graver_category_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for category in Category:
        if graver(category, facts.category) is category:
            assert permits(replace(facts, category=category), rules) <= now


@given(FACTS, RULES)
def test_one_more_path_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    assume(facts.paths)

    assert permits(facts, rules) <= permits(replace(facts, paths=facts.paths[1:]), rules)


@given(FACTS, RULES)
def test_a_protected_change_never_runs(facts: CallFacts, rules: Rules) -> None:
    assume(any(use.access is not Access.READ and protection(use.real) for use in facts.paths))

    assert decide(facts, rules).outcome is not Outcome.RUN


@given(FACTS, RULES)
def test_a_change_outside_never_runs_where_that_is_confirmed(facts: CallFacts, rules: Rules) -> None:
    assume(any(use.access is not Access.READ and not use.inside for use in facts.paths))

    assert decide(facts, replace(rules, confirm_outside_workspace=True)).outcome is not Outcome.RUN


@given(FACTS, RULES)
def test_what_is_unknown_malformed_stopped_or_too_much_is_neither_run_nor_asked(facts: CallFacts, rules: Rules) -> None:
    bad = (
        not facts.known
        or facts.arguments_fault is not None
        or not rules.alive
        or not rules.enabled
        or rules.exhausted_limit is not None
    )
    if bad:
        assert decide(facts, rules).outcome is Outcome.ERROR
    else:
        assert decide(facts, rules).outcome is not Outcome.ERROR


@given(FACTS, RULES)
def test_no_bypass_counts_where_none_is_available(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, replace(rules, bypass_available=False))

    assert decision.reason not in (Reason.BYPASS_AGENT, Reason.BYPASS_SESSION)


@given(FACTS)
def test_what_a_call_touches_only_raises_its_category(facts: CallFacts) -> None:
    assert graver(effective_category(facts), facts.category) is effective_category(facts)
