"""The tools that every chat has. Composed here and nowhere else: no message of a client adds or removes one."""

from assent.agent.toolbelt import OfEachChat, Toolbelt
from assent.app.collections import Collections
from assent.app.commands import Commands
from assent.app.editor import Editor
from assent.app.media_makers import MediaMakers
from assent.app.nodes import Nodes
from assent.app.searching import Searching
from assent.app.ui_tools import ui_tools
from assent.app.web import Web
from assent.checkpoints.book import Book
from assent.model.ids import SessionId
from assent.runtime.tasks import TaskGroup
from assent.tools.bash import Bash, Runner
from assent.tools.bash_output import BashOutput
from assent.tools.edit_file import EditFile
from assent.tools.kill_bash import KillBash
from assent.tools.list_files import ListFiles
from assent.tools.places import Roots
from assent.tools.read_file import ReadFile
from assent.tools.run_subtask import RunSubtask
from assent.tools.todo_write import Tell, TodoWrite
from assent.tools.workflows.list_workflows import GetWorkflow, ListWorkflows
from assent.tools.workflows.run_workflow import RunWorkflow
from assent.tools.workflows.runs import WorkflowRuns
from assent.tools.write_file import WriteFile
from assent.tools.writing import Writer

OF_CHATS = frozenset({TodoWrite.spec.name})
"""Those that sub-agents do not have: a list of theirs would take the place of the one that the user follows."""


def tools_of_chats(
    roots: Roots,
    runner: Runner,
    commands: Commands,
    subtask: RunSubtask,
    tell: Tell,
    editor: Editor,
    writes: TaskGroup,
    book: Book,
    web: Web,
    media: MediaMakers,
    searching: Searching,
    collections: Collections,
    nodes: Nodes,
) -> Toolbelt:
    """All of them. The scratch folder of a chat counts as inside for whatever it does with files."""

    def inside(session_id: SessionId) -> Roots:
        scratch = commands.workplace(session_id).scratch
        return lambda: (*roots(), scratch)

    def writer(session_id: SessionId) -> Writer:
        return Writer(editor, book.keeping(session_id), runner.written.add, writes)

    workflow_runs = WorkflowRuns()
    return Toolbelt(
        [
            OfEachChat(lambda chat: ReadFile(inside(chat), editor)),
            OfEachChat(lambda chat: WriteFile(inside(chat), writer(chat))),
            OfEachChat(lambda chat: EditFile(inside(chat), writer(chat))),
            OfEachChat(lambda chat: ListFiles(inside(chat))),
            OfEachChat(lambda chat: searching.glob(chat, inside(chat))),
            OfEachChat(lambda chat: searching.grep(chat, inside(chat))),
            OfEachChat(lambda chat: Bash(inside(chat), runner, commands.workplace(chat))),
            OfEachChat(lambda chat: BashOutput(runner.shells, chat)),
            OfEachChat(lambda chat: KillBash(runner.shells, chat)),
            OfEachChat(lambda chat: TodoWrite(chat, tell)),
            ListWorkflows(roots, editor.tasks),
            GetWorkflow(roots, editor.tasks),
            OfEachChat(lambda chat: RunWorkflow(roots, workflow_runs, chat, editor.tasks)),
            *web.tools(),
            OfEachChat(lambda chat: media.image(inside(chat), writer(chat))),
            OfEachChat(lambda chat: media.speech(inside(chat), writer(chat))),
            *collections.tools(),
            *nodes.tools(runner, commands),
            *ui_tools(inside, editor),
            subtask,
        ]
    )
