"""What client and server tell each other when they meet."""

from typing import Any

from attrs import field, frozen

from assent.protocol.words import OptionKind, WriteTarget

PROTOCOL_VERSION = 1


@frozen
class NamedEncoding:
    """Of files with such names: `*.bat`, of the language that they are in."""

    pattern: str
    encoding: str


@frozen
class FolderEncodings:
    """How the editor takes the files of a folder to be encoded: `files.encoding` as all of its settings together say
    it, and for languages of which they say something else. The first pattern that fits counts."""

    folder: str
    """Its path; empty for all files that lie in no other folder here."""
    encoding: str
    names: tuple[NamedEncoding, ...] = ()


@frozen
class ScopedSettings:
    """The `assent.*` values by scope, without their prefix, as the editor inspects them."""

    user: dict[str, Any] | None = None
    workspace: dict[str, Any] | None = None
    folder: dict[str, Any] | None = None
    workspace_trusted: bool | None = None
    """The editor's word on the workspace, where it changes after the handshake."""
    encodings: tuple[FolderEncodings, ...] | None = None
    """Of the open folders. Where they are left out, `files.encoding` in the folder's own settings file counts."""


@frozen
class ClientHandshake:
    """`initializationOptions.assent`: what the client can do, and the settings as it knows them."""

    protocol: int = 1
    capabilities: tuple[str, ...] = ()
    """Among them `counts`: a card may come again only to say what its answers would settle, or how long it waits.
    With `reveal` secrets are masked, and with `details` calls are opened that a card cannot hold: a yes to a card that
    masks something, or holds not all, counts only once that was asked for.
    With `forms`, beside `cards`, MCP servers and external agents may put forms to the user (`form/request`).
    `describesSettings`: the editor knows from the manifest which settings there are, and says it in settings files."""
    options: tuple[str, ...] | None = None
    """The option kinds that the client can draw; all where it does not say."""
    workspace_trusted: bool | None = None
    settings: ScopedSettings | None = None
    workspace_file: str | None = None
    """The settings file (`*.code-workspace`) of a workspace of several folders, where one is open: its path or URI.
    For a client without `settings/write`, what is clicked is stored there, else in the settings of the first folder."""
    ripgrep: str | None = None
    """Where the editor has its own program for searching texts."""


@frozen
class ServerHandshake:
    """`capabilities.experimental.assent`: the protocol spoken here, and the options that a card may have."""

    version: int
    options: tuple[OptionKind, ...]
    server_version: str


@frozen
class SettingsWriteParams:
    """Asks the client to set one entry of one setting, by its full name; `path` leads into the setting's object."""

    key: str
    path: tuple[str, ...]
    value: Any = field(metadata={"keep_null": True})
    target: WriteTarget
    append: bool | None = None
    """The value is added to the list that stands there (or that is made), unless it holds the same value already."""
    remove: bool | None = None
    """The value is taken out of the list that stands there. Without either of these, null takes the entry away."""


@frozen
class SettingsWriteResult:
    """Whether the editor stored it, and where."""

    written: bool
    target: str
    error: str | None = None


@frozen
class SecretParams:
    """A key by its name."""

    name: str


@frozen
class SecretValue:
    """The key, or null."""

    value: str | None = field(default=None, metadata={"keep_null": True})


@frozen
class Nothing:
    """An empty result."""
