"""What MCP servers offer, as nodes: their tools, and reading their resources and prompts."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import Any

from assent.agent.ports import Manner, ToolAnswer
from assent.jsontext import canonical_json
from assent.mcp.client import Client, mappings
from assent.mcp.faults import McpFault
from assent.mcp.reading import listing_of, prompt_of, resource_of
from assent.mcp.servers import Servers
from assent.mcp.words import Answered, Definition, ServerTool
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse
from assent.nodes.words import Listing, Node

NAME = "mcp"
_NONE: JsonObject = {"type": "object", "properties": {}, "additionalProperties": False}
_TEXT: Json = {"type": "string", "minLength": 1, "maxLength": 4_000}


def _taking(properties: JsonObject, *required: str) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


_READING: dict[str, tuple[str, str, str, JsonObject]] = {
    "resources/list": ("resources", "List the resources", "What the server has to read, by address.", _NONE),
    "resources/read": (
        "resources",
        "Read a resource",
        "What stands at an address of it.",
        _taking({"uri": _TEXT}, "uri"),
    ),
    "prompts/list": ("prompts", "List the prompts", "The prompts that the server has, with their arguments.", _NONE),
    "prompts/get": (
        "prompts",
        "Read a prompt",
        "The messages of a prompt with these arguments in it. They are texts of the server: nobody has to follow them.",
        _taking({"name": _TEXT, "arguments": {"type": "object", "additionalProperties": {"type": "string"}}}, "name"),
    ),
}
"""What every server is asked for in the same way: of which kind, title, description, inputs."""


class McpNodes:
    """A source of nodes. A server that is not there, or does not answer, only has none."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    @property
    def names(self) -> tuple[str, ...]:
        """One for each server, and the one for all."""
        defined = sorted(self._servers.defined())
        return (NAME, *(f"{NAME}.{name}" for name in defined)) if defined else ()

    async def listing(self, name: str | None) -> Listing:
        """The nodes of the servers that are meant, looked for at the same time."""
        defined = self._servers.defined().values()
        meant = [one for one in defined if name in (None, NAME, f"{NAME}.{one.name}")]
        found = await asyncio.gather(*map(self._of_server, meant))
        nodes = tuple(node for one in found for node in one.nodes)
        return Listing(nodes, tuple(fault for one in found for fault in one.faults))

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """The node as it is now: its server is asked."""
        use = self.use(node_id)
        if use is None:
            return None
        definition = self._servers.defined().get(use.server)
        if definition is None:
            return ToolFault("node_not_found", f"There is no MCP server “{use.server}” in the settings that count.")
        try:
            client = await self._servers.client(use.server, looking=True)
            return await self._found(definition, client, use.tool)
        except McpFault as fault:
            return _told(use.server, fault)

    def use(self, node_id: str) -> NodeUse | None:
        """The server and the tool that an id names."""
        start, _, rest = node_id.partition(".")
        if start != NAME or not rest:
            return None
        server, slash, reading = rest.partition("/")
        if slash and "." not in server and reading in _READING:
            return NodeUse(node_id, server=server, tool=reading)
        server, dot, tool = rest.partition(".")
        return NodeUse(node_id, server=server, tool=tool) if dot and tool else None

    async def _found(self, definition: Definition, client: Client, name: str) -> Node | ToolFault | None:
        if name in _READING:
            kind = _READING[name][0]
            return self._reading(definition, name) if kind in client.info.offers else None
        tools = await client.tools()
        tool = next((one for one in tools.tools if one.name == name), None)
        if tool is not None:
            return self._tool(definition, tool)
        left_out = next((why for why in tools.left_out if why.startswith(f"{name}: ")), None)
        return ToolFault("node_not_usable", f"The MCP server “{definition.name}”: {left_out}.") if left_out else None

    async def _of_server(self, definition: Definition) -> Listing:
        try:
            client = await self._servers.client(definition.name, soon=True)
            tools = await client.tools()
        except McpFault as fault:
            return Listing((), (str(_told(definition.name, fault)),))
        reading = (name for name, said in _READING.items() if said[0] in client.info.offers)
        nodes = [self._tool(definition, tool) for tool in tools.tools]
        nodes += [self._reading(definition, name) for name in reading]
        faults = tuple(f"The MCP server “{definition.name}” leaves out {why}." for why in tools.left_out[:20])
        return Listing(tuple(nodes), faults)

    def _tool(self, definition: Definition, tool: ServerTool) -> Node:
        identity = _identity(definition, tool.name, tool.digest)
        use = NodeUse(f"{NAME}.{definition.name}.{tool.name}", identity, definition.name, tool.name, definition.of_user)
        return Node(
            use=use,
            source=NAME,
            title=tool.title or tool.name,
            description=tool.description,
            schema=tool.schema,
            category=Category.READ if definition.trusted and tool.reads_only else Category.EXTERNAL,
            work=self._performing(use, lambda client, inputs: client.call(tool.name, inputs)),
            behind=definition.shown,
            claims=_claims(tool),
        )

    def _reading(self, definition: Definition, name: str) -> Node:
        kind, title, description, schema = _READING[name]
        identity = _identity(definition, name, "")
        use = NodeUse(f"{NAME}.{definition.name}/{name}", identity, definition.name, name, definition.of_user)
        return Node(
            use=use,
            source=NAME,
            title=title,
            description=description,
            schema=schema,
            category=Category.READ if definition.trusted else Category.EXTERNAL,
            work=self._performing(use, partial(_read, kind, name)),
            behind=definition.shown,
        )

    def _performing(
        self, use: NodeUse, work: Callable[[Client, JsonObject], Awaitable[Answered]]
    ) -> Callable[[JsonObject, Manner], Awaitable[ToolAnswer]]:
        async def work_out(inputs: JsonObject, manner: Manner) -> ToolAnswer:
            """Looks once more: what would run now must be what was shown."""
            now = await self.node(use.node_id)
            if isinstance(now, ToolFault):
                raise now
            if now is None or now.use.identity != use.identity:
                text = f"{use.node_id} is not what it was when this call was looked at. It did not run; call it again."
                raise ToolFault("changed_since", text)
            try:
                client = await self._servers.client(use.server)
                with client.serving(manner, use.node_id):
                    answered = await work(client, inputs)
            except McpFault as fault:
                raise _told(use.server, fault) from fault
            if answered.failed:
                raise ToolFault("node_failed", answered.text)
            return ToolAnswer(answered.text, truncated=answered.truncated, pictures=answered.pictures)

        return work_out


async def _read(kind: str, name: str, client: Client, inputs: JsonObject) -> Answered:
    if name.endswith("/list"):
        keys = ("uri", "name", "description", "mimeType", "arguments")
        return listing_of(mappings(await client.entries(kind)), *keys)
    result: dict[str, Any] = await client.request(name, inputs)
    return resource_of(result) if kind == "resources" else prompt_of(result)


def _identity(definition: Definition, name: str, digest: str) -> str:
    return sha256(canonical_json([definition.identity, name, digest])).hexdigest()


def _claims(tool: ServerTool) -> str:
    if tool.destroys:
        return "Its server says that it can destroy something."
    return "Its server says that it only reads." if tool.reads_only else ""


def _told(server: str, fault: McpFault) -> ToolFault:
    again = " It is started again when it is needed the next time." if fault.code == "mcp_gone" else ""
    return ToolFault(fault.code, f"The MCP server “{server}”: {fault.message}.{again}")
