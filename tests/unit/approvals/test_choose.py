"""What an answer means: every combination of its deciding fields, on every kind of card."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from assent.approvals.choose import choose
from assent.model.approval import Answer, Card, Option, OptionKind
from assent.model.errors import InvalidOption, InvalidRequest
from assent.model.grants import Limits, RuleGrant, ToolGrant
from assent.model.ids import ApprovalId
from assent.model.verdict import Situation
from tests.support.cards import card, with_options

ID = ApprovalId("a")
CARDS = {
    "ordinary": card(),
    "without bypass": card(bypass=False),
    "protected": card(situation=Situation.PROTECTED),
}
OPTION_IDS = [None, "approve", "deny", "allow_session", "bypass_session", "bypass_agent", "teleport", ""]
KINDS: list[OptionKind | None] = [None, *OptionKind]


def meant(shown: Card, option_id: str | None, kind: OptionKind | None, cancelled: bool, bypass_all: bool) -> set[str]:
    """The options that each deciding field speaks for, by id; one that is not offered stands as “?”."""
    ids = {option.kind: option.option_id for option in shown.options}
    voices = set()
    if option_id is not None:
        voices.add(option_id if option_id in ids.values() else "?")
    if kind is not None:
        voices.add(ids.get(kind, "?"))
    if cancelled:
        voices.add("deny")
    if bypass_all:
        # A plain yes beside it says nothing against it.
        voices = voices - {"approve"} | {ids.get(OptionKind.BYPASS_AGENT, "?")}
    return voices


@pytest.mark.parametrize("name", CARDS)
def test_every_combination(name: str) -> None:
    shown = CARDS[name]
    counted = 0
    for option_id, kind, cancelled, bypass_all in product(OPTION_IDS, KINDS, (False, True), (False, True)):
        answer = Answer(option_id=option_id, kind=kind, cancelled=cancelled, bypass_all=bypass_all)
        voices = meant(shown, option_id, kind, cancelled, bypass_all)
        if len(voices) == 1 and "?" not in voices:
            assert choose(ID, shown, answer).option_id in voices, answer
            counted += 1
        elif not voices:
            with pytest.raises(InvalidRequest):
                choose(ID, shown, answer)
        else:
            with pytest.raises(InvalidOption):
                choose(ID, shown, answer)
    assert counted > len(shown.options)


@pytest.mark.parametrize("shown", CARDS.values(), ids=CARDS)
def test_a_refusal_beside_a_bypass_sets_no_bypass(shown: Card) -> None:
    for refusal in (Answer(option_id="deny"), Answer(kind=OptionKind.REJECT_ONCE), Answer(cancelled=True)):
        both = Answer(refusal.option_id, refusal.kind, refusal.cancelled, bypass_all=True)
        with pytest.raises(InvalidOption):
            choose(ID, shown, both)


def test_what_was_not_offered_is_answered_with_what_was() -> None:
    with pytest.raises(InvalidOption) as refused:
        choose(ID, CARDS["protected"], Answer(option_id="bypass_agent"))

    assert refused.value.allowed == ("approve", "deny")
    assert refused.value.approval_id == ID


def test_a_kind_picks_the_first_option_of_it() -> None:
    wide = with_options(card(), OptionKind.REJECT_ONCE, OptionKind.ALLOW_ONCE)
    assert choose(ID, wide, Answer(kind=OptionKind.ALLOW_ONCE)).kind is OptionKind.ALLOW_ONCE


def test_feedback_and_a_digest_alone_decide_nothing() -> None:
    with pytest.raises(InvalidRequest):
        choose(ID, card(), Answer(digest="d0", feedback="yes, do it"))


def _with_disabled() -> Card:
    """Its agent's own answer for good stands beside the plain ones, and says why it cannot be chosen."""
    shown = card(situation=Situation.PROTECTED)
    own = Option("own:always", OptionKind.ALLOW_ALWAYS, "Let it", own="always", disabled="It is always asked for.")
    return replace(shown, options=(*shown.options, own))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"kind": OptionKind.ALLOW_ALWAYS},
        {"kind": OptionKind.ALLOW_ONCE},
        {"cancelled": True},
        {"bypass_all": True},
        {"to_many": True},
        {"offered": frozenset(OptionKind)},
    ],
)
def test_what_is_only_shown_is_never_chosen(more: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as fault:
        choose(ID, _with_disabled(), Answer(option_id="own:always", **more))
    if "offered" in more or not more:
        assert "only shown" in str(fault.value) and "It is always asked for." in str(fault.value)
    assert "own:always" not in fault.value.allowed and "approve" in fault.value.allowed


def test_what_is_only_shown_is_meant_by_no_kind() -> None:
    for kind in OptionKind:
        try:
            assert not choose(ID, _with_disabled(), Answer(kind=kind)).disabled
        except InvalidOption:
            continue
    way = Option("own:other", OptionKind.ALLOW_ONCE, "Other", disabled="Not now.")
    shown = replace(_with_disabled(), options=(*_with_disabled().options, way))
    assert choose(ID, shown, Answer(kind=OptionKind.ALLOW_ONCE)).option_id == "approve"


@pytest.mark.parametrize("kind", list(OptionKind))
def test_only_what_is_allowed_for_the_chat_can_be_given_an_end(kind: OptionKind) -> None:
    shown, answer = with_options(card(), kind), Answer(kind=kind, limits=Limits(uses=5))
    if kind in (OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION):
        assert choose(ID, shown, answer).kind is kind
    else:
        with pytest.raises(InvalidRequest, match="can be given an end"):
            choose(ID, shown, answer)


@pytest.mark.parametrize("interrupted", [False, True])
@pytest.mark.parametrize("until_run_ends", [False, True])
def test_the_end_of_a_run_that_has_ended_is_no_end(interrupted: bool, until_run_ends: bool) -> None:
    shown = replace(with_options(card(), OptionKind.ALLOW_SESSION), interrupted=interrupted)
    answer = Answer(kind=OptionKind.ALLOW_SESSION, limits=Limits(uses=5, until_run_ends=until_run_ends))
    if interrupted and until_run_ends:
        with pytest.raises(InvalidRequest, match="has ended already"):
            choose(ID, shown, answer)
    else:
        assert choose(ID, shown, answer).kind is OptionKind.ALLOW_SESSION


@pytest.mark.parametrize("kind", list(OptionKind))
def test_what_is_meant_by_its_id_only_is_meant_by_no_word(kind: OptionKind) -> None:
    wide = Option("wide", kind, "Always", by_id_only=True)
    shown = replace(card(), options=(wide,))
    assert choose(ID, shown, Answer(option_id="wide")) is wide
    for word in (
        Answer(kind=kind),
        Answer(kind=kind, whole_tool=True),
        Answer(kind=kind, offered=frozenset(OptionKind)),
    ):
        with pytest.raises(InvalidOption):
            choose(ID, shown, word)
    narrow = replace(wide, by_id_only=False)
    assert choose(ID, replace(shown, options=(wide, narrow)), Answer(kind=kind)) is narrow


def test_the_whole_tool_is_picked_where_it_is_meant_and_can_be() -> None:
    rule = Option("rule", OptionKind.ALLOW_ALWAYS, "Rule", grant=RuleGrant("t", "x"))
    tool = Option("tool", OptionKind.ALLOW_ALWAYS, "Tool", grant=ToolGrant("t"))
    meaning, kind = Answer(kind=OptionKind.ALLOW_ALWAYS, whole_tool=True), Answer(kind=OptionKind.ALLOW_ALWAYS)
    shown = replace(card(), options=(rule, tool))
    assert choose(ID, shown, meaning) is tool and choose(ID, shown, kind) is rule
    for unusable in (replace(tool, disabled="Not now."), replace(tool, by_id_only=True)):
        assert choose(ID, replace(shown, options=(rule, unusable)), meaning) is rule
