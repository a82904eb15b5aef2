"""Places in the network that a call would reach."""

from assent.lazy_dataclasses import dataclass

USUAL_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
"""The port that is meant where an address gives none."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address, taken apart and written in the one form in which it is compared."""

    text: str
    """As it was told."""
    scheme: str = ""
    """Empty where none was told."""
    host: str = ""
    """In small letters, without a dot at the end, other scripts than the Latin one as `xn--`; IPv6 in brackets."""
    port: int | None = None
    """None where none is known: no scheme, or one without a usual port."""
    path: str = "/"
    """Without `%` for plain signs, `.` and `..`; what follows a `?` or `#` is no part of it."""
    doubt: str = ""
    """Why programs may take it for the address of another host, without a beginning: “it has ...”. Empty: none may."""
    path_doubt: bool = False
    """Servers may take the path for another one."""

    @property
    def on_usual_port(self) -> bool:
        """Whether it means the port that belongs to its scheme."""
        return self.port == USUAL_PORTS.get(self.scheme)


@dataclass(frozen=True, slots=True)
class Addresses:
    """All that is known of the addresses that a call would reach."""

    named: tuple[Address, ...] = ()
    unseen: str = ""
    """Why there may be others that are not shown, as a sentence. Empty: these are all."""
