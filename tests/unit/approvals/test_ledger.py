"""The fate of questions: one each, the first one, and remembered."""

from dataclasses import replace

import pytest

from assent.approvals.ledger import Ledger
from assent.model.approval import Answer, OptionKind, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved, ApprovalNotFound, DigestMismatch, NeedsOwnLook
from assent.model.ids import ApprovalId, SessionId
from assent.model.verdict import Reason
from tests.support.cards import card

ONE, TWO = ApprovalId("one"), ApprovalId("two")
ALLOWED = Resolution(Status.ALLOWED, ResolvedBy.USER, "yes", "now", OptionKind.ALLOW_ONCE)
REJECTED = Resolution(Status.REJECTED, ResolvedBy.USER, "no", "later", OptionKind.REJECT_ONCE)
YES = Answer(option_id="approve")


@pytest.fixture
def ledger() -> Ledger:
    opened = Ledger()
    opened.open(ONE, card("d0"), "now")
    return opened


def test_an_unknown_id_was_never_asked(ledger: Ledger) -> None:
    for action in (ledger.waiting_one, lambda id_: ledger.check(id_, YES), lambda id_: ledger.resolve(id_, ALLOWED)):
        with pytest.raises(ApprovalNotFound):
            action(TWO)


def test_numbers_rise_and_order_is_kept(ledger: Ledger) -> None:
    ledger.open(TWO, card(), "now")

    assert [question.seq for question in ledger.waiting()] == [1, 2]
    ledger.resolve(ONE, ALLOWED)
    assert ledger.open(ApprovalId("three"), card(), "now").seq == 3
    assert [question.approval_id for question in ledger.waiting()] == [TWO, "three"]


def test_an_id_is_used_once(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="once"):
        ledger.open(ONE, card(), "now")
    ledger.resolve(ONE, ALLOWED)
    with pytest.raises(ValueError, match="once"):
        ledger.open(ONE, card(), "now")


def test_the_first_ending_counts_and_later_ones_learn_it(ledger: Ledger) -> None:
    ledger.resolve(ONE, ALLOWED)

    with pytest.raises(ApprovalAlreadyResolved) as late:
        ledger.resolve(ONE, REJECTED)
    with pytest.raises(ApprovalAlreadyResolved):
        ledger.check(ONE, YES)

    assert (late.value.status, late.value.decision, late.value.resolved_by, late.value.at) == (
        "allowed",
        "allow_once",
        "user",
        "now",
    )
    assert len(ledger) == 0


def test_checking_changes_nothing(ledger: Ledger) -> None:
    before = ledger.waiting()
    ledger.check(ONE, YES)
    with pytest.raises(DigestMismatch):
        ledger.check(ONE, replace(YES, digest="other"))
    assert ledger.waiting() == before


@pytest.mark.parametrize(
    ("refreshed", "digest", "counts"),
    [
        (False, None, True),
        (False, "d0", True),
        (False, "d1", False),
        (False, "", False),
        (True, None, False),
        (True, "d0", False),
        (True, "d1", True),
    ],
)
def test_which_digest_counts(ledger: Ledger, refreshed: bool, digest: str | None, counts: bool) -> None:
    if refreshed:
        assert ledger.refresh(ONE, card("d1")).refreshed

    if counts:
        assert ledger.check(ONE, replace(YES, digest=digest)).kind is OptionKind.ALLOW_ONCE
    else:
        with pytest.raises(DigestMismatch):
            ledger.check(ONE, replace(YES, digest=digest))


@pytest.mark.parametrize("reason", [Reason.PROTECTED, Reason.ASK_RULE, Reason.OUTSIDE_WORKSPACE])
@pytest.mark.parametrize(
    ("option", "to_many", "counts"), [("approve", False, True), ("approve", True, False), ("deny", True, True)]
)
def test_a_yes_to_many_is_none_to_a_call_that_wants_a_look(
    reason: Reason, option: str, to_many: bool, counts: bool
) -> None:
    ledger = Ledger()
    ledger.open(ONE, replace(card("d0"), reason=reason), "now")
    answer = Answer(option_id=option, to_many=to_many)
    if counts:
        assert ledger.check(ONE, answer).option_id == option
    else:
        with pytest.raises(NeedsOwnLook):
            ledger.check(ONE, answer)


def test_a_card_that_changed_back_still_wants_a_digest(ledger: Ledger) -> None:
    ledger.refresh(ONE, card("d1"))
    ledger.refresh(ONE, card("d0"))

    with pytest.raises(DigestMismatch):
        ledger.check(ONE, YES)
    ledger.check(ONE, replace(YES, digest="d0"))


def test_a_card_that_changed_still_wants_a_digest_where_later_only_its_words_did(ledger: Ledger) -> None:
    ledger.refresh(ONE, card("d1"))
    assert ledger.refresh(ONE, replace(card("d1"), headline="Write it, please")).refreshed

    with pytest.raises(DigestMismatch):
        ledger.check(ONE, YES)
    ledger.check(ONE, replace(YES, digest="d1"))


def test_other_options_of_the_same_call_want_a_digest_too_and_other_words_want_none(ledger: Ledger) -> None:
    assert not ledger.refresh(ONE, replace(card("d0"), headline="Write it, please")).refreshed
    ledger.check(ONE, YES)

    assert ledger.refresh(ONE, replace(card("d0"), options=card("d0").options[:2])).refreshed
    with pytest.raises(DigestMismatch):
        ledger.check(ONE, YES)


def test_a_refusal_needs_the_right_digest_too(ledger: Ledger) -> None:
    with pytest.raises(DigestMismatch):
        ledger.check(ONE, Answer(option_id="deny", digest="other"))


def test_only_the_latest_endings_are_remembered() -> None:
    ledger = Ledger(remembered=2)
    ids = [ApprovalId(str(number)) for number in range(3)]
    for approval_id in ids:
        ledger.open(approval_id, card(), "now")
        ledger.resolve(approval_id, REJECTED)

    with pytest.raises(ApprovalNotFound):
        ledger.waiting_one(ids[0])
    with pytest.raises(ApprovalAlreadyResolved):
        ledger.waiting_one(ids[1])


def test_waiting_calls_of_one_chat(ledger: Ledger) -> None:
    ledger.open(TWO, card(chat=SessionId("other")), "now")

    assert [question.approval_id for question in ledger.waiting(SessionId("other"))] == [TWO]
    assert ledger.waiting(SessionId("nobody")) == ()


def test_other_words_for_the_same_call_leave_earlier_answers_good(ledger: Ledger) -> None:
    same = replace(card("d0"), reason_text="In another mode, it must ask.")

    assert not ledger.refresh(ONE, same).refreshed
    assert ledger.waiting_one(ONE).card.reason_text == "In another mode, it must ask."
    assert ledger.check(ONE, YES).kind is OptionKind.ALLOW_ONCE


def test_what_an_answer_settles_beside_changes_nothing_of_the_card(ledger: Ledger) -> None:
    question = ledger.note_settled(ONE, {"allow_session": 2})

    assert question.also_settles == {"allow_session": 2}
    assert not question.refreshed
    assert ledger.check(ONE, YES).kind is OptionKind.ALLOW_ONCE
