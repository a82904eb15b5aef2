"""Which MCP servers there are: the user's own definitions, and those of a workspace to which the user agreed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.agents import launch_digest
from assent.settings.facts import Facts, FilesOf
from assent.settings.faults import SettingsFault
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import MCP_SERVERS as KEY
from assent.settings.loosening import At, LooseningEntry, few, server_entry, server_trust_entry
from assent.settings.scales import Scales, Standing

TRUSTED = "trusted"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_TEXTS = ("command", "cwd", "url")
_MAPS = ("env", "headers")
_KNOWN = frozenset({*_TEXTS, *_MAPS, "args", TRUSTED})


@dataclass(frozen=True, slots=True)
class ServerDefinition:
    """An MCP server by its name, and how it is started or reached. `digest` changes with any part of that."""

    name: str
    definition: JsonObject = field(hash=False)
    digest: str
    trusted: bool = False
    """What it says of its tools is believed."""
    of_user: bool = True
    """The user's own settings define it."""

    def untrusted(self) -> "ServerDefinition":
        """The same server, of which nothing is believed."""
        return replace(self, trusted=False)


Servers = Mapping[str, ServerDefinition]


def define_server(name: str, value: Json, *, of_user: bool = True) -> ServerDefinition:
    """The server that an entry of `assent.mcpServers` defines; a SettingsFault that says what is wrong with it."""
    if not _NAME.fullmatch(name):
        raise SettingsFault("its name is made of up to 64 letters, digits, - and _, and begins with no sign")
    if not isinstance(value, Mapping):
        raise SettingsFault("a server is an object with a command or a url")
    unknown = next((key for key in value if key not in _KNOWN), None)
    if unknown is not None:
        raise SettingsFault(f"{unknown[:40]!r} is not known; known are {', '.join(sorted(_KNOWN))}")
    trusted = value.get(TRUSTED, False)
    if not isinstance(trusted, bool):
        raise SettingsFault("trusted is true or false")
    definition = {key: part for key, part in value.items() if key != TRUSTED}
    _check(definition)
    return ServerDefinition(name, definition, launch_digest(definition), trusted, of_user)


def servers_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> Servers:
    """The servers that count. Of a workspace's definitions, those to which the user agreed."""
    own: dict[str, ServerDefinition] = {}
    for server in servers_in(layers.user, found):
        entry = server_entry(At(layers.user, KEY, (server.name,)), server.name, server.digest, server.definition, ())
        if scales.standing(layers.user, entry) is Standing.COUNTS:
            own[server.name] = _weighed(layers.user, server, (), scales)
    now = dict(own)
    for layer in reversed(layers.of_workspace):
        for server in servers_in(layer, found):
            known = own.get(server.name)
            if known is not None and known.digest == server.digest:
                # Of the user's own server a workspace can only say less.
                now[server.name] = known if server.trusted or not _says_trust(layer, server.name) else known.untrusted()
            elif (weighed := _of_workspace(layer, server, known, facts, scales, found)) is not None:
                now[server.name] = weighed
    return now


def servers_in(layer: Layer, found: Findings) -> Iterator[ServerDefinition]:
    """The servers that one layer defines, well enough to be started."""
    entries = layer.get(KEY)
    if entries is None:
        return
    if not isinstance(entries, Mapping):
        found.wrong(layer, "an object that maps a name to a server", KEY)
        return
    for name, value in few(layer, entries.items(), found, KEY):
        try:
            yield define_server(name, value, of_user=layer.scope is Scope.USER)
        except SettingsFault as fault:
            found.add(f'The MCP server "{name}" is left out: {fault}.', layer, KEY, name, kind=Kind.WRONG_VALUE)


def loosening_servers_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """What in this layer a user would have to agree to."""
    for server in servers_in(layer, found):
        files = () if layer.scope is Scope.USER else facts.files.get((layer.folder, server.digest))
        if files is not None:
            at = At(layer, KEY, (server.name,))
            yield server_entry(at, server.name, server.digest, server.definition, files)
            if server.trusted:
                trust = At(layer, KEY, (server.name, TRUSTED))
                yield server_trust_entry(trust, server.name, server.digest, files)


def _of_workspace(
    layer: Layer, server: ServerDefinition, own: ServerDefinition | None, facts: Facts, scales: Scales, found: Findings
) -> ServerDefinition | None:
    files = facts.files.get((layer.folder, server.digest))
    if files is None:
        if not layer.only_restricts:
            found.add(
                f'Too much belongs to the MCP server "{server.name}": it does not count.', layer, KEY, server.name
            )
        return None
    before = own.definition if own is not None else None
    entry = server_entry(At(layer, KEY, (server.name,)), server.name, server.digest, server.definition, files, before)
    standing = scales.standing(layer, entry)
    if standing is Standing.IGNORED:
        return None
    weighed = _weighed(layer, server, files, scales)
    return weighed if standing is Standing.COUNTS else None


def _weighed(layer: Layer, server: ServerDefinition, files: FilesOf, scales: Scales) -> ServerDefinition:
    """With the trust in it only where that counts too: it is agreed to by itself."""
    if not server.trusted:
        return server
    entry = server_trust_entry(At(layer, KEY, (server.name, TRUSTED)), server.name, server.digest, files)
    return server if scales.standing(layer, entry) is Standing.COUNTS else server.untrusted()


def _says_trust(layer: Layer, name: str) -> bool:
    entries = layer.get(KEY)
    entry = entries.get(name) if isinstance(entries, Mapping) else None
    return isinstance(entry, Mapping) and TRUSTED in entry


def _check(definition: JsonObject) -> None:
    for key in _TEXTS:
        if key in definition and not (isinstance(definition[key], str) and definition[key]):
            raise SettingsFault(f"{key} is a text")
    args = definition.get("args", [])
    if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
        raise SettingsFault("args is a list of texts")
    for key in _MAPS:
        said = definition.get(key, {})
        if not isinstance(said, Mapping) or not all(isinstance(text, str) for text in said.values()):
            raise SettingsFault(f"{key} is an object of texts")
    _check_kind(definition)


def _check_kind(definition: JsonObject) -> None:
    started, reached = "command" in definition, "url" in definition
    if started == reached:
        raise SettingsFault("a server has either a command or a url")
    url = definition.get("url")
    if isinstance(url, str) and not url.startswith(("https://", "http://")):
        raise SettingsFault("url begins with https:// or http://")
    misplaced = ("args", "env", "cwd") if reached else ("headers",)
    wrong = next((key for key in misplaced if key in definition), None)
    if wrong is not None:
        raise SettingsFault(f"{wrong} means nothing beside {'a url' if reached else 'a command'}")
