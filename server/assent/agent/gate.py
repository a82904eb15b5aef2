"""The one way from a call to its execution: look, decide, ask where needed, hand out a permit or a refusal."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from assent.agent.argument_types import as_asked, holds_texts_for_others
from assent.agent.asking import Asking
from assent.agent.hearing import Hearing, HookPort, names_of
from assent.agent.look import Asker, Look
from assent.agent.permit import Permit, Refusal
from assent.agent.ports import AS_SHOWN, Manner, OpenArguments, Prepared, Tool
from assent.agent.recorder import Recorder
from assent.agent.refusals import impossible, pointless, refusal, refused_by
from assent.agent.run_view import RunView
from assent.agent.toolbelt import Toolbelt
from assent.approvals.broker import Broker
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Card, OptionKind, Question, Resolution, ResolvedBy, Status
from assent.model.calls import Caller, CallFacts, HookAnswer, Hooks, ToolCall
from assent.model.errors import ApprovalFault
from assent.model.events import Phase
from assent.model.ids import ApprovalId, SessionId
from assent.model.modes import Category
from assent.model.records import Subject
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.decide import Rules, decide, effective_category, is_named
from assent.policy.offers import helpful_rules
from assent.policy.rules.suggest import Suggestion
from assent.policy.settling import Tally

COUNTED_CARDS = 32


@dataclass(frozen=True, slots=True)
class Explanation:
    """What would be decided about a call, from what, and which rules would let it run."""

    decision: Decision
    headline: str
    category: Category
    suggestions: tuple[Suggestion, ...]
    facts: CallFacts
    rules: Rules
    impossible: str | None = None
    """Why nobody is asked although the decision is to ask: the call can never work."""


@dataclass(frozen=True, slots=True)
class _Ended:
    look: Look
    subject: Subject
    resolution: Resolution
    changed: bool


@dataclass(slots=True)
class _Running:
    permit: Permit
    run: RunView
    forbidden: bool = False


class Gate:
    """Decides for every call of every agent. There is no second path to a tool."""

    def __init__(self, toolbelt: Toolbelt, broker: Broker, recorder: Recorder, hooks: HookPort | None = None) -> None:
        self.hooks = hooks
        """The programs that the user wants to be asked, and told."""
        self._toolbelt = toolbelt
        self._broker = broker
        self.recorder = recorder
        self._waiting: dict[ApprovalId, Asking] = {}
        self._running: list[_Running] = []

    async def admit(
        self, call: ToolCall, caller: Caller, run: RunView, fault: str | None, before: Permit | None = None
    ) -> Permit | Refusal:
        """A permit or a refusal; waits for the user in between where the decision is to ask.

        `before` is an earlier permit of the same call that came to nothing: what hooks said to it stands.
        """
        asker = Asker(caller, run, before.hearing if before is not None else None)
        since = self.recorder.now()
        admitted: Permit | Refusal | None = None
        try:
            admitted = await self._admit(call, asker, run, fault)
        finally:
            try:
                if asker.hearing is not None:
                    await asker.hearing.end()
            except BaseException:
                if isinstance(admitted, Permit) and admitted.clicked:
                    # The yes is written down, and nobody gets what came of it.
                    self.recorder.never_ran(admitted.subject, since=since)
                raise
        return admitted

    async def _admit(self, call: ToolCall, asker: Asker, run: RunView, fault: str | None) -> Permit | Refusal:
        # Once, before anybody has said anything to it: what hooks and users write counts as they write it.
        call = await _with_types(call, run.tools or self._toolbelt)
        while True:
            settled = await self._settle(call, asker, run, fault)
            if not isinstance(settled, Asking):
                return settled
            # Hooks may have made another call of it.
            call = settled.first.call
            ended = await self._ask(settled, call)
            if ended.resolution.by is ResolvedBy.POLICY:
                # What rules say now is looked at and decided afresh: no one has agreed to the old state.
                continue
            if ended.resolution.status is Status.ALLOWED:
                try:
                    return self._permit_after_answer(asker, ended, since=settled.since)
                except Exception:
                    # The yes is written down: so has to be that nothing came of it.
                    self.recorder.never_ran(ended.subject, since=settled.since)
                    raise
            return refused_by(ended.resolution)

    async def _settle(self, call: ToolCall, asker: Asker, run: RunView, fault: str | None) -> Permit | Refusal | Asking:
        """What the decision makes of the call: leave, a refusal, or a question. While it waits, no more is kept."""
        while True:
            prepared, facts = await self._look(call, fault, run.tools)
            facts = self._to_be_heard(call, facts, asker)
            run.looked(facts)
            await run.seen(effective_category(facts), prepared.headline if prepared else call.tool)
            # From here on nobody else gets a turn: one reading of the rules is that of this moment for all of it.
            rules = run.rules()
            decision, mode = asker.decide(facts, rules), rules.mode
            if decision.outcome is not Outcome.NEED_HOOKS or prepared is None or asker.hearing is None:
                break
            # Whatever they say, and whatever happened meanwhile: it is looked at again, and goes down the whole ladder.
            call = await asker.hearing.ask(call, prepared, facts, mode, may_change=True)
        if prepared is None or decision.outcome not in (Outcome.RUN, Outcome.ASK):
            subject = self.recorder.subject_unseen(call, asker.caller, effective_category(facts), mode)
            self.recorder.refused(subject, decision)
            return refusal(decision)
        look = Look(call, prepared, facts)
        subject = self.recorder.subject_of_look(look, asker.caller, mode)
        if decision.outcome is Outcome.RUN:
            unwritten = (self.recorder.permitted(subject, decision, run.set_aside(facts)),)
            still = _still_allowed(asker, facts)
            manner = _manner_unseen(decision, facts)
            return Permit(
                subject,
                prepared,
                facts,
                decision.text,
                still=still,
                unwritten=unwritten,
                manner=manner,
                hearing=asker.hearing,
            )
        in_vain = pointless(prepared, facts, run, rules)
        if in_vain is not None:
            reason = Reason.UNATTENDED if in_vain.code == Reason.UNATTENDED else None
            self.recorder.refused_for(subject, decision, reason, in_vain.message)
            return in_vain
        return Asking(
            look,
            decision,
            rules,
            asker,
            look_at=self._look_at,
            recorder=self.recorder,
            opened=self._waiting.__setitem__,
            tell=_tell_asked,
        )

    async def explain(
        self, call: ToolCall, rules: Rules, fault: str | None, session_id: SessionId | None = None
    ) -> Explanation:
        """The decision about a call that nobody makes: the same look and the same ladder, and nothing else."""
        tools = self._toolbelt if session_id is None else self._toolbelt.in_chat(session_id)
        call = await _with_types(call, tools)
        prepared, facts = await self._look(call, fault, tools)
        if prepared is not None and self._has_hooks(call, facts):
            facts = replace(facts, hooks=Hooks(HookAnswer.PENDING))
        decision = decide(facts, rules)
        suggestions = helpful_rules(facts, rules) if decision.outcome is Outcome.ASK else ()
        headline = prepared.headline if prepared else call.tool
        never = impossible(prepared, facts) if prepared and decision.outcome is Outcome.ASK else None
        why = str(never) if never is not None else None
        return Explanation(decision, headline, effective_category(facts), suggestions, facts, rules, why)

    async def foresee(self, call: ToolCall, tools: Toolbelt) -> tuple[ToolCall, Prepared | None, CallFacts]:
        """A call that another one is about to make as it would count, what it would do, what would be decided from."""
        call = await _with_types(call, tools)
        return call, *await self._look(call, None, tools)

    def reconsider(self) -> None:
        """Takes every waiting call down the ladder again: after a grant, a bypass, a change of mode."""
        for approval_id, asking in tuple(self._waiting.items()):
            waiting = asking.waiting_call()
            decision = decide(waiting.facts, waiting.rules)
            if decision.outcome is Outcome.RUN and asking.interrupted:
                continue
            if decision.outcome is Outcome.RUN:
                if self._broker.end(approval_id, Status.ALLOWED, ResolvedBy.POLICY, decision.text):
                    asking.set_aside()
            elif decision.outcome is not Outcome.ASK:
                status = Status.DENIED_BY_RULE if decision.reason is Reason.DENIED_BY_RULE else Status.REJECTED
                self._broker.end(approval_id, status, ResolvedBy.POLICY, decision.text)
        for running in self._running:
            self._note_if_forbidden(running)

    async def count_settled(self) -> None:
        """Tells with every card how many other waiting calls each of its answers would settle as well.

        A person reads a few cards, not hundreds: beyond so many, none is counted. One alone settles no other.
        """
        if not 1 < len(self._waiting) <= COUNTED_CARDS:
            for question in self._broker.waiting():
                self._broker.tell_settled(question.approval_id, {})
            return
        waiting = {approval_id: one.waiting_call() for approval_id, one in self._waiting.items()}
        tally = Tally(waiting)
        for approval_id in waiting:
            # It may have been answered meanwhile.
            with suppress(ApprovalFault):
                self._broker.tell_settled(approval_id, _settled(self._broker.question(approval_id), tally))
            # Each card takes a while; between two of them others get their turn.
            await asyncio.sleep(0)

    @contextmanager
    def running(self, permit: Permit, run: RunView) -> Iterator[None]:
        """While a call is carried out: a rule that forbids it by now does not end it, but is told."""
        running = _Running(permit, run)
        self._running.append(running)
        try:
            yield
        finally:
            self._running.remove(running)

    def _note_if_forbidden(self, running: _Running) -> None:
        decision = decide(running.permit.facts, running.run.rules())
        forbidden = decision.reason is Reason.DENIED_BY_RULE
        if forbidden and not running.forbidden:
            note = f"{decision.text} This call had been started before, so it goes on; the next one will not run."
            running.run.progress(running.permit.call, Phase.RUNNING, note)
        running.forbidden = forbidden

    async def _look(
        self, call: ToolCall, fault: str | None, tools: Toolbelt | None = None
    ) -> tuple[Prepared | None, CallFacts]:
        tools = self._toolbelt if tools is None else tools
        tool = tools.get(call.tool)
        if tool is None:
            nearest = tools.nearest(call.tool)
            return None, CallFacts(call.tool, known=False, category=Category.EXTERNAL, nearest_tools=nearest)
        fault = fault or _schema_fault(tool, call)
        if fault is not None or call.args is None:
            return None, CallFacts(call.tool, known=True, category=tool.category, arguments_fault=fault)
        prepared = await tool.prepare(call.args)
        return prepared, CallFacts(
            call.tool,
            known=True,
            category=tool.category if prepared.category is None else prepared.category,
            paths=prepared.paths,
            grant_key=prepared.grant_key,
            command=prepared.command,
            shell=prepared.shell,
            sandbox=prepared.sandbox,
            wall=prepared.wall,
            unguarded=prepared.unguarded,
            can_go_on=prepared.can_go_on,
            also=prepared.also,
            addresses=prepared.addresses,
            guest=prepared.guest,
            steps=prepared.steps,
            part_of=prepared.part_of,
            node=prepared.node,
        )

    async def _look_at(self, call: ToolCall, asker: Asker, anew: bool) -> Look | str:
        prepared, facts = await self._look(call, None, asker.run.tools)
        if prepared is None:
            return facts.arguments_fault or "it makes no sense"
        if not anew:
            # Hooks were asked when it was: what they said stays with it, and what they were not asked is not asked now.
            return Look(call, prepared, facts if asker.hearing is None else asker.hearing.still(call, facts))
        facts, rules = self._to_be_heard(call, facts, asker), asker.run.rules()
        if asker.hearing is None or asker.decide(facts, rules).outcome is not Outcome.NEED_HOOKS:
            return Look(call, prepared, facts)
        await asker.hearing.ask(call, prepared, facts, rules.mode, may_change=False)
        return await self._look_at(call, asker, anew=False)

    def _has_hooks(self, call: ToolCall, facts: CallFacts) -> bool:
        return self.hooks is not None and bool(self.hooks.concerned(names_of(call, facts)))

    def _to_be_heard(self, call: ToolCall, facts: CallFacts, asker: Asker) -> CallFacts:
        """The facts with what the user's hooks say, or that they have yet to be asked."""
        if asker.hearing is None:
            if self.hooks is None or not self._has_hooks(call, facts):
                return facts
            run = asker.run
            asker.hearing = Hearing(
                self.hooks, asker.caller, lambda call, note: run.progress(call, Phase.PRE_TOOL_USE, note)
            )
        return asker.hearing.known(call, facts)

    async def _ask(self, asking: Asking, call: ToolCall) -> _Ended:
        first = asking.first
        resolution: Resolution | None = None
        card = first
        try:
            card, resolution = await self._broker.ask(first, asking)
            look = asking.look_shown_on(card)
            asking.ended(card, resolution)
            return _Ended(look, self.recorder.subject_of_card(card), resolution, look.call.args != call.args)
        finally:
            self._close(asking, card, resolution)

    def _close(self, asking: Asking, card: Card, resolution: Resolution | None) -> None:
        if asking.approval_id is None:
            return
        self._waiting.pop(asking.approval_id, None)
        ending = resolution or self._broker.fate(asking.approval_id)
        # What only the end of the server ended goes on waiting: its fate is written down when that is known.
        if ending is not None and ending.by not in (ResolvedBy.USER, ResolvedBy.SHUTDOWN):
            self.recorder.ended(asking.approval_id, card, ending, since=asking.since)
        elif resolution is None and ending is not None and ending.status is Status.ALLOWED:
            # It was stopped between the yes, which is written down, and its beginning.
            self.recorder.never_ran(self.recorder.subject_of_card(card), since=asking.since)

    def _permit_after_answer(self, asker: Asker, ended: _Ended, *, since: float) -> Permit | Refusal:
        """The user said yes; what no yes can allow is checked once more with the rules of this moment."""
        look = ended.look
        decision = asker.decide(look.facts, asker.run.rules())
        if decision.outcome not in (Outcome.RUN, Outcome.ASK):
            # The last word on the call: it stands in the history after the yes.
            self.recorder.refused(ended.subject, decision)
            if look.prepared.begins_with_yes:
                self.recorder.never_ran(ended.subject, since=since)
            return refusal(decision)
        still = _still_allowed(asker, look.facts)
        note = (
            f"{ended.resolution.text} What runs: {look.prepared.headline}" if ended.changed else ended.resolution.text
        )
        chosen = ended.resolution
        begun = look.prepared.begins_with_yes
        manner = Manner(in_background=chosen.decision is OptionKind.BACKGROUND, clicked=True, own=chosen.own)
        return Permit(
            ended.subject,
            look.prepared,
            look.facts,
            note,
            still=still,
            changed=ended.changed,
            begun=begun,
            manner=manner,
            hearing=asker.hearing,
            at=chosen.at,
        )


