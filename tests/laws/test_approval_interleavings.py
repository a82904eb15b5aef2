"""Questions, answers, endings and changes in twenty thousand random orders: one fate each, and nothing left over."""

import asyncio
import random
from collections import Counter

import pytest

from assent.approvals.broker import Broker
from assent.model.approval import Answer, Card, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved, ApprovalFault, DigestMismatch, NotRecorded
from assent.model.ids import ApprovalId
from tests.support.asked_case import HandCase
from tests.support.cards import card
from tests.support.clock import FakeClock

ORDERS = 20_000
CHUNKS = 4


class Room:
    """One broker, up to three questions, and everything that can happen to them, in an order that a seed picks."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.broker = Broker(FakeClock())
        self.broker.watch(self)
        self.state: dict[int, int] = {}
        self.ids: dict[int, ApprovalId] = {}
        self.shown: dict[ApprovalId, list[str]] = {}
        self.endings: Counter[ApprovalId] = Counter()
        self.fates: dict[ApprovalId, Resolution] = {}
        self.askers: dict[int, asyncio.Task[tuple[Card, Resolution]]] = {}
        self.answers: list[tuple[int, asyncio.Task[object]]] = []

    def asked(self, question: Question) -> None:
        self.shown.setdefault(question.approval_id, []).append(question.card.digest)

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self.endings[question.approval_id] += 1
        self.fates[question.approval_id] = resolution

    def open(self) -> None:
        number = len(self.askers)
        self.state[number] = 0

        async def look() -> Card:
            now = card(f"d{self.state[number]}")
            for _ in range(self.random.randrange(3)):
                await asyncio.sleep(0)
            return now

        def opened(approval_id: ApprovalId) -> None:
            self.ids[number] = approval_id

        case = HandCase(look, opened)
        case.recording = self.record
        self.askers[number] = asyncio.ensure_future(self.broker.ask(card("d0"), case))

    async def record(self) -> None:
        for _ in range(self.random.randrange(3)):
            await asyncio.sleep(0)
        if self.random.random() < 0.1:
            raise NotRecorded("the disk is full")

    def answer(self, number: int) -> None:
        digest = self.random.choice([None, f"d{self.state[number]}", "d0", "other"])
        kind = self.random.choice([OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.ALLOW_SESSION])
        work = self.broker.answer(self.ids[number], Answer(kind=kind, digest=digest))
        self.answers.append((number, asyncio.ensure_future(work)))

    async def play(self) -> None:
        self.open()
        for _ in range(self.random.randrange(4, 14)):
            number = self.random.choice(list(self.askers))
            what = self.random.random()
            if what < 0.12 and len(self.askers) < 3:
                self.open()
            elif number not in self.ids or what < 0.35:
                await asyncio.sleep(0)
            elif what < 0.7:
                self.answer(number)
            elif what < 0.8:
                self.state[number] += 1
            elif what < 0.87:
                self.askers[number].cancel()
            elif what < 0.92:
                self.broker.end(self.ids[number], Status.TIMEOUT, ResolvedBy.TIMEOUT, "late")
        await asyncio.gather(*(task for _, task in self.answers), return_exceptions=True)
        for number, approval_id in self.ids.items():
            if self.random.random() < 0.5:
                self.broker.end(approval_id, Status.CANCELLED, ResolvedBy.SHUTDOWN, "the end")
            else:
                self.askers[number].cancel()
        for number in self.askers.keys() - self.ids.keys():
            self.askers[number].cancel()
        await asyncio.gather(*self.askers.values(), return_exceptions=True)

    def check(self) -> None:
        assert self.broker.waiting() == ()
        assert self.broker._entries == {}
        assert set(self.endings) == set(self.ids.values())
        assert all(count == 1 for count in self.endings.values())
        counted = Counter(self.ids[number] for number, task in self.answers if task.exception() is None)
        for number, approval_id in self.ids.items():
            fate = self.fates[approval_id]
            assert counted[approval_id] == (fate.by is ResolvedBy.USER)
            self.check_asker(self.askers[number], approval_id, fate)
        for _, task in self.answers:
            assert task.exception() is None or isinstance(task.exception(), (ApprovalFault, NotRecorded))

    def check_asker(
        self, asker: asyncio.Task[tuple[Card, Resolution]], approval_id: ApprovalId, fate: Resolution
    ) -> None:
        if asker.cancelled():
            return
        shown, resolution = asker.result()
        assert resolution is fate
        # What was allowed is what was on the card last, never a state that was not shown.
        assert resolution.status is not Status.ALLOWED or shown.digest == self.shown[approval_id][-1]


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_each_question_has_one_fate_in_every_order(chunk: int) -> None:
    fates: Counter[Status] = Counter()
    faults: Counter[type] = Counter()
    for seed in range(chunk * ORDERS // CHUNKS, (chunk + 1) * ORDERS // CHUNKS):
        room = Room(seed)
        await room.play()
        try:
            room.check()
        except AssertionError as fault:
            raise AssertionError(f"the order of seed {seed}") from fault
        fates.update(fate.status for fate in room.fates.values())
        faults.update(type(task.exception()) for _, task in room.answers)
    # The orders really met every end and every fault.
    assert set(fates) == {Status.ALLOWED, Status.REJECTED, Status.CANCELLED, Status.TIMEOUT}
    assert {ApprovalAlreadyResolved, DigestMismatch, NotRecorded, type(None)} <= set(faults)
