"""Which addresses of the network belong to nobody in particular: this machine, networks like the one at home, and those
under which a machine in a data centre is told its secrets.
"""

from enum import Enum
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Number = IPv4Address | IPv6Address


class Reach(Enum):
    """How far away a place is, and so what reaching it can mean."""

    PUBLIC = "public"
    NEAR = "near"
    """This machine, or a network around it: reached only by who names exactly this address."""
    NEVER = "never"
    """Nothing that could be meant: what tells secrets to machines, many at once, or a way around these rules."""


_NEAR_4 = tuple(map(IPv4Network, ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_NEAR_6 = (IPv6Network("::1/128"), IPv6Network("fc00::/7"))
_NEVER_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # means this machine to some systems
            "100.100.100.200/32",  # tells secrets to machines of one data centre
            "168.63.129.16/32",  # and of another
            "169.254.0.0/16",  # and of most; else only what is on the same wire
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # many at once, and what is not given to anybody
        ),
    )
)
_PUBLIC_6 = IPv6Network("2000::/3")
_NEVER_6 = tuple(
    map(
        IPv6Network,
        (
            "fd00:ec2::254/128",  # tells secrets to machines of one data centre
            "2001::/23",  # among them addresses that hide one of the older kind
            "2001:db8::/32",
            "2002::/16",  # each hides one of the older kind
            "3fff::/20",
        ),
    )
)


def reach_of(number: Number) -> Reach:
    """How far away this is. What hides an address of the older kind is refused, wherever that leads."""
    if isinstance(number, IPv4Address):
        if any(number in network for network in _NEVER_4):
            return Reach.NEVER
        return Reach.NEAR if any(number in network for network in _NEAR_4) else Reach.PUBLIC
    if any(number in network for network in _NEVER_6):
        return Reach.NEVER
    if any(number in network for network in _NEAR_6):
        return Reach.NEAR
    return Reach.PUBLIC if number in _PUBLIC_6 else Reach.NEVER


@lru_cache(maxsize=256)
def reach_of_host(host: str) -> Reach:
    """The same of a host in the form in which it is compared. Where a name leads, it does not tell."""
    if is_this_machine(host):
        return Reach.NEAR
    number = number_of(host)
    return Reach.PUBLIC if number is None else reach_of(number)


def is_this_machine(host: str) -> bool:
    """The name that means this machine wherever one is, whatever a server for names says of it."""
    return host == "localhost" or host.endswith(".localhost")


def number_of(host: str) -> Number | None:
    """The address that the host is; None where it is a name."""
    try:
        return ip_address(host[1:-1] if host.startswith("[") else host)
    except ValueError:
        return None
