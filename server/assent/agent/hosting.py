"""Leads a conversation with a guest: passes on what the user says, tells what it does, takes its calls to the gate."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from assent.agent.call_carriage import CallCarriage, Way
from assent.agent.following import told_of
from assent.agent.guest import Guest, Wanted
from assent.agent.loop_end import LoopEnd
from assent.agent.picture_marks import marked_text
from assent.agent.results import finished
from assent.agent.run_state import RunState
from assent.agent.toolbelt import Toolbelt
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, Message, ToolOutcome, UserText
from assent.model.events import Event, Phase, ToolProgress
from assent.model.forms import Asker, AskerKind, Form, FormAnswer, FormAsked
from assent.model.hooks import HookCall
from assent.model.modes import Category, Mode, tightest

if TYPE_CHECKING:
    from assent.model.ids import CallId


def notes_since_answer(history: Iterable[Message]) -> Iterator[str]:
    """What was written here for the agent since it last said something: it may not know of that yet.

    They stand behind what the user wrote, where the first word can be a command of the agent's.
    """
    notes: list[str] = []
    for message in history:
        if isinstance(message, AssistantTurn):
            notes.clear()
        elif isinstance(message, UserText) and not message.by_user:
            notes.append(message.text)
    return (f"\n\n{note}" for note in notes)


class Hosting:
    """One turn of a guest, which is one run."""

    def __init__(self, guest: Guest, run: RunState, caller: Caller) -> None:
        self._guest = guest
        self._run = run
        self._caller = caller
        self._calls = CallCarriage(run, caller)
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._waiting = 0
        """Calls that wait for a person: while there are any, the guest's time is not counted."""
        self._at_work = ExitStack()
        self._unasked: dict[CallId, ToolCall] = {}
        """What it carries out without having asked, by the ids of the calls."""
        self._following: list[asyncio.Task[None]] = []

    @property
    def mode(self) -> Mode:
        return tightest(self._run.modes)

    async def turns(self) -> LoopEnd:
        """Says the user's last message to the guest; its turn is all that there is."""
        history = self._run.chat.history
        own = (marked_text(one) for one in reversed(tuple(history)) if isinstance(one, UserText) and one.by_user)
        message = (*(self._run.message or (next(own, ""),)), *notes_since_answer(history))
        self._works(True)
        try:
            end = await self._guest.converse(message, self)
            await self._followed()
        except asyncio.CancelledError:
            await self._stop()
            raise
        finally:
            self._works(False)
        await self._run.tasks.cancel()
        self._keep(cut=end.broken is not None)
        return end

    def keep_stopped_turn(self) -> None:
        """A stopped turn stays in the history as far as it came."""
        self._keep(cut=True)

    def said(self, text: str, *, thinking: bool) -> None:
        (self._thinking if thinking else self._text).append(text)
        self._run.chat.events.add_text(text, self._run.run_id, thinking=thinking, parent_call=self._caller.parent_call)

    def tell(self, event: Event) -> None:
        self._run.chat.events.add(event, self._run.run_id)

    def announce(self, call: ToolCall, category: Category, headline: str) -> None:
        self._unasked[call.call_id] = call
        self._calls.carrier.announce(call, self._caller, category, headline)

    async def carry(self, call: ToolCall, wanted: Wanted) -> ToolOutcome:
        self._unasked.pop(call.call_id, None)
        waiting = False

        def waits(now: bool) -> None:
            nonlocal waiting
            if now is not waiting:
                waiting = now
                self._waits(1 if now else -1)

        # It carries out its calls itself, in an order of its own: one that were held back here could hold up all.
        way = Way(
            Toolbelt([wanted.tool]),
            in_order=False,
            refused=wanted.refused,
            waits=waits,
            ended_by=wanted.ended_by,
            is_told=wanted.is_told,
            is_read=False,
        )
        return await self._calls.carry(call, wanted.fault, way)

    async def ask(self, form: Form) -> FormAnswer:
        asker = Asker(AskerKind.AGENT, self._caller.agent_name)
        self._waits(1)
        try:
            return await self._run.around.forms.ask(FormAsked(asker, form, self._caller.session_id))
        finally:
            self._waits(-1)

    def _waits(self, more: int) -> None:
        self._waiting += more
        self._works(self._waiting == 0)

    def finish(self, outcome: ToolOutcome, seconds: float, *, done_here: bool = False) -> None:
        call = self._unasked.pop(outcome.call_id, None)
        if call is not None and outcome.ran and not done_here:
            self._following.append(self.start(self._follow(call, outcome), "hooks of a call"))
        outcome = self._run.chat.results.fit(outcome, self._run.budget.limits.result_bytes)
        self._run.chat.events.add(finished(outcome, round(seconds * 1000)), self._run.run_id)

    def start(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        return self._run.tasks.start(work, name)

    async def _follow(self, call: ToolCall, outcome: ToolOutcome) -> None:
        """No hook could be asked about it; those that are told what ran are told what the agent says of it."""
        told = HookCall(call, self._caller, self.mode)
        followed = await told_of(self._run.around.gate.hooks, told, outcome, is_read=False)
        if followed.notes:
            self.tell(ToolProgress(call.call_id, Phase.POST_TOOL_USE, " ".join(followed.notes)))

    async def _followed(self) -> None:
        """Returns when hooks have been told of all of it. Each has its own time for that."""
        if self._following:
            await asyncio.wait(self._following)

    async def _stop(self) -> None:
        """First the agent is told, then everything that it had asked is answered, then its end is waited for."""
        self._guest.stop()
        settling = asyncio.ensure_future(self._settle())
        while not settling.done():
            # However often it is stopped: the next message must find the agent quiet.
            with suppress(asyncio.CancelledError):
                await asyncio.wait({settling})
        settling.result()

    async def _settle(self) -> None:
        await self._run.tasks.cancel()
        await self._guest.settle()

    def _works(self, now: bool) -> None:
        self._at_work.close()
        if now:
            self._at_work.enter_context(self._run.watch.working())

    def _keep(self, *, cut: bool) -> None:
        text, thinking = "".join(self._text), "".join(self._thinking)
        if text or thinking:
            self._text, self._thinking = [], []
            self._run.chat.history.append(AssistantTurn(text, (), thinking, cut))
