"""The editor of the client that is there, as tools use it. It may come and go while they are at work."""

from collections.abc import Sequence

from assent.model.json import Json, JsonObject
from assent.nodes.editor_commands import Kind
from assent.nodes.editor_port import NO_EDITOR, Came, EditorNodes, EditorTool
from assent.tools.declared_encoding import EditorsWord, editor_says
from assent.tools.editor_views import NO_VIEWS, EditorViews
from assent.tools.open_documents import NO_DOCUMENTS, OpenDocument, OpenDocuments
from assent.tools.workflows.editor_tasks import NO_TASKS, EditorTask, EditorTasks, TaskEnd


class TasksOfEditor:
    """Hands on to the tasks of the editor that is there; where there is none, there are none."""

    def __init__(self) -> None:
        self._tasks: EditorTasks = NO_TASKS

    def came(self, tasks: EditorTasks) -> None:
        """This one is there now."""
        self._tasks = tasks

    def went(self, tasks: EditorTasks) -> None:
        """This one is gone; one that came after it stays."""
        if self._tasks is tasks:
            self._tasks = NO_TASKS

    async def all(self) -> tuple[EditorTask, ...]:
        return await self._tasks.all()

    async def run(self, task: EditorTask) -> TaskEnd:
        return await self._tasks.run(task)


class NodesOfEditor:
    """Hands on to the commands and tools of the editor that is there; where there is none, there are none."""

    def __init__(self) -> None:
        self._nodes: EditorNodes = NO_EDITOR

    def came(self, nodes: EditorNodes) -> None:
        """This one is there now."""
        self._nodes = nodes

    def went(self, nodes: EditorNodes) -> None:
        """This one is gone; one that came after it stays."""
        if self._nodes is nodes:
            self._nodes = NO_EDITOR

    @property
    def runs_commands(self) -> bool:
        return self._nodes.runs_commands

    @property
    def has_tools(self) -> bool:
        return self._nodes.has_tools

    async def run(self, command: str, arguments: tuple[tuple[Kind, Json], ...]) -> Came:
        return await self._nodes.run(command, arguments)

    async def tools(self) -> tuple[EditorTool, ...]:
        return await self._nodes.tools()

    async def invoke(self, name: str, inputs: JsonObject) -> Came:
        return await self._nodes.invoke(name, inputs)


class Editor:
    """Hands on to the editor that announced itself; where there is none, nothing is open."""

    def __init__(self) -> None:
        self._documents: OpenDocuments = NO_DOCUMENTS
        self.tasks = TasksOfEditor()
        self.nodes = NodesOfEditor()
        self.views: EditorViews = NO_VIEWS
        """What it shows, and can be asked to show."""
        self.ripgrep: str | None = None
        """Where it says that it has a program for searching."""

    def came(self, documents: OpenDocuments) -> None:
        """This one is there now."""
        self._documents = documents

    def went(self, documents: OpenDocuments) -> None:
        """This one is gone; one that came after it stays."""
        if self._documents is documents:
            self._documents = NO_DOCUMENTS

    def shows(self, views: EditorViews) -> None:
        """This one can be asked what it shows, and to show something."""
        self.views = views

    def shows_no_more(self, views: EditorViews) -> None:
        """It is gone; one that came after it stays."""
        if self.views is views:
            self.views = NO_VIEWS

    def means(self, encodings: Sequence[EditorsWord] | None) -> None:
        """How it takes files to be encoded; None where it does not say."""
        editor_says(encodings)

    @property
    def writes(self) -> bool:
        return self._documents.writes

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        return await self._documents.find(names)

    async def replace(self, document: OpenDocument, text: str) -> bool:
        return await self._documents.replace(document, text)

    async def save(self, document: OpenDocument) -> bool:
        return await self._documents.save(document)
