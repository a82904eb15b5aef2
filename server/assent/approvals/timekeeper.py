"""Ends the questions that nobody answers in time: one task for all of them, asleep for as long as it can be."""

import asyncio
import logging
from collections.abc import Sequence

from assent.approvals.broker import Broker
from assent.approvals.patience import Patience
from assent.model.approval import Question, Resolution, ResolvedBy, Status
from assent.model.ids import ApprovalId
from assent.model.patience import Allowance, Countdown
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

AT_ONCE = 64
"""So many questions are ended or told of in one go; then others get their turn."""


class Timekeeper:
    """Watches the broker. It has to be told before those who draw cards, so that a new card can say its time."""

    def __init__(self, broker: Broker, clock: Clock) -> None:
        self._broker = broker
        self._clock = clock
        self._allowance = Allowance()
        self._patience = Patience(self._allowance)
        self._tasks = TaskGroup("timekeeper")
        self._keeping: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._untold: dict[ApprovalId, None] = {}
        self._over = False
        broker.watch(self)

    def __len__(self) -> int:
        return len(self._patience)

    def countdown(self, approval_id: ApprovalId) -> Countdown | None:
        """What is left of this question's time at this moment; None where it waits for ever, or does not wait."""
        return self._patience.countdown(approval_id, self._clock.monotonic())

    def asked(self, question: Question) -> None:
        """A question waits, or its card is another one: that gives it no more time."""
        if question.approval_id not in self._patience:
            self._patience.asked(question.approval_id, self._clock.monotonic())
            self._keep()

    def updated(self, question: Question) -> None:
        """What was told from here, among other things."""

    def resolved(self, question: Question, resolution: Resolution) -> None:
        """A question has its ending."""
        self._patience.ended(question.approval_id)
        self._untold.pop(question.approval_id, None)

    def active(self, *, attended: bool) -> None:
        """The user did something. With `attended`, a view is there and stays."""
        self._tell(self._patience.active(self._clock.monotonic(), attended=attended))
        self._keep()

    def left(self) -> None:
        """The last view is gone."""
        self._tell(self._patience.left(self._clock.monotonic()))
        self._keep()

    def allow(self, allowance: Allowance) -> None:
        """This is how long a question may wait, from now on and for those that wait."""
        if allowance == self._allowance:
            return
        self._allowance = allowance
        self._tell(self._patience.allow(allowance, self._clock.monotonic()))
        # The one who sleeps may have to wake earlier.
        if self._keeping is not None and self._keeping is not asyncio.current_task():
            self._keeping.cancel()
            self._keeping = None
        self._keep()

    async def end(self) -> None:
        """Ends the looking, because the server ends."""
        self._over = True
        await self._tasks.cancel()

    def _keep(self) -> None:
        asleep = self._keeping is not None and not self._keeping.done()
        if self._patience.running and not asleep and not self._over:
            self._keeping = self._tasks.start(self._wait(), "wait for the next to end")

    async def _wait(self) -> None:
        while (seconds := self._patience.next_look(self._clock.monotonic())) is not None:
            await self._clock.sleep(seconds)
            await self._end_expired()

    async def _end_expired(self) -> None:
        # Between two goes somebody may turn up: each looks anew whose time is over.
        while expired := self._patience.expired(self._clock.monotonic(), AT_ONCE):
            words = f"Nobody answered within {_in_words(self._allowance.seconds)}."
            for approval_id in expired:
                logger.info("approval %s: nobody answered in time", approval_id)
                # Its ending is written down first, and until that is done its time is not over again and again.
                self._patience.ended(approval_id)
                self._broker.end(approval_id, Status.TIMEOUT, ResolvedBy.TIMEOUT, words)
            await asyncio.sleep(0)

    def _tell(self, changed: Sequence[ApprovalId]) -> None:
        self._untold.update(dict.fromkeys(changed))
        if self._untold and not self._over and (self._telling is None or self._telling.done()):
            self._telling = self._tasks.start(self._tell_changed(), "tell of clocks")

    async def _tell_changed(self) -> None:
        while self._untold:
            for approval_id in tuple(self._untold)[:AT_ONCE]:
                del self._untold[approval_id]
                self._broker.tell_again(approval_id)
            await asyncio.sleep(0)


def _in_words(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:g} minutes"
    return "1 second" if seconds == 1 else f"{seconds:g} seconds"
