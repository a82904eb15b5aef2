"""Grants with uses, for any calls and grants: no call more than the uses allow, and less granted never permits more."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from assent.model.calls import Caller, CallFacts
from assent.model.grants import ChatBypass, Grant, KeyGrant, RuleGrant
from assent.model.ids import ApprovalId, RunId, SessionId
from assent.model.modes import Mode
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide
from assent.policy.granting import Counted, bare, granting, needed
from assent.policy.settling import Tally, WaitingCall, also_settled
from tests.support.ladder import (
    DIRECTORY_GRANTS,
    EXECUTE,
    EXTERNAL,
    FACTS,
    HOME,
    KEY,
    READ_OUTSIDE,
    ROOT,
    RULES,
    WRITE_INSIDE,
    WRITE_OUTSIDE,
    law,
)
from tests.support.shell_calls import shell_call, shell_rules

COMMANDS = ["make", "make test && npm run x", "npm run x", "cat a; make", "ls", "make && make"]
ORDINARY = [WRITE_INSIDE, WRITE_OUTSIDE, READ_OUTSIDE, EXECUTE, EXTERNAL]
CALLS = st.one_of(st.sampled_from(COMMANDS).map(shell_call), st.sampled_from(ORDINARY), FACTS)
# Rules in which nearly everything is asked for, and others: only with the first ones do grants have much to say.
ASKING = [shell_rules(), Rules(Mode.DEFAULT, roots=(ROOT,), home=HOME), Rules(Mode.ASK, roots=(ROOT,), home=HOME)]
BASES = st.one_of(st.sampled_from(ASKING), RULES.map(bare))
GRANTS = st.one_of(
    st.sampled_from([KeyGrant(KEY), KeyGrant("bash:make"), KeyGrant("bash:npm run"), KeyGrant("bash"), ChatBypass()]),
    DIRECTORY_GRANTS,
)


@st.composite
def counted(draw: st.DrawFn) -> tuple[Counted, ...]:
    grants = draw(st.lists(st.tuples(GRANTS, st.none() | st.integers(0, 3)), max_size=5))
    return tuple(Counted(str(at), grant, left) for at, (grant, left) in enumerate(grants))


def usable(grants: Sequence[Counted], spent: Counter[str]) -> tuple[Counted, ...]:
    there = [one for one in grants if one.left is None or one.left > spent[one.grant_id]]
    return tuple(sorted(there, key=lambda one: one.left is not None))


def runs(facts: CallFacts, rules: Rules) -> bool:
    return decide(facts, rules).outcome is Outcome.RUN


@given(st.lists(CALLS, max_size=8), BASES, counted())
@law
def test_no_grant_lets_more_calls_run_than_it_has_uses(
    calls: list[CallFacts], rules: Rules, grants: tuple[Counted, ...]
) -> None:
    spent: Counter[str] = Counter()
    for facts in calls:
        there = usable(grants, spent)
        if not runs(facts, granting(rules, there)):
            continue
        charged = needed(facts, rules, there)
        spent.update(charged)
        # It runs by what was charged, so what was not charged let nothing run.
        assert runs(facts, granting(rules, [one for one in there if one.grant_id in charged]))
    assert all(one.left is None or spent[one.grant_id] <= one.left for one in grants)


@given(CALLS, BASES, counted())
@law
def test_each_grant_that_is_charged_was_needed(facts: CallFacts, rules: Rules, grants: tuple[Counted, ...]) -> None:
    there = usable(grants, Counter())
    charged = needed(facts, rules, there)
    kept = [one for one in there if one.grant_id in charged]
    assert all(not runs(facts, granting(rules, [other for other in kept if other is not one])) for one in kept)
    unlimited = [one for one in there if one.left is None]
    if runs(facts, granting(rules, unlimited)):
        assert not [one for one in kept if one.left is not None]


@given(CALLS, BASES, counted(), st.data())
@law
def test_with_less_granted_nothing_more_runs(
    facts: CallFacts, rules: Rules, grants: tuple[Counted, ...], data: st.DataObject
) -> None:
    fewer = [one for one in grants if data.draw(st.booleans())]
    if runs(facts, granting(rules, fewer)):
        assert runs(facts, granting(rules, grants))


@given(st.lists(CALLS, max_size=6), BASES, counted(), GRANTS)
@law
def test_a_card_counts_no_more_calls_than_the_uses_beside_its_answer_allow(
    calls: list[CallFacts], rules: Rules, grants: tuple[Counted, ...], answer: KeyGrant
) -> None:
    caller = Caller("A", "A", SessionId("s"), RunId("r"))
    there = usable(grants, Counter())
    waiting = [WaitingCall(caller, facts, granting(rules, there), there) for facts in calls]
    counted_on_card = also_settled(answer, caller, waiting)
    spent: Counter[str] = Counter()
    settled = 0
    for facts in calls:
        left = (*usable(there, spent), Counted("answer", answer))
        if runs(facts, granting(rules, left)):
            settled += 1
            spent.update(needed(facts, granting(rules, [left[-1]]), left[:-1]))
    assert counted_on_card == settled


@given(CALLS, BASES, counted(), GRANTS)
@law
def test_a_call_that_needs_a_click_of_its_own_is_never_counted(
    facts: CallFacts, rules: Rules, grants: tuple[Counted, ...], answer: KeyGrant
) -> None:
    caller = Caller("A", "A", SessionId("s"), RunId("r"))
    waiting = WaitingCall(caller, facts, granting(rules, grants), grants, by_click_only=True)
    assert also_settled(answer, caller, [waiting]) == 0


@given(
    st.lists(st.tuples(CALLS, st.sampled_from("ab"), st.booleans()), max_size=5),
    BASES,
    st.one_of(st.just(()), counted()),
    st.lists(GRANTS | st.builds(RuleGrant, st.just(WRITE_INSIDE.tool), st.sampled_from(("*", "src/")), st.booleans())),
)
@law
def test_one_tally_for_all_cards_counts_for_each_what_it_would_count_alone(
    calls: list[tuple[CallFacts, str, bool]], rules: Rules, grants: tuple[Counted, ...], answers: list[Grant]
) -> None:
    waiting = {
        ApprovalId(str(number)): WaitingCall(
            Caller("A", "A", SessionId(chat), RunId("r")), facts, granting(rules, grants), grants, by_click_only=own
        )
        for number, (facts, chat, own) in enumerate(calls)
    }
    tally = Tally(waiting)
    for approval_id, one in waiting.items():
        others = [other for other_id, other in waiting.items() if other_id != approval_id]
        for answer in answers:
            assert tally.also_settled(answer, approval_id) == also_settled(answer, one.caller, others)
