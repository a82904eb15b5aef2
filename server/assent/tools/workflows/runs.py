"""Runs of workflows that did not come to their end: what is known of their steps, so that they can go on from there.

In memory, as long as there is room; and step by step where the chat is kept, so that a run can go on after a restart.
"""

from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.errors import NotRecorded, ToolFault
from assent.model.ids import CallId, SessionId
from assent.model.workflows import KeptRun, StepState
from assent.runtime.ids import new_id
from assent.tools.workflows.definition import Step

MOST = 50
MOST_BYTES = 8 * 1024 * 1024

Steps = tuple[Step, ...]


class RunKeeper(Protocol):
    """Where runs are kept beyond this process. Each returns when that is durable, and raises NotRecorded."""

    async def begins(self, chat: SessionId, run: str, call_id: CallId, identity: str, *, goes_on: bool) -> None: ...

    async def step_begins(self, chat: SessionId, run: str, number: int, name: str, call_id: CallId) -> None: ...

    async def step_gave(self, chat: SessionId, run: str, number: int, result: str | None) -> None: ...

    async def step_is_open(self, chat: SessionId, run: str, number: int) -> None: ...

    async def ended(self, chat: SessionId, run: str) -> None: ...

    async def find(self, chat: SessionId, run: str) -> KeptRun | None: ...


