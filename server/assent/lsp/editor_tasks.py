"""The tasks of the client's editor."""

import logging
from typing import Any

from assent.lsp.faults import RpcFault
from assent.lsp.protocol import AssentServer
from assent.protocol import editor as wire
from assent.tools.open_documents import EditorSilent
from assent.tools.workflows.editor_tasks import EditorTask, TaskEnd

logger = logging.getLogger(__name__)

FINDING_SECONDS = 30.0
"""Extensions look for tasks when they are asked for the first time."""


class TasksOfClient:
    """Of one client that announced `editor/tasks` and `editor/runTask`."""

    def __init__(self, server: AssentServer) -> None:
        self._server = server

    async def all(self) -> tuple[EditorTask, ...]:
        found: wire.EditorTasks = await self._ask("editor/tasks", wire.EditorTasksParams(), FINDING_SECONDS)
        return tuple(map(_task, found.tasks))

    async def run(self, task: EditorTask) -> TaskEnd:
        params = wire.EditorTaskParams(_told(task))
        end: wire.EditorTaskEnd = await self._ask("editor/runTask", params, None)
        return TaskEnd(end.exit_code, end.fault)

    async def _ask(self, method: str, params: object, within: float | None) -> Any:
        try:
            return await self._server.ask(method, params, timeout=within)
        except (TimeoutError, RpcFault) as fault:
            logger.warning("the editor did not answer %s (%s)", method, type(fault).__name__)
            raise EditorSilent from fault


def _task(told: wire.EditorTask) -> EditorTask:
    return EditorTask(told.task_id, told.label, told.text, told.directory, told.shell, told.variables, told.first)


def _told(task: EditorTask) -> wire.EditorTask:
    return wire.EditorTask(task.task_id, task.label, task.text, task.directory, task.shell, task.variables, task.first)
