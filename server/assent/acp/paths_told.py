"""Paths and addresses as agents write them, compared as text: what is on the disk is for others to say."""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_IN_TEXT = re.compile(r"\b(?:https?|ftp)://[^\s<>\"'`)\]}]+", re.IGNORECASE)

_PATTERN = re.compile(r"[*?\[{$]")
_SECRET = re.compile(r"(^|[/{,*])\.e|\.env|\.pem|\.key\b|(^|[/{,])id_|\.netrc|\.ssh|\.aws|credentials", re.IGNORECASE)

_MOST_COMPARED = 50


def is_address(text: str) -> bool:
    """Whether this names something by a scheme, as https://example.org does. A drive letter is no scheme."""
    return _ADDRESS.match(text) is not None


def is_pattern(path: str) -> bool:
    """Whether this may stand for other files than the one of this name."""
    return _PATTERN.search(path) is not None


def may_be_secret(pattern: str) -> bool:
    """Whether a pattern for names of files asks for some that look like secrets."""
    return _SECRET.search(pattern) is not None


def file_of(address: str) -> str | None:
    """The path that a file: address stands for; None for any other, and where more than a path stands in it."""
    if not address.lower().startswith("file:") or "?" in address or "#" in address:
        return None
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return None
    return path or None


def local(path: str) -> str:
    """The path, also where it is written as an address of a file."""
    return file_of(path) or path


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses that stand in a text for a person or a model."""
    return tuple(dict.fromkeys(found.rstrip(".,;:!?") for found in _IN_TEXT.findall(text)))


def may_be_same(one: str, other: str) -> bool:
    """Whether both may name one file: they are equal, or one is the end of the other."""
    first, second = _plain(one), _plain(other)
    if first == second:
        return True
    return first.endswith(f"/{second.lstrip('/')}") or second.endswith(f"/{first.lstrip('/')}")


class Compared:
    """Paths with which others are compared. Of very many of one name only some are: the rest then counts as unknown."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        for path in dict.fromkeys(paths):
            self._by_name.setdefault(_name(path), []).append(path)

    def has_one_like(self, path: str) -> bool:
        """Whether one of them may name the same file."""
        return any(may_be_same(path, known) for known in self._by_name.get(_name(path), ())[:_MOST_COMPARED])


def _name(path: str) -> str:
    return _plain(path).rpartition("/")[2]


def _plain(path: str) -> str:
    plain = path.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/")
    return plain
