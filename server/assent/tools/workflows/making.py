"""A workflow on its way: step after step, until one has no result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from assent.agent.ports import Basis, InnerCalls, ToolAnswer
from assent.jsontext import readable_json
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.model.verdict import Reason
from assent.tools.bash_words import NOT_WELL
from assent.tools.workflows.definition import Step
from assent.tools.workflows.foresight import StepAhead, as_arguments
from assent.tools.workflows.inputs import InputFault, filled

_SHOWN = 4_000
"""Characters of what a step gave that the agent is told; of the last one, all."""

Keep = Callable[[Mapping[str, str]], str | None]
"""Keeps what the steps have given so far; gives the id under which the workflow can go on."""


@dataclass(slots=True)
class Making:
    """The steps of one run that are still to be made."""

    ahead: tuple[StepAhead, ...]
    parameters: JsonObject
    before: Mapping[str, str]
    """What steps gave that an earlier run has made."""
    calls: InnerCalls
    basis: Basis
    _results: dict[str, str] = field(default_factory=dict)
    _told: list[Json] = field(default_factory=list)

    async def make(self, workflow_id: str, keep: Keep) -> ToolAnswer:
        """Makes them. Raises ToolFault where it comes to no end; what was done until then is kept."""
        self._results = dict(self.before)
        for one in self.ahead:
            why = await self._step(one)
            if why is not None:
                raise self._stopped(workflow_id, one.step, why, keep)
        return ToolAnswer(readable_json({"workflow": workflow_id, "status": "done", "steps": self._told}))

    async def _step(self, one: StepAhead) -> "_Why | None":
        step = one.step
        try:
            args = as_arguments(filled(step.inputs, self.parameters, self._results)) if one.args is None else one.args
        except InputFault as fault:
            return _Why("step_failed", f"It was not made: {fault}.")
        shown = one.foreseen.digest if one.foreseen is not None else ""
        outcome = await self.calls.make(step.tool, args, replace(self.basis, shown=shown))
        if outcome.is_error or outcome.code == NOT_WELL:
            return _Why(outcome.code or "step_failed", outcome.content)
        if outcome.truncated and self._is_needed(step):
            return _Why("step_failed", "What it gave is too long to be handed on to the next step.")
        self._results[step.step_id] = outcome.content
        self._tell(step, outcome, whole=one is self.ahead[-1])
        return None

    def _is_needed(self, step: Step) -> bool:
        return any(step.step_id == one.waits_for or step.step_id in one.step.after for one in self.ahead)

    def _tell(self, step: Step, outcome: ToolOutcome, *, whole: bool) -> None:
        text = outcome.content
        shown = text if whole or len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        self._told.append({"step": step.step_id, "tool": step.tool, "gave": shown})

    def _stopped(self, workflow_id: str, step: Step, why: "_Why", keep: Keep) -> ToolFault:
        done = ", ".join(self._results) or "none"
        words = f"The workflow {workflow_id} stopped at its step “{step.step_id}” ({step.tool}). Finished: {done}."
        if why.code == Reason.CANCELLED:
            return ToolFault(Reason.CANCELLED.value, words)
        run = keep(self._results)
        again = f' It can go on from there: run_workflow with the same parameters and "resume": "{run}".' if run else ""
        return ToolFault("step_failed", f"{words}{again}\n\n{why.text}", content=readable_json(self._told))


@dataclass(frozen=True, slots=True)
class _Why:
    """Why a step has no result."""

    code: str
    text: str
