"""The editor as nodes use it: its commands, and the tools that it has for language models."""

from dataclasses import field
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.nodes.editor_commands import Kind


@dataclass(frozen=True, slots=True)
class EditorTool:
    """A tool that an extension of the editor has for language models. All of its texts are a stranger's."""

    name: str
    description: str
    schema: JsonObject | None = field(hash=False)
    """None: it says nothing of its inputs."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of it: `text` is None where there was nothing to tell; `fault` is the editor's word for why not."""

    text: str | None = None
    truncated: bool = False
    fault: str | None = None


class EditorNodes(Protocol):
    """The editor's side. Where the editor does not answer, everything raises ToolFault."""

    @property
    def runs_commands(self) -> bool: ...

    @property
    def has_tools(self) -> bool: ...

    async def run(self, command: str, arguments: tuple[tuple[Kind, Json], ...]) -> Came:
        """Runs a command; being cancelled tells the editor that nobody waits any more."""

    async def tools(self) -> tuple[EditorTool, ...]:
        """Its tools for language models, as they are now."""

    async def invoke(self, name: str, inputs: JsonObject) -> Came:
        """Calls one of them; being cancelled stops it."""


class NoEditor:
    """Where there is no editor, there is nothing of it."""

    runs_commands = False
    has_tools = False

    async def run(self, command: str, arguments: tuple[tuple[Kind, Json], ...]) -> Came:
        raise no_editor()

    async def tools(self) -> tuple[EditorTool, ...]:
        return ()

    async def invoke(self, name: str, inputs: JsonObject) -> Came:
        raise no_editor()


NO_EDITOR = NoEditor()


def no_editor() -> ToolFault:
    """Nobody is there who could do it."""
    return ToolFault("no_editor", "No editor is there that can do this. It did not run.")
