"""Calls that waited when an earlier server ended: asked for anew, each runs with a click or not at all."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from assent.agent.carrier import Carrier
from assent.agent.chat import Chat
from assent.agent.eventlog import NO_RUN
from assent.agent.permit import Refusal
from assent.agent.ports import CallingOthers
from assent.agent.results import fitted, refused
from assent.agent.run import Surroundings
from assent.agent.run_state import RunState
from assent.agent.run_view import RunView
from assent.agent.secrets_in_results import masked
from assent.agent.subtasks import Belt
from assent.agent.toolbelt import Toolbelt
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.ids import ApprovalId, CallId
from assent.model.modes import Category
from assent.model.secrets_reading import SecretsReading
from assent.policy.decide import Rules
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A call that waited, and who wanted it."""

    call: ToolCall
    caller: Caller


class Resumption:
    """Owns the calls of one chat that are asked for anew. They belong to no run: what came of it is told for itself."""

    def __init__(self, chat: Chat, around: Surroundings) -> None:
        self._chat = chat
        self._around = around
        self._carrier = Carrier(chat, NO_RUN, around.gate)
        self._making: list[RunState] = []
        """What calls that make calls make them in: they have no run any more."""
        self._calls = TaskGroup(f"interrupted calls of {chat.session_id}")
        self._ended_by: ResolvedBy | None = None
        self._unasked: set[CallId] = set()

    def ask(self, interrupted: Iterable[Interrupted], ready: Callable[[], Awaitable[None]]) -> None:
        """Takes each down the ladder again; where it may not run at all any more, it gets a result that says so.

        Not before the chat is ready for it.
        """
        for one in interrupted:
            self._unasked.add(one.call.call_id)
            self._calls.start(self._carry(one.call, one.caller, ready), f"call {one.call.tool}")

    def end(self, by: ResolvedBy) -> None:
        """From this moment on none of them begins, and none that they make."""
        self._ended_by = by
        for made in self._making:
            made.end(by)

    async def withdraw(self, by: ResolvedBy) -> None:
        """Ends what waits and what runs of them, and waits until it has ended."""
        self.end(by)
        for made in self._making:
            await made.tasks.cancel()
        await self._calls.cancel()

    @property
    def unasked(self) -> int:
        """How many are not yet in front of the user, nor have they their result."""
        return len(self._unasked)

    def __len__(self) -> int:
        return len(self._calls)

    async def _carry(self, call: ToolCall, caller: Caller, ready: Callable[[], Awaitable[None]]) -> None:
        started = self._around.clock.monotonic()
        outcome = await self._outcome(call, caller, ready)
        hidden = None
        if self._around.secrets.reading() is not SecretsReading.SHOW:
            # There is no run in which the user could be asked whether the model gets them.
            hidden = await asyncio.to_thread(masked, outcome, self._around.secrets.known())
        most = self._around.limits().result_bytes
        outcome = self._chat.results.fit(replace(outcome, masked=None), most)
        self._unasked.discard(call.call_id)
        self._chat.history.replace_outcome(outcome if hidden is None else fitted(hidden, most).outcome)
        self._carrier.tell_result(outcome, self._around.clock.monotonic() - started)

    async def _outcome(self, call: ToolCall, caller: Caller, ready: Callable[[], Awaitable[None]]) -> ToolOutcome:
        try:
            await ready()
            return await self._carrier.carry(call, caller, self._view(self._tools(call, caller)), None)
        except asyncio.CancelledError:
            return refused(call, Refusal("cancelled", "The call was withdrawn, so it did not run."))
        except Exception:
            logger.exception("interrupted call %s failed before it ran", call.tool)
            return refused(call, Refusal("internal_error", "Assent met an internal fault; this call did not run."))

    def _tools(self, call: ToolCall, caller: Caller) -> Toolbelt:
        tools = self._around.toolbelt.in_chat(self._chat.session_id)
        if not isinstance(tools.get(call.tool), CallingOthers):
            return tools
        made = RunState(NO_RUN, self._chat, self._chat.mode, self._around)
        self._making.append(made)
        return Belt(made, caller, tools)(call)

    def _view(self, tools: Toolbelt) -> RunView:
        return RunView(
            rules=self._rules,
            ended_by=lambda: self._ended_by or ResolvedBy.STOP,
            unattended=self._around.unattended,
            seen=_told_before,
            asked=self._asked,
            progress=self._carrier.progress,
            interrupted=True,
            said=self._chat.said,
            tools=tools,
        )

    def _asked(self, call: ToolCall, approval_id: ApprovalId) -> None:
        self._unasked.discard(call.call_id)
        self._carrier.asked(call, approval_id)

    def _rules(self) -> Rules:
        rules = self._around.rules(self._chat, frozenset({self._chat.mode}))
        return replace(rules, alive=self._ended_by is None and not self._chat.closed)


async def _told_before(category: Category, headline: str) -> None:
    """The chat has told of the call in its earlier life."""