class NotKept:
    """Runs go on in this process, and in no other."""

    async def begins(self, chat: SessionId, run: str, call_id: CallId, identity: str, *, goes_on: bool) -> None:
        """Not kept."""

    async def step_begins(self, chat: SessionId, run: str, number: int, name: str, call_id: CallId) -> None:
        """Not kept."""

    async def step_gave(self, chat: SessionId, run: str, number: int, result: str | None) -> None:
        """Not kept."""

    async def step_is_open(self, chat: SessionId, run: str, number: int) -> None:
        """Not kept."""

    async def ended(self, chat: SessionId, run: str) -> None:
        """There is nothing to forget."""

    async def find(self, chat: SessionId, run: str) -> KeptRun | None:
        """There is none."""
        return None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the steps of a run, by their ids. A step that is none of these is still to be made."""

    identity: str = ""
    """Of the workflow with its parameters: another one begins anew."""
    results: Mapping[str, str] | None = None
    """What those gave that are done."""
    lost: frozenset[str] = frozenset()
    """Those that are done and gave what cannot go into another."""
    unknown: frozenset[str] = frozenset()
    """Those that were under way when the run was cut off, so that nobody knows what they did."""

    @property
    def gave(self) -> Mapping[str, str]:
        return self.results or {}

    @property
    def done(self) -> frozenset[str]:
        return self.lost.union(self.gave)


class WorkflowRuns:
    """Those of all chats."""

    def __init__(self, keeper: RunKeeper | None = None) -> None:
        self._keeper = keeper or NotKept()
        self._known: OrderedDict[tuple[SessionId, str], Known] = OrderedDict()
        self._going_on: set[tuple[SessionId, str]] = set()

    async def find(self, chat: SessionId, run: str, steps: Steps) -> Known | None:
        """The one of this id, whose workflow has these steps; only in the chat in which it stopped."""
        known = self._known.get((chat, run))
        if known is not None:
            return known
        try:
            kept = await self._keeper.find(chat, run)
        except NotRecorded as fault:
            raise ToolFault("not_recorded", f"What is kept of that run cannot be read. {fault}") from fault
        return None if kept is None else _known_of(kept, steps)

    async def begin(self, chat: SessionId, run: str | None, call_id: CallId, steps: Steps, before: Known) -> "Log":
        """The run begins, or goes on from what was known when it was shown. Raises ToolFault."""
        key = chat, run or new_id()
        if key in self._going_on:
            raise ToolFault("under_way", "This run goes on already, so no step was made. Wait for its result.")
        self._going_on.add(key)
        try:
            if run is not None:
                await self._check_unchanged(chat, run, steps, before)
            await self._keeper.begins(*key, call_id, before.identity, goes_on=run is not None)
        except NotRecorded as fault:
            self.leave(key)
            raise ToolFault("not_recorded", str(fault)) from fault
        except BaseException:
            self.leave(key)
            raise
        self.note(key, before)
        return Log(self, self._keeper, key, steps, before)

    async def _check_unchanged(self, chat: SessionId, run: str, steps: Steps, before: Known) -> None:
        if await self.find(chat, run, steps) != before:
            words = "This run has gone on since that was shown, so no step was made. Ask anew."
            raise ToolFault("changed_since", words)

    def note(self, key: tuple[SessionId, str], known: Known | None) -> None:
        """So far the run has come; None: to its end."""
        self._known.pop(key, None)
        if known is None:
            return
        self._known[key] = known
        while len(self._known) > MOST or sum(map(_size, self._known.values())) > MOST_BYTES:
            self._known.popitem(last=False)

    def leave(self, key: tuple[SessionId, str]) -> None:
        """Nothing goes on there any more."""
        self._going_on.discard(key)


@dataclass(slots=True)
class Log:
    """What becomes of the steps of one run while it goes on. What it says of a step holds from then on."""

    _runs: WorkflowRuns
    _keeper: RunKeeper
    _key: tuple[SessionId, str]
    _steps: Steps
    known: Known
    _again: bool = False
    """The step was under way once already when a run was cut off."""

    @property
    def run(self) -> str:
        """The id under which the run can go on."""
        return self._key[1]

    async def begins(self, step: Step, call_id: CallId) -> None:
        """It is about to be made: until more is said, nobody knows what it did. Raises NotRecorded: then it is not."""
        await self._keeper.step_begins(*self._key, self._steps.index(step), step.step_id, call_id)
        self._again = step.step_id in self.known.unknown
        self._note(replace(self.known, unknown=self.known.unknown | {step.step_id}))

    async def gave(self, step: Step, result: str | None) -> None:
        """It is done; None: what it gave goes into no other."""
        known = replace(self.known, unknown=self.known.unknown - {step.step_id})
        if result is None:
            self._note(replace(known, lost=known.lost | {step.step_id}))
        else:
            self._note(replace(known, results={**known.gave, step.step_id: result}))
        # Where that cannot be kept, it counts as unknown after a restart: then a person is asked.
        with suppress(NotRecorded):
            await self._keeper.step_gave(*self._key, self._steps.index(step), result)

    async def is_open(self, step: Step) -> None:
        """It was not made after all, or failed: it is still to be made.

        What it did when it was cut off at an earlier time is not known by that, so it is asked about once more.
        """
        if self._again:
            return
        self._note(replace(self.known, unknown=self.known.unknown - {step.step_id}))
        with suppress(NotRecorded):
            await self._keeper.step_is_open(*self._key, self._steps.index(step))

    async def ended(self) -> None:
        """All of it is done."""
        self._runs.note(self._key, None)
        with suppress(NotRecorded):
            await self._keeper.ended(*self._key)

    def leave(self) -> None:
        """Nothing more of it is made now."""
        self._runs.leave(self._key)

    def _note(self, known: Known) -> None:
        self.known = known
        self._runs.note(self._key, known)


def told(kept: KeptRun) -> str:
    """What is known of a run whose server ended, as sentences for the chat."""
    done = ", ".join(f"“{step.name}”" for step in kept.steps if step.state is not StepState.UNKNOWN) or "none"
    cut = [step.name for step in kept.steps if step.state is StepState.UNKNOWN]
    under_way = "".join(f" “{name}” was under way: what it did is not known." for name in cut)
    return f"Its finished steps: {done}.{under_way} {how_to_go_on(kept.run)}"


def how_to_go_on(run: str) -> str:
    """What the agent has to call."""
    return f'It can go on from there: run_workflow with the same parameters and "resume": "{run}".'


def _known_of(kept: KeptRun, steps: Steps) -> Known:
    named = [(steps[one.number].step_id, one) for one in kept.steps if 0 <= one.number < len(steps)]
    return Known(
        kept.identity,
        {name: one.result for name, one in named if one.state is StepState.DONE},
        frozenset(name for name, one in named if one.state is StepState.WITHHELD),
        frozenset(name for name, one in named if one.state is StepState.UNKNOWN),
    )


def _size(known: Known) -> int:
    return sum(map(len, known.gave.values()))
