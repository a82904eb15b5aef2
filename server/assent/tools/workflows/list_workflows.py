"""list_workflows and get_workflow: which workflows there are, and what one of them does."""

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.conversation import ToolSpec
from assent.model.json import Json, JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.open_documents import EditorSilent
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.workflows.definition import Workflow
from assent.tools.workflows.editor_tasks import NO_TASKS, EditorTask, EditorTasks, find_task
from assent.tools.workflows.editor_tasks import PREFIX as TASK
from assent.tools.workflows.shelf import FOLDER, Broken, Shelved, all_of, find


class ListWorkflowsArguments(Arguments):
    """What list_workflows takes: nothing."""


class GetWorkflowArguments(Arguments):
    """What get_workflow takes."""

    workflow_id: str = Field(min_length=1, max_length=100, description="An id that list_workflows gives.")


class ListWorkflows:
    """Names what is there, and which files are none."""

    spec = ToolSpec(
        "list_workflows",
        f"Lists the workflows of this workspace with their ids: JSON files in {FOLDER}/, and tasks of the editor.",
        schema_of(ListWorkflowsArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, tasks: EditorTasks = NO_TASKS) -> None:
        self._roots = roots
        self._tasks = tasks

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(ListWorkflowsArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        return _reading("List the workflows", self._roots, args, self.spec.name, self._list)

    async def _list(self) -> ToolAnswer:
        files = await asyncio.to_thread(lambda: [_line(one) for one in all_of(self._roots())])
        try:
            tasks = [_task(one) for one in await self._tasks.all()]
        except EditorSilent:
            tasks = [{"tasks": "The editor does not say which it has."}]
        found = [*files, *tasks]
        return ToolAnswer(
            readable_json(found)
            if found
            else f"There are none. They stand as JSON files in {FOLDER}/, or are tasks of the editor."
        )


class GetWorkflow:
    """Tells all of one."""

    spec = ToolSpec(
        "get_workflow",
        "Tells the parameters and the steps of a workflow.",
        schema_of(GetWorkflowArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, tasks: EditorTasks = NO_TASKS) -> None:
        self._roots = roots
        self._tasks = tasks

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(GetWorkflowArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = GetWorkflowArguments.model_validate(args)

        async def get() -> ToolAnswer:
            if wanted.workflow_id.startswith(TASK):
                found = await find_task(wanted.workflow_id, self._tasks)
                return ToolAnswer(readable_json(_task(found.task)))
            shelved = await asyncio.to_thread(find, wanted.workflow_id, self._roots())
            return ToolAnswer(readable_json(_whole(shelved)), path=shelved.place.shown)

        return _reading(f"Look at the workflow {wanted.workflow_id!r}", self._roots, args, self.spec.name, get)


def _reading(
    headline: str, roots: Roots, args: JsonObject, key: str, read: Callable[[], Awaitable[ToolAnswer]]
) -> Prepared:
    return Prepared(
        headline=headline,
        directory=next(iter(roots()), ""),
        preview=JsonPreview(readable_json(args)),
        paths=(),
        state="",
        grant_key=key,
        perform=read,
    )


def _line(one: Shelved | Broken) -> Json:
    if isinstance(one, Broken):
        return {"id": one.workflow_id, "unusable": one.why}
    workflow = one.workflow
    return {"id": one.workflow_id, **_about(workflow), "steps": len(workflow.steps)}


def _about(workflow: Workflow) -> dict[str, Json]:
    return {name: text for name, text in (("title", workflow.title), ("description", workflow.description)) if text}


def _task(task: EditorTask) -> Json:
    known: dict[str, Json] = {"id": f"{TASK}{task.label}"}
    if task.text is not None:
        known["runs"] = task.text
    if task.first:
        known["first"] = list(task.first)
    return known


def _whole(shelved: Shelved) -> Json:
    workflow = shelved.workflow
    steps: list[Json] = [
        {"id": step.step_id, "tool": step.tool, "inputs": step.inputs, "after": sorted(step.after)}
        for step in workflow.steps
    ]
    return {"id": shelved.workflow_id, **_about(workflow), "parameters": workflow.parameters, "steps": steps}
