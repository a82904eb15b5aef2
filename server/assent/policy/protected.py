"""Paths that no mode, grant or bypass lets an agent change unseen; the lists are in `protected_places`.

Names are compared without regard to case, Unicode form, characters that cannot be seen and what follows a colon,
because file systems differ in all of these: a stricter answer does no harm.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from unicodedata import category, normalize

from assent.policy.protected_places import (
    FILES,
    HOME_FOLDERS,
    OF_GRADLE,
    PLACES,
    SECRET_FILES,
    SECRET_PLACES,
    TOP,
    TURNS_OF_GRADLE,
    Names,
)

_Part = tuple[str, str | None]
"""A name, or where the second one is no None: how a name starts and ends."""


class _Places:
    """Sequences of names, found by the last of them."""

    def __init__(self, places: Sequence[tuple[Names, str]]) -> None:
        self._by_last: dict[str, list[tuple[tuple[_Part, ...], str]]] = {}
        self._wild: list[tuple[tuple[_Part, ...], str]] = []
        for names, reason in places:
            parts = tuple(map(_part, names))
            last, end = parts[-1]
            (self._wild if end is not None else self._by_last.setdefault(last, [])).append((parts, reason))
        # Most names fit none of those with a star, and one look tells.
        lasts = {parts[-1] for parts, _ in self._wild}
        self._some_wild = re.compile(
            "|".join(f"{re.escape(start)}.*{re.escape(end or '')}" for start, end in lasts), re.DOTALL
        )

    def ending_at(self, names: Sequence[str], end: int) -> str | None:
        """The reason of the first place of which these names, up to this one, are the end."""
        for parts, reason in self._by_last.get(names[end], ()):
            if _end_in(names, end, parts):
                return reason
        for parts, reason in self._wild if self._some_wild.fullmatch(names[end]) else ():
            if _fits(names[end], parts[-1]) and _end_in(names, end, parts):
                return reason
        return None

    def along(self, names: Sequence[str]) -> str | None:
        """The reason of a place that these names lead to or through."""
        return next(filter(None, (self.ending_at(names, end) for end in range(len(names)))), None)


def _part(name: str) -> _Part:
    start, star, end = name.partition("*")
    return start, end if star else None


def _end_in(names: Sequence[str], end: int, parts: Sequence[_Part]) -> bool:
    start = end + 1 - len(parts)
    return start >= 0 and all(map(_fits, names[start : end + 1], parts))


def _fits(name: str, part: _Part) -> bool:
    start, end = part
    if end is None:
        return name == start
    return len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end)


def _on_the_way(places: Sequence[tuple[Names, str]]) -> Iterator[tuple[Names, str]]:
    """The folders that such a place lies in, as far as they are not ordinary ones: who moves them moves it."""
    for pattern, reason in places:
        if pattern[0] == TOP or pattern[0].startswith("."):
            for length in range(2 if pattern[0] == TOP else 1, len(pattern)):
                yield pattern[:length], reason


_PLACES = _Places(PLACES)
_FILES = _Places([((name,), reason) for name, reason in FILES])
_FOLDERS_ON_THE_WAY = _Places(list(_on_the_way(PLACES)))
_HOME_FOLDERS = tuple(map(_part, HOME_FOLDERS))
_SECRET_PLACES = _Places([(place, "secret") for place in SECRET_PLACES])
_SECRET_FILES = _Places([((name,), "secret") for name in SECRET_FILES])


def protection(path: str, *, whole: bool = False) -> str | None:
    """Why a change of this path is always asked for, or None. `whole`: all that lies below it goes with it."""
    # A card tries each of its answers, and every trial asks it of the same few names.
    return _kept_protection(path, whole) if len(path) <= _LONG else _protection(path, whole)


@lru_cache(maxsize=1_024)
def _kept_protection(path: str, whole: bool) -> str | None:
    return _protection(path, whole)


def _protection(path: str, whole: bool) -> str | None:
    names = _names(path)
    if not names:
        return None
    reason = _PLACES.along(names)
    if reason is None and not (_is_of_gradle(names) or _is_example(names)):
        reason = _FILES.ending_at(names, len(names) - 1)
    if reason is None and whole:
        reason = _FOLDERS_ON_THE_WAY.ending_at(names, len(names) - 1)
    return reason


def _is_of_gradle(names: Sequence[str]) -> bool:
    return names[-1] == OF_GRADLE or (OF_GRADLE in names and names[-1].endswith(TURNS_OF_GRADLE))


def home_protection(path: str, home: str, roots: Sequence[str]) -> str | None:
    """Why a change of this path below the home directory is always asked for; a workspace may lie there, too."""
    names, base = _names(path), _names(home)
    depth = len(base)
    if depth < 2 or names[:depth] != base or len(names) == depth:
        return None
    if not any(_fits(names[depth], folder) for folder in _HOME_FOLDERS):
        return None
    below = (way for way in map(_names, roots) if way[: depth + 1] == names[: depth + 1])
    if any(names[: len(way)] == way for way in below):
        return None
    return f"“{names[depth]}” in your home directory holds what programs act on"


def is_secret(path: str) -> bool:
    """Whether a path looks as if it held keys or passwords."""
    # One decision asks it a dozen times of the same path.
    return _kept_secret(path) if len(path) <= _LONG else _looks_secret(path)


@lru_cache(maxsize=1_024)
def _kept_secret(path: str) -> bool:
    return _looks_secret(path)


def _looks_secret(path: str) -> bool:
    names = _names(path)
    if not names:
        return False
    by_name = not _is_example(names) and _SECRET_FILES.ending_at(names, len(names) - 1) is not None
    return by_name or _SECRET_PLACES.along(names) is not None


_EXAMPLE = re.compile(r"\.env(?:\.[\w-]+)*\.(?:example|sample|template|dist)", re.ASCII)


def _is_example(names: Sequence[str]) -> bool:
    """What a project shows of its variables is published without their values, and every newcomer reads it."""
    return _EXAMPLE.fullmatch(names[-1]) is not None


_LONG = 1_024


def _names(path: str) -> tuple[str, ...]:
    # The same paths come again and again; very long ones must not stay in memory for it.
    return _kept_names(path) if len(path) <= _LONG else _split(path)


@lru_cache(maxsize=1_024)
def _kept_names(path: str) -> tuple[str, ...]:
    return _split(path)


def _split(path: str) -> tuple[str, ...]:
    plain = folded(path)
    names = tuple(_bare(name) for name in plain.split("/") if name not in {"", "."})
    return (TOP, *names) if plain.startswith("/") else names


def _bare(segment: str) -> str:
    """Without what Windows leaves out: a stream's name, and dots and blanks at the end."""
    name = segment.split(":", maxsplit=1)[0] or segment
    return name.rstrip(" .") or name


def folded(path: str) -> str:
    """The path in the one spelling in which all that a file system may take for the same are alike."""
    return _kept_folded(path) if len(path) <= _LONG else _fold(path)


@lru_cache(maxsize=1_024)
def _kept_folded(path: str) -> str:
    return _fold(path)


def _fold(path: str) -> str:
    if path.isascii():
        return path.casefold().replace("\\", "/")
    seen = "".join(character for character in normalize("NFKC", path) if category(character) != "Cf")
    return normalize("NFC", seen.casefold()).replace("\\", "/")
