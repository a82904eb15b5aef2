"""Words about nodes: what one is, where they come from, and what a source has to say."""

from collections.abc import Awaitable, Callable
from dataclasses import field
from typing import Protocol

from assent.agent.ports import Manner, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse

Work = Callable[[JsonObject, Manner], Awaitable[ToolAnswer]]


@dataclass(frozen=True, slots=True)
class Node:
    """Something that can be run by its id. All of its texts may be a stranger's."""

    use: NodeUse
    source: str
    """`builtin`, `mcp`, `script`, `command`, `lm`."""
    title: str
    description: str
    schema: JsonObject = field(hash=False)
    """For its inputs."""
    category: Category
    work: Work = field(hash=False)
    """Does it, once, as long as it is still what it was. Raises ToolFault."""
    behind: str = ""
    """What stands behind it, for people: a command, an address."""
    claims: str = ""
    """What its source says about it that nobody believes, for people."""
    can_be_stopped: bool = True
    headline: str = ""
    """What a card says that it does, where its id is not the best word for that."""
    notes: tuple[str, ...] = ()
    """What the product itself says of it, for its card: where it does, the description is no stranger's."""
    files: tuple[str, ...] = ()
    """Those of its inputs that name files. It gets them as real paths, and they are held by the rules for reading."""

    @property
    def node_id(self) -> str:
        return self.use.node_id


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source has now, and why it does not have more, as sentences."""

    nodes: tuple[Node, ...] = ()
    faults: tuple[str, ...] = ()


class Source(Protocol):
    """Where nodes come from."""

    @property
    def names(self) -> tuple[str, ...]:
        """How its ids begin, for those who look for some: `builtin`, `mcp.files`."""

    async def listing(self, name: str | None) -> Listing:
        """Its nodes; with a name, only those whose ids begin with it."""

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """The node of this id, or why it cannot be had now. None: it is not one of this source."""

    def use(self, node_id: str) -> NodeUse | None:
        """What is known of an id without looking for its node; None where it is not one of this source."""
