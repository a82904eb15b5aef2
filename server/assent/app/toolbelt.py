"""The tools that every chat has. Composed here and nowhere else: no message of a client adds or removes one."""

from assent.agent.ports import Tool
from assent.agent.toolbelt import OfEachChat, Toolbelt
from assent.app.editor import Editor
from assent.app.subjects import Subjects
from assent.app.ui_tools import ui_tools
from assent.tools.places import Roots
from assent.tools.run_subtask import RunSubtask
from assent.tools.todo_write import Tell, TodoWrite
from assent.tools.workflows.list_workflows import GetWorkflow, ListWorkflows
from assent.tools.workflows.run_workflow import RunWorkflow
from assent.tools.workflows.runs import RunKeeper, WorkflowRuns

OF_CHATS = frozenset({TodoWrite.spec.name})
"""Those that sub-agents do not have: a list of theirs would take the place of the one that the user follows."""


def tools_of_chats(about: Subjects, subtask: RunSubtask, tell: Tell) -> Toolbelt:
    """All of them, in the order in which models and people meet them."""
    return Toolbelt(
        [
            *about.files.tools(),
            *about.searching.tools(about.files.inside),
            *about.commands.tools(about.runner, about.files.inside),
            OfEachChat(lambda chat: TodoWrite(chat, tell)),
            *_workflows(about.roots, about.editor, about.workflows),
            *about.web.tools(),
            *about.media.tools(about.files.inside, about.files.writer),
            *about.collections.tools(),
            *about.nodes.tools(about.runner, about.commands),
            *ui_tools(about.files.inside, about.editor),
            subtask,
        ]
    )


def _workflows(roots: Roots, editor: Editor, keeper: RunKeeper) -> tuple[Tool, ...]:
    runs = WorkflowRuns(keeper)
    return (
        ListWorkflows(roots, editor.tasks),
        GetWorkflow(roots, editor.tasks),
        OfEachChat(lambda chat: RunWorkflow(roots, runs, chat, editor.tasks, editor)),
    )
