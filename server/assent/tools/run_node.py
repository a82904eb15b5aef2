"""run_node: runs one node, whose category is that of the call, with exactly the inputs that were shown."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import Field

from assent.agent.json_schema import understood_part
from assent.agent.ports import AS_SHOWN, Manner, Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.approval import Risk, RiskLevel
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NODE_TOOL
from assent.model.preview import JsonPreview
from assent.nodes.catalogue import Catalogue
from assent.nodes.words import Node
from assent.tools.node_files import READ_TOOL, files_of
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.strangers import plainly, quoted

LONGEST_ID = 300
_MOST_SOURCES = 40
_MOST_INPUTS = 8
_LONGEST_WORD = 40


class RunNodeArguments(Arguments):
    """What run_node takes."""

    node_type: str = Field(
        min_length=1, max_length=LONGEST_ID, description="The id of the node, as list_nodes and search_nodes give it."
    )
    inputs: dict[str, Any] = Field(
        default_factory=dict, description="Its inputs, by the schema that get_node_info gives."
    )


class RunNode:
    """What it does is what the node does: nothing is permitted for this tool as a whole."""

    category = Category.EXTERNAL

    def __init__(self, catalogue: Catalogue, roots: Roots) -> None:
        self._catalogue = catalogue
        self._roots = roots

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            NODE_TOOL,
            "Runs a node: a tool of an MCP server, a script of the workspace, a command or a tool of the editor, a "
            "small function. list_nodes and search_nodes say which there are, get_node_info what one takes. "
            + _sources(self._catalogue.names),
            _SCHEMA,
        )

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(RunNodeArguments, args)

    async def schema_for(self, args: JsonObject) -> JsonObject:
        """The inputs as the node takes them. The id is a text in any case."""
        named = args.get("node_type")
        found = await self._catalogue.node(named) if isinstance(named, str) else None
        return {"properties": {"inputs": understood_part(found.schema)}} if isinstance(found, Node) else {}

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = RunNodeArguments.model_validate(args)
        found = await self._catalogue.node(wanted.node_type)
        directory = next(iter(self._roots()), "")
        if isinstance(found, ToolFault):
            return self._of_none(wanted, found, directory)
        files, impossible = await asyncio.to_thread(files_of, found, wanted.inputs, self._roots())
        inputs = files.given

        async def work(manner: Manner) -> ToolAnswer:
            if impossible is not None:
                raise impossible
            if found.files:
                await asyncio.to_thread(files.hold, self._roots())
            return await found.work(inputs, manner)

        return Prepared(
            headline=_headline(found),
            directory=directory,
            preview=JsonPreview(readable_json(inputs)),
            paths=files.uses,
            state=files.bound(found.use.identity),
            grant_key=found.use.key,
            perform=lambda: work(AS_SHOWN),
            perform_in=work,
            risk=_risk(found),
            impossible=impossible,
            category=found.category,
            also=(READ_TOOL,) if files.uses else (),
            node=found.use,
        )

    def _of_none(self, wanted: RunNodeArguments, fault: ToolFault, directory: str) -> Prepared:
        use = self._catalogue.use(wanted.node_type)
        return Prepared(
            headline=f"Run {plainly(wanted.node_type)}",
            directory=directory,
            preview=JsonPreview(readable_json(wanted.inputs)),
            paths=(),
            state="",
            grant_key=use.key,
            perform=_failing(fault),
            impossible=fault,
            node=use,
        )


_SCHEMA = schema_of(RunNodeArguments)


def _failing(fault: ToolFault) -> Callable[[], Awaitable[ToolAnswer]]:
    async def fails() -> ToolAnswer:
        raise fault

    return fails


def _sources(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_MOST_SOURCES])
    more = f" and {len(names) - _MOST_SOURCES} more" if len(names) > _MOST_SOURCES else ""
    return f"Their ids begin with: {shown}{more}."


def _headline(node: Node) -> str:
    use = node.use
    if node.headline:
        return plainly(node.headline)
    if use.server:
        return f"Run {plainly(use.tool)} of the MCP server {plainly(use.server)}"
    return f"Run {plainly(use.node_id)}"


def _risk(node: Node) -> Risk | None:
    """What a person cannot see in the inputs: who stands behind it, and what is said about it."""
    if node.category is Category.READ:
        return None
    if node.notes:
        return Risk(RiskLevel.MEDIUM, node.notes)
    notes = [f"It is carried out by {quoted(node.behind, 300)}."] if node.behind else []
    if node.description:
        notes.append(f"It is described there as {quoted(node.description)}.")
    takes = _inputs(node.schema) if node.use.server else ""
    if takes:
        notes.append(f"It takes {takes}.")
    if node.claims:
        notes.append(node.claims)
    return Risk(RiskLevel.MEDIUM, tuple(notes)) if notes else None


def _inputs(schema: JsonObject) -> str:
    """What its inputs are by its own words: a person who has never heard of it sees what belongs to it."""
    properties, needed = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return ""
    always = needed if isinstance(needed, list) else []
    named = [_input(name, one, needed=name in always) for name, one in list(properties.items())[:_MOST_INPUTS]]
    more = len(properties) - _MOST_INPUTS
    return ", ".join([*named, *([f"and {more} more"] if more > 0 else [])])


def _input(name: str, described: object, *, needed: bool) -> str:
    kind = described.get("type") if isinstance(described, dict) else None
    words = [plainly(kind[:_LONGEST_WORD])] if isinstance(kind, str) else []
    words += ["needed"] if needed else []
    told = f" ({', '.join(words)})" if words else ""
    return f"{quoted(name, _LONGEST_WORD)}{told}"
