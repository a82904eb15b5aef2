"""Calls that a call makes: each goes through gate and execution by itself, with a result that the other one gets.

A click on the card of the call that makes them counts for each of them that does exactly what was shown there. Whatever
is otherwise by then, or was not known when the card was shown, is decided about as if nobody had clicked.
"""

import asyncio
from collections.abc import Callable
from dataclasses import field, replace

from assent.agent.call_carriage import CallCarriage, Way
from assent.agent.digest import step_digest
from assent.agent.ports import Basis, Foreseen, Prepared, Tool
from assent.agent.run_state import RunState
from assent.agent.toolbelt import Toolbelt
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts, ToolCall
from assent.model.conversation import ToolOutcome, ToolSpec
from assent.model.errors import ToolFault
from assent.model.ids import CallId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.verdict import Reason
from assent.runtime.ids import new_id

DEEPEST = 3
"""Calls within calls: one that makes itself would otherwise be looked into for ever."""

MOST_LOOKS = 200
"""Calls that are looked at for one: three files that name each other many times would be thousands."""


@dataclass(slots=True)
class Nesting:
    """How deep calls are within others, and how many were looked at for the outermost of them."""

    depth: int = 0
    looks: list[int] = field(default_factory=lambda: [0])

    def below(self) -> "Nesting":
        """One deeper: what is looked at there counts for all."""
        return Nesting(self.depth + 1, self.looks)


Within = Callable[[ToolCall, Caller, Nesting], Toolbelt]
"""The tools as they stand for a call of this caller that is so deep within others."""


class CallsOf:
    """The calls that one call of a conversation makes."""

    def __init__(self, outer: ToolCall, run: RunState, caller: Caller, within: Within, nesting: Nesting) -> None:
        self._run = run
        self._caller = replace(caller, parent_call=outer.call_id)
        self._within = within
        self._nesting = nesting.below()
        self._carriage = CallCarriage(run, self._caller)

    def declared(self, tool: str) -> Category | None:
        """What this tool declares of itself; None where there is none."""
        found = self._tools(ToolCall(CallId(""), tool, None)).get(tool)
        return found.category if found is not None else None

    def look_anew(self) -> None:
        """Another look begins."""
        if self._nesting.depth == 1:
            self._nesting.looks[0] = 0

    async def foresee(self, tool: str, args: JsonObject) -> Foreseen:
        """What this call would do now."""
        call = ToolCall(CallId(""), tool, args)
        self._nesting.looks[0] += 1
        fault = self._too_much()
        if fault is not None:
            facts = CallFacts(tool, known=True, category=Category.EXTERNAL, arguments_fault=fault)
            return Foreseen(facts, None, "", args)
        call, prepared, facts = await self._run.around.gate.foresee(call, self._tools(call))
        args = args if call.args is None else call.args
        return Foreseen(facts, prepared, step_digest(tool, args, prepared) if prepared is not None else "", args)

    async def make(self, tool: str, args: JsonObject, basis: Basis) -> ToolOutcome:
        """Makes it. Raises ToolFault where the run was stopped before, so that it is not made."""
        if self._run.over:
            raise _stopped()
        call = ToolCall(basis.call_id or CallId(new_id()), tool, args)
        tools = self._tools(call)
        found = tools.get(tool)
        if found is not None and basis.shown:
            tools = tools.with_tool(AsShown(found, basis))
        fault = f"calls within calls go no deeper than {DEEPEST}" if self._nesting.depth > DEEPEST else None
        work = self._run.tasks.start(self._carriage.carry(call, fault, Way(tools, is_read=False)), f"call {tool}")
        # Not `await work`: a stop of the outer call is no stop of this one, which ends by itself when the run is over.
        await asyncio.wait({work})
        if work.cancelled():
            # Nobody has said that it had not begun.
            text = "The run was stopped while this call was about to be made; its effect is unknown."
            return ToolOutcome(call.call_id, tool, text, is_error=True, code=Reason.CANCELLED.value, ran=True)
        return work.result()

    def _tools(self, call: ToolCall) -> Toolbelt:
        return self._within(call, self._caller, self._nesting)

    def _too_much(self) -> str | None:
        if self._nesting.depth > DEEPEST:
            return f"calls within calls go no deeper than {DEEPEST}; this would be one more"
        if self._nesting.looks[0] > MOST_LOOKS:
            return f"it would make more than {MOST_LOOKS} calls, with those within them"
        return None


class AsShown:
    """A tool for one call that was shown with the call that makes it."""

    def __init__(self, tool: Tool, basis: Basis) -> None:
        self._tool = tool
        self._basis = basis

    @property
    def spec(self) -> ToolSpec:
        return self._tool.spec

    @property
    def category(self) -> Category:
        return self._tool.category

    def fault(self, args: JsonObject) -> str | None:
        return self._tool.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        """What it would do. What somebody agreed to is told only where it would do exactly that."""
        prepared = await self._tool.prepare(args)
        if step_digest(self.spec.name, args, prepared) != self._basis.shown:
            return prepared
        guest = replace(prepared.guest, agreed=self._basis.agreed) if self._basis.agreed else prepared.guest
        return replace(prepared, guest=guest, part_of=self._basis.part_of)


def _stopped() -> ToolFault:
    return ToolFault(Reason.CANCELLED.value, "The run was stopped, so no further call was made.")
