"""From the text of a pattern for addresses to what it means: hosts, and perhaps a scheme, a port and a path.

`example.org` is this host and no other, `*.example.org` all below it, `https://example.org/docs/*` what lies there.
"""

import re

from assent.lazy_dataclasses import dataclass
from assent.model.addresses import USUAL_PORTS, Address
from assent.policy.rules.addresses import read_path, read_port
from assent.policy.rules.hosts import read_host
from assent.policy.rules.pattern import UnusablePattern

_WEB = frozenset({"http", "https"})
_LIKE_WEB = frozenset({"", "http", "https", "ws", "wss"})
"""Of a restriction these are all alike: who is sent from one to the other reaches the same place."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE | re.ASCII)
_MOST_STARS = 16
_LONGEST = 2_048
_BELOW = "*."
_ANY_PORT = "*"


@dataclass(frozen=True, slots=True)
class AddressPattern:
    """What a pattern says. Its host is compared by whoever finds the patterns of a host."""

    host: str
    below: bool = False
    """Not the host itself is meant, but all whose names end in it."""
    scheme: str = ""
    """Empty: any that is used to look at pages; of a restriction, any at all."""
    port: int | None = None
    any_port: bool = False
    path: str = ""
    """Empty: the whole host. A `*` stands for any signs; what has none at its end means all that lies below, too."""

    def restricts(self, address: Address) -> bool:
        """Whether this could be meant, given that it is about the host."""
        alike = {self.scheme, address.scheme} <= _LIKE_WEB
        same_scheme = not self.scheme or self.scheme == address.scheme or alike
        # Of two schemes that are alike, the port that is meant is that of the scheme.
        port = None if self.scheme and self.port == USUAL_PORTS.get(self.scheme) else self.port
        same_port = port is None or address.port is None or port == address.port
        if not same_scheme or not same_port:
            return False
        return address.path_doubt or _covers(self.path.casefold(), address.path.casefold())

    def permits(self, address: Address) -> bool:
        """Whether this is meant for certain, given that it is about the host."""
        if address.scheme != self.scheme if self.scheme else address.scheme not in _WEB | {""}:
            return False
        if not self.any_port and not (address.on_usual_port if self.port is None else address.port == self.port):
            return False
        return not self.path or (not address.path_doubt and _covers(self.path, address.path))


def parse_address(text: str) -> AddressPattern:
    """What the pattern means. Raises UnusablePattern."""
    if len(text) > _LONGEST or not text.isprintable() or any(map(str.isspace, text)):
        raise UnusablePattern("a pattern for addresses is one line without blanks, and not longer than 2,048 signs")
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found is not None else ""
    rest = text[found.end() :] if found is not None else text
    authority, slash, path = rest.partition("/")
    for sign, why in _NOT_IN_PATTERNS.items():
        if sign in rest:
            raise UnusablePattern(why)
    name, port, any_port = _port(authority)
    below = name.startswith(_BELOW)
    host, doubt = read_host(name.removeprefix(_BELOW))
    if doubt or not host or (below and (host.startswith("[") or host.rpartition(".")[2].isdigit())):
        raise UnusablePattern(
            "no host can be read in it; write example.org, *.example.org or https://example.org/docs/*"
        )
    return AddressPattern(host, below, scheme, port, any_port, _path(slash + path))


_NOT_IN_PATTERNS = {
    "@": "a user name is no part of what a pattern for addresses can say",
    "\\": "a backslash is no part of an address",
    "?": "what comes behind a ? is not compared, so a pattern for addresses cannot hold it",
    "#": "what comes behind a # is not compared, so a pattern for addresses cannot hold it",
}


def _port(authority: str) -> tuple[str, int | None, bool]:
    name, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        return authority, None, False
    if port == _ANY_PORT:
        return name, None, True
    number = read_port(port)
    if number is None:
        raise UnusablePattern("behind the colon stands a port, which is a number, or * for any")
    return name, number, False


def _path(text: str) -> str:
    if "%2a" in text.lower():
        raise UnusablePattern("a star in it would stand for any signs; leave %2A out")
    path, doubt = read_path(text)
    if doubt:
        raise UnusablePattern("its path holds . or .., two slashes, or a slash that is encoded")
    if path.count("*") > _MOST_STARS:
        raise UnusablePattern(f"it has more than {_MOST_STARS} stars")
    return "" if path in ("/", "/*", "/**") else path


def _covers(pattern: str, path: str) -> bool:
    if not pattern or _matches(pattern, path):
        return True
    return not pattern.endswith("*") and (
        _matches(f"{pattern.rstrip('/')}/*", path) or _matches(pattern.rstrip("/"), path)
    )


def _matches(pattern: str, path: str) -> bool:
    """Piece by piece between the stars, each as early as it can be: that costs no more than the path is long."""
    first, *others = pattern.split("*")
    if not others:
        return path == first
    if not path.startswith(first):
        return False
    at, last = len(first), others.pop()
    for piece in others:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(path) - at >= len(last) and path.endswith(last)