_UNSEEN = frozenset(
    {
        Reason.BYPASS_AGENT,
        Reason.BYPASS_SESSION,
        Reason.ALLOW_RULE,
        Reason.ALWAYS_ALLOW,
        Reason.SESSION_ALLOW,
        Reason.HOOK_ALLOW,
        Reason.MODE_AUTO,
    }
)
"""What lets a call run that nobody looks at, although it may do more than read."""


def _tell_asked(approval_id: ApprovalId, card: Card, run: RunView) -> None:
    run.progress(card.call, Phase.AWAITING_APPROVAL, card.reason_text)
    run.asked(card.call, approval_id)


def _still_allowed(asker: Asker, facts: CallFacts) -> Callable[[], Refusal | None]:
    """Why a call that may run may not any more. A grant that is taken back meanwhile does not stop it."""

    def why_not() -> Refusal | None:
        decision = asker.decide(facts, asker.run.rules())
        return None if decision.outcome in (Outcome.RUN, Outcome.ASK) else refusal(decision)

    return why_not


def _manner_unseen(decision: Decision, facts: CallFacts) -> Manner:
    """How a call is carried out that runs without a click."""
    if decision.reason is Reason.SANDBOXED:
        return Manner(sandboxed=True)
    if decision.held:
        return Manner(held=True)
    if decision.reason not in _UNSEEN:
        return AS_SHOWN
    return Manner(unseen=True, named=is_named(decision.reason, decision.rule, facts))


def _settled(question: Question, tally: Tally) -> dict[str, int]:
    granting = [(option.option_id, option.grant) for option in question.card.options if option.grant is not None]
    counts = {option_id: tally.also_settled(grant, question.approval_id) for option_id, grant in granting}
    return {option_id: count for option_id, count in counts.items() if count}


async def _with_types(call: ToolCall, tools: Toolbelt) -> ToolCall:
    """The call with numbers and truths that it has as texts, where its tool takes them."""
    tool = tools.get(call.tool)
    if tool is None or call.args is None or not holds_texts_for_others(call.args):
        return call
    schema = await tool.schema_for(call.args) if isinstance(tool, OpenArguments) else tool.spec.schema
    return replace(call, args=as_asked(call.args, schema))


def _schema_fault(tool: Tool, call: ToolCall) -> str | None:
    return None if call.args is None else tool.fault(call.args)
