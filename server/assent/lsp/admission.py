"""Who may come in by the playground's door: a page of our own, in this user's browser, that knows the token.

Any page in any tab can reach a port on loopback. So the host must be ours (a foreign name may point here), the origin
must be our page, the token must be the one that the user was given, and the other end must be a process of this user.
"""

import hmac
from collections.abc import Callable, Sequence

from assent.lazy_dataclasses import dataclass

SUBPROTOCOL = "assent"
TOKEN_PREFIX = "token."  # noqa: S105 a marker in front of the secret

Address = tuple[str, int]
UidLookup = Callable[[Address, Address], int | None]
"""The user behind a connection, by the addresses of its client's end and of ours; None when it cannot be found."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Not let in, with the words for whoever reads the answer."""

    reason: str


@dataclass(frozen=True, slots=True)
class Admission:
    """The rules of one playground."""

    port: int
    token: str

    @property
    def hosts(self) -> tuple[str, str]:
        """The names under which a browser of this machine finds us."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def check_host(self, hosts: Sequence[str]) -> Refused | None:
        """Every request, for the page too, must be meant for us."""
        if len(hosts) == 1 and hosts[0] in self.hosts:
            return None
        return Refused("This address is not the playground's: use the one that was printed when it started.")

    def check_page(self, origins: Sequence[str], subprotocols: Sequence[str]) -> Refused | None:
        """What asks for a connection must be our page and know the token."""
        if len(origins) != 1 or origins[0] not in [f"http://{host}" for host in self.hosts]:
            return Refused("Only the playground's own page may connect.")
        if SUBPROTOCOL not in subprotocols or not self._knows_token(subprotocols):
            return Refused("The token is missing or wrong: open the whole address that was printed, with its # part.")
        return None

    def _knows_token(self, subprotocols: Sequence[str]) -> bool:
        given = [one.removeprefix(TOKEN_PREFIX) for one in subprotocols if one.startswith(TOKEN_PREFIX)]
        return len(given) == 1 and hmac.compare_digest(given[0].encode(), self.token.encode())


def check_user(lookup: UidLookup | None, client: Address, ours: Address, own_uid: int) -> Refused | None:
    """Without a lookup there is nothing to check; with one, not to be found counts as somebody else."""
    if lookup is None or lookup(client, ours) == own_uid:
        return None
    return Refused("The playground belongs to another user of this machine.")
