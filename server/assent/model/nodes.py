"""What is known of a node that a call would run, for those who decide."""

from assent.lazy_dataclasses import dataclass

NODE_TOOL = "run_node"
"""The tool whose patterns are about the ids of nodes, whoever runs them."""
FLOW_TOOL = "run_workflow"
"""The tool whose patterns are about the ids of workflows."""
MCP_TOOL = "mcp"
"""No tool: the name under which rules speak of the tools of MCP servers, whichever way they are called."""
KEYS_OF_ONE = (f"{NODE_TOOL}:", f"{FLOW_TOOL}:")
"""How keys begin that are for one node or one workflow."""
SHOWN_IDENTITY = 16
"""Hexadecimal digits of an identity that stand in keys and rules."""
_SEPARATOR = "@"


@dataclass(frozen=True, slots=True)
class NodeUse:
    """One node, by its id and by what it is."""

    node_id: str
    identity: str = ""
    """A digest of what it is: who carries it out, and how it is described. Another one is another node."""
    server: str = ""
    tool: str = ""
    """Of a tool of an MCP server, both names."""
    of_user: bool = True
    """The user's own settings define it, or the product: not what a workspace brings."""
    runner: str = NODE_TOOL
    """The tool that runs it: a workflow is known by its id and by what it is as a node is."""

    @property
    def short_identity(self) -> str:
        """As much of it as is written into a rule."""
        return self.identity[:SHOWN_IDENTITY]

    @property
    def key(self) -> str:
        """What is allowed for a chat: this node, as long as it is what it is."""
        return f"{self.key_start}{self.short_identity}"

    @property
    def key_start(self) -> str:
        """How every key begins that was ever given for a node of this id."""
        return f"{self.runner}:{self.node_id}{_SEPARATOR}"


def shown_key(key: str) -> str:
    """A grant key for people: without the digest of a node or a workflow."""
    return key.rpartition(_SEPARATOR)[0] if key.startswith(KEYS_OF_ONE) and _SEPARATOR in key else key


def without_identity(pattern: str) -> tuple[str, str | None]:
    """A pattern for nodes, and the identity that it is bound to, where it is."""
    name, separator, identity = pattern.rpartition(_SEPARATOR)
    return (name, identity) if separator else (pattern, None)
