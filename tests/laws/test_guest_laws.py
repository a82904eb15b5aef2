"""What holds of every call of an agent of others, whatever it is and whatever is allowed."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assent.model.approval import Option, OptionKind, OwnKind, OwnOption
from assent.model.calls import CallFacts, OfGuest
from assent.model.grants import Grant
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.decide import Rules, decide
from assent.policy.own_options import only_once, refusal, why_by_hand, with_own
from assent.policy.rules.rule import Effect
from tests.support.ladder import FACTS, KEY, RULES, book, law, rule
from tests.support.trials import GRANTS, require_like_ladder

REASONS = st.sampled_from(["", "", "because"])
ALSO = st.lists(st.sampled_from(["write_file", "delete_file", "read_file", "bash", "web_fetch"]), max_size=3).map(tuple)
OF_GUESTS = st.builds(OfGuest, grave=REASONS, by_hand=REASONS, unclear=REASONS, agreed=REASONS)
GUESTS = st.builds(
    lambda facts, also, guest: replace(facts, known=True, arguments_fault=None, also=also, guest=guest),
    FACTS,
    ALSO,
    OF_GUESTS,
)
"""Calls that make sense: most others are refused before anything here matters."""
IN_RUNS = RULES.map(lambda rules: replace(rules, enabled=True, alive=True, exhausted_limit=None))
OWN = st.lists(
    st.builds(OwnOption, st.sampled_from(["a", "b", "c", "d"]), st.sampled_from(OwnKind), st.just("Name")),
    max_size=5,
    unique_by=lambda one: one.option_id,
).map(tuple)
UNAVOIDABLE = (Outcome.ERROR, Outcome.BLOCK)


BUTTONS = tuple(
    Option(kind.value, kind, kind.value)
    for kind in (
        OptionKind.ALLOW_ONCE,
        OptionKind.REJECT_ONCE,
        OptionKind.ALLOW_SESSION,
        OptionKind.ALLOW_ALWAYS,
        OptionKind.BYPASS_SESSION,
        OptionKind.ADD_DIRECTORY,
    )
)


def plain(facts: CallFacts) -> CallFacts:
    """The same call without what a guest says of it."""
    return replace(facts, guest=OfGuest())


@law
@given(GUESTS, IN_RUNS)
def test_what_is_refused_anyway_is_refused_to_a_guest_too(facts: CallFacts, rules: Rules) -> None:
    if decide(plain(facts), rules).outcome in UNAVOIDABLE:
        assert decide(facts, rules).outcome in UNAVOIDABLE


@law
@given(GUESTS, IN_RUNS)
def test_only_what_was_agreed_to_is_ever_permitted_more(facts: CallFacts, rules: Rules) -> None:
    now, without = decide(facts, rules), decide(plain(facts), rules)
    if now.outcome is Outcome.RUN and without.outcome is not Outcome.RUN:
        assert facts.guest.agreed and now.reason is Reason.AGREED and without.outcome is Outcome.ASK


@law
@given(GUESTS, IN_RUNS)
def test_by_hand_never_runs_by_itself(facts: CallFacts, rules: Rules) -> None:
    facts = replace(facts, guest=replace(facts.guest, by_hand="several ways to say yes", agreed=""))
    assert decide(facts, rules).outcome is not Outcome.RUN


@law
@given(GUESTS, IN_RUNS)
def test_grave_is_always_protected(facts: CallFacts, rules: Rules) -> None:
    facts = replace(facts, guest=replace(facts.guest, grave="another mode", agreed=""))
    found = decide(facts, rules)
    assert found.outcome is not Outcome.RUN
    if found.outcome is Outcome.ASK:
        assert (found.reason, found.situation) == (Reason.PROTECTED, Situation.PROTECTED)


@law
@given(GUESTS, IN_RUNS, st.sampled_from(["write_file", "delete_file", "web_fetch", "bash"]))
def test_a_deny_rule_on_any_tool_that_does_the_same_wins(facts: CallFacts, rules: Rules, tool: str) -> None:
    also = replace(facts, also=(tool,))
    forbidden = replace(rules, book=book(rule(Effect.DENY, tool=tool)))
    assert decide(also, forbidden).outcome in UNAVOIDABLE
    asked = replace(rules, book=book(rule(Effect.ASK, tool=tool)))
    if not facts.guest.agreed:
        assert decide(also, asked).outcome is not Outcome.RUN
    allowed = replace(rules, book=book(rule(Effect.ALLOW, tool=tool)))
    nothing = replace(rules, book=book())
    assert decide(also, allowed) == decide(also, nothing), "a permission of another tool is none"
    assert tool != KEY


@law
@given(OWN, st.sampled_from(Situation))
def test_every_answer_is_one_that_the_agent_offers(own: tuple[OwnOption, ...], situation: Situation) -> None:
    offered = {one.option_id: one for one in own}
    for option in with_own(BUTTONS, own, situation, "Agent"):
        told = offered.get(option.own) if option.own is not None else None
        if option.kind.refuses:
            assert told is None or told.kind in (OwnKind.REJECT_ONCE, OwnKind.REJECT_ALWAYS)
        else:
            assert told is not None and told.kind in (OwnKind.ALLOW_ONCE, OwnKind.ALLOW_ALWAYS)
            if told.kind is OwnKind.ALLOW_ALWAYS:
                assert option.kind is OptionKind.ALLOW_ALWAYS and option.option_id.startswith("own:")
                always_asked = situation in (Situation.PROTECTED, Situation.OUTSIDE, Situation.ASK_RULE)
                assert bool(option.disabled) is always_asked
                assert option.disabled or option.scope_text, "it says how far it reaches, or why it cannot be chosen"
            else:
                assert not option.disabled


@law
@given(OWN, st.sampled_from(Situation))
def test_all_that_it_offers_is_shown(own: tuple[OwnOption, ...], situation: Situation) -> None:
    shown = {option.own for option in with_own(BUTTONS, own, situation, "Agent")}
    for one in own:
        if one.kind in (OwnKind.ALLOW_ONCE, OwnKind.ALLOW_ALWAYS, OwnKind.REJECT_ALWAYS):
            assert one.option_id in shown


@law
@given(OWN)
def test_one_way_to_allow_once_or_a_person(own: tuple[OwnOption, ...]) -> None:
    once = [one for one in own if one.kind is OwnKind.ALLOW_ONCE]
    assert (only_once(own) is None) is (len(once) != 1)
    assert bool(why_by_hand(own, "Agent")) is (only_once(own) is None)
    found = refusal(own)
    assert found is None or found.kind in (OwnKind.REJECT_ONCE, OwnKind.REJECT_ALWAYS)
    if any(one.kind is OwnKind.REJECT_ONCE for one in own):
        assert found is not None and found.kind is OwnKind.REJECT_ONCE


@law
@given(GUESTS, IN_RUNS)
def test_what_is_not_shown_well_enough_runs_by_a_bypass_or_the_loosest_mode_alone(
    facts: CallFacts, rules: Rules
) -> None:
    unclear = replace(facts, guest=replace(facts.guest, unclear="nobody knows", agreed=""))
    decision = decide(unclear, rules)
    if decision.outcome is Outcome.RUN:
        bypassed = (Reason.BYPASS_AGENT, Reason.BYPASS_SESSION)
        assert decision.reason in (*bypassed, Reason.MODE_AUTO, Reason.INTERNAL)


@law
@given(GUESTS, IN_RUNS, GRANTS)
def test_a_grant_that_is_tried_does_what_it_would_do(facts: CallFacts, rules: Rules, grants: list[Grant]) -> None:
    require_like_ladder(facts, rules, grants)
