"""A workflow on its way: step after step, until one has no result."""

from dataclasses import field, replace

from assent.agent.ports import Basis, InnerCalls, ToolAnswer
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import ToolOutcome
from assent.model.errors import NotRecorded, ToolFault
from assent.model.ids import CallId
from assent.model.json import Json, JsonObject
from assent.model.verdict import Reason
from assent.runtime.ids import new_id
from assent.tools.bash_words import NOT_WELL
from assent.tools.workflows.definition import Step
from assent.tools.workflows.foresight import StepAhead, as_arguments
from assent.tools.workflows.inputs import InputFault, filled
from assent.tools.workflows.runs import Log, how_to_go_on

_SHOWN = 4_000
"""Characters of what a step gave that the agent is told; of the last one, all."""
_OF_UNKNOWN_EFFECT = frozenset({Reason.CANCELLED.value, "tool_failed"})
"""Codes of calls that were under way and of which nobody can say what they did."""


@dataclass(slots=True)
class Making:
    """The steps of one run that are still to be made."""

    ahead: tuple[StepAhead, ...]
    parameters: JsonObject
    calls: InnerCalls
    basis: Basis
    log: Log
    _told: list[Json] = field(default_factory=list)

    async def make(self, workflow_id: str) -> ToolAnswer:
        """Makes them. Raises ToolFault where it comes to no end; what was done until then is kept."""
        for one in self.ahead:
            why = await self._step(one)
            if why is not None:
                raise self._stopped(workflow_id, one.step, why)
        await self.log.ended()
        return ToolAnswer(readable_json({"workflow": workflow_id, "status": "done", "steps": self._told}))

    async def _step(self, one: StepAhead) -> "_Why | None":
        step, gave = one.step, self.log.known.gave
        try:
            args = as_arguments(filled(step.inputs, self.parameters, gave)) if one.args is None else one.args
        except InputFault as fault:
            return _Why("step_failed", f"It was not made: {fault}.")
        call_id = CallId(new_id())
        try:
            await self.log.begins(step, call_id)
        except NotRecorded as fault:
            return _Why("not_recorded", f"It was not made. {fault}")
        shown = one.foreseen.digest if one.foreseen is not None else ""
        try:
            outcome = await self.calls.make(step.tool, args, replace(self.basis, shown=shown, call_id=call_id))
        except ToolFault as fault:
            await self.log.is_open(step)
            return _Why(fault.code, str(fault))
        return await self._with_outcome(one, outcome)

    async def _with_outcome(self, one: StepAhead, outcome: ToolOutcome) -> "_Why | None":
        step = one.step
        if outcome.is_error or outcome.code == NOT_WELL:
            if not (outcome.ran and outcome.code in _OF_UNKNOWN_EFFECT):
                await self.log.is_open(step)
            return _Why(outcome.code or "step_failed", outcome.content)
        if outcome.truncated and self._is_needed(step):
            # It is done all the same: to make it again would not make it shorter.
            await self.log.gave(step, None)
            return _Why("step_failed", "What it gave is too long to be handed on to the next step.")
        await self.log.gave(step, outcome.content)
        self._tell(step, outcome, whole=one is self.ahead[-1])
        return None

    def _is_needed(self, step: Step) -> bool:
        return any(step.step_id == one.waits_for or step.step_id in one.step.after for one in self.ahead)

    def _tell(self, step: Step, outcome: ToolOutcome, *, whole: bool) -> None:
        text = outcome.content
        shown = text if whole or len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        self._told.append({"step": step.step_id, "tool": step.tool, "gave": shown})

    def _stopped(self, workflow_id: str, step: Step, why: "_Why") -> ToolFault:
        known = self.log.known
        done = ", ".join((*known.gave, *sorted(known.lost))) or "none"
        words = f"The workflow {workflow_id} stopped at its step “{step.step_id}” ({step.tool}). Finished: {done}."
        for one in sorted(known.unknown):
            words += f" “{one}” was under way: what it did is not known."
        words = f"{words} {how_to_go_on(self.log.run)}"
        if why.code == Reason.CANCELLED:
            return ToolFault(Reason.CANCELLED.value, words)
        return ToolFault("step_failed", f"{words}\n\n{why.text}", content=readable_json(self._told))


@dataclass(frozen=True, slots=True)
class _Why:
    """Why a step has no result."""

    code: str
    text: str
