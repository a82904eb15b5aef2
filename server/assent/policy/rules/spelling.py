"""The spellings in which names are compared.

A permission counts for exactly the name that it gives. A restriction also holds for what a file system may take for the
same: it is compared without regard to case, and once more the way that the laxest file system would.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from assent.lazy_dataclasses import dataclass
from assent.policy.protected import folded

_WINDOWS_LONG = "//?/"
_REMEMBERED = 1_024


class Segment(NamedTuple):
    """One name of a path: as it is written, and as plain characters of a pattern are compared with it."""

    text: str
    key: str


Segments = tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to compare: `names` takes a path apart, `name` and `run` fold a whole name, or a piece of one."""

    names: Callable[[str], Segments]
    name: Callable[[str], str]
    run: Callable[[str], str]
    caseless: bool = True


def is_windows(path: str) -> bool:
    """Whether the path begins as only a path of Windows does; elsewhere a backslash is part of a name."""
    return path.startswith("\\\\") or (path[:1].isascii() and path[:1].isalpha() and path[1:3] in {":\\", ":/", ":"})


def is_absolute(path: str) -> bool:
    """Whether the path says by itself where it lies."""
    return path.startswith("/") or is_windows(path)


def is_resolved(path: str) -> bool:
    """Whether this can be where a name leads in the end; only such a path may be permitted."""
    return is_absolute(path) and "\0" not in path and ".." not in names_of(path)


def names_of(path: str) -> tuple[str, ...]:
    """The names along a path, composed characters in one form, the letter of a Windows drive as a capital."""
    text = normalize("NFC", path)
    if not is_windows(text):
        return _names(text)
    names = _names(text.replace("\\", "/").removeprefix(_WINDOWS_LONG))
    return (names[0].upper(), *names[1:]) if names and is_drive(names[0]) else names


def is_drive(name: str) -> bool:
    """Whether this is how a path of Windows begins."""
    return name[1:] == ":" and name[0].isascii() and name[0].isalpha()


def deeper_than_the_top(names: Sequence[str]) -> bool:
    """Whether the path leads anywhere but to the whole file system, or a whole drive."""
    return len(names) > (1 if names and is_drive(names[0]) else 0)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split("/") if name and name != ".")


def _same(text: str) -> str:
    return text


def _caseless(text: str) -> str:
    """Without case, every character for itself: what stands for one character must still be one."""
    lowered = text.casefold()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.casefold()) == 1 else character for character in text)


def _folded(text: str) -> str:
    """The same as `folded`. In ASCII nothing is composed and nothing invisible, which saves most of the work."""
    return text.casefold().replace("\\", "/") if text.isascii() else folded(text)


@lru_cache(maxsize=1_024)
def _lax(name: str) -> str:
    """Windows leaves out the name of a stream, and dots and blanks at the end. What marks a drive is no stream."""
    plain = _folded(name)
    if is_drive(plain):
        return plain
    bare = plain.split(":", maxsplit=1)[0] or plain
    return bare.rstrip(" .") or plain


def _exact_names(path: str) -> Segments:
    return tuple(Segment(name, name) for name in names_of(path))


def _caseless_names(path: str) -> Segments:
    return tuple(Segment(name, _caseless(name)) for name in names_of(path))


def _lax_names(path: str) -> Segments:
    bare = map(_lax, _names(_folded(path).removeprefix(_WINDOWS_LONG)))
    return tuple(Segment(name, name) for name in bare)


def _remembering(names: Callable[[str], Segments]) -> Callable[[str], Segments]:
    """Deny, ask and allow rules are asked about the same path one after the other."""
    remembered = lru_cache(maxsize=128)(names)
    return lambda path: remembered(path) if len(path) <= _REMEMBERED else names(path)


EXACT = Spelling(_remembering(_exact_names), _same, _same, caseless=False)
CASELESS = Spelling(_remembering(_caseless_names), _caseless, _caseless)
LAX = Spelling(_remembering(_lax_names), _lax, _folded)
