"""One turn of the model: its stream is taken apart as it arrives; each call goes its way once it is complete."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from assent.agent.arguments import parse_arguments
from assent.agent.assemble import Assembler, CallPart, TextPart, ThinkingPart
from assent.agent.chat import Chat
from assent.model.calls import ToolCall
from assent.model.conversation import AssistantTurn, ModelRequest, StopReason, ToolOutcome, ToolUse
from assent.model.ids import CallId, RunId
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup

Carry = Callable[[ToolCall, str | None], Awaitable[ToolOutcome]]
"""Takes a call through gate and execution to its one result. The second argument is what is wrong with its text."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What the model said and what became of its calls, in its own order."""

    turn: AssistantTurn
    outcomes: tuple[ToolOutcome, ...]
    cut: str | None
    """Why the turn is not whole, or None."""


AT_ONCE = 50
"""Deltas after which the loop sees to others, also where the stream never waits."""


class Turn:
    """Reads one stream. `stop` leaves each call that was begun with exactly one result."""

    def __init__(self, chat: Chat, run_id: RunId, carry: Carry, tasks: TaskGroup) -> None:
        self._chat = chat
        self._run_id = run_id
        self._carry = carry
        self._tasks = tasks
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._uses: list[ToolUse] = []
        self._results: list[asyncio.Task[ToolOutcome]] = []

    async def read(self, request: ModelRequest, ready: Callable[[], Awaitable[None]]) -> TurnResult:
        """Reads the stream to its end and waits for every call. `ready` holds back while the page cannot keep up."""
        assembler = Assembler()
        fault: Exception | None = None
        try:
            async with aclosing(self._chat.agent.provider().stream(request)) as deltas:
                count = 0
                async for delta in deltas:
                    self._take(assembler.feed(delta))
                    await ready()
                    count += 1
                    if count % AT_ONCE == 0:
                        # A model that has much to say at once never waits: others get their turn all the same.
                        await asyncio.sleep(0)
        except Exception as problem:  # noqa: BLE001 - whatever breaks the stream, its finished calls keep their results
            fault = problem
        if _stopping():
            # A provider may answer a stop with a fault of its own, or with a plain end: it is a stop all the same.
            raise asyncio.CancelledError from fault
        outcomes = await self._all_results()
        if fault is not None:
            raise StreamFault(self._finished(outcomes, cut=True), fault)
        return self._finished(outcomes, cut=False, why=_why_cut(assembler))

    def so_far(self) -> tuple[AssistantTurn, tuple[ToolOutcome, ...]]:
        """What stands when the run is stopped: call after its tasks have ended."""
        done = tuple(task.result() for task in self._results if task.done() and not task.cancelled())
        return self._assistant_turn(cut=True), done

    async def _all_results(self) -> tuple[ToolOutcome, ...]:
        # Not `await task`: that would hand a stop of the run to the call, and lose it here when the call has an answer.
        if self._results:
            await asyncio.wait(self._results)
        return tuple(task.result() for task in self._results)

    def _take(self, part: TextPart | ThinkingPart | CallPart | None) -> None:
        match part:
            case TextPart(text):
                self._text.append(text)
                self._chat.events.add_text(text, self._run_id)
            case ThinkingPart(text):
                self._thinking.append(text)
                self._chat.events.add_text(text, self._run_id, thinking=True)
            case CallPart():
                self._begin(part)
            case None:
                pass

    def _begin(self, part: CallPart) -> None:
        # The id is ours: providers repeat theirs, or give none.
        call_id = CallId(new_id())
        args, fault = parse_arguments(part.arguments)
        call = ToolCall(call_id, part.tool, args, part.arguments)
        self._uses.append(ToolUse(call_id, part.tool, args if args is not None else part.arguments))
        self._results.append(self._tasks.start(_owned(self._carry(call, fault)), f"call {part.tool}"))

    def _assistant_turn(self, *, cut: bool) -> AssistantTurn:
        return AssistantTurn("".join(self._text), tuple(self._uses), "".join(self._thinking), cut)

    def _finished(self, outcomes: tuple[ToolOutcome, ...], *, cut: bool, why: str | None = None) -> TurnResult:
        return TurnResult(self._assistant_turn(cut=cut or why is not None), outcomes, why)


class StreamFault(Exception):
    """The stream broke. What was finished before stands in `result`."""

    def __init__(self, result: TurnResult, fault: Exception) -> None:
        super().__init__(str(fault))
        self.result = result
        self.fault = fault


def _stopping() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _owned(work: Awaitable[ToolOutcome]) -> ToolOutcome:
    return await work


def _why_cut(assembler: Assembler) -> str | None:
    cut = assembler.cut_calls()
    named = f" A call of {cut[0].tool} was not finished and did not run." if cut else ""
    if assembler.end is None:
        return f"The model's answer was cut off.{named}"
    if assembler.end.reason is StopReason.LENGTH:
        return f"The model reached its length limit.{named}"
    if cut:
        return named.strip()
    return None
