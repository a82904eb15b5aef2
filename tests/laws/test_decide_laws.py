"""What holds of the decision for all facts and rules."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from assent.model.calls import Access, CallFacts
from assent.model.modes import Category, Mode, graver, tightest
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide, effective_category
from assent.policy.protected import protection
from assent.policy.rules.rule import Effect, Rule
from tests.support.ladder import FACTS, RULES, book, rule, rules_of

ALWAYS_DENIES, ALWAYS_ASKS = (st.just(rule(effect)) for effect in (Effect.DENY, Effect.ASK))
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
    assert permits(facts, replace(rules, always_allowed=frozenset())) <= now
    for tool in rules.always_allowed:
        assert permits(facts, replace(rules, always_allowed=rules.always_allowed - {tool})) <= now
    assert permits(facts, replace(rules, bypass_agent=False)) <= now
    assert permits(facts, replace(rules, bypass_session=False)) <= now
    assert permits(facts, replace(rules, bypass_available=False)) <= now
    assert permits(facts, replace(rules, confirm_outside_workspace=True)) <= now
    assert permits(facts, replace(rules, enabled=False)) <= now
    assert permits(facts, replace(rules, alive=False)) == 0
    assert permits(facts, replace(rules, own_places=(*rules.own_places, "/my project/src"))) <= now


@given(FACTS, RULES, rules_of(Effect.DENY, Effect.ASK), st.integers(0, 4))
def test_one_more_restriction_never_permits_more(facts: CallFacts, rules: Rules, rule: Rule, place: int) -> None:
    more = list(rules.book.rules)
    more.insert(place, rule)

    assert permits(facts, replace(rules, book=book(*more))) <= permits(facts, rules)


@given(FACTS, RULES)
def test_one_permission_less_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for at, one in enumerate(rules.book.rules):
        if one.effect is Effect.ALLOW:
            fewer = rules.book.rules[:at] + rules.book.rules[at + 1 :]
            assert permits(facts, replace(rules, book=book(*fewer))) <= now


@given(FACTS, RULES, rules_of(Effect.DENY) | ALWAYS_DENIES, st.sampled_from(Mode))
def test_what_a_deny_rule_speaks_of_never_runs_and_is_never_asked(
    facts: CallFacts, rules: Rules, rule: Rule, mode: Mode
) -> None:
    ruled = replace(rules, book=book(*rules.book.rules, rule))
    everything = replace(
        ruled,
        mode=mode,
        beside=frozenset(),
        bypass_available=True,
        bypass_agent=True,
        bypass_session=True,
        session_grants=frozenset({facts.grant_key}),
        always_allowed=frozenset({facts.tool}),
    )

    if ruled.book.first(Effect.DENY, facts, rules.agent_name) is not None:
        assert permits(facts, ruled) == 0
        assert permits(facts, everything) == 0


@given(FACTS, RULES, rules_of(Effect.ASK) | ALWAYS_ASKS)
def test_what_an_ask_rule_speaks_of_never_runs_unasked(facts: CallFacts, rules: Rules, rule: Rule) -> None:
    ruled = replace(rules, book=book(*rules.book.rules, rule))

    if ruled.book.first(Effect.ASK, facts, rules.agent_name) is not None:
        assert decide(facts, ruled).outcome is not Outcome.RUN


@given(FACTS, RULES)
def test_the_rule_that_is_named_is_one_of_the_book_and_none_is_named_without_cause(
    facts: CallFacts, rules: Rules
) -> None:
    decision = decide(facts, rules)

    by_rule = {
        Reason.DENIED_BY_RULE: Effect.DENY,
        Reason.ASK_RULE: Effect.ASK,
        Reason.ALLOW_RULE: Effect.ALLOW,
    }
    effect = by_rule.get(decision.reason)
    if effect is None:
        assert decision.rule is None
    else:
        assert decision.rule is not None
        assert (effect, decision.rule.pattern) in [(rule.effect, rule.pattern) for rule in rules.book.rules]


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
