"""Waiting for answers: who is told, who was first, and what an answer in a slow moment is worth."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from assent.approvals.broker import Broker
from assent.approvals.case import Amended
from assent.model.approval import Answer, Card, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.errors import (
    ApprovalAlreadyResolved,
    ApprovalNotFound,
    DigestMismatch,
    InvalidOption,
    InvalidRequest,
    NotRecorded,
)
from assent.model.ids import ApprovalId
from assent.model.verdict import Situation
from tests.support.asked_case import HandCase
from tests.support.cards import card
from tests.support.clock import FakeClock
from tests.support.scale import settled

YES, NO = Answer(option_id="approve"), Answer(option_id="deny", feedback="not now")


class Audience:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.asked_digests: list[str] = []
        self.endings: list[tuple[Status, ResolvedBy]] = []

    def asked(self, question: Question) -> None:
        self.asked_digests.append(question.card.digest)

    def counted(self, question: Question) -> None:
        self.asked_digests.append(question.card.digest)

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self.endings.append((resolution.status, resolution.by))


class Asking:
    """One question in the making: what a look at its call would show can be changed by the test."""

    def __init__(self, broker: Broker, first: Card) -> None:
        self.now = first
        self.look: Callable[[], Awaitable[Card]] = self._look
        self.ids: list[ApprovalId] = []
        self.case = HandCase(lambda: self.look(), self.ids.append)
        self.task = asyncio.ensure_future(broker.ask(first, self.case))

    async def _look(self) -> Card:
        return self.now

    @property
    def id(self) -> ApprovalId:
        return self.ids[0]


@pytest.fixture
def audience() -> Audience:
    return Audience()


@pytest.fixture
def broker(audience: Audience) -> Broker:
    made = Broker(FakeClock())
    made.watch(audience)
    return made


async def ask(broker: Broker, first: Card | None = None) -> Asking:
    asking = Asking(broker, first or card())
    await asyncio.sleep(0)
    return asking


async def test_it_is_registered_before_anyone_is_told(broker: Broker) -> None:
    seen: list[Question] = []

    class Eager(Audience):
        def asked(self, question: Question) -> None:
            seen.append(broker.question(question.approval_id))

    broker.watch(Eager())
    await ask(broker)

    assert len(seen) == 1


async def test_an_answer_in_the_same_moment_finds_it(broker: Broker) -> None:
    answered: list[asyncio.Task[object]] = []

    class Quick(Audience):
        def asked(self, question: Question) -> None:
            answered.append(asyncio.ensure_future(broker.answer(question.approval_id, YES)))

    broker.watch(Quick())
    asking = Asking(broker, card())
    _, resolution = await asking.task

    assert resolution.status is Status.ALLOWED
    await answered[0]


async def test_yes(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)

    question, option = await broker.answer(asking.id, YES)
    shown, resolution = await asking.task

    assert option.kind is OptionKind.ALLOW_ONCE
    assert (resolution.status, resolution.by, resolution.decision) == (
        Status.ALLOWED,
        ResolvedBy.USER,
        OptionKind.ALLOW_ONCE,
    )
    assert shown is question.card
    assert audience.endings == [(Status.ALLOWED, ResolvedBy.USER)]
    assert broker.waiting() == ()


async def test_no_with_feedback(broker: Broker) -> None:
    asking = await ask(broker)

    await broker.answer(asking.id, NO)
    _, resolution = await asking.task

    assert (resolution.status, resolution.feedback) == (Status.REJECTED, "not now")


async def test_a_second_answer_learns_the_first(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)
    await broker.answer(asking.id, NO)

    with pytest.raises(ApprovalAlreadyResolved) as late:
        await broker.answer(asking.id, YES)

    assert (late.value.status, late.value.decision) == ("rejected", "reject_once")
    assert len(audience.endings) == 1


async def test_two_answers_at_once_count_once(broker: Broker) -> None:
    asking = await ask(broker)

    results = await asyncio.gather(*(broker.answer(asking.id, YES) for _ in range(5)), return_exceptions=True)

    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert sum(isinstance(result, ApprovalAlreadyResolved) for result in results) == 4


async def test_an_unknown_id(broker: Broker) -> None:
    with pytest.raises(ApprovalNotFound):
        await broker.answer(ApprovalId("x"), YES)


async def test_an_answer_that_does_not_fit_leaves_it_waiting(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker, card(situation=Situation.PROTECTED))

    with pytest.raises(InvalidOption):
        await broker.answer(asking.id, Answer(option_id="bypass_agent"))
    with pytest.raises(DigestMismatch):
        await broker.answer(asking.id, Answer(option_id="approve", digest="other"))

    assert not asking.task.done()
    assert len(broker.waiting()) == 1
    assert audience.endings == []
    await broker.answer(asking.id, YES)
    await asking.task


async def test_a_call_that_changed_is_shown_anew_and_not_allowed(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)
    asking.now = card("d1")

    with pytest.raises(DigestMismatch):
        await broker.answer(asking.id, YES)

    assert audience.asked_digests == ["d0", "d1"]
    assert not asking.task.done()
    with pytest.raises(DigestMismatch):
        await broker.answer(asking.id, YES)
    await broker.answer(asking.id, Answer(option_id="approve", digest="d1"))
    shown, _ = await asking.task
    assert shown.digest == "d1"


async def test_all_of_a_change_is_that_of_the_card_which_was_shown(broker: Broker) -> None:
    asking = await ask(broker)
    told = await broker.changes(asking.id, "d0")
    assert told == await asking.case.changes(asking.id, asking.now)

    asking.now = card("d1")
    for digest in ("d0", "d0"):
        with pytest.raises(DigestMismatch):
            await broker.changes(asking.id, digest)
    assert await broker.changes(asking.id, "d1") != told


async def test_a_refusal_needs_no_second_look(broker: Broker) -> None:
    asking = await ask(broker)

    async def broken() -> Card:
        raise OSError("the disk is gone")

    asking.look = broken
    await broker.answer(asking.id, NO)

    assert (await asking.task)[1].status is Status.REJECTED


async def test_a_look_that_fails_allows_nothing(broker: Broker) -> None:
    asking = await ask(broker)

    async def broken() -> Card:
        raise OSError("the disk is gone")

    asking.look = broken
    with pytest.raises(OSError, match="gone"):
        await broker.answer(asking.id, YES)

    assert not asking.task.done()
    await broker.answer(asking.id, NO)
    await asking.task


async def test_an_option_that_is_no_longer_on_offer_cannot_be_chosen(broker: Broker, audience: Audience) -> None:
    """The settings took the bypass away while the card waited; what would run is the same."""
    asking = await ask(broker)
    asking.now = card(bypass=False)

    with pytest.raises(InvalidOption):
        await broker.answer(asking.id, Answer(option_id="bypass_agent", digest="d0"))

    assert audience.asked_digests == ["d0", "d0"]
    await broker.answer(asking.id, Answer(option_id="approve", digest="d0"))
    await asking.task


async def test_other_options_do_not_spoil_a_yes_that_is_still_one_of_them(broker: Broker) -> None:
    asking = await ask(broker)
    asking.now = card(bypass=False)

    await broker.answer(asking.id, Answer(option_id="approve", digest="d0"))

    assert (await asking.task)[1].status is Status.ALLOWED


async def test_an_ending_during_the_look_beats_the_answer(broker: Broker) -> None:
    asking = await ask(broker)
    go_on = asyncio.Event()

    async def slow() -> Card:
        await go_on.wait()
        return asking.now

    asking.look = slow
    answering = asyncio.ensure_future(broker.answer(asking.id, YES))
    await asyncio.sleep(0)
    assert broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "stopped")
    go_on.set()

    with pytest.raises(ApprovalAlreadyResolved) as late:
        await answering
    assert late.value.status == "cancelled"
    assert (await asking.task)[1].status is Status.CANCELLED


async def test_the_answer_in_a_slow_look_never_allows_a_state_that_was_not_shown(broker: Broker) -> None:
    """While one answer looks, another waits for its turn; what the first one sees is shown, and counts for both."""
    asking = await ask(broker)
    looks: list[asyncio.Future[Card]] = []

    async def by_hand() -> Card:
        looks.append(asyncio.get_running_loop().create_future())
        return await looks[-1]

    asking.look = by_hand
    slow = asyncio.ensure_future(broker.answer(asking.id, YES))
    quick = asyncio.ensure_future(broker.answer(asking.id, Answer(option_id="approve", digest="d0")))
    await asyncio.sleep(0)
    assert len(looks) == 1
    looks[0].set_result(card("d1"))
    with pytest.raises(DigestMismatch):
        await slow
    with pytest.raises(DigestMismatch):
        await quick

    assert len(looks) == 1
    assert not asking.task.done()
    asking.task.cancel()


async def test_a_refusal_does_not_wait_for_a_slow_look(broker: Broker) -> None:
    asking = await ask(broker)
    never: asyncio.Future[Card] = asyncio.get_running_loop().create_future()

    async def by_hand() -> Card:
        return await never

    asking.look = by_hand
    slow = asyncio.ensure_future(broker.answer(asking.id, YES))
    await asyncio.sleep(0)

    await broker.answer(asking.id, NO)

    never.set_result(card())
    with pytest.raises(ApprovalAlreadyResolved):
        await slow
    assert (await asking.task)[1].status is Status.REJECTED


async def test_an_answer_counts_once_it_is_written_down(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: _wait_for(written)
    answering = asyncio.ensure_future(broker.answer(asking.id, YES))
    await settled()
    assert audience.endings == []
    assert not asking.task.done()

    written.set()
    await answering

    assert audience.endings == [(Status.ALLOWED, ResolvedBy.USER)]
    assert asking.case.recorded == [(card(), OptionKind.ALLOW_ONCE)]


async def test_an_answer_that_cannot_be_written_down_changes_nothing(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)

    async def full() -> None:
        raise NotRecorded("the disk is full")

    asking.case.recording = full
    for answer in (YES, NO):
        with pytest.raises(NotRecorded):
            await broker.answer(asking.id, answer)
    assert audience.endings == []
    assert len(broker.waiting()) == 1

    asking.case.recording = None
    await broker.answer(asking.id, YES)
    assert (await asking.task)[1].status is Status.ALLOWED


async def test_of_two_answers_only_the_first_is_written_down(broker: Broker) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: _wait_for(written)
    first = asyncio.ensure_future(broker.answer(asking.id, NO))
    second = asyncio.ensure_future(broker.answer(asking.id, YES))
    await settled()
    written.set()
    await first

    with pytest.raises(ApprovalAlreadyResolved):
        await second
    assert [kind for _, kind in asking.case.recorded] == [OptionKind.REJECT_ONCE]


async def test_a_stop_beats_an_answer_that_is_being_written_down(broker: Broker) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: _wait_for(written)
    answering = asyncio.ensure_future(broker.answer(asking.id, YES))
    await settled()

    broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "stopped")
    written.set()

    with pytest.raises(ApprovalAlreadyResolved) as late:
        await answering
    assert late.value.status == "cancelled"
    assert (await asking.task)[1].status is Status.CANCELLED
    assert asking.case.in_vain == [asking.now], "what was written down as allowed is told not to have run"


async def test_a_no_that_is_stopped_while_it_is_written_down_came_to_what_it_meant(broker: Broker) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: _wait_for(written)
    answering = asyncio.ensure_future(broker.answer(asking.id, NO))
    await settled()
    broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "stopped")
    written.set()

    with pytest.raises(ApprovalAlreadyResolved):
        await answering
    assert asking.case.in_vain == []


async def test_what_became_of_a_question_is_told_once_it_has_ended(broker: Broker) -> None:
    asking = await ask(broker)
    assert broker.fate(asking.id) is None
    await broker.answer(asking.id, NO)
    assert broker.fate(asking.id) is (await asking.task)[1]


async def test_a_question_that_is_not_there_is_not_ended_by_a_rule(broker: Broker) -> None:
    assert not broker.end(ApprovalId("never asked"), Status.REJECTED, ResolvedBy.POLICY, "denied")


class TestChangedArguments:
    CHANGED = {"n": 2}
    EDITED = Answer(option_id="approve", digest="d0", edited=CHANGED)

    async def test_an_ordinary_change_runs_as_it_was_changed(self, broker: Broker) -> None:
        asking = await ask(broker, replace(card(), editable=True))
        asking.case.amended = lambda args: Amended(replace(card("d1"), editable=True), to_be_shown=False)

        question, _ = await broker.answer(asking.id, self.EDITED)

        assert question.card.digest == (await asking.task)[0].digest == "d1"
        assert [shown.digest for shown, _ in asking.case.recorded] == ["d1"]

    async def test_a_change_that_deserves_a_look_is_shown_and_asked_again(
        self, broker: Broker, audience: Audience
    ) -> None:
        asking = await ask(broker, replace(card(), editable=True))
        changed = replace(card("d1"), editable=True)
        asking.case.amended = lambda args: Amended(changed, to_be_shown=True)

        with pytest.raises(DigestMismatch):
            await broker.answer(asking.id, self.EDITED)

        assert (audience.asked_digests, audience.endings) == (["d0", "d1"], [])
        assert asking.case.adopted == [changed]
        asking.now = changed
        await broker.answer(asking.id, Answer(option_id="approve", digest="d1"))
        assert (await asking.task)[0] == changed

    async def test_a_change_that_cannot_be_approved_leaves_it_waiting(self, broker: Broker) -> None:
        asking = await ask(broker, replace(card(), editable=True))

        with pytest.raises(InvalidRequest):
            await broker.answer(asking.id, self.EDITED)

        assert broker.question(asking.id).card.digest == "d0"
        asking.task.cancel()

    @pytest.mark.parametrize(
        ("first", "answer"),
        [
            (card(), EDITED),
            (replace(card(), editable=True), Answer(option_id="deny", digest="d0", edited=CHANGED)),
            (replace(card(), editable=True), Answer(kind=OptionKind.ALLOW_SESSION, digest="d0", edited=CHANGED)),
        ],
    )
    async def test_a_change_goes_with_approving_this_call_only(
        self, broker: Broker, first: Card, answer: Answer
    ) -> None:
        asking = await ask(broker, first)
        asking.case.amended = lambda args: Amended(card("d1"), to_be_shown=False)

        with pytest.raises(InvalidRequest):
            await broker.answer(asking.id, answer)

        assert len(broker.waiting()) == 1
        asking.task.cancel()

    async def test_what_was_not_changed_is_no_change(self, broker: Broker) -> None:
        asking = await ask(broker, replace(card(), editable=True))
        same = asking.now.call.args

        await broker.answer(asking.id, Answer(option_id="approve", digest="d0", edited=same))

        assert (await asking.task)[0].digest == "d0"


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()


async def test_a_cancelled_asker_withdraws_its_question(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)

    asking.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking.task

    assert broker.waiting() == ()
    assert audience.endings == [(Status.CANCELLED, ResolvedBy.STOP)]
    with pytest.raises(ApprovalAlreadyResolved) as late:
        await broker.answer(asking.id, YES)
    assert late.value.status == "cancelled"


async def test_an_answer_that_came_before_the_cancelling_stands(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)

    await broker.answer(asking.id, YES)
    asking.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking.task

    assert audience.endings == [(Status.ALLOWED, ResolvedBy.USER)]


async def test_an_asker_that_fails_while_it_opens_leaves_nothing_behind(broker: Broker) -> None:
    def failing(_: ApprovalId) -> None:
        raise RuntimeError("no")

    async def look() -> Card:
        return card()

    with pytest.raises(RuntimeError):
        await broker.ask(card(), HandCase(look, failing))

    assert broker.waiting() == ()


async def test_ending_twice_ends_once(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)

    assert broker.end(asking.id, Status.TIMEOUT, ResolvedBy.TIMEOUT, "late")
    assert not broker.end(asking.id, Status.ALLOWED, ResolvedBy.POLICY, "allowed")
    await asking.task
    assert not broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "stopped")
    assert not broker.end(ApprovalId("x"), Status.CANCELLED, ResolvedBy.STOP, "stopped")

    assert audience.endings == [(Status.TIMEOUT, ResolvedBy.TIMEOUT)]


async def test_what_rules_say_is_told_when_it_is_written_down(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: always(written.wait())

    assert broker.end(asking.id, Status.ALLOWED, ResolvedBy.POLICY, "allowed")
    await settled()
    assert audience.endings == [] and not asking.task.done()
    written.set()
    await asking.task

    assert audience.endings == [(Status.ALLOWED, ResolvedBy.POLICY)]


async def test_a_stop_does_not_wait_for_what_is_being_written(broker: Broker, audience: Audience) -> None:
    asking = await ask(broker)
    written = asyncio.Event()
    asking.case.recording = lambda: always(written.wait())
    broker.end(asking.id, Status.ALLOWED, ResolvedBy.POLICY, "allowed")
    await asyncio.sleep(0)

    assert broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "stopped")
    written.set()
    await asking.task
    await settled()

    assert audience.endings == [(Status.CANCELLED, ResolvedBy.STOP)]


async def test_what_cannot_be_written_down_runs_nothing_and_refuses_all_the_same(
    broker: Broker, audience: Audience
) -> None:
    async def full() -> None:
        raise NotRecorded("The disk is full. Nothing ran.")

    asking = await ask(broker)
    asking.case.recording = full
    broker.end(asking.id, Status.ALLOWED, ResolvedBy.POLICY, "allowed")
    await settled()
    assert audience.endings == [] and len(broker.waiting()) == 1

    assert broker.end(asking.id, Status.DENIED_BY_RULE, ResolvedBy.POLICY, "denied")
    await asking.task
    assert audience.endings == [(Status.DENIED_BY_RULE, ResolvedBy.POLICY)]


async def always(waiting: Awaitable[object]) -> None:
    await waiting


async def test_who_stopped_watching_is_told_nothing(broker: Broker, audience: Audience) -> None:
    broker.unwatch(audience)
    asking = await ask(broker)
    await broker.answer(asking.id, YES)
    await asking.task

    assert audience.asked_digests == []
    assert audience.endings == []


async def test_a_thousand_questions_wait_side_by_side(broker: Broker) -> None:
    askings = [Asking(broker, card()) for _ in range(1_000)]
    await asyncio.sleep(0)

    assert [question.seq for question in broker.waiting()] == list(range(1, 1_001))
    await broker.answer(askings[500].id, YES)
    assert len(broker.waiting()) == 999
    for asking in askings:
        asking.task.cancel()
    await asyncio.gather(*(asking.task for asking in askings), return_exceptions=True)
    assert broker.waiting() == ()


async def test_nobody_hears_of_a_question_before_it_is_written_down(broker: Broker, audience: Audience) -> None:
    written = asyncio.Event()
    asking = Asking(broker, card())
    asking.case.opening = written.wait
    await asyncio.sleep(0)
    assert [one.approval_id for one in broker.waiting()] == [asking.id]

    asking.now = card("d1")
    await broker.refresh(asking.id)
    broker.tell_settled(asking.id, {"approve": 2})
    assert (audience.asked_digests, broker.told(), asking.case.told_ids) == ([], (), [])
    written.set()
    await settled()
    assert audience.asked_digests == ["d1"] and asking.case.told_ids == [asking.id]
    assert broker.told() == broker.waiting()
    await broker.answer(asking.id, replace(YES, digest="d1"))
    assert (await asking.task)[1].status is Status.ALLOWED


@pytest.mark.parametrize("stopped", [True, False])
async def test_what_ends_before_anyone_heard_of_it_is_not_told(
    broker: Broker, audience: Audience, *, stopped: bool
) -> None:
    asking = Asking(broker, card())
    asking.case.opening = asyncio.Event().wait
    await asyncio.sleep(0)
    if stopped:
        asking.task.cancel()
    else:
        asking.case.opening = None
        broker.end(asking.id, Status.CANCELLED, ResolvedBy.STOP, "Stopped.")
        asking.task.cancel()
    await asyncio.wait({asking.task})
    assert (audience.asked_digests, audience.endings, broker.waiting()) == ([], [], ())
    assert broker.fate(asking.id) is not None
