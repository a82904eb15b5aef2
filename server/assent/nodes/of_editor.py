"""Nodes of the editor: commands of ours that it runs (`command.…`), and its tools for language models (`lm.…`).

Both are there only while an editor is attached that announced them.
"""

from functools import partial
from hashlib import sha256

from assent.agent.ports import Manner, ToolAnswer
from assent.jsontext import canonical_json
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse
from assent.nodes.editor_commands import COMMANDS, EditorCommand
from assent.nodes.editor_port import Came, EditorNodes, EditorTool, no_editor
from assent.nodes.words import Listing, Node

COMMAND, TOOL = "command", "lm"
MOST_TOOLS = 256
MOST_SCHEMA = 64 * 1024
_MOST_NAME = 128
_MOST_DESCRIPTION = 8_000
_MOST_FAULT = 1_000
_NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_MORE = "[this is a part; the editor had more to tell]"
_ANY: JsonObject = {"type": "object"}


class CommandNodes:
    """The commands of the catalogue."""

    def __init__(self, editor: EditorNodes) -> None:
        self._editor = editor

    @property
    def names(self) -> tuple[str, ...]:
        """One, while an editor is there that runs commands."""
        return (COMMAND,) if self._editor.runs_commands else ()

    async def listing(self, name: str | None) -> Listing:
        """All of them."""
        if name not in (None, COMMAND) or not self._editor.runs_commands:
            return Listing()
        return Listing(tuple(map(self._node, COMMANDS.values())))

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """One of them; whatever is not in the catalogue is none."""
        known = COMMANDS.get(node_id.removeprefix(f"{COMMAND}.")) if self.use(node_id) is not None else None
        if known is None:
            return None
        return self._node(known) if self._editor.runs_commands else no_editor()

    def use(self, node_id: str) -> NodeUse | None:
        """What is known of an id without looking."""
        return NodeUse(node_id) if node_id.startswith(f"{COMMAND}.") else None

    def _node(self, known: EditorCommand) -> Node:
        identity = sha256(canonical_json([known.command, known.description, known.schema])).hexdigest()
        return Node(
            use=NodeUse(f"{COMMAND}.{known.command}", identity),
            source=COMMAND,
            title=known.title,
            description=known.description,
            schema=known.schema,
            category=Category.EXECUTE,
            work=partial(self._run, known),
            headline=f"Run the editor's command {known.command}",
            notes=(known.description,),
            files=known.files,
        )

    async def _run(self, known: EditorCommand, inputs: JsonObject, _: Manner) -> ToolAnswer:
        came = await self._editor.run(known.command, known.arguments(inputs))
        return _answer(came, f"The editor has run {known.command}. It gave nothing back.")


class ToolNodes:
    """The tools of the editor for language models: what they say of themselves is a stranger's word."""

    def __init__(self, editor: EditorNodes) -> None:
        self._editor = editor

    @property
    def names(self) -> tuple[str, ...]:
        """One, while an editor is there that has such tools."""
        return (TOOL,) if self._editor.has_tools else ()

    async def listing(self, name: str | None) -> Listing:
        """Those that can be used, and why others cannot."""
        if name not in (None, TOOL) or not self._editor.has_tools:
            return Listing()
        try:
            return await self._all()
        except ToolFault as fault:
            return Listing((), (str(fault),))

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """One of them, as the editor has it now."""
        if self.use(node_id) is None:
            return None
        if not self._editor.has_tools:
            return no_editor()
        try:
            found = (await self._all()).nodes
        except ToolFault as fault:
            return fault
        return next((one for one in found if one.node_id == node_id), None)

    def use(self, node_id: str) -> NodeUse | None:
        """What is known of an id without looking."""
        return NodeUse(node_id) if node_id.startswith(f"{TOOL}.") else None

    async def _all(self) -> Listing:
        told = (await self._editor.tools())[:MOST_TOOLS]
        names = [one.name for one in told]
        faults = [(one, _fault(one, names)) for one in told]
        nodes = tuple(self._node(one) for one, fault in faults if fault is None)
        return Listing(nodes, tuple(f"A tool of the editor is left out: {fault}." for _, fault in faults if fault)[:20])

    def _node(self, tool: EditorTool) -> Node:
        identity = _identity(tool)
        return Node(
            use=NodeUse(f"{TOOL}.{tool.name}", identity),
            source=TOOL,
            title=tool.name,
            description=tool.description[:_MOST_DESCRIPTION],
            schema=_ANY if tool.schema is None else tool.schema,
            category=Category.EXTERNAL,
            work=partial(self._invoke, tool.name, identity),
            behind="an extension of the editor",
            headline=f"Use the editor's tool {tool.name}",
        )

    async def _invoke(self, name: str, identity: str, inputs: JsonObject, _: Manner) -> ToolAnswer:
        """Looks once more: what would run now must be what was shown."""
        now = await self.node(f"{TOOL}.{name}")
        if isinstance(now, ToolFault):
            raise now
        if now is None or now.use.identity != identity:
            text = f"{TOOL}.{name} is not what it was when this call was looked at. It did not run; call it again."
            raise ToolFault("changed_since", text)
        return _answer(await self._editor.invoke(name, inputs), "The tool gave nothing back.")


def _fault(tool: EditorTool, names: list[str]) -> str | None:
    if not 0 < len(tool.name) <= _MOST_NAME or not _NAME_SIGNS.issuperset(tool.name):
        return "its name is none"
    if names.count(tool.name) > 1:
        return f"{names.count(tool.name)} are named {tool.name}"
    if tool.schema is not None and len(canonical_json(tool.schema)) > MOST_SCHEMA:
        return f"the schema of {tool.name} is larger than {MOST_SCHEMA >> 10} KB"
    return None


def _identity(tool: EditorTool) -> str:
    said = [tool.name, tool.description, None if tool.schema is None else dict(tool.schema)]
    return sha256(canonical_json(said)).hexdigest()


def _answer(came: Came, nothing: str) -> ToolAnswer:
    if came.fault is not None:
        said = came.fault[:_MOST_FAULT] or "it does not say why"
        raise ToolFault("node_failed", f"The editor says that it did not come to its end: {said}")
    text = nothing if came.text is None else came.text
    return ToolAnswer(f"{text}\n{_MORE}" if came.truncated else text, truncated=came.truncated)
