"""The editor behind a client: what of it the tools can use while the client is there."""

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.lsp.protocol import AssentServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.lsp.editor_documents import EditorDocuments
    from assent.lsp.editor_nodes import NodesOfClient
    from assent.lsp.editor_tasks import TasksOfClient
    from assent.lsp.editor_views import EditorViews


class EditorOfClient:
    """Of one client. Nothing is asked of it that it did not announce."""

    def __init__(self, server: AssentServer, app: "Callable[[], App]") -> None:
        self._server = server
        self._app = app
        self._announced: tuple[str, ...] = ()
        self._edits = False
        self._documents: EditorDocuments | None = None
        self._views: EditorViews | None = None
        self._tasks: TasksOfClient | None = None
        self._nodes: NodesOfClient | None = None

    def meet(self, announced: tuple[str, ...], workspace: lsp.WorkspaceClientCapabilities | None) -> None:
        """What the client says that it can do."""
        self._announced = announced
        self._edits = workspace is not None and workspace.apply_edit is True

    def came(self) -> None:
        """The tools may use it from now on."""
        if not any(word.startswith(("editor/", "lm/")) for word in self._announced):
            return
        # They bring the tools along, which take a while to load: a client is greeted without them.
        from assent.lsp.editor_documents import EditorDocuments
        from assent.lsp.editor_nodes import NodesOfClient
        from assent.lsp.editor_tasks import TasksOfClient
        from assent.lsp.editor_views import EditorViews

        editor = self._app().editor
        self._views = EditorViews(self._server, self._announced)
        editor.shows(self._views)
        self._nodes = NodesOfClient(self._server, self._announced)
        editor.nodes.came(self._nodes)
        if "editor/document" in self._announced:
            writes = self._edits and "editor/save" in self._announced
            self._documents = EditorDocuments(self._server, writes=writes)
            editor.came(self._documents)
        if {"editor/tasks", "editor/runTask"} <= set(self._announced):
            self._tasks = TasksOfClient(self._server)
            editor.tasks.came(self._tasks)

    def went(self) -> None:
        """It is gone, and what works with it too."""
        if self._documents is not None:
            self._app().editor.went(self._documents)
        if self._tasks is not None:
            self._app().editor.tasks.went(self._tasks)
        if self._nodes is not None:
            self._app().editor.nodes.went(self._nodes)
        if self._views is not None:
            self._app().editor.shows_no_more(self._views)
