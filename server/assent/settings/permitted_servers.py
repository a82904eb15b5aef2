"""What a layer permits of MCP servers: that those of a workspace are started, and that one is believed."""

from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Scope
from assent.settings.loosening import MCP_SERVERS as KEY
from assent.settings.loosening import At, LooseningEntry, command_line, server_entry, server_trust_entry, shown
from assent.settings.mcp_servers import TRUSTED, ServerDefinition, Servers, servers_in


@dataclass(frozen=True, slots=True)
class PermittedServer:
    """One server as a layer defines it, and what of that a user agreed to, or would have to."""

    at: At
    server: ServerDefinition
    entry: LooseningEntry | None
    """That it is started. None for the user's own, whose definition is their word."""
    trust: LooseningEntry | None
    counts: bool
    """It is the one that counts under its name."""
    believed: bool

    @property
    def trust_at(self) -> At:
        """Where the word stands that it is believed."""
        return At(self.at.layer, KEY, (self.server.name, TRUSTED))

    @property
    def words(self) -> str:
        """That it is started, for a person."""
        definition, name = self.server.definition, shown(self.server.name)
        url = definition.get("url")
        if isinstance(url, str):
            return f"The MCP server {name} of this workspace is reached at {shown(url)}; calls of its tools ask."
        program = shown(command_line(definition))
        return f"The MCP server {name} of this workspace is started, as {program}; calls of its tools ask."

    @property
    def trust_words(self) -> str:
        """That it is believed, for a person."""
        name = shown(self.server.name)
        return f"The MCP server {name} is believed: its tools that call themselves read-only run like reading."


def permitted_servers(layer: Layer, facts: Facts, now: Servers) -> Iterator[PermittedServer]:
    """Those of this layer that permit something. `now` are the servers that count."""
    of_user = layer.scope is Scope.USER
    for server in servers_in(layer, Findings()):
        at, counting = At(layer, KEY, (server.name,)), now.get(server.name)
        is_this = counting is not None and counting.digest == server.digest
        files = () if of_user else facts.files.get((layer.folder, server.digest))
        # Of the user's own server a workspace permits nothing that they have not said themselves.
        if files is None or (not of_user and is_this and counting is not None and counting.of_user):
            continue
        trust = At(layer, KEY, (server.name, TRUSTED))
        yield PermittedServer(
            at,
            server,
            None if of_user else server_entry(at, server.name, server.digest, server.definition, files),
            server_trust_entry(trust, server.name, server.digest, files) if server.trusted else None,
            is_this,
            is_this and counting is not None and counting.trusted,
        )
