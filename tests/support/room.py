"""A test's own folder in a workspace that several tests share."""

from pathlib import Path
from typing import Any

from tests.support.rpc import Pending
from tests.support.server import Chat, Server, Step, Turn, write


class Room:
    """Names are relative to the workspace, as a model would use them; `file` is where they lead."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.folder = server.workspace / name
        self.folder.mkdir()

    def path(self, name: str) -> str:
        """The name as a model says it."""
        return f"{self.name}/{name}"

    def file(self, name: str) -> Path:
        """The file itself."""
        return self.folder / name

    def write(self, name: str, content: str = "content") -> Step:
        """A call that writes a file of this room."""
        return write(self.path(name), content)

    def chat(self, *turns: Turn, mode: str | None = None) -> Chat:
        """A new chat with the scripted agent, which plays these turns."""
        self.server.script(*turns)
        return self.server.chat(mode=mode)

    def card(self, *turns: Turn, mode: str | None = None, **message: Any) -> tuple[Chat, Any, Pending]:
        """A new chat whose first message leads to a card."""
        chat = self.chat(*turns, mode=mode)
        run = chat.send(**message)
        return chat, chat.card(), run
