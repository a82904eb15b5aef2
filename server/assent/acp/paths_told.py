"""Paths and addresses as agents write them, compared as text: what is on the disk is for others to say."""

import re
from urllib.parse import unquote, urlsplit

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_IN_TEXT = re.compile(r"\b(?:https?|ftp)://[^\s<>\"'`)\]}]+", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether this names something by a scheme, as https://example.org does. A drive letter is no scheme."""
    return _ADDRESS.match(text) is not None


def file_of(address: str) -> str | None:
    """The path that a file: address stands for; None for any other."""
    if not address.lower().startswith("file:"):
        return None
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return None
    return path or None


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses that stand in a text for a person or a model."""
    return tuple(dict.fromkeys(found.rstrip(".,;:!?") for found in _IN_TEXT.findall(text)))


def may_be_same(one: str, other: str) -> bool:
    """Whether both may name one file: they are equal, or one is the end of the other."""
    first, second = _plain(one), _plain(other)
    if first == second:
        return True
    return first.endswith(f"/{second.lstrip('/')}") or second.endswith(f"/{first.lstrip('/')}")


def _plain(path: str) -> str:
    plain = path.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/")
    return plain
