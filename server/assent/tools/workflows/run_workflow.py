"""run_workflow: makes the calls of a workflow, one after the other, each through the gate by itself."""

import asyncio
from hashlib import sha256
from typing import Any

from pydantic import Field

from assent.agent.ports import Basis, InnerCalls, Manner, Prepared, ToolAnswer
from assent.jsontext import canonical_json, readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Risk, RiskLevel
from assent.model.calls import OfGuest
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.ids import SessionId
from assent.model.json import Json, JsonObject
from assent.model.modes import Category
from assent.model.nodes import FLOW_TOOL, NodeUse
from assent.model.preview import JsonPreview
from assent.tools.open_documents import NO_DOCUMENTS, OpenDocuments, document_of
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.workflows.definition import arguments_fault, with_defaults
from assent.tools.workflows.editor_tasks import NO_TASKS, EditorTasks, find_task
from assent.tools.workflows.editor_tasks import PREFIX as TASK
from assent.tools.workflows.foresight import StepAhead, by_hand, graver_of, look_ahead, preview_of, state_of
from assent.tools.workflows.making import Making
from assent.tools.workflows.runs import Known, WorkflowRuns
from assent.tools.workflows.shelf import FOLDER, Shelved, find

_NO_RUN = ToolFault("no_run", "A workflow runs only as long as the run that asks for it; ask again.")


class RunWorkflowArguments(Arguments):
    """What run_workflow takes."""

    workflow_id: str = Field(min_length=1, max_length=100, description="An id that list_workflows gives.")
    params: dict[str, Any] = Field(default_factory=dict, description="Its parameters, by name.")
    resume: str | None = Field(
        None, min_length=1, max_length=64, description="The run that stopped, to go on after its last finished step."
    )


