"""Values that are known to be secret, in every spelling in which they travel."""

import base64
import re
from collections.abc import Iterator
from functools import lru_cache

from assent.masking.marks import Span

SHORTEST = 4
"""Anything shorter would be found in every text, and hides nothing."""
NAME = "known key"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_AROUND = re.compile(r"[A-Za-z0-9+/_=-]{0,4}")


def known_values(text: str, known: frozenset[str]) -> Iterator[Span]:
    """Where any of these stands, plainly or encoded."""
    if not known:
        return
    plain, encoded = _expressions(known)
    for found in plain.finditer(text):
        yield Span(found.start(), found.end(), NAME)
    if encoded is not None:
        for found in encoded.finditer(text):
            yield Span(_before(text, found.start()), _after(text, found.end()), NAME)


def _before(text: str, at: int) -> int:
    """The first characters of a group of base64 still hold bits of what follows."""
    found = _AROUND.fullmatch(text, max(0, at - 2), at)
    return found.start() if found else at


def _after(text: str, at: int) -> int:
    found = _AROUND.match(text, at)
    return found.end() if found else at


@lru_cache(maxsize=8)
def _expressions(known: frozenset[str]) -> tuple["re.Pattern[str]", "re.Pattern[str] | None"]:
    values = {value for value in known if len(value.strip()) >= SHORTEST}
    plain = {spelling for value in values for spelling in _spellings(value)}
    encoded = {core for value in values for spelling in (value, *_in_json(value)) for core in _in_base64(spelling)}
    return _any(plain), _any(encoded) if encoded else None


def _any(spellings: set[str]) -> "re.Pattern[str]":
    longest_first = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")


def _spellings(value: str) -> Iterator[str]:
    yield value
    yield from _in_json(value)
    for once in tuple(_in_json(value)):
        yield from _in_json(once)
    for safe in (b"", b"/", b"/:@!$&'()*+,;="):
        yield _percent(value, safe)
        yield _percent(value, safe).replace("%20", "+")
        yield re.sub(r"%..", lambda found: found[0].lower(), _percent(value, safe))


def _in_json(value: str) -> tuple[str, ...]:
    """The inside of its JSON text, as writers that keep other scripts and writers that do not spell it."""
    own_script = "".join(_ESCAPES.get(sign) or (_unicode(sign) if sign < " " else sign) for sign in value)
    ascii_only = "".join(sign if sign.isascii() else _unicode(sign) for sign in own_script)
    return own_script, own_script.replace("/", "\\/"), ascii_only


def _unicode(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _percent(value: str, safe: bytes) -> str:
    kept = _UNRESERVED | set(safe)
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in value.encode("utf-8", "surrogatepass"))


def _in_base64(value: str) -> Iterator[str]:
    """What is the same in base64 whatever stands around the value, for each of three alignments and both alphabets."""
    data = value.encode("utf-8", "surrogatepass")
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data)
        first = (shift * 8 + 5) // 6
        last = (shift + len(data)) * 8 // 6
        core = whole[first:last].decode()
        if len(core) >= 2 * SHORTEST:
            yield core
            yield core.replace("+", "-").replace("/", "_")
