"""What holds of a call that makes other calls: it is never let through where one of those could not be."""

from dataclasses import replace

from hypothesis import example, given

from assent.model.calls import CallFacts
from assent.model.modes import Category, graver
from assent.model.verdict import Outcome, Reason
from assent.policy.conflicts import resources_of
from assent.policy.decide import Rules, decide, effective_category, is_raised
from assent.policy.reach import counts_as_write
from tests.support.conflicts import Conflict, between
from tests.support.ladder import ALONE, FACTS, MAKING_CALLS, RULES, STEPS, law

UP_TO_THE_FLOOR = 9

HOW_MUCH = list(Conflict)


def level(facts: CallFacts, rules: Rules) -> int:
    """The rung that answers."""
    return decide(facts, rules).trace[-1].level


@law
@given(MAKING_CALLS, RULES)
def test_what_the_floor_says_of_a_step_it_says_of_all(facts: CallFacts, rules: Rules) -> None:
    asked_by_hooks = (7,)
    for step in facts.steps:
        found = level(step, rules)
        if found <= UP_TO_THE_FLOOR and found not in asked_by_hooks:
            assert level(facts, rules) <= found
            assert decide(facts, rules).outcome is not Outcome.RUN


@law
@given(MAKING_CALLS, RULES)
def test_its_category_is_the_gravest(facts: CallFacts, rules: Rules) -> None:
    alone = replace(facts, steps=())
    category = effective_category(alone)
    for step in facts.steps:
        category = graver(category, effective_category(step))
    assert effective_category(facts) is category
    assert is_raised(facts) is any(map(is_raised, (alone, *facts.steps)))
    assert not counts_as_write(facts)


@law
@given(ALONE, STEPS, RULES)
def test_making_calls_permits_nothing(facts: CallFacts, steps: tuple[CallFacts, ...], rules: Rules) -> None:
    of_no_limit = replace(rules, no_more_writes=None)
    alone, with_steps = decide(facts, of_no_limit), decide(replace(facts, steps=steps), of_no_limit)
    if with_steps.outcome is Outcome.RUN:
        assert alone.outcome is Outcome.RUN


@law
@given(ALONE, RULES)
def test_being_part_of_what_was_allowed_beats_nothing_that_restricts(facts: CallFacts, rules: Rules) -> None:
    without = decide(replace(facts, part_of=""), rules)
    within = decide(facts, rules)
    if within != without:
        assert without.trace[-1].level >= 16 and within.reason is Reason.SESSION_ALLOW
        assert not is_raised(facts)


def made(category: Category, *steps: CallFacts) -> CallFacts:
    """A call that makes these."""
    return CallFacts("some_tool", known=True, category=category, grant_key="some_tool", steps=steps)


@law
@given(MAKING_CALLS, FACTS)
@example(made(Category.WRITE, made(Category.INTERNAL)), made(Category.INTERNAL, made(Category.WRITE)))
def test_it_is_in_the_way_of_whatever_a_step_is_in_the_way_of(facts: CallFacts, other: CallFacts) -> None:
    its = resources_of(other)
    parts = [between(resources_of(one), its) for one in (replace(facts, steps=()), *facts.steps)]
    whole = between(resources_of(facts), its)
    assert whole is between(its, resources_of(facts))
    assert HOW_MUCH.index(whole) >= max(map(HOW_MUCH.index, parts))
    assert whole is not Conflict.STRONG or Conflict.STRONG in parts
