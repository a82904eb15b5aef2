"""One call that the user is asked about: what its card shows, looked at again, changed by the user, written down."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from assent.agent.digest import call_digest, step_digest
from assent.agent.hearing import Withdrawn
from assent.agent.look import Asker, Look
from assent.agent.recorder import Recorder
from assent.agent.run_view import RunView
from assent.agent.said_before import Prompt
from assent.approvals.case import Amended
from assent.masking import holds_mark
from assent.model.approval import (
    Card,
    Option,
    OptionKind,
    OwnOption,
    Question,
    Repeated,
    Resolution,
    ResolvedBy,
    Risk,
    RiskLevel,
)
from assent.model.calls import Access, CallFacts, ToolCall
from assent.model.errors import DigestMismatch, InvalidRequest, ToolFault
from assent.model.ids import ApprovalId
from assent.model.json import JsonObject
from assent.model.modes import graver
from assent.model.preview import Changes
from assent.model.verdict import Decision, Outcome, Reason, Situation
from assent.policy.decide import Rules, effective_category
from assent.policy.offers import Offers
from assent.policy.options import naming_task
from assent.policy.own_options import with_own
from assent.policy.settling import WaitingCall

LookAt = Callable[[ToolCall, Asker, bool], Awaitable[Look | str]]
"""Looks at a call; a text where its arguments are not usable. Anew: nobody has said anything to these arguments yet."""


class Asking:
    """The case of one waiting call. What runs is the state whose card was answered, whatever was looked at since."""

    __slots__ = (
        "_asked",
        "_asker",
        "_call",
        "_look_at",
        "_offers",
        "_opened",
        "_own",
        "_prompts",
        "_recorder",
        "_repeated",
        "_shown",
        "_tell",
        "approval_id",
        "facts",
        "first",
        "since",
    )

    def __init__(
        self,
        first: Look,
        decision: Decision,
        rules: Rules,
        asker: Asker,
        *,
        look_at: LookAt,
        recorder: Recorder,
        opened: Callable[[ApprovalId, "Asking"], None],
        tell: Callable[[ApprovalId, Card, RunView], None],
    ) -> None:
        self._asker = asker
        self._look_at = look_at
        self._recorder = recorder
        self._opened = opened
        self._tell = tell
        self._call = first.call
        self.facts = first.facts
        self._offers = Offers(asker.caller.agent_id)
        self._own: tuple[object, tuple[Option, ...]] | None = None
        """What the agent offers of its own, with the answers that it goes with, and what that was made of."""
        self._prompts: dict[str, Prompt] = {}
        """What each card asks, by its digest."""
        self._repeated: Repeated | None = None
        self.first = self._card(first, decision, rules)
        self._repeated = asker.run.said.repeated(self._prompts[self.first.digest])
        self.first = self._with_what_was_said(self.first)
        self._shown = {self.first.digest: first}
        self._asked = self.first
        """The card of the call that is asked about, before anything of it was changed."""
        self.approval_id: ApprovalId | None = None
        self.since = recorder.now()

    @property
    def interrupted(self) -> bool:
        """Whether it may only run with a click, whatever allows such calls by now."""
        return self._asker.run.interrupted

    async def opened(self, approval_id: ApprovalId) -> None:
        """It waits from here on; whoever is told of it finds it again after a crash."""
        self.approval_id = approval_id
        self._opened(approval_id, self)
        await self._recorder.asked(approval_id, self.first)

    def told(self, approval_id: ApprovalId) -> None:
        """The user is asked."""
        self._tell(approval_id, self.first, self._asker.run)

    async def look(self) -> Card:
        """What a card would show now."""
        now = await self._look_at(self._call, self._asker, False)
        if not isinstance(now, Look):
            raise AssertionError("a call that was understood once is understood again")  # noqa: TRY004
        self.facts = now.facts
        rules = self._asker.run.rules()
        card = self._card(now, self._asker.decide(now.facts, rules), rules)
        self._shown.setdefault(card.digest, now)
        return card

    async def amend(self, args: JsonObject) -> Amended:
        """The changed call goes down the ladder again. What is no ordinary question is shown before it counts."""
        call = replace(self._call, args=args, raw="")
        try:
            now = await self._look_at(call, self._asker, True)
        except Withdrawn:
            raise InvalidRequest("this call does not wait any more", "params.editedArgs") from None
        if isinstance(now, str):
            raise InvalidRequest(f"your change cannot be used: {now}", "params.editedArgs")
        rules = self._asker.run.rules()
        decision = self._asker.decide(now.facts, rules)
        if decision.outcome not in (Outcome.RUN, Outcome.ASK):
            raise InvalidRequest(f"your change would not run: {decision.text}", "params.editedArgs")
        if now.prepared.impossible is not None:
            raise InvalidRequest(f"your change cannot work: {now.prepared.impossible}", "params.editedArgs")
        card = self._card(now, decision, rules)
        self._shown.setdefault(card.digest, now)
        shown = self._shown[self._asked.digest].facts
        return Amended(card, to_be_shown=_deserves_a_look(decision) or _is_graver(now.facts, card, shown, self._asked))

    def adopt(self, card: Card) -> None:
        """The changed call is the one that is asked about."""
        look = self._shown[card.digest]
        self._call, self.facts, self._asked = look.call, look.facts, card

    async def record(self, question: Question, card: Card, option: Option, resolution: Resolution) -> None:
        """Writes the answer down before it counts."""
        begins = not option.kind.refuses and self._begins_with_yes(card)
        await self._recorder.answered(question, card, option, resolution, since=self.since, begins=begins)

    def ended(self, card: Card, resolution: Resolution) -> None:
        """It counted: the next card of such a call may say so. Not of a call that the user has changed."""
        answer = resolution.decision
        if resolution.by is ResolvedBy.USER and answer is not None and card.call.args == self.first.call.args:
            self._asker.run.said.said(self._prompts[card.digest], answer)

    def came_to_nothing(self, card: Card) -> None:
        """Nobody is to wonder whether what was to begin with the yes did."""
        if self._begins_with_yes(card):
            self._recorder.never_ran(self._recorder.subject_of_card(card), since=self.since)

    async def record_end(self, question: Question, resolution: Resolution) -> None:
        """Writes an ending without an answer down before it is told."""
        await self._recorder.ended_durably(question.approval_id, question.card, resolution, since=self.since)

    def note_end(self, question: Question, resolution: Resolution) -> bool:
        """It was withdrawn."""
        self._recorder.withdrawn(question.approval_id, question.card, resolution, since=self.since)
        return True

    async def settled(self) -> None:
        """Returns when that is durable, or cannot be for now."""
        await self._recorder.settled()

    def ended_by(self) -> ResolvedBy:
        """What ended the run."""
        return self._asker.run.ended_by()

    def look_shown_on(self, card: Card) -> Look:
        """The state that this card showed."""
        return self._shown[card.digest]

    async def changes(self, approval_id: ApprovalId, card: Card) -> Changes:
        """What the files would hold that this card is about."""
        told = self.look_shown_on(card).prepared.changes
        if told is None:
            raise InvalidRequest("this call shows no file that could be compared", "params.approvalId")
        try:
            return await told()
        except ToolFault as fault:
            raise DigestMismatch(approval_id, str(fault)) from fault

    def waiting_call(self) -> WaitingCall:
        """The call with what is in force for it at this moment."""
        run = self._asker.run
        return WaitingCall(self._asker.caller, self.facts, run.rules(), run.counted(), run.interrupted)

    def set_aside(self) -> None:
        """It is on its way to run by what is granted."""
        self._asker.run.set_aside(self.facts)

    def _begins_with_yes(self, card: Card) -> bool:
        return self.look_shown_on(card).prepared.begins_with_yes

    def _card(self, look: Look, decision: Decision, rules: Rules) -> Card:
        facts, prepared, caller = look.facts, look.prepared, self._asker.caller
        options = self._offers.of(facts, rules, decision)
        if prepared.own_options is not None:
            options = self._with_own(options, prepared.own_options, decision.situation, rules.agent_name)
        if caller.path and not self._asker.run.interrupted:
            options = naming_task(options, caller.path[-1])
        risk = _with_marks(prepared.risk, look.call)
        digest = call_digest(look.call, caller, prepared)
        self._prompts[digest] = Prompt(
            caller.agent_id,
            look.call.tool,
            "" if look.call.args is None else step_digest(look.call.tool, look.call.args, prepared),
            options,
            decision.situation,
            risk,
            self.interrupted,
        )
        made = Card(
            headline=prepared.headline,
            call=look.call,
            caller=caller,
            category=effective_category(facts),
            mode=rules.mode,
            reason=decision.reason,
            reason_text=decision.text,
            digest=digest,
            options=options,
            preview=prepared.preview,
            directory=prepared.directory,
            grant_key=prepared.grant_key,
            risk=risk,
            rule=decision.rule,
            editable=prepared.editable,
            interrupted=self._asker.run.interrupted,
            comparable=prepared.changes is not None,
        )
        return self._with_what_was_said(made)

    def _with_own(
        self, options: tuple[Option, ...], own: tuple[OwnOption, ...], situation: Situation, agent_name: str
    ) -> tuple[Option, ...]:
        # The same at each look, most of the time.
        given = (options, own, situation, agent_name)
        if self._own is None or self._own[0] != given:
            self._own = (given, with_own(options, own, situation, agent_name))
        return self._own[1]

    def _with_what_was_said(self, card: Card) -> Card:
        """As it was when it was asked first: a card does not change because another one was answered."""
        said = self._repeated
        if said is not None and said.answer is OptionKind.ALLOW_ONCE and self._prompts[card.digest].rule is None:
            said = None
        return card if card.repeated == said else replace(card, repeated=said)


def _is_graver(now: CallFacts, card: Card, before: CallFacts, asked: Card) -> bool:
    """Whether a changed call does what the one that was asked about did not: deletes, does graver things, is risky."""
    deletes_anew = _deletes(now) and not _deletes(before)
    category_rose = graver(card.category, asked.category) is not asked.category
    return deletes_anew or category_rose or bool(set(_warnings(card)) - set(_warnings(asked)))


def _deletes(facts: CallFacts) -> bool:
    return any(use.access is Access.DELETE for use in facts.paths)


def _warnings(card: Card) -> tuple[str, ...]:
    return card.risk.notes if card.risk is not None else ()


def _deserves_a_look(decision: Decision) -> bool:
    """Whether it is asked for more than its mode's sake: protected, outside, secret, or by a rule."""
    return decision.outcome is Outcome.ASK and (
        decision.situation is not Situation.ORDINARY or decision.reason is not Reason.NEEDS_APPROVAL
    )


def _with_marks(risk: Risk | None, call: ToolCall) -> Risk | None:
    """A call that holds a mark instead of a secret would put the mark where the secret belongs."""
    if not holds_mark(call.args):
        return risk
    note = "It holds “[masked: …]”: a mark in the place of a secret that was taken out, not the secret itself."
    return Risk(RiskLevel.HIGH, (note, *(risk.notes if risk is not None else ())))
