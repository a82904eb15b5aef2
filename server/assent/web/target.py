"""An address as it is asked for: taken apart, written in one form, and what of it a reader could misjudge. No I/O."""

import re
from urllib.parse import quote, urljoin

from assent.lazy_dataclasses import dataclass
from assent.model.addresses import USUAL_PORTS, Address
from assent.model.errors import ToolFault
from assent.policy.rules.addresses import read_address
from assent.policy.rules.reserved import Reach, number_of, reach_of_host

LONGEST = 4_096
"""Characters that an address may have."""
_LONG = 300
_BEHIND_HOST = re.compile(r"[a-z]+://[^/?#]*([^#]*)", re.IGNORECASE | re.DOTALL)
_KEPT = "/%:@!$&'()*+,;=~-._?"


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked of whom."""

    scheme: str
    host: str
    """In the form in which it is compared; IPv6 in brackets."""
    port: int
    path: str
    """The path with what follows a question mark, exactly as it is sent."""
    address: Address
    """For rules."""

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only where it is not the usual one."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and port as the server is told of them."""
        return self.host if self.port == USUAL_PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """All of it, in one line of plain signs."""
        return f"{self.origin}{self.path}"

    @property
    def reach(self) -> Reach:
        """How far away that is, as far as the address itself tells."""
        return reach_of_host(self.host)


def read_target(text: str) -> Target:
    """The address. Raises ToolFault for one that is unclear, or is none of a page."""
    address = read_address(text)
    fault = _fault(text, address)
    if fault is not None:
        raise ToolFault("bad_address", fault)
    behind = _BEHIND_HOST.match(text.strip())
    way, mark, query = (behind[1] if behind is not None else "").partition("?")
    path = quote(f"{_stepped(way)}{mark}{query}", safe=_KEPT)
    port = address.port if address.port is not None else USUAL_PORTS[address.scheme]
    return Target(address.scheme, address.host, port, path, read_address(f"{_origin(address, port)}{path}"))


def _stepped(way: str) -> str:
    """Steps such as `..` are taken here: what is shown is what is asked for."""
    names: list[str] = []
    for name in way.removeprefix("/").split("/"):
        if name == "..":
            names[-1:] = []
        elif name != ".":
            names.append(name)
    end = "/" if names and way.endswith(("/.", "/..")) else ""
    return f"/{'/'.join(names)}{end}"


def _origin(address: Address, port: int) -> str:
    return f"{address.scheme}://{address.host}{'' if port == USUAL_PORTS[address.scheme] else f':{port}'}"


def _fault(text: str, address: Address) -> str | None:
    if len(text) > LONGEST:
        return f"The address is longer than {LONGEST} characters."
    if not address.doubt and address.scheme not in ("http", "https"):
        return "Only addresses that begin with http:// or https:// can be fetched."
    if address.doubt or not address.host:
        return f"The address is unclear: {address.doubt or 'it has no host'}. Write it plainly, as https://example.org/page."
    if address.port == 0:
        return "The address has no port that anybody can answer on."
    if "@" in re.split(r"[/?#]", text.partition("://")[2], maxsplit=1)[0]:
        return "The address holds a user name or a password. None is ever sent: leave it out, up to and with the @."
    return None


def notes_on(target: Target) -> tuple[str, ...]:
    """What somebody who reads the address could overlook."""
    found: list[str] = []
    if target.reach is not Reach.PUBLIC:
        found.append("It is on this machine, or in a network around it: what answers there may trust whoever can ask.")
    elif number_of(target.host) is not None:
        found.append("It is a number, not a name: whose it is, it does not tell.")
    if any(label.startswith("xn--") for label in target.host.split(".")):
        found.append(
            f"Its name is written in other letters than a to z, which can look like others: {_read(target.host)}."
        )
    if target.scheme == "http":
        found.append("It is not encrypted: whoever is on the way can read and change what comes.")
    if not target.address.on_usual_port:
        found.append(f"It uses port {target.port}, which is not the usual one.")
    if len(target.path) > _LONG:
        found.append(f"It is long: {len(target.path)} characters behind the host's name tell the host something.")
    return tuple(found)


def _read(host: str) -> str:
    """The name as those read it who know its letters, each of these written out as well."""
    labels = [_label(label) for label in host.split(".")]
    plain = ".".join(labels)
    codes = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(plain) if not sign.isascii())
    return f"“{plain}” ({codes})" if plain.isprintable() else codes


def _label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return label


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A server sends whoever asks to another place: that is another call, and asked for as one."""

    url: str


def redirected(target: Target, location: str) -> Target | Elsewhere:
    """Where the server sends one: the same page of the same host, perhaps encrypted by now, or somewhere else."""
    url = urljoin(target.url, location.strip())
    try:
        there = read_target(url)
    except ToolFault:
        return Elsewhere(url)
    return there if _is_same_place(target, there) else Elsewhere(there.url)


def _is_same_place(here: Target, there: Target) -> bool:
    """Rules are about hosts, ports and paths: where one of them is another one, they have to be asked again."""
    if here.host != there.host or not is_same_page(here, there) or there.address.path_doubt:
        return False
    encrypted = here.scheme == "http" and there.scheme == "https" and (here.port, there.port) == (80, 443)
    return encrypted or (here.scheme, here.port) == (there.scheme, there.port)


def is_same_page(one: Target, other: Target) -> bool:
    """Whether the paths are the same, but perhaps for a slash at the end."""
    return one.address.path.rstrip("/") == other.address.path.rstrip("/")
