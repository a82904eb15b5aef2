"""Questions that nobody answers in time: ended once, told, and never while somebody is there."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from assent.approvals.broker import Broker
from assent.approvals.timekeeper import AT_ONCE, Timekeeper
from assent.model.approval import Answer, Card, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved
from assent.model.ids import ApprovalId
from assent.model.patience import Allowance, Countdown, TimeoutWhen
from tests.support.asked_case import HandCase
from tests.support.cards import card
from tests.support.clock import FakeClock
from tests.support.world import settled, until

YES = Answer(kind=OptionKind.ALLOW_ONCE)
ALWAYS, UNATTENDED, NEVER = TimeoutWhen


@dataclass
class Office:
    """A broker with its timekeeper, and everything that a client would see."""

    clock: FakeClock = field(default_factory=FakeClock)
    asked_of: list[ApprovalId] = field(default_factory=list)
    told_again: list[tuple[ApprovalId, Countdown | None]] = field(default_factory=list)
    shown: list[Countdown | None] = field(default_factory=list)
    endings: list[tuple[ApprovalId, Resolution]] = field(default_factory=list)
    askers: list["asyncio.Task[tuple[Card, Resolution]]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.broker = Broker(self.clock)
        self.keeper = Timekeeper(self.broker, self.clock)
        self.broker.watch(self)

    def asked(self, question: Question) -> None:
        self.asked_of.append(question.approval_id)
        self.shown.append(self.keeper.countdown(question.approval_id))

    def updated(self, question: Question) -> None:
        self.told_again.append((question.approval_id, self.keeper.countdown(question.approval_id)))

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self.endings.append((question.approval_id, resolution))

    async def ask(self, count: int = 1) -> list[ApprovalId]:
        async def look() -> Card:
            return card()

        for _ in range(count):
            case = HandCase(look, lambda _: None)
            self.askers.append(asyncio.ensure_future(self.broker.ask(card(), case)))
        await settled()
        return self.asked_of[-count:]

    async def pass_time(self, seconds: float) -> None:
        """In steps, as time passes for one who is awake."""
        while seconds > 0:
            self.clock.advance(min(seconds, 5))
            seconds -= 5
            await settled()


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    made = Office()
    yield made
    for asker in made.askers:
        asker.cancel()
    await asyncio.gather(*made.askers, return_exceptions=True)
    await made.keeper.end()


async def test_a_question_that_nobody_answers_ends_once_its_time_is_over(office: Office) -> None:
    (waiting,) = await office.ask()
    assert office.shown == [Countdown(300, running=True, remaining=300)]
    await office.pass_time(299)
    assert office.endings == []
    await office.pass_time(1)
    ((ended, resolution),) = office.endings
    assert (ended, resolution.status, resolution.by) == (waiting, Status.TIMEOUT, ResolvedBy.TIMEOUT)
    assert resolution.text == "Nobody answered within 5 minutes."
    assert (await office.askers[0])[1] is resolution
    with pytest.raises(ApprovalAlreadyResolved) as late:
        await office.broker.answer(waiting, YES)
    assert (late.value.status, late.value.resolved_by) == ("timeout", "timeout")


async def test_nobody_looks_while_nothing_can_end(office: Office) -> None:
    assert office.clock.sleeping == 0
    office.keeper.active(attended=True)
    await office.ask()
    office.keeper.active(attended=True)
    await office.pass_time(20)
    assert office.clock.sleeping == 0
    office.keeper.left()
    await settled()
    assert office.clock.sleeping == 1


async def test_one_sleeps_for_all(office: Office) -> None:
    await office.ask(50)
    assert office.clock.sleeping == 1


async def test_somebody_who_turns_up_stops_the_clock_and_it_starts_anew_when_they_leave(office: Office) -> None:
    (waiting,) = await office.ask()
    await office.pass_time(290)
    office.keeper.active(attended=True)
    await settled()
    assert office.told_again == [(waiting, Countdown(300, running=False, remaining=300))]
    await office.pass_time(1_000)
    office.keeper.active(attended=True)
    await settled()
    assert len(office.told_again) == 1
    office.keeper.left()
    await settled()
    assert office.told_again[1:] == [(waiting, Countdown(300, running=True, remaining=300))]
    await office.pass_time(295)
    assert office.endings == []
    await office.pass_time(5)
    assert len(office.endings) == 1


async def test_time_that_the_machine_slept_does_not_count(office: Office) -> None:
    await office.ask()
    await office.pass_time(90)
    office.clock.advance(8 * 3600)
    await settled()
    await office.pass_time(205)
    assert office.endings == []
    await office.pass_time(5)
    assert len(office.endings) == 1


async def test_another_allowance_counts_at_once_and_is_told(office: Office) -> None:
    office.keeper.allow(Allowance(300, NEVER))
    (waiting,) = await office.ask()
    assert office.shown == [None]
    await office.pass_time(1_000)
    office.keeper.allow(Allowance(10, ALWAYS))
    await settled()
    assert office.told_again == [(waiting, Countdown(10, running=True, remaining=10))]
    office.keeper.allow(Allowance(10, ALWAYS))
    await settled()
    assert len(office.told_again) == 1
    await office.pass_time(5)
    office.keeper.allow(Allowance(5, ALWAYS))
    await settled()
    assert [resolution.text for _, resolution in office.endings] == ["Nobody answered within 5 seconds."]


async def test_a_shorter_allowance_wakes_the_one_who_sleeps(office: Office) -> None:
    await office.ask()
    await settled()
    office.keeper.allow(Allowance(1, UNATTENDED))
    await settled()
    office.clock.advance(1)
    await settled()
    assert len(office.endings) == 1


async def test_a_card_that_changes_gets_no_more_time(office: Office) -> None:
    states = iter(["d1", "d2"])

    async def look() -> Card:
        return card(next(states))

    office.askers.append(asyncio.ensure_future(office.broker.ask(card(), HandCase(look, lambda _: None))))
    await settled()
    await office.pass_time(200)
    await office.broker.refresh(office.asked_of[0])
    assert office.shown[-1] == Countdown(300, running=True, remaining=100)
    await office.pass_time(100)
    assert len(office.endings) == 1


async def test_very_many_end_together_and_others_get_their_turn(office: Office) -> None:
    await office.ask(5 * AT_ONCE)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while len(office.endings) < 5 * AT_ONCE:
            turns += 1
            await asyncio.sleep(0)

    await office.pass_time(295)
    watching = asyncio.ensure_future(other())
    await office.pass_time(5)
    await watching
    assert turns >= 5
    assert len(office.keeper) == 0


async def test_who_turns_up_while_many_end_saves_the_rest(office: Office) -> None:
    await office.ask(3 * AT_ONCE)
    await office.pass_time(295)
    office.clock.advance(5)
    await until(lambda: office.endings)
    office.keeper.active(attended=True)
    await settled()
    assert AT_ONCE <= len(office.endings) < 3 * AT_ONCE
    assert len(office.broker.waiting()) == 3 * AT_ONCE - len(office.endings)


async def test_after_the_end_nothing_sleeps(office: Office) -> None:
    await office.ask()
    await office.keeper.end()
    office.keeper.left()
    office.keeper.allow(Allowance(1, ALWAYS))
    await office.ask()
    assert office.clock.sleeping == 0


@pytest.mark.parametrize("answer", [YES, Answer(cancelled=True)])
async def test_answer_and_timeout_at_the_same_moment_have_one_winner(office: Office, answer: Answer) -> None:
    """Both are on their way in the same rounds of the loop; whoever loses learns what is so."""
    office.keeper.allow(Allowance(5, ALWAYS))
    winners: Counter[ResolvedBy] = Counter()
    for number in range(500):
        (waiting,) = await office.ask()
        # From an answer that comes before the time is over to one that comes some rounds later.
        rounds = number % 4
        answering = asyncio.ensure_future(office.broker.answer(waiting, answer)) if rounds == 0 else None
        office.clock.advance(5)
        for _ in range(rounds - 1):
            await asyncio.sleep(0)
        answering = answering or asyncio.ensure_future(office.broker.answer(waiting, answer))
        (outcome,) = await asyncio.gather(answering, return_exceptions=True)
        _, told = await office.askers.pop()
        winners[told.by] += 1
        assert [one for one, _ in office.endings].count(waiting) == 1
        if isinstance(outcome, BaseException):
            assert isinstance(outcome, ApprovalAlreadyResolved)
            assert (outcome.status, outcome.resolved_by, outcome.at) == (told.status, told.by, told.at)
            assert told.status is Status.TIMEOUT
        else:
            assert told.by is ResolvedBy.USER
        assert len(office.keeper) == 0
    assert winners.keys() == {ResolvedBy.USER, ResolvedBy.TIMEOUT}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (2, "2 seconds"),
        (60, "60 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (90, "90 seconds"),
        (121, "121 seconds"),
        (180, "3 minutes"),
    ],
)
async def test_how_long_nobody_answered_is_said_in_words(office: Office, seconds: float, words: str) -> None:
    office.keeper.allow(Allowance(seconds, ALWAYS))
    await office.ask()
    await office.pass_time(seconds)
    assert [resolution.text for _, resolution in office.endings] == [f"Nobody answered within {words}."]
