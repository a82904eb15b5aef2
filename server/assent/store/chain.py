"""The chain: each entry's hash covers its number, its text and the hash before it."""

import hashlib
import re

from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """The end of a chain: the number of its last entry and that entry's hash."""

    n: int
    hash: str


START = Link(0, "0" * 64)
"""What the first entry is chained to."""


MOST = 10**15
"""No history has so many entries; a number from here on was never given."""

_HASH = re.compile(rb"[0-9a-f]{64}")


def link_of(n: object, digest: object) -> Link | None:
    """The link that a number and the bytes of a hash are; None where no entry was ever given them."""
    if not isinstance(n, int) or not 0 < n < MOST:
        return None
    if not isinstance(digest, bytes) or _HASH.fullmatch(digest) is None:
        return None
    return Link(n, digest.decode("ascii"))


def next_link(before: Link, body: str) -> Link:
    """The link of the entry with this text after that one."""
    return Link(before.n + 1, entry_hash(before.hash, before.n + 1, body))


def entry_hash(before: str, n: int, body: str | bytes) -> str:
    """SHA-256 over the hash before, the number and the text. No part can be taken for another: only the last one may
    hold a line break."""
    text = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return hashlib.sha256(f"{before}\n{n}\n".encode() + text).hexdigest()
