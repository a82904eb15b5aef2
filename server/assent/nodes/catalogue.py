"""All nodes: listed, searched, found by their ids."""

import asyncio
import re
from collections.abc import Iterable
from difflib import get_close_matches

from assent.model.errors import ToolFault
from assent.model.nodes import NodeUse
from assent.nodes.words import Listing, Node, Source

_WORD = re.compile(r"[a-z0-9]+")
_SHORTEST = 2
_IN_ID, _IN_TITLE, _IN_DESCRIPTION = 8, 4, 1


class Catalogue:
    """The sources together. None of them holds up the others."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = tuple(sources)

    @property
    def names(self) -> tuple[str, ...]:
        """How ids can begin."""
        return tuple(name for source in self._sources for name in source.names)

    async def listing(self, name: str | None = None) -> Listing:
        """The nodes of all sources, or of one."""
        found = await asyncio.gather(*(source.listing(name) for source in self._sources))
        nodes = sorted((node for one in found for node in one.nodes), key=lambda node: node.node_id)
        return Listing(tuple(nodes), tuple(fault for one in found for fault in one.faults))

    async def search(self, query: str) -> Listing:
        """The nodes that have to do with these words, the best first."""
        found, words = await self.listing(), _words(query)
        scored = [(_score(node, words), node) for node in found.nodes]
        best = sorted((one for one in scored if one[0] > 0), key=lambda one: (-one[0], one[1].node_id))
        return Listing(tuple(node for _, node in best), found.faults)

    async def node(self, node_id: str) -> Node | ToolFault:
        """The node of this id, or why there is none now."""
        for source in self._sources:
            found = await source.node(node_id)
            if found is not None:
                return found
        # Only where it would be looked for: nobody's slip starts all there is.
        names = [name for name in self.names if node_id.startswith((f"{name}.", f"{name}/"))]
        nodes = (await self.listing(max(names, key=len))).nodes if names else ()
        near = get_close_matches(node_id, [node.node_id for node in nodes], n=3, cutoff=0.6)
        meant = f" Did you mean {' or '.join(near)}?" if near else " list_nodes and search_nodes say which there are."
        return ToolFault("node_not_found", f"There is no node “{node_id}”.{meant}")

    def use(self, node_id: str) -> NodeUse:
        """What is known of an id without looking for its node."""
        return next((use for one in self._sources if (use := one.use(node_id)) is not None), NodeUse(node_id))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if len(word) >= _SHORTEST)


def _score(node: Node, words: frozenset[str]) -> int:
    if not words:
        return 0
    weights = ((node.node_id, _IN_ID), (node.title, _IN_TITLE), (node.description, _IN_DESCRIPTION))
    return sum(weight for text, weight in weights for word in words if word in text.casefold())
