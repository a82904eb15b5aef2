"""One run: from a user's message to the last turn without calls, or to a stop, a limit or a fault."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from assent.agent.carrier import Carrier
from assent.agent.chat import Chat
from assent.agent.context import spoken
from assent.agent.gate import Gate, RunView
from assent.agent.grants import GrantsForCall
from assent.agent.permit import Refusal
from assent.agent.prompt import Briefing, system_prompt
from assent.agent.results import refused
from assent.agent.toolbelt import Toolbelt
from assent.agent.turn import StreamFault, Turn, TurnResult
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import ModelRequest, ToolOutcome, ToolResults, UserText
from assent.model.errors import ProviderFault
from assent.model.events import (
    DoneReason,
    Prompt,
    RunDone,
    RunFailed,
)
from assent.model.ids import ApprovalId, CallId, RunId
from assent.model.modes import Category, Mode
from assent.policy.decide import Rules
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one run may go."""

    iterations: int = 50
    tool_calls: int = 200


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run needs that outlives it."""

    gate: Gate
    toolbelt: Toolbelt
    clock: Clock
    limits: Limits
    rules: Callable[[Chat, frozenset[Mode]], Rules]
    """What is in force for a chat, where these modes hold together."""
    unattended: Callable[[], str | None]
    ready: Callable[[], Awaitable[None]]
    """Returns when the page can take more text."""
    briefing: Callable[[], Awaitable[Briefing]]
    """Where the model works, as it is at this moment."""


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended: a reason, or the message of the fault."""

    reason: DoneReason | None
    message: str | None = None


