"""Holding a great many things by holding what they lie in. No I/O."""

from collections import Counter
from collections.abc import Iterable

from assent.sandbox.layout import lies_in, ways_to


def fewer(places: Iterable[str], tops: Iterable[str], most: int) -> frozenset[str]:
    """What holds all of these and is not too much: what lies deeper than there is room for is held by what it lies in.

    Room is there for this many places and folders on the way to them. What lies in none of these tops stays as it is.
    """
    every = frozenset(places)
    innermost = sorted(tops, key=len, reverse=True)
    top_of = {path: next((top for top in innermost if lies_in(path, top)), None) for path in every}
    level = _deepest({path: top for path, top in top_of.items() if top is not None}, most)
    held = {path if top is None else max(_cut(path, level), top, key=len) for path, top in top_of.items()}
    return frozenset(path for path in held if not any(way in held for way in ways_to(path)))


def _deepest(top_of: dict[str, str], most: int) -> int:
    nodes = {way for path, top in top_of.items() for way in (*ways_to(path), path) if len(way) > len(top)}
    levels = Counter(node.count("/") for node in nodes)
    level, room = max(levels, default=0), len(nodes)
    while room > most:
        room -= levels[level]
        level -= 1
    return level


def _cut(path: str, level: int) -> str:
    return "/".join(path.split("/")[: level + 1])
