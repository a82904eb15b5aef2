"""list_nodes, search_nodes and get_node_info: which nodes there are, and what one of them takes."""

from collections.abc import Awaitable, Callable

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import line_json, readable_json
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.nodes.catalogue import Catalogue
from assent.nodes.words import Listing, Node
from assent.tools.run_node import LONGEST_ID
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.strangers import plainly, quoted

MOST_LISTED = 200
MOST_FOUND = 25
_MOST_SAID = 160


class ListNodesArguments(Arguments):
    """What list_nodes takes."""

    source: str | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="Only those whose ids begin with this: builtin, script, command, lm, mcp.…",
    )


class SearchNodesArguments(Arguments):
    """What search_nodes takes."""

    query: str = Field(min_length=1, max_length=1_000, description="Words for what the node should do.")


class GetNodeInfoArguments(Arguments):
    """What get_node_info takes."""

    node_type: str = Field(min_length=1, max_length=LONGEST_ID, description="The id of the node.")


class _AboutNodes:
    """What the three have in common: they only look."""

    category = Category.READ
    spec: ToolSpec
    arguments: type[Arguments]

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(self.arguments, args)

    def _prepared(self, headline: str, args: JsonObject, perform: Callable[[], Awaitable[ToolAnswer]]) -> Prepared:
        return Prepared(
            headline=headline,
            directory="",
            preview=JsonPreview(readable_json(args)),
            paths=(),
            state="",
            grant_key=self.spec.name,
            perform=perform,
        )


class ListNodes(_AboutNodes):
    """One line a node."""

    arguments = ListNodesArguments
    spec = ToolSpec(
        "list_nodes",
        "Lists the nodes that run_node can run: tools of MCP servers, scripts of the workspace, commands and tools of "
        "the editor, small functions.",
        schema_of(ListNodesArguments),
    )

    async def prepare(self, args: JsonObject) -> Prepared:
        source = ListNodesArguments.model_validate(args).source
        whose = f" of {plainly(source)}" if source else ""
        return self._prepared(f"List the nodes{whose}", args, lambda: self._list(source))

    async def _list(self, source: str | None) -> ToolAnswer:
        known = self._catalogue.names
        if source is not None and source not in known:
            raise ToolFault("not_found", f"There is no source “{plainly(source)}”; there are {', '.join(known)}.")
        return _told(await self._catalogue.listing(source), MOST_LISTED)


class SearchNodes(_AboutNodes):
    """The best first."""

    arguments = SearchNodesArguments
    spec = ToolSpec(
        "search_nodes",
        "Finds nodes that run_node can run, by words in their ids, titles and descriptions.",
        schema_of(SearchNodesArguments),
    )

    async def prepare(self, args: JsonObject) -> Prepared:
        query = SearchNodesArguments.model_validate(args).query
        return self._prepared(f"Search the nodes for {quoted(query, 80)}", args, lambda: self._search(query))

    async def _search(self, query: str) -> ToolAnswer:
        return _told(await self._catalogue.search(query), MOST_FOUND)


class GetNodeInfo(_AboutNodes):
    """All that there is to know of one."""

    arguments = GetNodeInfoArguments
    spec = ToolSpec(
        "get_node_info",
        "Says what a node does and the schema of its inputs. What it says of itself is its source's word.",
        schema_of(GetNodeInfoArguments),
    )

    async def prepare(self, args: JsonObject) -> Prepared:
        node_id = GetNodeInfoArguments.model_validate(args).node_type
        return self._prepared(f"Look at the node {plainly(node_id)}", args, lambda: self._look(node_id))

    async def _look(self, node_id: str) -> ToolAnswer:
        found = await self._catalogue.node(node_id)
        if isinstance(found, ToolFault):
            raise found
        return ToolAnswer(
            readable_json(
                {
                    "id": found.node_id,
                    "title": found.title,
                    "description": found.description,
                    "source": found.source,
                    "category": found.category.value,
                    "inputs": found.schema,
                }
            )
        )


def _told(listing: Listing, most: int) -> ToolAnswer:
    lines = [_line(node) for node in listing.nodes[:most]]
    more = len(listing.nodes) - most
    if more > 0:
        lines.append(f"[{more} more; search_nodes finds them]")
    return ToolAnswer("\n".join([*(lines or ["[none]"]), *listing.faults]), truncated=more > 0)


def _line(node: Node) -> str:
    said = " ".join(node.description.split())
    short = said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]}…"
    return line_json({"id": node.node_id, "title": node.title, "does": short, "category": node.category.value})
