"""One turn of the model: its stream is taken apart as it arrives; each call goes its way once it is complete."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, aclosing
from typing import Any, Protocol

from assent.agent.arguments import parse_arguments
from assent.agent.assemble import Assembler, CallPart, Part, TextPart, ThinkingPart
from assent.agent.broken import Broken, why_broken
from assent.agent.ports import ModelProvider
from assent.lazy_dataclasses import dataclass
from assent.model.calls import ToolCall
from assent.model.conversation import (
    AssistantTurn,
    Memo,
    MemoDelta,
    ModelRequest,
    ToolOutcome,
    ToolUse,
    TryingAgain,
    Usage,
)
from assent.model.ids import CallId
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup

Carry = Callable[[ToolCall, str | None], Coroutine[Any, Any, ToolOutcome]]
"""Takes a call through gate and execution to its one result. The second argument is what is wrong with its text."""


class Listener(Protocol):
    """Who is told of a turn while it comes."""

    def said(self, text: str, *, thinking: bool) -> None:
        """A piece of text or of reasoning."""

    def trying_again(self, why: str, seconds: float) -> None:
        """The request failed before the model said anything, and is made again."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What the model said and what became of its calls, in its own order."""

    turn: AssistantTurn
    outcomes: tuple[ToolOutcome, ...]
    broken: Broken | None
    """Why the turn is not whole, or None. What was finished before stands all the same."""
    usage: Usage = Usage()


AT_ONCE = 10
"""Deltas after which the loop sees to others, also where the stream never waits."""


class Turn:
    """Reads one stream. A stop leaves each call that was begun with exactly one result."""

    def __init__(self, listener: Listener, carry: Carry, tasks: TaskGroup) -> None:
        self._listener = listener
        self._carry = carry
        self._tasks = tasks
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._memos: list[Memo] = []
        self._uses: list[ToolUse] = []
        self._results: list[asyncio.Task[ToolOutcome]] = []

    async def read(
        self,
        provider: ModelProvider,
        request: ModelRequest,
        ready: Callable[[], Awaitable[None]],
        working: Callable[[], AbstractContextManager[None]],
    ) -> TurnResult:
        """Reads the stream to its end and waits for every call. `ready` holds back while the page cannot keep up."""
        assembler = Assembler()
        fault: Exception | None = None
        try:
            with working():
                await self._take_all(provider, request, ready, assembler)
        except Exception as problem:  # noqa: BLE001 - whatever breaks the stream, its finished calls keep their results
            fault = problem
        if _stopping():
            # A provider may answer a stop with a fault of its own, or with a plain end: it is a stop all the same.
            raise asyncio.CancelledError from fault
        broken = why_broken(assembler, fault)
        outcomes = await self._all_results()
        usage = assembler.end.usage if assembler.end is not None else Usage()
        return TurnResult(self._assistant_turn(cut=broken is not None), outcomes, broken, usage)

    async def _take_all(
        self,
        provider: ModelProvider,
        request: ModelRequest,
        ready: Callable[[], Awaitable[None]],
        assembler: Assembler,
    ) -> None:
        async with aclosing(provider.stream(request)) as deltas:
            count = 0
            async for delta in deltas:
                self._take(assembler.feed(delta))
                if assembler.overfull:
                    return
                await ready()
                count += 1
                if count % AT_ONCE == 0:
                    # A model that has much to say at once never waits: others get their turn all the same.
                    await asyncio.sleep(0)

    def so_far(self) -> tuple[AssistantTurn, tuple[ToolOutcome, ...]]:
        """What stands when the run is stopped: call after its tasks have ended."""
        done = tuple(task.result() for task in self._results if task.done() and not task.cancelled())
        return self._assistant_turn(cut=True), done

    async def ended(self) -> None:
        """Returns when no call of it is under way any more."""
        # One after the other, so that calls which wait for people are not each waited for.
        for task in self._results:
            if not task.done():
                await asyncio.wait({task})

    async def _all_results(self) -> tuple[ToolOutcome, ...]:
        # Not `await task`: that would hand a stop of the run to the call, and lose it here when the call has an answer.
        await self.ended()
        return tuple(task.result() for task in self._results)

    def _take(self, part: Part | None) -> None:
        match part:
            case TextPart(text):
                self._text.append(text)
                self._listener.said(text, thinking=False)
            case ThinkingPart(text):
                self._thinking.append(text)
                self._listener.said(text, thinking=True)
            case MemoDelta(dialect, value):
                self._memos.append(Memo(dialect, len(self._uses), value))
            case TryingAgain(why, seconds):
                self._listener.trying_again(why, seconds)
            case CallPart():
                self._begin(part)
            case None:
                pass

    def _begin(self, part: CallPart) -> None:
        # The id is ours: providers repeat theirs, or give none.
        call_id = CallId(new_id())
        args, fault = parse_arguments(part.arguments) if part.fault is None else (None, part.fault)
        call = ToolCall(call_id, part.tool, args, part.arguments if args is None else "")
        self._uses.append(ToolUse(call_id, part.tool, args if args is not None else part.arguments))
        self._results.append(self._tasks.start(self._carry(call, fault), f"call {part.tool}"))

    def _assistant_turn(self, *, cut: bool) -> AssistantTurn:
        return AssistantTurn("".join(self._text), tuple(self._uses), "".join(self._thinking), cut, tuple(self._memos))


def _stopping() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
