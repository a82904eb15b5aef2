"""Futures around the ledger: who asks waits here, who answers comes here, who watches is told."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from assent.approvals.ledger import Ledger
from assent.model.approval import Answer, Card, Option, Question, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalFault, DigestMismatch
from assent.model.ids import ApprovalId, SessionId
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id

Look = Callable[[], Awaitable[Card]]
"""Looks at the call again and says what a card would show now."""


class Watcher(Protocol):
    """Is told of every question and every ending, in order, and must not wait or fail."""

    def asked(self, question: Question) -> None: ...

    def counted(self, question: Question) -> None:
        """Only what its answers would settle beside it is another number now."""

    def resolved(self, question: Question, resolution: Resolution) -> None: ...


@dataclass(slots=True)
class _Entry:
    future: "asyncio.Future[tuple[Card, Resolution]]"
    look: Look


class Broker:
    """Asks, answers, withdraws. Holds no lock while a person thinks; the ledger decides who was first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ledger = Ledger()
        self._entries: dict[ApprovalId, _Entry] = {}
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Tells this watcher of everything from now on."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Tells it nothing any more."""
        self._watchers.remove(watcher)

    async def ask(
        self, card: Card, look: Look, cause: Callable[[], ResolvedBy], opened: Callable[[ApprovalId], None]
    ) -> tuple[Card, Resolution]:
        """Waits for the ending, and gives the card that it was given to. A cancelled wait withdraws the question."""
        approval_id = ApprovalId(new_id())
        entry = _Entry(asyncio.get_running_loop().create_future(), look)
        question = self._ledger.open(approval_id, card, self._clock.timestamp())
        self._entries[approval_id] = entry
        try:
            opened(approval_id)
            self._tell_asked(question)
            return await entry.future
        except BaseException:
            # Whatever ends the wait early, the question ends with it; an answer that was first stands.
            self.end(approval_id, Status.CANCELLED, cause(), "The run was stopped before anyone answered.")
            raise

    async def answer(self, approval_id: ApprovalId, answer: Answer) -> tuple[Question, Option]:
        """Lets an answer count, if it is the first, fits the card, and the call is still what the card showed."""
        option = self._ledger.check(approval_id, answer)
        if not option.kind.refuses:
            await self._look_again(approval_id)
            option = self._ledger.check(approval_id, answer)
        resolution = Resolution(
            Status.REJECTED if option.kind.refuses else Status.ALLOWED,
            ResolvedBy.USER,
            f"You chose “{option.name}”.",
            self._clock.timestamp(),
            option.kind,
            answer.feedback,
        )
        return self._finish(approval_id, resolution), option

    async def refresh(self, approval_id: ApprovalId) -> None:
        """Looks at a waiting call again, because its surroundings changed; its card changes where it would."""
        with suppress(ApprovalFault):
            await self._look_again(approval_id)

    def end(self, approval_id: ApprovalId, status: Status, by: ResolvedBy, text: str) -> bool:
        """Ends a question without an answer, if it still waits; says whether it did."""
        try:
            self._finish(approval_id, Resolution(status, by, text, self._clock.timestamp()))
        except ApprovalFault:
            return False
        return True

    def tell_settled(self, approval_id: ApprovalId, also_settles: Mapping[str, int]) -> None:
        """Says what answers to this question would settle as well, where that is not what was said last."""
        if self._ledger.waiting_one(approval_id).also_settles != also_settles:
            question = self._ledger.note_settled(approval_id, also_settles)
            for watcher in tuple(self._watchers):
                watcher.counted(question)

    def question(self, approval_id: ApprovalId) -> Question:
        """The waiting question, or the fault that tells why there is none."""
        return self._ledger.waiting_one(approval_id)

    def waiting(self, session_id: SessionId | None = None) -> tuple[Question, ...]:
        """What waits, in the order in which it was asked."""
        return self._ledger.waiting(session_id)

    async def _look_again(self, approval_id: ApprovalId) -> None:
        shown = self._ledger.waiting_one(approval_id).card
        now = await self._entries[approval_id].look()
        if replace(now, call=shown.call) == shown:
            return
        self._tell_asked(self._ledger.refresh(approval_id, now))
        # Where only the words or the options are others, the answer may still be one of them: its check comes next.
        if now.digest != shown.digest:
            raise DigestMismatch(approval_id, "what would run has changed since this card was shown; please look again")

    def _finish(self, approval_id: ApprovalId, resolution: Resolution) -> Question:
        question = self._ledger.resolve(approval_id, resolution)
        entry = self._entries.pop(approval_id)
        if not entry.future.done():
            entry.future.set_result((question.card, resolution))
        for watcher in tuple(self._watchers):
            watcher.resolved(question, resolution)
        return question

    def _tell_asked(self, question: Question) -> None:
        for watcher in tuple(self._watchers):
            watcher.asked(question)
