"""run_node: runs one node, whose category is that of the call, with exactly the inputs that were shown."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import Field

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
from assent.nodes.input_schema import input_fault
from assent.nodes.words import Node
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.strangers import plainly, quoted

LONGEST_ID = 300
_MOST_SOURCES = 40


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
            "Runs a node: a tool of an MCP server, a script of the workspace, a small function. list_nodes and "
            "search_nodes say which there are, get_node_info what one takes. " + _sources(self._catalogue.names),
            _SCHEMA,
        )

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(RunNodeArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = RunNodeArguments.model_validate(args)
        found = await self._catalogue.node(wanted.node_type)
        directory = next(iter(self._roots()), "")
        if isinstance(found, ToolFault):
            return self._of_none(wanted, found, directory)
        fault = input_fault(wanted.inputs, found.schema)
        impossible = None if fault is None else ToolFault("invalid_arguments", f"The inputs do not fit. {fault}")

        async def work(manner: Manner) -> ToolAnswer:
            if impossible is not None:
                raise impossible
            return await found.work(wanted.inputs, manner)

        return Prepared(
            headline=_headline(found),
            directory=directory,
            preview=JsonPreview(readable_json(wanted.inputs)),
            paths=(),
            state=found.use.identity,
            grant_key=found.use.key,
            perform=lambda: work(AS_SHOWN),
            perform_in=work,
            risk=_risk(found),
            impossible=impossible,
            category=found.category,
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
    if use.server:
        return f"Run {plainly(use.tool)} of the MCP server {plainly(use.server)}"
    return f"Run {plainly(use.node_id)}"


def _risk(node: Node) -> Risk | None:
    """What a person cannot see in the inputs: who stands behind it, and what is said about it."""
    if node.category is Category.READ:
        return None
    notes = [f"It is carried out by {quoted(node.behind, 300)}."] if node.behind else []
    if node.description:
        notes.append(f"It is described there as {quoted(node.description)}.")
    if node.claims:
        notes.append(node.claims)
    return Risk(RiskLevel.MEDIUM, tuple(notes)) if notes else None
