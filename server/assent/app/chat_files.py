"""How each chat works with files: what is inside for it, who writes for it, and the tools of files themselves."""

from assent.agent.ports import Tool
from assent.agent.toolbelt import OfEachChat
from assent.app.commands import Commands
from assent.app.editor import Editor
from assent.app.workspace import Workspace
from assent.checkpoints.book import Book
from assent.model.ids import SessionId
from assent.runtime.tasks import TaskGroup
from assent.shells.written import Written
from assent.tools.edit_file import EditFile
from assent.tools.list_files import ListFiles
from assent.tools.places import Roots
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile
from assent.tools.writing import Writer


class ChatFiles:
    """The folders, the editor and the copies that all tools of a chat share which touch files."""

    def __init__(
        self, workspace: Workspace, commands: Commands, editor: Editor, book: Book, written: Written, writes: TaskGroup
    ) -> None:
        self._workspace = workspace
        self._commands = commands
        self._editor = editor
        self._book = book
        self._written = written
        self._writes = writes

    def inside(self, session_id: SessionId) -> Roots:
        """The folders that the chat works in, and its scratch folder."""
        roots, scratch = self._workspace.roots_of(session_id), self._commands.workplace(session_id).scratch
        return lambda: (*roots(), scratch)

    def writer(self, session_id: SessionId) -> Writer:
        """Writes in the name of this chat, with a copy of what was there before."""
        return Writer(self._editor, self._book.keeping(session_id), self._written.add, self._writes)

    def tools(self) -> tuple[Tool, ...]:
        """Those that read and write."""
        return (
            OfEachChat(lambda chat: ReadFile(self.inside(chat), self._editor)),
            OfEachChat(lambda chat: WriteFile(self.inside(chat), self.writer(chat))),
            OfEachChat(lambda chat: EditFile(self.inside(chat), self.writer(chat))),
            OfEachChat(lambda chat: ListFiles(self.inside(chat))),
        )
