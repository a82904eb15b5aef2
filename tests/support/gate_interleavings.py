"""Whole runs and everything that can happen to their calls, in an order that a seed picks: gate, desk, grants, records.

The orders of the broker alone are many and quick; these are fewer, and look at what the pieces make of each other.
"""

import asyncio
import random
from collections import Counter

from assent.agent.chat import Chat
from assent.model.approval import Answer, OptionKind, Question
from assent.model.errors import ApprovalFault, AssentError, InvalidRequest, NotRecorded
from assent.model.events import ToolFinished
from assent.model.grants import Limits
from assent.model.modes import Mode
from assent.model.patience import Allowance, TimeoutWhen
from assent.model.records import Entry, Stage
from tests.support.scale import limit
from tests.support.world import Step, World, call

_KINDS = [
    *[OptionKind.ALLOW_ONCE] * 4,
    *[OptionKind.REJECT_ONCE] * 2,
    OptionKind.ALLOW_SESSION,
    OptionKind.BYPASS_SESSION,
]
_LIMITS = [None, None, Limits(uses=1), Limits(minutes=1), Limits(until_run_ends=True)]
_ALLOWANCES = [Allowance(20, when) for when in TimeoutWhen]


class GatePlay:
    """One order: two chats, each with a few turns of one to three calls."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.world = World([self._turn(number) for number in range(6)])
        self.world.journal.refuses = self._refuses
        self.world.journal.pause = self._pause
        self.chats = [self.world.chat(), self.world.chat()]
        self.sent = [self.world.send(chat) for chat in self.chats]
        self.answers: list[asyncio.Task[object]] = []
        self.failing = False

    def _turn(self, number: int) -> list[Step]:
        calls = range(self.random.randrange(1, 4))
        return [step for index in calls for step in call("count", index=index + 1, n=10 * number + index)]

    def _refuses(self, entry: Entry) -> bool:
        # What is noted is kept for the next write that works: only what somebody waits for can fail.
        waited_for = entry.option is not None or entry.stage in (Stage.STARTED, Stage.FINISHED)
        return waited_for and self.random.random() < 0.08

    async def _pause(self) -> None:
        for _ in range(self.random.randrange(3)):
            await asyncio.sleep(0)

    async def run(self) -> None:
        """From the messages to the ends of all runs."""
        for _ in range(self.random.randrange(10, 40)):
            self._something()
            for _ in range(self.random.randrange(4)):
                await asyncio.sleep(0)
        while not all(sent.done() for sent in self.sent):
            for question in self.world.broker.waiting():
                self._answer(question, OptionKind.REJECT_ONCE)
            await asyncio.sleep(0)
        await asyncio.gather(*self.answers, return_exceptions=True)
        self.left_over = (
            len(self.world.broker.waiting()),
            len(self.world.broker._entries),
            len(self.world.timekeeper),
            len(self.world.gate._waiting),
            len(self.world.gate._running),
        )
        await self.world.timekeeper.end()

    def _something(self) -> None:
        what, waiting = self.random.random(), self.world.broker.waiting()
        if waiting and what < 0.5:
            self._answer(self.random.choice(waiting), self.random.choice(_KINDS))
        elif what < 0.58:
            self.world.desk.set_mode(self._chat().session_id, self.random.choice(list(Mode)), apply_now=what < 0.54)
        elif what < 0.64:
            self.world.tool.state = f"s{self.random.randrange(1_000)}"
        elif what < 0.67:
            self.answers.append(asyncio.ensure_future(self.world.desk.stop(self._chat().session_id)))
        elif what < 0.85:
            self.world.clock.advance(self.random.choice([5, 10, 20]))
        elif what < 0.93:
            self.world.timekeeper.allow(self.random.choice(_ALLOWANCES))
        elif what < 0.97:
            self.world.timekeeper.active(attended=self.random.random() < 0.5)
        else:
            self.world.timekeeper.left()

    def _chat(self) -> Chat:
        return self.random.choice(self.chats)

    def _answer(self, question: Question, kind: OptionKind) -> None:
        edited = self.random.choice([None, None, None, {"n": 7_000}, {"n": "seven"}])
        answer = Answer(
            kind=kind,
            digest=self.random.choice([question.card.digest] * 4 + ["other"]),
            edited=edited if kind is OptionKind.ALLOW_ONCE else None,
            limits=self.random.choice(_LIMITS)
            if kind in (OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION)
            else None,
        )
        taking = self.world.answers.take(question.approval_id, answer, question.session_id, None)
        self.answers.append(asyncio.ensure_future(taking))

    def check(self) -> None:
        """One fate for each question, one result for each call, and each tells the same as the records."""
        assert self.left_over == (0, 0, 0, 0, 0)
        for task in self.answers:
            fault = task.exception()
            assert fault is None or isinstance(fault, (ApprovalFault, InvalidRequest, NotRecorded, AssentError)), fault
        self._check_fates()
        self._check_runs()

    def _check_fates(self) -> None:
        told = Counter(question.approval_id for question, _ in self.world.client.endings)
        assert set(told.values()) <= {1}
        assert set(told) == {question.approval_id for question in self.world.client.questions}
        decided = {
            entry.approval_id: entry
            for entry in self.world.journal.entries
            if entry.stage is Stage.DECIDED and entry.approval_id is not None
        }
        for question, resolution in self.world.client.endings:
            last = decided[question.approval_id]
            assert last.ending is not None
            assert (last.ending.value, last.by) == (resolution.status.value, resolution.by)

    def _check_runs(self) -> None:
        outcomes = [outcome for chat in self.chats for outcome in self.world.outcomes(chat)]
        started = Counter(
            entry.subject.call.call_id for entry in self.world.journal.entries if entry.stage is Stage.STARTED
        )
        assert set(started.values()) <= {1}
        # Nothing ran whose start was not written down, and nothing twice.
        assert len(self.world.tool.entered) <= len(started)
        assert sum(outcome.ran for outcome in outcomes) <= len(self.world.tool.entered)
        finished = [event for chat in self.chats for event in self.world.of(chat, ToolFinished)]
        assert len(finished) == len(outcomes)


async def play(seed: int) -> GatePlay:
    """Plays one order and checks it."""
    order = GatePlay(seed)
    async with asyncio.timeout(limit(60)):
        await order.run()
    try:
        order.check()
    except AssertionError as fault:
        raise AssertionError(f"the order of seed {seed}: {fault}") from fault
    return order
