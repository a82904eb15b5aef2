"""What the gate and the execution write down of each call, in the words of the records."""

from collections.abc import Callable
from dataclasses import replace

from assent.agent.digest import call_digest
from assent.agent.look import Look
from assent.agent.ports import Journal
from assent.model.approval import Card, Option, Question, Resolution, ResolvedBy, Status
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.errors import NotRecorded
from assent.model.grants import Granted, Limits
from assent.model.ids import ApprovalId, CallId
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.decide import effective_category
from assent.runtime.clock import Clock

_ENDINGS = {status: Ending(status.value) for status in Status}
_UNUSABLE = {Reason.INVALID_ARGUMENTS, Reason.TOOL_NOT_FOUND}


class Recorder:
    """Makes entries and hands them to the journal. Waits where something is about to happen, and only there."""

    def __init__(self, journal: Journal, clock: Clock, folder: Callable[[], str]) -> None:
        self._journal = journal
        self._clock = clock
        self._folder = folder
        self._withdrawn: list[Entry] = []
        self._ended: dict[ApprovalId, Resolution] = {}
        """Endings that are written down, or about to be, and to which the one who asked has not come yet."""

    def subject_of_card(self, card: Card) -> Subject:
        """The call that a card shows."""
        return Subject(
            card.call,
            card.caller,
            card.category,
            card.mode,
            card.headline,
            card.directory,
            card.digest,
            self._folder(),
        )

    def subject_of_look(self, look: Look, caller: Caller, mode: Mode) -> Subject:
        """A call for which no card is needed."""
        prepared = look.prepared
        digest = call_digest(look.call, caller, prepared)
        category = effective_category(look.facts)
        folder = self._folder()
        return Subject(look.call, caller, category, mode, prepared.headline, prepared.directory, digest, folder)

    def subject_unseen(self, call: ToolCall, caller: Caller, category: Category, mode: Mode) -> Subject:
        """A call that could not be looked at."""
        return Subject(call, caller, category, mode, folder=self._folder())

    def now(self) -> float:
        """The time from which a wait is counted."""
        return self._clock.monotonic()

    async def asked(self, approval_id: ApprovalId, card: Card) -> None:
        """The user is about to be asked; returns when that is durable. On a disk that takes nothing, all the same."""
        entry = Entry(
            Stage.REQUESTED,
            self._clock.timestamp(),
            self.subject_of_card(card),
            approval_id,
            reason=card.reason,
            text=card.reason_text,
            rule=card.rule,
            interrupted=card.interrupted,
        )
        self._journal.note(entry)
        await self._journal.settle()

    async def answered(
        self, question: Question, card: Card, option: Option, resolution: Resolution, *, since: float, begins: bool
    ) -> None:
        """The user answered; returns when that is durable, and where it begins with the answer, its start as well."""
        subject = self.subject_of_card(card)
        entry = Entry(
            Stage.DECIDED,
            resolution.at,
            subject,
            question.approval_id,
            ending=_ENDINGS[resolution.status],
            by=resolution.by,
            reason=card.reason,
            text=resolution.text,
            rule=card.rule,
            option=option.kind,
            grant=option.name if option.grant is not None else "",
            feedback=resolution.feedback,
            edited=card.call.args != question.card.call.args,
            interrupted=card.interrupted,
            waited_ms=self._since(since),
        )
        start = (Entry(Stage.STARTED, resolution.at, subject),) if begins else ()
        await self._journal.write(entry, *start)

    def ended(self, approval_id: ApprovalId, card: Card, resolution: Resolution, *, since: float) -> None:
        """A question ended without an answer, unless just that is written down already."""
        if self._ended.pop(approval_id, None) is not resolution:
            self._journal.note(self._end_of(approval_id, card, resolution, since))

    def withdrawn(self, approval_id: ApprovalId, card: Card, resolution: Resolution, *, since: float) -> None:
        """The same, before anyone is told: it is durable when `settled` returns."""
        self._withdrawn.append(self._end_of(approval_id, card, resolution, since))
        self._ended[approval_id] = resolution

    async def settled(self) -> None:
        """Writes all that was withdrawn down together; returns when that is durable, or cannot be for now."""
        withdrawn, self._withdrawn = self._withdrawn, []
        try:
            await self._journal.write(*withdrawn)
        except NotRecorded:
            for entry in withdrawn:
                self._journal.note(entry)

    async def ended_durably(self, approval_id: ApprovalId, card: Card, resolution: Resolution, *, since: float) -> None:
        """The same, before anyone is told; returns when that is durable. Raises NotRecorded."""
        self._ended[approval_id] = resolution
        try:
            await self._journal.write(self._end_of(approval_id, card, resolution, since))
        except BaseException:
            self._ended.pop(approval_id, None)
            raise

    def _end_of(self, approval_id: ApprovalId, card: Card, resolution: Resolution, since: float) -> Entry:
        return Entry(
            Stage.DECIDED,
            resolution.at,
            self.subject_of_card(card),
            approval_id,
            ending=_ENDINGS[resolution.status],
            by=resolution.by,
            reason=card.reason,
            text=resolution.text,
            rule=card.rule,
            interrupted=card.interrupted,
            waited_ms=self._since(since),
        )

    def permitted(self, subject: Subject, decision: Decision, granted: Granted | None) -> Entry:
        """It may run without anyone being asked, also by what was granted: written together with its start."""
        return replace(self._decided(subject, decision, Ending.ALLOWED), granted=granted)

    def refused(self, subject: Subject, decision: Decision) -> None:
        """It does not run, by policy."""
        self._journal.note(self._decided(subject, decision, _refused_as(decision)))

    def refused_for(self, subject: Subject, decision: Decision, reason: Reason | None, text: str) -> None:
        """It would have been asked for, and there is no point in it."""
        at = self._clock.timestamp()
        entry = Entry(
            Stage.DECIDED,
            at,
            subject,
            ending=Ending.BLOCKED if reason is Reason.UNATTENDED else Ending.UNUSABLE,
            by=ResolvedBy.POLICY,
            reason=reason or decision.reason,
            text=text,
            rule=decision.rule,
        )
        self._journal.note(entry)

    async def started(self, subject: Subject, unwritten: tuple[Entry, ...]) -> None:
        """It is about to run; returns when that, and what allowed it, is durable. Raises NotRecorded."""
        await self._journal.write(*unwritten, Entry(Stage.STARTED, self._clock.timestamp(), subject))

    async def finished(self, subject: Subject, outcome: ToolOutcome, ending: Ending, *, since: float) -> None:
        """It has its result; returns when that is durable. Raises NotRecorded."""
        entry = Entry(
            Stage.FINISHED,
            self._clock.timestamp(),
            subject,
            ending=ending,
            code=outcome.code,
            took_ms=self._since(since),
        )
        try:
            await self._journal.write(entry)
        except NotRecorded:
            # Once the disk takes something again, it must not look as if nobody knew how it ended.
            self._journal.note(entry)
            raise

    def never_ran(self, subject: Subject, *, since: float) -> None:
        """Its start was written down, and then it did not start after all."""
        at = self._clock.timestamp()
        self._journal.note(
            Entry(Stage.FINISHED, at, subject, ending=Ending.STOPPED, code="not_started", took_ms=self._since(since))
        )

    def granted(self, question: Question, option: Option, limits: Limits | None) -> None:
        """An answer allowed or forbade more than its own call."""
        end = "" if limits is None else f" ({limits.in_words})"
        self._journal.note(
            Entry(
                Stage.GRANTED,
                self._clock.timestamp(),
                self.subject_of_card(question.card),
                question.approval_id,
                by=ResolvedBy.USER,
                option=option.kind,
                grant=option.name + end,
                text=option.scope_text,
            )
        )

    def taken_back(self, caller: Caller, mode: Mode, text: str) -> None:
        """The user took back what was allowed, or forbidden."""
        self._journal.note(self._of_user(Stage.REVOKED, caller, mode, text))

    def given(self, caller: Caller, mode: Mode, text: str) -> None:
        """The user allowed something outside of any card, or undid that it was taken back."""
        self._journal.note(self._of_user(Stage.GRANTED, caller, mode, text))

    def _of_user(self, stage: Stage, caller: Caller, mode: Mode, text: str) -> Entry:
        """About no call: the user did it by hand."""
        subject = self.subject_unseen(ToolCall(CallId(""), "", None), caller, Category.INTERNAL, mode)
        return Entry(stage, self._clock.timestamp(), subject, by=ResolvedBy.USER, grant=text, text=text)

    def _decided(self, subject: Subject, decision: Decision, ending: Ending) -> Entry:
        return Entry(
            Stage.DECIDED,
            self._clock.timestamp(),
            subject,
            ending=ending,
            by=ResolvedBy.POLICY,
            reason=decision.reason,
            text=decision.text,
            rule=decision.rule,
        )

    def _since(self, since: float) -> int:
        return round((self._clock.monotonic() - since) * 1000)


def _refused_as(decision: Decision) -> Ending:
    if decision.reason is Reason.DENIED_BY_RULE:
        return Ending.DENIED_BY_RULE
    if decision.reason is Reason.CANCELLED:
        return Ending.CANCELLED
    if decision.outcome is Outcome.ERROR and decision.reason in _UNUSABLE:
        return Ending.UNUSABLE
    return Ending.BLOCKED
