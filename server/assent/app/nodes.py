"""Nodes for every chat: of the servers that the settings name, the workspace's scripts, the editor, and the product."""

from collections.abc import Callable, Mapping

from assent.agent.ports import FormPort, Tool
from assent.agent.toolbelt import OfEachChat
from assent.app.commands import Commands
from assent.app.launches import SHORTEST_SECRET, know_secrets, launch_of
from assent.mcp.as_nodes import McpNodes
from assent.mcp.servers import Servers
from assent.mcp.words import Address, Definition
from assent.model.ids import SessionId
from assent.nodes.builtin.source import BuiltinNodes
from assent.nodes.catalogue import Catalogue
from assent.nodes.editor_port import EditorNodes
from assent.nodes.of_editor import CommandNodes, ToolNodes
from assent.runtime.clock import Clock
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes
from assent.settings.mcp_servers import ServerDefinition
from assent.settings.mcp_servers import Servers as Defined
from assent.tools.bash import Runner
from assent.tools.find_nodes import GetNodeInfo, ListNodes, SearchNodes
from assent.tools.places import Roots
from assent.tools.run_node import RunNode
from assent.tools.script_nodes import ScriptNodes


class Nodes:
    """Where they come from, and the tools that find and run them."""

    def __init__(
        self,
        processes: Processes,
        clock: Clock,
        roots: Roots,
        known: KnownSecrets,
        defined: Callable[[], Defined],
        editor: EditorNodes,
        forms: FormPort,
    ) -> None:
        self._processes, self._roots, self._known, self._defined = processes, roots, known, defined
        self._servers = Servers(self._definitions, processes, known, clock, forms=forms)
        self._everywhere = (BuiltinNodes(processes), CommandNodes(editor), ToolNodes(editor), McpNodes(self._servers))

    def tools(self, runner: Runner, commands: Commands) -> tuple[OfEachChat, ...]:
        """Those of each chat: its scripts have a scratch folder of their own."""

        def catalogue(chat: SessionId) -> Catalogue:
            scripts = ScriptNodes(self._roots, self._processes, runner, commands.workplace(chat))
            return Catalogue((*self._everywhere, scripts))

        def running(chat: SessionId) -> Tool:
            return RunNode(catalogue(chat), self._roots)

        return (
            OfEachChat(lambda chat: ListNodes(catalogue(chat))),
            OfEachChat(lambda chat: SearchNodes(catalogue(chat))),
            OfEachChat(lambda chat: GetNodeInfo(catalogue(chat))),
            OfEachChat(running),
        )

    def look(self) -> None:
        """The settings may be others now: servers that are not meant any more are ended."""
        self._servers.look()

    async def end(self) -> None:
        """The server ends: so do all of them."""
        await self._servers.end()

    def _definitions(self) -> Mapping[str, Definition]:
        return {name: self._definition(one) for name, one in self._defined().items()}

    def _definition(self, server: ServerDefinition) -> Definition:
        means = self._means(server)
        return Definition(server.name, server.digest, means, trusted=server.trusted, of_user=server.of_user)

    def _means(self, server: ServerDefinition) -> Address | Launch:
        said = server.definition
        url, headers = said.get("url"), said.get("headers", {})
        if isinstance(url, str):
            known = {str(name): str(text) for name, text in headers.items()} if isinstance(headers, Mapping) else {}
            self._know(known)
            return Address(url, known)
        launch = launch_of(said, self._roots())
        know_secrets(launch, self._known)
        return launch

    def _know(self, headers: Mapping[str, str]) -> None:
        """Whatever is sent along may say who we are: `Bearer …` with the word before it, and without."""
        for text in headers.values():
            for secret in (text, text.rpartition(" ")[2]):
                if len(secret) >= SHORTEST_SECRET:
                    self._known.add(secret)
