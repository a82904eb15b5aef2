"""Takes a call through gate and execution, and tells the chat how far it is."""

import asyncio
from functools import partial

from assent.agent.chat import Chat
from assent.agent.execute import ALONE, execute
from assent.agent.following import followed
from assent.agent.gate import Gate
from assent.agent.permit import Permit, Refusal
from assent.agent.place import Alone
from assent.agent.results import finished, refused
from assent.agent.run_view import RunView
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.events import PermissionAsked, Phase, ToolCalled, ToolProgress
from assent.model.ids import ApprovalId, RunId
from assent.model.modes import Category

_OVERTAKEN = (
    "Another call has changed what this one was allowed for, and its card did not show that. So it has not run yet: it "
    "is looked at and decided anew.\n"
)


class Carrier:
    """Carries the calls of one caller. Its events belong to this run."""

    def __init__(self, chat: Chat, run_id: RunId, gate: Gate) -> None:
        self._chat = chat
        self._run_id = run_id
        self._gate = gate

    async def carry(
        self, call: ToolCall, caller: Caller, view: RunView, fault: str | None, place: Alone = ALONE
    ) -> ToolOutcome:
        """The one result of the call."""
        before: Permit | None = None
        while True:
            admission = await self._gate.admit(call, caller, view, fault, before)
            if isinstance(admission, Refusal):
                view.refused(admission)
                if admission.note is not None:
                    self.progress(call, Phase.POST_TOOL_USE, admission.note, admission.at)
                return refused(call, admission)
            if await self._may_begin(admission, place):
                break
            # Other calls have changed what it rests on: nobody has seen that, so it is looked at and decided anew, as
            # it is by now, if hooks have made another call of it. They have said what they say to it.
            before, call = admission, admission.call
        running = partial(self.progress, call, Phase.RUNNING, admission.note, admission.at)
        with self._gate.running(admission, view), place.working():
            outcome = await execute(admission, self._gate.recorder, running, place)
        if isinstance(outcome, Refusal):
            view.refused(outcome)
            return refused(call, outcome)
        self.progress(call, Phase.POST_TOOL_USE, None)
        told = await followed(self._gate.hooks, admission, outcome, is_read=view.is_read)
        if told.notes:
            self.progress(call, Phase.POST_TOOL_USE, " ".join((admission.note, *told.notes)), admission.at)
        return told.outcome

    async def _may_begin(self, permit: Permit, place: Alone) -> bool:
        """Returns when it is its turn; says whether what allowed it holds for what it finds by now."""
        since = self._gate.recorder.now()
        waited = await self._turn(permit, place)
        if not permit.clicked:
            return not waited
        # What the user wrote into a call is not asked for again as the model made it: the tool refuses it.
        if permit.changed or not place.overtaken(permit):
            return True
        self._gate.recorder.never_ran(permit.subject, since=since)
        self.progress(permit.call, Phase.PRE_TOOL_USE, _OVERTAKEN)
        return False

    async def _turn(self, permit: Permit, place: Alone) -> bool:
        since = self._gate.recorder.now()
        try:
            return await place.turn(permit)
        except (asyncio.CancelledError, Exception):
            if permit.clicked:
                # The yes is written down, so that nothing came of it has to be as well.
                self._gate.recorder.never_ran(permit.subject, since=since)
            raise

    def announce(self, call: ToolCall, caller: Caller, category: Category, headline: str) -> None:
        """The model made a call."""
        args = call.args if call.args is not None else call.raw
        told = ToolCalled(call.call_id, call.tool, args, category, headline, caller.depth, caller.parent_call)
        self._chat.events.add(told, self._run_id)
        self.progress(call, Phase.PRE_TOOL_USE, None)

    def asked(self, call: ToolCall, approval_id: ApprovalId) -> None:
        """The user is asked about the call."""
        self._chat.events.add(PermissionAsked(approval_id, call.call_id, call.tool, call.args), self._run_id)

    def progress(self, call: ToolCall, phase: Phase, note: str | None, at: str | None = None) -> None:
        """The call entered this phase, by what somebody decided then."""
        self._chat.events.add(ToolProgress(call.call_id, phase, note, decided_at=at), self._run_id)

    def tell_result(self, outcome: ToolOutcome, seconds: float) -> None:
        """The call has its result."""
        self._chat.events.add(finished(outcome, round(seconds * 1000)), self._run_id)
