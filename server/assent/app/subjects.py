"""What the tools of chats are about: commands, files, searching, the web, nodes and what else there is to work on."""

import asyncio
import os

from assent.agent.ports import FormPort
from assent.app.browsers import Browsers
from assent.app.chat_files import ChatFiles
from assent.app.chat_rules import ChatRules
from assent.app.collections import Collections
from assent.app.commands import Commands
from assent.app.grounds import Grounds
from assent.app.media_makers import MediaMakers
from assent.app.nodes import Nodes
from assent.app.open_chats import OpenChats
from assent.app.searching import Searching
from assent.app.web import Web
from assent.checkpoints.book import Book
from assent.checkpoints.shelf import Shelf
from assent.model.ids import SessionId
from assent.runtime.tasks import TaskGroup
from assent.sandbox.sandbox import Sandbox
from assent.shells.written import Written
from assent.tools.bash import Runner


class Subjects:
    """Each brings the tools of its own. None of them knows another chat's calls, or who asked for one."""

    def __init__(self, grounds: Grounds, chats: OpenChats, rules: ChatRules, forms: FormPort) -> None:
        clock, processes, secrets = grounds.clock, grounds.processes, grounds.secrets
        trust, editor = grounds.trust, grounds.editor
        roots, folders = grounds.workspace.roots, grounds.workspace.open_folders
        self.roots = roots
        self.editor, self._workspace = editor, grounds.workspace
        self.commands = Commands(processes, clock, lambda: trust.now().shell, chats.find)
        hidden = (str(grounds.state_directory),)
        self.sandbox = Sandbox(processes, home=grounds.home, hidden=hidden, read_only=())
        self.runner = Runner(
            self.commands.shells,
            self.sandbox,
            Written(),
            limits=lambda: trust.now().shell,
            choice=lambda: trust.now().sandbox,
            secrets=lambda: secrets.values,
        )
        self.media = MediaMakers(grounds.keys, processes, trust.now)
        self.web = Web(
            grounds.keys,
            trust.now,
            lambda visitor: Browsers(processes, visitor, roots, self.commands, rules.now),
        )
        self.searching = Searching(processes, rules.now, os.environ, lambda: editor.ripgrep)
        self.collections = Collections(
            grounds.state_directory, folders, lambda: trust.now().collections, lambda: secrets.values, rules.now
        )
        self.nodes = Nodes(processes, clock, roots, secrets, lambda: trust.now().mcp_servers, editor.nodes, forms)
        self.book = Book(Shelf(grounds.state_directory / "checkpoints", secrets), clock, chats.writing_as)
        self._writes = TaskGroup("writes")
        self.files = ChatFiles(grounds.workspace, self.commands, editor, self.book, self.runner.written, self._writes)
        self.workflows = grounds.records.workflows

    async def close(self, session_id: SessionId) -> None:
        """A chat is closed, with everything that runs of it."""
        await self.web.browsers.close(session_id)
        await self.commands.close(session_id)
        await asyncio.to_thread(self._workspace.closed, session_id)

    async def end(self) -> None:
        """The server ends."""
        await self._writes.cancel()
        await self.collections.end()
        await self.nodes.end()
        await self.web.browsers.end()
        await self.commands.end()
        await asyncio.to_thread(self._workspace.end)
