"""Where patterns start: at each workspace folder, or at the top of the file system."""

from collections.abc import Iterator

from assent.policy.rules.spelling import Segments, Spelling
from assent.policy.rules.tree import Entry, Hit, PatternTree


class Ground:
    """The workspace folders in one spelling."""

    __slots__ = ("_roots", "spelling")

    def __init__(self, spelling: Spelling, roots: tuple[str, ...]) -> None:
        self.spelling = spelling
        self._roots = [_keys(spelling.names(root)) for root in roots]

    def inside(self, names: Segments) -> list[Segments]:
        """For each folder that the path lies in, or is: the way from there."""
        keys = _keys(names)
        return [names[len(root) :] for root in self._roots if keys[: len(root)] == root]

    def is_above(self, names: Segments) -> bool:
        """Whether a folder lies somewhere below this path."""
        keys = _keys(names)
        return any(len(keys) < len(root) and root[: len(keys)] == keys for root in self._roots)


class Trees:
    """The patterns of one group of rules, by where they start."""

    __slots__ = ("_ground", "absolute", "relative")

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.relative = PatternTree(ground.spelling)
        self.absolute = PatternTree(ground.spelling)

    def hits(self, names: Segments) -> Iterator[tuple[Entry, Hit]]:
        """The entries that mean this path, or a folder that it lies in."""
        for rest in self._ground.inside(names):
            yield from self.relative.hits(rest)
        yield from self.absolute.hits(names)

    def touched_by(self, names: Segments, *, with_all_below: bool) -> Iterator[Entry]:
        """The same for restrictions: those that may match at any depth are meant for the places outside as well."""
        ways = self._ground.inside(names)
        for rest in ways:
            yield from self._touched(self.relative, rest, with_all_below)
        if not ways:
            hits = self.relative.hits(names, with_all_below=with_all_below, at_any_depth=True)
            yield from (entry for entry, _ in hits)
        yield from self._touched(self.absolute, names, with_all_below)
        if with_all_below and self._ground.is_above(names) and self.relative.first is not None:
            yield self.relative.first

    @staticmethod
    def _touched(tree: PatternTree, names: Segments, with_all_below: bool) -> Iterator[Entry]:
        return (entry for entry, _ in tree.hits(names, with_all_below=with_all_below))


def _keys(names: Segments) -> tuple[str, ...]:
    return tuple(name.key for name in names)
