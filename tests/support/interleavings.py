"""Questions and everything that can happen to them, in an order that a seed picks, over the real broker and clocks.

Answers of every kind, edits, slow and failing records, changed calls, policy, stops, people who come and go, and time.
`check` says whether each question had one fate, whether everybody tells the same of it, and whether anything is left.
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace

from assent.approvals.broker import Broker
from assent.approvals.case import Amended
from assent.approvals.timekeeper import Timekeeper
from assent.model.approval import Answer, Card, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalFault, InvalidRequest, NotRecorded
from assent.model.ids import ApprovalId
from assent.model.json import JsonObject
from assent.model.patience import Allowance, TimeoutWhen
from tests.support.asked_case import HandCase
from tests.support.cards import card
from tests.support.clock import FakeClock

SECONDS = 20.0
_ALLOWANCES = [Allowance(seconds, when) for seconds in (SECONDS, 5.0) for when in TimeoutWhen]
_KINDS = [OptionKind.ALLOW_ONCE] * 3 + [OptionKind.REJECT_ONCE, OptionKind.ALLOW_SESSION, OptionKind.REJECT_ALWAYS]
_BY_POLICY = [Status.ALLOWED, Status.REJECTED, Status.DENIED_BY_RULE]

Asker = asyncio.Task[tuple[Card, Resolution]]


@dataclass
class OrderedRecords:
    """What was decided, in the order in which it was handed over, as a store with one writer has it."""

    random: random.Random
    slots: list[tuple[ApprovalId, list[Status]]] = field(default_factory=list)

    async def write(self, approval_id: ApprovalId, status: Status) -> None:
        """Durable after a while, or never."""
        slot: list[Status] = []
        self.slots.append((approval_id, slot))
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        if self.random.random() < 0.12:
            raise NotRecorded("the disk is full")
        slot.append(status)

    def note(self, approval_id: ApprovalId, status: Status) -> None:
        """Durable some time later."""
        self.slots.append((approval_id, [status]))

    def last(self, approval_id: ApprovalId) -> Status | None:
        """What counts of this question."""
        written = [status for one, slot in self.slots if one == approval_id for status in slot]
        return written[-1] if written else None


class AskedCall(HandCase):
    """One call whose surroundings change, and whose arguments the user may change."""

    def __init__(self, play: "Play", number: int) -> None:
        self.play = play
        self.number = number
        self.approval_id: ApprovalId | None = None
        self.base, self.state = "d", 0
        super().__init__(self._see, self._opened)
        self.amended = self._amend

    def card(self) -> Card:
        """What a card would show now."""
        return shown(f"{self.base}{self.state}")

    async def _see(self) -> Card:
        now = self.card()
        await self.play.moments(3)
        return now

    def _opened(self, approval_id: ApprovalId) -> None:
        self.approval_id = approval_id
        self.play.calls[approval_id] = self

    def _amend(self, args: JsonObject) -> Amended:
        what = str(args["to"])
        if what.startswith("x"):
            raise InvalidRequest("your change cannot work", "params.editedArgs")
        return Amended(shown(what), to_be_shown=what.startswith("s"))

    def adopt(self, card: Card) -> None:
        """From now on this is asked about."""
        super().adopt(card)
        self.base, self.state = card.digest, 0

    async def record(self, question: Question, card: Card, option: object, resolution: Resolution) -> None:
        await self.play.records.write(question.approval_id, resolution.status)

    def ended_by(self) -> ResolvedBy:
        return ResolvedBy.STOP


def shown(digest: str) -> Card:
    """A card of this state of the call."""
    return replace(card(digest), editable=True)


class Play:
    """One order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.clock = FakeClock()
        self.broker = Broker(self.clock)
        self.keeper = Timekeeper(self.broker, self.clock)
        self.broker.watch(self)
        self.records = OrderedRecords(self.random)
        self.calls: dict[ApprovalId, AskedCall] = {}
        self.shown: dict[ApprovalId, list[str]] = {}
        self.told: Counter[ApprovalId] = Counter()
        self.fates: dict[ApprovalId, Resolution] = {}
        self.askers: list[tuple[AskedCall, Asker]] = []
        self.answers: list[tuple[ApprovalId, Answer, asyncio.Task[object]]] = []
        self.others: list[asyncio.Task[object]] = []

    def asked(self, question: Question) -> None:
        self.shown.setdefault(question.approval_id, []).append(question.card.digest)

    def updated(self, question: Question) -> None:
        assert question.approval_id not in self.fates

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self.told[question.approval_id] += 1
        self.fates[question.approval_id] = resolution

    async def moments(self, most: int) -> None:
        """Gives way so many times, or less."""
        for _ in range(self.random.randrange(most)):
            await asyncio.sleep(0)

    async def run(self) -> None:
        """From the first question to the last ending."""
        self._ask()
        for _ in range(self.random.randrange(4, 16)):
            await self._something()
        self.others += [task for _, _, task in self.answers]
        await asyncio.gather(*self.others, return_exceptions=True)
        for call, asker in self.askers:
            if call.approval_id is not None and self.random.random() < 0.5:
                self.broker.end(call.approval_id, Status.CANCELLED, ResolvedBy.SHUTDOWN, "the end")
            else:
                asker.cancel()
        await asyncio.gather(*(asker for _, asker in self.askers), return_exceptions=True)
        self.left_over = (len(self.broker.waiting()), len(self.broker._entries), len(self.keeper))
        await self.keeper.end()

    async def _something(self) -> None:
        call, asker = self.random.choice(self.askers)
        what = self.random.random()
        if what < 0.10 and len(self.askers) < 3:
            self._ask()
        elif call.approval_id is None or what < 0.30:
            await asyncio.sleep(0)
        elif what < 0.62:
            self._answer(call, call.approval_id)
        elif what < 0.70:
            call.state += 1
        elif what < 0.74:
            self.others.append(asyncio.ensure_future(self.broker.refresh(call.approval_id)))
        elif what < 0.79:
            asker.cancel()
        elif what < 0.83:
            self.broker.end(call.approval_id, self.random.choice(_BY_POLICY), ResolvedBy.POLICY, "a rule says so")
        elif what < 0.93:
            self.clock.advance(self.random.choice([5, 10, SECONDS, SECONDS, 100]))
        else:
            self._somebody()

    def _somebody(self) -> None:
        match self.random.randrange(4):
            case 0:
                self.keeper.active(attended=True)
            case 1:
                self.keeper.active(attended=False)
            case 2:
                self.keeper.left()
            case 3:
                self.keeper.allow(self.random.choice(_ALLOWANCES))

    def _ask(self) -> None:
        call = AskedCall(self, len(self.askers))
        self.askers.append((call, asyncio.ensure_future(self._asking(call))))

    async def _asking(self, call: AskedCall) -> tuple[Card, Resolution]:
        try:
            return await self.broker.ask(call.card(), call)
        finally:
            # As the gate does: what is no answer is written down by the one who asked.
            fate = self.broker.fate(call.approval_id) if call.approval_id else None
            if fate is not None and fate.by is not ResolvedBy.USER:
                self.records.note(call.approval_id or ApprovalId(""), fate.status)

    def _answer(self, call: AskedCall, approval_id: ApprovalId) -> None:
        digest = self.random.choice([None, call.card().digest, self.shown[approval_id][-1], "other"])
        edits = [None, None, None, {}, {"to": "e"}, {"to": "s"}, {"to": "x"}]
        edited: JsonObject | None = self.random.choice(edits)
        answer = Answer(kind=self.random.choice(_KINDS), digest=digest, edited=edited)
        task: asyncio.Task[object] = asyncio.ensure_future(self.broker.answer(approval_id, answer))
        self.answers.append((approval_id, answer, task))

    def check(self) -> None:
        """One fate each, of which everybody says the same, and nothing left over."""
        assert self.left_over == (0, 0, 0)
        assert set(self.told) == set(self.calls) and set(self.told.values()) <= {1}
        assert not [task for task in self.others if not task.done()]
        counted: dict[ApprovalId, list[Answer]] = {}
        for approval_id, answer, task in self.answers:
            fault = task.exception()
            assert fault is None or isinstance(fault, (ApprovalFault, NotRecorded, InvalidRequest)), fault
            if fault is None:
                counted.setdefault(approval_id, []).append(answer)
        for approval_id, fate in self.fates.items():
            answers = counted.get(approval_id, [])
            assert len(answers) == (fate.by is ResolvedBy.USER)
            assert self.records.last(approval_id) is fate.status
            assert self.broker.fate(approval_id) is fate
        for call, asker in self.askers:
            if not asker.cancelled() and call.approval_id is not None:
                self._check_asker(call.approval_id, asker, counted.get(call.approval_id, []))

    def _check_asker(self, approval_id: ApprovalId, asker: Asker, answers: list[Answer]) -> None:
        card_, resolution = asker.result()
        assert resolution is self.fates[approval_id]
        if resolution.status is not Status.ALLOWED or resolution.by is not ResolvedBy.USER:
            return
        (answer,) = answers
        # What was allowed is what was on the card last, or the user's own change of it; never what was not shown.
        mine = str(answer.edited["to"]) if answer.edited else self.shown[approval_id][-1]
        assert card_.digest == mine
        assert answer.digest in (None, self.shown[approval_id][-1])


async def play(seed: int) -> Play:
    """Plays one order and checks it."""
    order = Play(seed)
    await order.run()
    try:
        order.check()
    except AssertionError as fault:
        raise AssertionError(f"the order of seed {seed}: {fault}") from fault
    return order
