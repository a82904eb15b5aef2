"""Finds the rules that may match a path without looking at those that cannot.

Every pattern starts with names that it says in full; they are the way to it in a tree. Where the first name after them
may stand at any depth, it is looked up by itself, or by its ending.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from assent.policy.rules.glob import Hit, PathGlob
from assent.policy.rules.rule import Rule
from assent.policy.rules.spelling import Segments, Spelling


@dataclass(frozen=True, slots=True)
class Entry:
    """One reading of a rule: the steps behind its place in the tree, and what the rule may be used for."""

    order: int
    rule: Rule
    glob: PathGlob
    covers_below: bool = True
    """What lies below the folders that it means is meant as well."""
    folder_only: bool = False
    means_all_below: bool = False
    only_outside: bool = False
    """It counts for what lies in no workspace folder: the way to a folder is not what the rule speaks of."""
    says_place: bool = False
    """It says in full where it starts, and not in relation to the workspace."""
    says_secret: bool = False
    """It gives the name of the file, or a part that only secrets have."""


@dataclass(frozen=True, slots=True)
class _Node:
    children: dict[str, "_Node"] = field(default_factory=dict)
    by_name: dict[str, list[Entry]] = field(default_factory=dict)
    by_ending: dict[str, list[Entry]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)
    others: list[Entry] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        first = entry.glob.first if entry.glob.deep_start else None
        if first is not None and first.plain is not None:
            self.by_name.setdefault(first.plain, []).append(entry)
        elif first is not None and first.ending:
            self.by_ending.setdefault(first.ending, []).append(entry)
            self.lengths.add(len(first.ending))
        else:
            self.others.append(entry)

    def likely(self, keys: frozenset[str], text: str) -> Iterator[Entry]:
        """Those that may match a path with these names, which are also all in this text."""
        for entry in self.others:
            if entry.glob.needs in text:
                yield entry
        for key in keys if self.by_name else ():
            yield from self.by_name.get(key, ())
        for length in self.lengths:
            for ending in {key[-length:] for key in keys}:
                yield from self.by_ending.get(ending, ())

    def here(self) -> Iterator[Entry]:
        yield from self.others
        for entries in (*self.by_name.values(), *self.by_ending.values()):
            yield from entries

    def below(self) -> Iterator[Entry]:
        waiting = list(self.children.values())
        while waiting:
            node = waiting.pop()
            yield from node.here()
            waiting += node.children.values()


class Index:
    """The entries of one tool for one effect, in one spelling."""

    def __init__(self, spelling: Spelling, roots: tuple[str, ...]) -> None:
        self.spelling = spelling
        self._top = _Node()
        self._roots = [_keys(spelling.names(root)) for root in roots]

    def is_inside(self, names: Segments) -> bool:
        """Whether the path lies in a workspace folder, as far as names tell."""
        keys = _keys(names)
        return any(keys[: len(root)] == root for root in self._roots)

    def add(self, start: tuple[str, ...], entry: Entry) -> None:
        """Takes up an entry behind the names that lead to it."""
        node = self._top
        for name in start:
            node = node.children.setdefault(self.spelling.name(name), _Node())
        node.add(entry)

    def hits(self, names: Segments, *, with_all_below: bool) -> Iterator[tuple[Entry, Hit]]:
        """The entries that match these names, in no order."""
        node: _Node | None = self._top
        keys = _keys(names)
        distinct, text = frozenset(keys), "/".join(keys)
        for depth in range(len(names) + 1):
            if node is None:
                return
            rest = names[depth:]
            for entry in node.here() if with_all_below else node.likely(distinct, text):
                hit = entry.glob.match(rest)
                if hit.any:
                    yield entry, hit
            if not rest:
                break
            node = node.children.get(keys[depth])
        if with_all_below and node is not None:
            yield from ((entry, Hit(itself=False, above=False, below=True)) for entry in node.below())


def _keys(names: Segments) -> tuple[str, ...]:
    return tuple(name.key for name in names)
