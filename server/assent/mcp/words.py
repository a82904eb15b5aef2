"""Words about MCP servers: what is started or reached, what it has to offer, what it answers."""

from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256

from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.runtime.launching import Launch


@dataclass(frozen=True, slots=True)
class Address:
    """A server that is reached by HTTP."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """A server by its name, and what it is as the settings say."""

    name: str
    digest: str
    """Of all that they say."""
    means: Launch | Address = field(hash=False)
    trusted: bool = False
    """What it says of its tools is believed."""
    of_user: bool = True
    """The user's own settings define it."""

    @property
    def identity(self) -> str:
        """What a permission for something of it is bound to: all but the values of secrets, which may be renewed."""
        said: Json
        if isinstance(self.means, Launch):
            said = [list(self.means.argv), self.means.folder, sorted(self.means.environment)]
        else:
            said = [self.means.url, sorted(self.means.headers)]
        return sha256(canonical_json([self.name, said])).hexdigest()

    @property
    def shown(self) -> str:
        """What stands behind it, for people."""
        return " ".join(self.means.argv) if isinstance(self.means, Launch) else self.means.url


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What a server says of itself when it begins."""

    name: str
    version: str
    offers: frozenset[str] = frozenset()
    """`tools`, `resources`, `prompts`."""
    tells: frozenset[str] = frozenset()
    """Of which of these it tells that they have changed."""


@dataclass(frozen=True, slots=True)
class ServerTool:
    """One tool as its server describes it. All of it is a stranger's text."""

    name: str
    title: str
    description: str
    schema: JsonObject = field(hash=False)
    digest: str
    """Of everything that it says of this tool."""
    reads_only: bool = False
    destroys: bool = False
    """What it claims about it."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a server, and why others that it named are left out."""

    tools: tuple[ServerTool, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """What a tool answered, as text for a model."""

    text: str
    failed: bool = False
    truncated: bool = False
    pictures: tuple[Attachment, ...] = ()
    """Those that a model can be sent; the text names each."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds for which a server is waited for."""

    begin: float = 60.0
    """Until it has introduced itself: some are fetched from the network first."""
    list: float = 15.0
    call: float = 600.0
    ping: float = 5.0
    """After a call of it was given up, for a sign of life. A server that gives none is ended."""
    soon: float = 10.0
    """For which one that begins is waited for by those who want to know of all."""
    look: float = 20.0
    """For which one that begins is waited for by a call of it: nobody knows what that would do, so the calls
    that the model made after it wait as well."""
    rest: float = 5.0
    """After it could not be started, for which it is not tried again."""
