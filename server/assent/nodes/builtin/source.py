"""The functions of the product as nodes."""

import asyncio
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from assent.agent.ports import Manner, ToolAnswer
from assent.jsontext import canonical_json, readable_json
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse
from assent.nodes.builtin import encodings, regex, tables, texts
from assent.nodes.builtin.function import Function
from assent.nodes.words import Listing, Node, Work
from assent.runtime.processes import Processes

NAME = "builtin"
_FUNCTIONS = (*texts.FUNCTIONS, *encodings.FUNCTIONS, *tables.FUNCTIONS)


class BuiltinNodes:
    """They come with the product, so they are always the same."""

    names = (NAME,)

    def __init__(self, processes: Processes) -> None:
        nodes = [_node(one.name, one.title, one.description, one.schema, _performing(one)) for one in _FUNCTIONS]
        nodes += [_node(*said, work=_matching(processes)) for said in (regex.FIND, regex.REPLACE)]
        self._nodes = {node.node_id: node for node in nodes}

    async def listing(self, name: str | None) -> Listing:
        """All of them."""
        return Listing(tuple(self._nodes.values()) if name in (None, NAME) else ())

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """One of them."""
        return self._nodes.get(node_id)

    def use(self, node_id: str) -> NodeUse | None:
        """What a call of it would use."""
        known = self._nodes.get(node_id)
        return known.use if known is not None else None


def _node(name: str, title: str, description: str, schema: JsonObject, work: Work) -> Node:
    node_id = f"{NAME}.{name}"
    identity = sha256(canonical_json([node_id, schema])).hexdigest()
    return Node(NodeUse(node_id, identity), NAME, title, description, schema, Category.READ, work)


def _performing(function: Function) -> Work:
    async def work_out(inputs: JsonObject, _: Manner) -> ToolAnswer:
        return await asyncio.to_thread(_worked_out, partial(function.work, inputs))

    return work_out


def _matching(processes: Processes) -> Work:
    async def work_out(inputs: JsonObject, _: Manner) -> ToolAnswer:
        found = await regex.work(processes, inputs)
        return _worked_out(lambda: found)

    return work_out


def _worked_out(work: Callable[[], object]) -> ToolAnswer:
    result = work()
    return ToolAnswer(result if isinstance(result, str) else readable_json(result))
