"""The chain: each entry's hash covers its number, its text and the hash before it."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """The end of a chain: the number of its last entry and that entry's hash."""

    n: int
    hash: str


START = Link(0, "0" * 64)
"""What the first entry is chained to."""


def next_link(before: Link, body: str) -> Link:
    """The link of the entry with this text after that one."""
    return Link(before.n + 1, entry_hash(before.hash, before.n + 1, body))


def entry_hash(before: str, n: int, body: str | bytes) -> str:
    """SHA-256 over the hash before, the number and the text. No part can be taken for another: only the last one may
    hold a line break."""
    text = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return hashlib.sha256(f"{before}\n{n}\n".encode() + text).hexdigest()
