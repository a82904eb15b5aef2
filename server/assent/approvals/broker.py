"""Futures around the ledger: who asks waits here, who answers comes here, who watches is told."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import field, replace
from typing import Any, Protocol

from assent.approvals.case import Case
from assent.approvals.ledger import Ledger
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Answer, Card, Option, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.errors import ApprovalFault, DigestMismatch, InvalidRequest, NotRecorded
from assent.model.ids import ApprovalId, SessionId
from assent.model.json import JsonObject
from assent.model.preview import Changes
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

_WRITTEN_FIRST = frozenset({ResolvedBy.POLICY, ResolvedBy.TIMEOUT})


class Watcher(Protocol):
    """Is told of every question and every ending, in order, and must not wait or fail."""

    def asked(self, question: Question) -> None: ...

    def updated(self, question: Question) -> None:
        """Only what is said beside the card is another now: what its answers would settle, how long it still waits."""

    def resolved(self, question: Question, resolution: Resolution) -> None: ...


@dataclass(slots=True)
class _Entry:
    future: "asyncio.Future[tuple[Card, Resolution]]"
    case: Case
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One look after the other. A refusal needs none, so it never waits for a slow one."""
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One answer is written down after the other, so that none is written that was not the first."""
    told: bool = False
    """Somebody has heard of it. Until then it can end, and nobody hears of that either."""
    settling: bool = False
    """An ending without an answer is being written down."""


class Broker:
    """Asks, answers, withdraws. Holds no lock while a person thinks; the ledger decides who was first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ledger = Ledger()
        self._entries: dict[ApprovalId, _Entry] = {}
        self._watchers: list[Watcher] = []
        self._settling = TaskGroup("endings without an answer")
        self._withdrawn: list[tuple[_Entry, Question, Resolution]] = []
        """Those of which nobody was told yet."""
        self._telling: asyncio.Task[None] | None = None

    def watch(self, watcher: Watcher) -> None:
        """Tells this watcher of everything from now on."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Tells it nothing any more."""
        self._watchers.remove(watcher)

    async def ask(self, card: Card, case: Case) -> tuple[Card, Resolution]:
        """Waits for the ending, and gives the card that it was given to. A cancelled wait withdraws the question."""
        approval_id = ApprovalId(new_id())
        entry = _Entry(asyncio.get_running_loop().create_future(), case)
        self._ledger.open(approval_id, card, self._clock.timestamp())
        self._entries[approval_id] = entry
        try:
            await case.opened(approval_id)
            if not entry.future.done():
                entry.told = True
                case.told(approval_id)
                self._tell_asked(self._ledger.waiting_one(approval_id))
            return await entry.future
        except (Exception, asyncio.CancelledError):
            # Whatever ends the wait early, the question ends with it; an answer that was first stands.
            await self._withdraw(approval_id, case.ended_by())
            raise

    async def answer(self, approval_id: ApprovalId, answer: Answer) -> tuple[Question, Option]:
        """Lets an answer count, if it is the first, fits the card, is written down, and the call is still the same."""
        option = self._ledger.check(approval_id, answer)
        if option.kind.refuses:
            return await self._count(approval_id, answer)
        async with self._entries[approval_id].looking:
            meant = self._ledger.check(approval_id, answer)
            await self._look_again(approval_id)
            if self._ledger.check(approval_id, answer) != meant:
                raise DigestMismatch(approval_id, "what this answer allows has changed; please look again")
            return await self._count(approval_id, answer)

    async def refresh(self, approval_id: ApprovalId) -> None:
        """Looks at a waiting call again, because its surroundings changed; its card changes where it would."""
        entry = self._entries.get(approval_id)
        if entry is None:
            return
        async with entry.looking:
            if entry.settling:
                # Its ending is on its way: a new card now would only be seen to go.
                return
            with suppress(ApprovalFault):
                await self._look_again(approval_id)

    async def changes(self, approval_id: ApprovalId, digest: str) -> Changes:
        """All of what the files would hold that a card is about, which is looked at again as for an answer."""
        self._check_shown(approval_id, digest)
        entry = self._entries[approval_id]
        async with entry.looking:
            self._check_shown(approval_id, digest)
            await self._look_again(approval_id)
            return await entry.case.changes(approval_id, self._check_shown(approval_id, digest))

    def _check_shown(self, approval_id: ApprovalId, digest: str) -> Card:
        card = self._ledger.waiting_one(approval_id).card
        if card.digest != digest:
            raise DigestMismatch(approval_id, "this is about something else than what would run now")
        return card

    def end(self, approval_id: ApprovalId, status: Status, by: ResolvedBy, text: str) -> bool:
        """Ends a question without an answer, if it still waits; says whether it did.

        What rules say, or the clock, is written down first and counts then; all else ends it at once.
        """
        resolution = Resolution(status, by, text, self._clock.timestamp())
        if by in _WRITTEN_FIRST:
            return self._settle(approval_id, resolution)
        return self._end_now(approval_id, resolution)

    async def _withdraw(self, approval_id: ApprovalId, by: ResolvedBy) -> None:
        """Nothing answers the question from here on. That is written down before it is told: who stopped a run and
        was told so is not asked about its calls again."""
        words = "The run was stopped before anyone answered."
        resolution = Resolution(Status.CANCELLED, by, words, self._clock.timestamp())
        try:
            entry, question = self._resolve(approval_id, resolution)
        except ApprovalFault:
            return
        # What only the end of the server ends is asked anew by the next one.
        if by is ResolvedBy.SHUTDOWN or not entry.case.note_end(question, resolution):
            self._tell_resolved(entry, question, resolution)
            return
        self._withdrawn.append((entry, question, resolution))
        if self._telling is None:
            self._telling = self._settling.start(self._tell_withdrawn(), "withdrawn")
        await asyncio.wait({self._telling})

    async def _tell_withdrawn(self) -> None:
        """A stop withdraws all questions of a run at once: they are written down together."""
        # One round of the loop, in which all of them have come.
        await asyncio.sleep(0)
        withdrawn, self._withdrawn, self._telling = self._withdrawn, [], None
        # It returns also where the disk takes nothing: they end all the same, and do not run.
        await withdrawn[0][0].case.settled()
        for entry, question, resolution in withdrawn:
            self._tell_resolved(entry, question, resolution)

    def tell_settled(self, approval_id: ApprovalId, also_settles: Mapping[str, int]) -> None:
        """Says what answers to this question would settle as well, where that is not what was said last."""
        if self._ledger.waiting_one(approval_id).also_settles != also_settles:
            self._ledger.note_settled(approval_id, also_settles)
            self.tell_again(approval_id)

    def tell_again(self, approval_id: ApprovalId) -> None:
        """Says that something beside the card is another now, if the question still waits."""
        entry = self._entries.get(approval_id)
        if entry is not None and entry.told:
            question = self._ledger.waiting_one(approval_id)
            for watcher in tuple(self._watchers):
                watcher.updated(question)

    def question(self, approval_id: ApprovalId) -> Question:
        """The waiting question, or the fault that tells why there is none."""
        return self._ledger.waiting_one(approval_id)

    def fate(self, approval_id: ApprovalId) -> Resolution | None:
        """How a question ended, as far as that is still remembered."""
        return self._ledger.fate(approval_id)

    def waiting(self, session_id: SessionId | None = None) -> tuple[Question, ...]:
        """What waits, in the order in which it was asked."""
        return self._ledger.waiting(session_id)

    def told(self, session_id: SessionId | None = None) -> tuple[Question, ...]:
        """Those of them that somebody may hear of."""
        return tuple(one for one in self.waiting(session_id) if self._entries[one.approval_id].told)

    async def _count(self, approval_id: ApprovalId, answer: Answer) -> tuple[Question, Option]:
        option = self._ledger.check(approval_id, answer)
        question = self._ledger.waiting_one(approval_id)
        entry = self._entries[approval_id]
        card = question.card if answer.edited is None else await self._amended(question, option, answer.edited)
        async with entry.writing:
            self._ledger.check(approval_id, answer)
            resolution = self._answered(option, answer, changed=card.call.args != question.card.call.args)
            withdrawn = await _to_its_end(self._write_down(question, card, answer, option, resolution))
            try:
                counted = self._finish(approval_id, resolution, card), option
            except ApprovalFault:
                if not option.kind.refuses:
                    entry.case.came_to_nothing(card)
                raise
            if withdrawn is not None:
                raise withdrawn
            return counted

    async def _write_down(
        self, question: Question, card: Card, answer: Answer, option: Option, resolution: Resolution
    ) -> None:
        # It has waited for its turn: what was ended meanwhile has its fate, and no answer is to stand behind that.
        self._ledger.check(question.approval_id, answer)
        await self._entries[question.approval_id].case.record(question, card, option, resolution)

    def _end_now(self, approval_id: ApprovalId, resolution: Resolution) -> bool:
        try:
            self._finish(approval_id, resolution)
        except ApprovalFault:
            return False
        return True

    def _settle(self, approval_id: ApprovalId, resolution: Resolution) -> bool:
        entry = self._entries.get(approval_id)
        if entry is None or entry.settling:
            return False
        entry.settling = True
        self._settling.start(self._write_and_finish(approval_id, entry, resolution), "settle")
        return True

    async def _write_and_finish(self, approval_id: ApprovalId, entry: _Entry, resolution: Resolution) -> None:
        try:
            async with entry.writing:
                with suppress(ApprovalFault):
                    await entry.case.record_end(self._ledger.waiting_one(approval_id), resolution)
                    self._finish(approval_id, resolution)
        except NotRecorded as fault:
            if resolution.status is Status.ALLOWED:
                # It goes on waiting: what is not written down does not run.
                logger.warning("approval %s goes on waiting: %s", approval_id, fault)
            else:
                self._end_now(approval_id, resolution)
        finally:
            entry.settling = False

    def _answered(self, option: Option, answer: Answer, *, changed: bool) -> Resolution:
        end = f" ({answer.limits.in_words})" if answer.limits is not None else ""
        return Resolution(
            Status.REJECTED if option.kind.refuses else Status.ALLOWED,
            ResolvedBy.USER,
            f"You changed this call and chose “{option.name}”." if changed else f"You chose “{option.name}”{end}.",
            self._clock.timestamp(),
            option.kind,
            answer.feedback,
            option.own,
        )

    async def _look_again(self, approval_id: ApprovalId) -> None:
        shown = self._ledger.waiting_one(approval_id).card
        now = self._ledger.as_told(approval_id, await self._entries[approval_id].case.look())
        if now == shown or replace(now, call=shown.call) == shown:
            return
        changed = self._ledger.refresh(approval_id, now)
        if self._entries[approval_id].told:
            self._tell_asked(changed)
        # Where only the words or the options are others, the answer may still be one of them: its check comes next.
        if now.digest != shown.digest:
            raise DigestMismatch(approval_id, "what would run has changed since this card was shown; please look again")

    async def _amended(self, question: Question, option: Option, args: JsonObject) -> Card:
        approval_id, case = question.approval_id, self._entries[question.approval_id].case
        if option.kind is not OptionKind.ALLOW_ONCE or not question.card.editable:
            raise InvalidRequest("changed arguments go with approving this one call only", "params.editedArgs")
        if args == question.card.call.args:
            return question.card
        amended = await case.amend(args)
        if not amended.to_be_shown:
            return amended.card
        changed = self._ledger.refresh(approval_id, self._ledger.as_told(approval_id, amended.card))
        case.adopt(amended.card)
        self._tell_asked(changed)
        raise DigestMismatch(approval_id, "your change needs another look: the card shows now what would run")

    def _finish(self, approval_id: ApprovalId, resolution: Resolution, card: Card | None = None) -> Question:
        entry, question = self._resolve(approval_id, resolution, card)
        self._tell_resolved(entry, question, resolution)
        return question

    def _resolve(
        self, approval_id: ApprovalId, resolution: Resolution, card: Card | None = None
    ) -> tuple[_Entry, Question]:
        question = self._ledger.resolve(approval_id, resolution)
        if card is not None:
            # The one that was answered, whatever was looked at since.
            question = replace(question, card=card)
        entry = self._entries.pop(approval_id)
        if not entry.future.done():
            entry.future.set_result((question.card, resolution))
        return entry, question

    def _tell_resolved(self, entry: _Entry, question: Question, resolution: Resolution) -> None:
        for watcher in tuple(self._watchers) if entry.told else ():
            watcher.resolved(question, resolution)

    def _tell_asked(self, question: Question) -> None:
        for watcher in tuple(self._watchers):
            watcher.asked(question)


async def _to_its_end(writing: Coroutine[Any, Any, None]) -> asyncio.CancelledError | None:
    """Waits until it is written, whoever wants to wait no more; gives back what would have ended the wait early.

    An answer that stands on the disk counts: there is no way to take it back.
    """
    withdrawn = None
    task = asyncio.ensure_future(writing)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as early:
            withdrawn = early
    task.result()
    return withdrawn
