"""Where a model's server is, and what it is shown: its address, further headers, the key."""

import ipaddress
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from urllib.parse import SplitResult, urlsplit

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ProviderFault

Key = Callable[[], Awaitable[str | None]]
"""The key of this server, asked for at each request; None where it has none."""


async def no_key() -> str | None:
    """For servers that want none."""
    return None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model's server as the user's settings name it."""

    base_url: str
    agent: str
    """The agent's name: messages speak of it."""
    headers: Mapping[str, str] = field(default_factory=dict)
    key: Key = no_key

    def url(self, path: str) -> str:
        """The address of a path below the base address."""
        return self.base_url.rstrip("/") + path

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a key belongs to."""
        parts = _parts(self.base_url) or urlsplit("")
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        parts = _parts(self.base_url)
        host = (parts.hostname if parts else None) or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody on the way can read what is sent."""
        return self.base_url.lower().startswith("https://")

    def fault(self) -> ProviderFault | None:
        """Why nothing can be sent there, or None."""
        parts = _parts(self.base_url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            text = f"“{self.base_url}” is no address of a model's server: baseUrl begins with http:// or https://."
            return ProviderFault("bad_address", f"{text} Correct the agent {self.agent} in assent.agents.")
        if parts.username or parts.password:
            text = f"The address of the agent {self.agent} holds a name or a password. Take it out of baseUrl"
            return ProviderFault("bad_address", f"{text} and store it with “Assent: Set API Key”.")
        return None

    def key_fault(self) -> ProviderFault | None:
        """Why a key is not sent there: anybody on the way could read it."""
        if self.is_local or self.is_encrypted:
            return None
        text = f"The agent {self.agent} has a key, and its address {self.origin} is not encrypted, so nothing was sent."
        return ProviderFault("key_in_clear", f"{text} Use https://, or remove the key.")


def _parts(address: str) -> SplitResult | None:
    """The parts of an address; None where it has a port or a host that none can have."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    if any(not char.isprintable() or char.isspace() for char in address):
        return None
    return parts