class Run:
    """Owns everything that one message sets going."""

    def __init__(self, run_id: RunId, chat: Chat, mode: Mode, around: Surroundings) -> None:
        self.run_id = run_id
        self._chat = chat
        self._modes = frozenset({mode, chat.mode})
        self._around = around
        self._carrier = Carrier(chat, run_id, around.gate)
        self._calls = TaskGroup(f"run {run_id}")
        self._main: asyncio.Task[RunEnd] | None = None
        self._ended_by: ResolvedBy | None = None
        self._calls_made = 0
        self._turn: Turn | None = None
        self._latest: _Announcement | None = None

    def start(self, text: str, owner: TaskGroup) -> "asyncio.Task[RunEnd]":
        """Sets it going; the task ends when the run does, however that is."""
        self._main = owner.start(self._live(text), f"run {self.run_id}")
        return self._main

    async def stop(self, by: ResolvedBy) -> None:
        """Ends the stream, every waiting call and every running tool, and waits until they have ended."""
        if self._main is None or self._main.done():
            return
        if self._ended_by is None:
            self._ended_by = by
            self._main.cancel()
        await asyncio.wait({self._main})

    def hold(self, mode: Mode) -> None:
        """The chat's mode is this one now. What it tightens stays so for this run, also when it is loosened again."""
        self._modes |= {mode}

    def apply_mode(self, mode: Mode) -> None:
        """Lets a looser mode count for this run, because the user said so."""
        self._modes = frozenset({mode})

    def rules(self) -> Rules:
        """What is in force for this run's calls at this moment."""
        rules = self._around.rules(self._chat, self._modes)
        return replace(rules, alive=self._ended_by is None and not self._chat.closed)

    async def _live(self, text: str) -> RunEnd:
        self._chat.events.add(Prompt(text), self.run_id)
        self._chat.history.append(UserText(text))
        self._chat.grants.begin_run(self.run_id)
        try:
            end = await self._turns()
        except asyncio.CancelledError:
            await self._calls.cancel()
            self._keep_stopped_turn()
            end = RunEnd(DoneReason.CANCELLED)
        except ProviderFault as fault:
            end = RunEnd(None, str(fault))
        except Exception:
            logger.exception("run %s failed", self.run_id)
            await self._calls.cancel()
            self._keep_stopped_turn()
            end = RunEnd(None, "Assent met an internal fault and ended this run; details are in the log.")
        finally:
            ended = self._chat.grants.end_run(self.run_id)
        if ended:
            self._grants_changed(released=False)
        self._tell_end(end)
        return end

    async def _turns(self) -> RunEnd:
        for _ in range(self._around.limits.iterations):
            self._turn = Turn(self._chat, self.run_id, self._carry, self._calls)
            try:
                result = await self._turn.read(await self._request(), self._around.ready)
            except StreamFault as broken:
                self._keep(broken.result)
                raise _provider_fault(broken.fault) from broken
            self._keep(result)
            if result.cut is not None:
                return RunEnd(None, result.cut)
            if not result.outcomes:
                return RunEnd(DoneReason.STOP)
        return RunEnd(DoneReason.LIMIT, f"The run reached its limit of {self._around.limits.iterations} turns.")

    async def _request(self) -> ModelRequest:
        tools = self._around.toolbelt.specs()
        system = system_prompt(self.rules().mode, tools, await self._around.briefing())
        return ModelRequest(system, spoken(tuple(self._chat.history)), tools)

    async def _carry(self, call: ToolCall, fault: str | None) -> ToolOutcome:
        """Gate, execution, one result; the result is told whatever happens in between."""
        self._calls_made += 1
        self._keep_so_far()
        started = self._around.clock.monotonic()
        announcement = _Announcement(partial(self._carrier.announce, call), self._latest)
        self._latest = announcement
        grants = GrantsForCall(self._chat.grants, call.call_id, self.rules, self._grants_changed)
        view = self._view(announcement, grants, self._exhausted())
        try:
            outcome = await self._carrier.carry(call, self._caller(), view, fault)
        except asyncio.CancelledError:
            outcome = refused(call, Refusal("cancelled", "The run was stopped, so this call did not run."))
        except Exception:
            logger.exception("call %s failed before it ran", call.tool)
            outcome = refused(call, Refusal("internal_error", "Assent met an internal fault; this call did not run."))
        finally:
            grants.release()
        announcement.end(Category.EXTERNAL, call.tool)
        self._chat.keeper.outcome(outcome)
        self._carrier.tell_result(outcome, self._around.clock.monotonic() - started)
        return outcome

    def _keep_so_far(self) -> None:
        """What the model has said and called, before any of its calls can have an effect."""
        if self._turn is not None:
            self._chat.keeper.turn(self._turn.so_far()[0])

    def _caller(self) -> Caller:
        agent = self._chat.agent
        return Caller(agent.agent_id, agent.name, self._chat.session_id, self.run_id)

    def _view(self, announcement: "_Announcement", grants: GrantsForCall, exhausted: str | None) -> RunView:
        def asked(call: ToolCall, approval_id: ApprovalId) -> None:
            # What was set aside for it does not let it run as it is by now.
            grants.release()
            self._carrier.asked(call, approval_id)

        return RunView(
            rules=lambda: replace(grants.rules(), exhausted_limit=exhausted),
            ended_by=lambda: self._ended_by or ResolvedBy.STOP,
            unattended=self._around.unattended,
            seen=announcement.seen,
            asked=asked,
            progress=self._carrier.progress,
            charged=lambda facts, decision: grants.charge(facts),
            set_aside=grants.set_aside,
            counted=grants.counted,
        )

    def _grants_changed(self, released: bool) -> None:
        """Uses are used up, or free again."""
        if released:
            self._around.gate.reconsider()
        rules = self.rules()
        agent, chat = rules.bypass_agent, rules.bypass_session
        self._chat.tell_grants(
            bypass_agent=agent and rules.bypass_available, bypass_chat=chat and rules.bypass_available
        )

    def _exhausted(self) -> str | None:
        limit = self._around.limits.tool_calls
        if self._calls_made <= limit:
            return None
        return f"This run has made {limit} tool calls, which is its limit (toolCalls)."

    def _keep(self, result: TurnResult) -> None:
        self._turn = None
        self._chat.history.append(result.turn)
        if result.outcomes:
            self._chat.history.append(ToolResults(result.outcomes))

    def _keep_stopped_turn(self) -> None:
        """A stopped turn stays in the history as far as it came, each of its calls with a result."""
        if self._turn is None:
            return
        turn, outcomes = self._turn.so_far()
        known: set[CallId] = {outcome.call_id for outcome in outcomes}
        if any(use.call_id not in known for use in turn.calls):
            raise AssertionError("every call of a stopped turn has a result")
        if turn.text or turn.calls:
            self._keep(TurnResult(turn, outcomes, None))

    def _tell_end(self, end: RunEnd) -> None:
        if end.reason is None:
            self._chat.events.add(RunFailed(end.message or "The run failed."), self.run_id)
        else:
            self._chat.events.add(RunDone(end.reason), self.run_id)


class _Announcement:
    """Tells of a call once, and after the calls that the model made before it, however long each is looked at."""

    def __init__(self, tell: Callable[[Category, str], None], before: "_Announcement | None") -> None:
        self._tell = tell
        self._before = before
        self._told = asyncio.Event()

    async def seen(self, category: Category, headline: str) -> None:
        """Tells of the call when it is its turn."""
        if self._before is not None:
            await self._before._told.wait()
            self._before = None
        self.end(category, headline)

    def end(self, category: Category, headline: str) -> None:
        """Tells of the call now, if nothing was told yet: it has its result."""
        if not self._told.is_set():
            self._tell(category, headline)
            self._told.set()


def _provider_fault(fault: Exception) -> ProviderFault:
    if isinstance(fault, ProviderFault):
        return fault
    logger.error("the model's stream failed", exc_info=fault)
    return ProviderFault("stream_failed", f"The model's answer broke off ({type(fault).__name__}).")
