"""The commands that the client's editor runs, and the tools that it has for language models."""

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from assent.lsp.faults import RpcFault
from assent.lsp.protocol import AssentServer
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.nodes.editor_commands import Kind
from assent.nodes.editor_port import Came, EditorTool
from assent.protocol import editor as wire

if TYPE_CHECKING:
    from assent.protocol.words import EditorCommandId

logger = logging.getLogger(__name__)

LISTING_SECONDS = 10.0
MOST_TEXT = 512 * 1024
"""Characters of one answer that are handed on."""


class NodesOfClient:
    """Of one client, as far as it announced `editor/runCommand` and `lm/invokeTool`."""

    def __init__(self, server: AssentServer, announced: Iterable[str]) -> None:
        self._server = server
        self._announced = frozenset(announced)

    @property
    def runs_commands(self) -> bool:
        return "editor/runCommand" in self._announced

    @property
    def has_tools(self) -> bool:
        return "lm/invokeTool" in self._announced

    async def run(self, command: str, arguments: tuple[tuple[Kind, Json], ...]) -> Came:
        given = tuple(wire.EditorArgument(kind.value, value) for kind, value in arguments)
        params = wire.EditorCommandParams(cast("EditorCommandId", command), given)
        return await self._done("editor/runCommand", params)

    async def tools(self) -> tuple[EditorTool, ...]:
        try:
            told: wire.EditorTools = await self._ask("lm/tools", wire.EditorToolsParams(), LISTING_SECONDS)
        except (TimeoutError, RpcFault) as fault:
            text = "The editor does not say which tools it has for language models. It can be tried again."
            raise ToolFault("editor_silent", text) from fault
        return tuple(EditorTool(one.name, one.description, one.schema) for one in told.tools)

    async def invoke(self, name: str, inputs: JsonObject) -> Came:
        return await self._done("lm/invokeTool", wire.EditorToolParams(name, dict(inputs)))

    async def _done(self, method: str, params: object) -> Came:
        try:
            came: wire.EditorCame = await self._ask(method, params, None)
        except (TimeoutError, RpcFault) as fault:
            raise ToolFault("editor_silent", "The editor did not answer; whether it ran is not known.") from fault
        text = came.text
        cut = text is not None and len(text) > MOST_TEXT
        return Came(None if text is None else text[:MOST_TEXT], came.truncated or cut, came.fault)

    async def _ask(self, method: str, params: object, within: float | None) -> Any:
        try:
            return await self._server.ask(method, params, timeout=within)
        except (TimeoutError, RpcFault) as fault:
            logger.warning("the editor did not answer %s (%s)", method, type(fault).__name__)
            raise
