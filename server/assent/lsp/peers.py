"""Whose process is at the other end of a loopback connection, as Linux tells it."""

import socket
import struct
import sys
from pathlib import Path

from assent.lsp.admission import Address, UidLookup

TABLE = Path("/proc/net/tcp")


def system_lookup() -> UidLookup | None:
    """The lookup of this system, or None where there is none."""
    return uid_of_client if sys.platform == "linux" else None


def uid_of_client(client: Address, ours: Address) -> int | None:
    """The user who owns the client's end."""
    try:
        return find_uid(TABLE.read_text(encoding="ascii"), client, ours)
    except OSError:
        return None


def find_uid(table: str, client: Address, ours: Address) -> int | None:
    """The same, in the text of the kernel's table of connections."""
    wanted = [_as_in_table(client), _as_in_table(ours)]
    for line in table.splitlines()[1:]:
        columns = line.split()
        if columns[1:3] == wanted:
            return int(columns[7])
    return None


def _as_in_table(address: Address) -> str:
    (number,) = struct.unpack("=I", socket.inet_aton(address[0]))
    return f"{number:08X}:{address[1]:04X}"