class RunWorkflow:
    """Shows every step that is known, and makes each by a call of its own."""

    spec = ToolSpec(
        "run_workflow",
        f"Runs a workflow of this workspace ({FOLDER}/): several calls, one after the other. The user sees all of them"
        " first. One that stopped can be gone on with. A task of the editor (task:…) is run by the editor.",
        schema_of(RunWorkflowArguments),
    )
    category = Category.EXECUTE

    def __init__(
        self,
        roots: Roots,
        runs: WorkflowRuns,
        chat: SessionId,
        tasks: EditorTasks = NO_TASKS,
        documents: OpenDocuments = NO_DOCUMENTS,
        calls: InnerCalls | None = None,
    ) -> None:
        self._roots = roots
        self._runs = runs
        self._chat = chat
        self._tasks = tasks
        self._documents = documents
        self._calls = calls

    def with_calls(self, calls: InnerCalls) -> "RunWorkflow":
        """The same for one call, which makes its calls by these."""
        return RunWorkflow(self._roots, self._runs, self._chat, self._tasks, self._documents, calls)

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(RunWorkflowArguments, args)

    async def schema_for(self, args: JsonObject) -> JsonObject:
        """The parameters as the workflow takes them. The ids are texts in any case."""
        try:
            found = await asyncio.to_thread(find, str(args.get("workflow_id")), self._roots())
        except ToolFault:
            return {}
        return {"properties": {"params": found.workflow.parameters}}

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = RunWorkflowArguments.model_validate(args)
        try:
            if wanted.workflow_id.startswith(TASK):
                return await self._task(wanted)
            plan = await self._plan(wanted)
        except ToolFault as fault:
            return self._hopeless(wanted, args, fault)
        return Prepared(
            headline=_headline(wanted, plan),
            directory=next(iter(self._roots()), ""),
            preview=preview_of(plan.shelved.workflow.title, plan.ahead, len(plan.known.done)),
            paths=(),
            state=plan.state,
            grant_key=plan.use.key,
            node=plan.use,
            perform=lambda: self._perform(wanted, plan, Manner()),
            perform_in=lambda manner: self._perform(wanted, plan, manner),
            category=graver_of(plan.ahead),
            steps=tuple(one.facts for one in plan.ahead),
            guest=OfGuest(by_hand=by_hand(plan.ahead)),
            risk=await self._risk(plan.shelved),
            ends_with_run=True,
        )

    async def _risk(self, shelved: Shelved) -> Risk | None:
        document = await document_of(shelved.place, self._documents)
        if document is None or not document.dirty:
            return None
        note = f"{shelved.place.shown} has changes in the editor that are not saved. They do not count: the file does."
        return Risk(RiskLevel.MEDIUM, (note,))

    async def _task(self, wanted: RunWorkflowArguments) -> Prepared:
        if wanted.params or wanted.resume is not None:
            raise ToolFault("invalid_parameters", "A task of the editor takes no params, and cannot be gone on with.")
        found = await find_task(wanted.workflow_id, self._tasks)
        return await found.prepared(self._roots())

    def _hopeless(self, wanted: RunWorkflowArguments, args: JsonObject, fault: ToolFault) -> Prepared:
        async def perform() -> ToolAnswer:
            raise fault

        return Prepared(
            headline=f"Run the workflow {wanted.workflow_id!r}",
            directory=next(iter(self._roots()), ""),
            preview=JsonPreview(readable_json(args)),
            paths=(),
            state="",
            grant_key="",
            perform=perform,
            impossible=fault,
            node=NodeUse(wanted.workflow_id, of_user=False, runner=FLOW_TOOL),
        )

    async def _plan(self, wanted: RunWorkflowArguments) -> "_Plan":
        calls = self._calls
        if calls is None:
            raise _NO_RUN
        shelved = await asyncio.to_thread(find, wanted.workflow_id, self._roots())
        fault = arguments_fault(shelved.workflow, wanted.params)
        if fault is not None:
            raise ToolFault("invalid_parameters", f"params do not fit {wanted.workflow_id}: {fault}.")
        known = await self._known(wanted, shelved)
        parameters = with_defaults(shelved.workflow, wanted.params)
        ahead = await look_ahead(shelved.workflow.steps, parameters, known, calls)
        return _Plan(shelved, parameters, known, ahead)

    async def _known(self, wanted: RunWorkflowArguments, shelved: Shelved) -> Known:
        """How far the run has come that is to go on."""
        identity = sha256(canonical_json([shelved.digest, wanted.params])).hexdigest()
        if wanted.resume is None:
            return Known(identity)
        known = await self._runs.find(self._chat, wanted.resume, shelved.workflow.steps)
        if known is None:
            raise ToolFault(
                "not_found", "There is no such run in this chat, or no more. Run the workflow without resume."
            )
        if known.identity != identity:
            raise ToolFault(
                "changed_since",
                "The workflow or its parameters are not those of the run that stopped. Run it without resume.",
            )
        return known

    async def _perform(self, wanted: RunWorkflowArguments, plan: "_Plan", manner: Manner) -> ToolAnswer:
        if self._calls is None:
            raise _NO_RUN
        shelved = await asyncio.to_thread(find, wanted.workflow_id, self._roots())
        if shelved.digest != plan.shelved.digest:
            raise ToolFault("changed_since", f"{shelved.place.shown} has been changed since, so no step was made.")
        agreed = f"You allowed the workflow {wanted.workflow_id} with this step as it is." if manner.clicked else ""
        basis, steps = Basis("", agreed, plan.use.key), shelved.workflow.steps
        log = await self._runs.begin(self._chat, wanted.resume, manner.call_id, steps, plan.known)
        try:
            return await Making(plan.ahead, plan.parameters, self._calls, basis, log).make(wanted.workflow_id)
        finally:
            log.leave()


@dataclass(frozen=True, slots=True)
class _Plan:
    shelved: Shelved
    parameters: JsonObject
    known: Known
    ahead: tuple[StepAhead, ...]

    @property
    def state(self) -> str:
        return state_of(self.shelved.digest, self.ahead)

    @property
    def use(self) -> NodeUse:
        """This workflow as it is, with these parameters, and with what its steps call as that is."""
        called: list[Json] = [one.key for one in self.ahead]
        identity = sha256(canonical_json([self.shelved.digest, self.parameters, called])).hexdigest()
        return NodeUse(self.shelved.workflow_id, identity, of_user=False, runner=FLOW_TOOL)


def _headline(wanted: RunWorkflowArguments, plan: _Plan) -> str:
    count = len(plan.ahead)
    steps = f"{count} step{'' if count == 1 else 's'}"
    return f"{'Go on with' if wanted.resume else 'Run'} the workflow {wanted.workflow_id} ({steps})"
