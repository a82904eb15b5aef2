"""Leads one conversation with a model, the chat's own or a sub-agent's: turns, their calls, and the results back."""

from collections.abc import Callable
from dataclasses import field

from assent.agent.broken import broken_by
from assent.agent.budget import Exhausted
from assent.agent.call_carriage import CallCarriage, Way
from assent.agent.context import Context
from assent.agent.execution_tree import Made
from assent.agent.fitting import TOO_LONG, Fitting
from assent.agent.history import History
from assent.agent.loop_end import LoopEnd
from assent.agent.ports import Keeper, ModelProvider
from assent.agent.prompt import system_prompt
from assent.agent.run_state import RunState
from assent.agent.toolbelt import Toolbelt
from assent.agent.turn import Turn, TurnResult
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, ModelRequest, Spoken, ToolOutcome, ToolResults, Usage, UserText
from assent.model.errors import ProviderFault
from assent.model.events import DoneReason, Notice

GO_ON = "Your answer broke off where it ends above. Go on from there, without saying again what you have said."
"""Stands at the end of a request, never in the history: the user did not write it."""
MOST_SHORTER = 4
"""Requests for one turn that are made anew, shorter, because the model's server found the one before too long."""


class _Spent(Exception):
    """A limit is reached, so that this request to the model is not made."""

    def __init__(self, reached: Exhausted) -> None:
        super().__init__(reached.message)
        self.reached = reached


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a loop leads."""

    history: History
    keeper: Keeper
    context: Context
    caller: Caller
    tools: Callable[[ToolCall | None], Toolbelt]
    """Its tools; for a call, as they stand for just this one."""
    rules_of_its_own: str = ""
    """What its model is told beside what every model is told."""


@dataclass(slots=True)
class Loop:
    """One conversation. A new request to the model is only made when every call of the last turn has its result."""

    talk: Conversation
    run: RunState
    _calls: CallCarriage = field(init=False)
    _fitting: Fitting = field(init=False)
    _turns: int = 0
    _turn: Turn | None = None

    def __post_init__(self) -> None:
        talk = self.talk
        self._calls = CallCarriage(self.run, talk.caller)
        self._fitting = Fitting(
            talk.context, talk.history, self._model, self._notice, self.trying_again, cost=self._count
        )

    @property
    def made(self) -> list[Made]:
        """Every call of this conversation, in the order in which they were told."""
        return self._calls.made

    async def turns(self) -> LoopEnd:
        """Goes on until the model makes no more calls, or cannot go on. Called again, it goes on from there."""
        while True:
            self._turns += 1
            reached = self.run.budget.iteration(self._turns, self.talk.caller)
            if reached is not None:
                return LoopEnd(DoneReason.LIMIT, message=reached.message)
            try:
                result = await self._next_turn()
            except _Spent as spent:
                return LoopEnd(DoneReason.LIMIT, message=spent.reached.message)
            self._keep(result)
            if result.broken is not None:
                return LoopEnd(None, result.broken)
            if not result.outcomes:
                return LoopEnd(DoneReason.STOP)
            if self.run.denials.halted is not None:
                return LoopEnd(None, self.run.denials.halted)

    async def calls_ended(self) -> None:
        """Returns when no call of a turn that was stopped is under way any more."""
        if self._turn is not None:
            await self._turn.ended()

    async def _next_turn(self) -> TurnResult:
        shorter = 0
        while True:
            result = await self._try_turn()
            too_long = result.broken is not None and result.broken.code == TOO_LONG and _is_nothing(result.turn)
            if not too_long or shorter == MOST_SHORTER or not self.talk.context.was_too_long():
                return result
            shorter += 1

    async def _try_turn(self) -> TurnResult:
        around = self.run.around
        try:
            with self.run.watch.working():
                request = await self._request()
                model = self._model()
        except ProviderFault as fault:
            return TurnResult(AssistantTurn("", cut=True), (), broken_by(fault))
        self._turn = Turn(self, self._carry, self.run.tasks)
        result = await self._turn.read(model, request, around.ready, self.run.watch.working)
        self.talk.context.counted(result.usage)
        self._count(result.usage)
        return result

    def _model(self) -> ModelProvider:
        """For one request, which counts."""
        reached = self.run.budget.model_call(self.talk.caller)
        if reached is not None:
            raise _Spent(reached)
        return self.run.chat.agent.provider()

    def _count(self, usage: Usage) -> None:
        self.run.count(usage, self.talk.context.window, self.talk.caller.parent_call)

    def _notice(self, words: str) -> None:
        path = self.talk.caller.path
        whose = f"Sub-agent “{' › '.join(path)}”: " if path else ""
        self.run.chat.events.add(Notice(whose + words), self.run.run_id)

    def said(self, text: str, *, thinking: bool) -> None:
        """A piece of the answer."""
        self.run.chat.events.add_text(
            text, self.run.run_id, thinking=thinking, parent_call=self.talk.caller.parent_call
        )

    def trying_again(self, why: str, seconds: float) -> None:
        """The request is made again."""
        words = f"The model did not answer: {why.rstrip('.')}. Trying again in {seconds:.0f} s."
        self._notice(words)

    def keep_stopped_turn(self) -> None:
        """A stopped turn stays in the history as far as it came. To be called when its calls have ended."""
        if self._turn is None:
            return
        turn, outcomes = self._turn.so_far()
        known = {outcome.call_id for outcome in outcomes}
        if any(use.call_id not in known for use in turn.calls):
            raise AssertionError("every call of a stopped turn has a result")
        self._keep(TurnResult(turn, outcomes, None))

    async def _request(self) -> ModelRequest:
        around = self.run.around
        tools = self.talk.tools(None).specs()
        told = system_prompt(self.run.rules().mode, tools, await around.briefing(self.run.chat.session_id))
        system = "\n\n".join(filter(None, (told, self.talk.rules_of_its_own)))
        streaming = around.streaming()
        messages = await self._fitting.messages(system, tools, streaming=streaming)
        return ModelRequest(system, _to_go_on(messages), tools, streaming)

    async def _carry(self, call: ToolCall, fault: str | None) -> ToolOutcome:
        """One result, whatever becomes of it."""
        if self._turn is not None:
            # What the model has said and called, before any of its calls can have an effect.
            self.talk.keeper.turn(self._turn.so_far()[0])
        return await self._calls.carry(call, fault, Way(self.talk.tools(call)), self.talk.keeper.outcome)

    def _keep(self, result: TurnResult) -> None:
        self._turn = None
        if _is_nothing(result.turn):
            return
        self.talk.history.append(result.turn)
        if result.outcomes:
            self.talk.history.append(ToolResults(result.outcomes))


def _is_nothing(turn: AssistantTurn) -> bool:
    """An answer that broke off before it began is none: it would only be in the way of the next one."""
    return turn.cut and not (turn.text or turn.calls or turn.thinking or turn.memos)


def _to_go_on(messages: tuple[Spoken, ...]) -> tuple[Spoken, ...]:
    last = messages[-1] if messages else None
    broke_off = isinstance(last, AssistantTurn) and last.cut and not last.calls
    return (*messages, UserText(GO_ON)) if broke_off else messages
