"""Patterns of several names as one tree, so that those which begin alike are followed together.

A path goes down the tree name by name, on all ways that fit it at once. A node is taken apart when the first path comes
to it: what no path comes near costs next to nothing, however many rules there are.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.name_globs import NameIndex
from assent.policy.rules.pattern import Step
from assent.policy.rules.rule import Rule
from assent.policy.rules.spelling import Segment, Segments, Spelling

Steps = tuple[Step, ...]


class Hit(Enum):
    """How a path stands to a pattern."""

    ITSELF = "the pattern means this path"
    ABOVE = "it means a folder that the path lies in"
    BELOW = "it means something that may lie below this path"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a permission may be used for; of a restriction none of this is asked."""

    covers_below: bool = True
    """What lies below the folders that it means is meant as well."""
    folder_only: bool = False
    means_all_below: bool = False
    says_place: bool = False
    """It says in full where it starts, and not in relation to the workspace."""
    says_secret: bool = False
    """It gives the name of the file, or a part that only secrets have."""


RESTRICTS = Meaning()


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule at the end of its pattern, with its number in the book: of several that match, the first one counts."""

    order: int
    rule: Rule
    meaning: Meaning = RESTRICTS


class _Node:
    """What may follow behind some names."""

    __slots__ = ("_names", "_skips", "_spelling", "_todo", "_wild", "deep", "ends", "first")

    def __init__(self, spelling: Spelling, *, skips: bool = False) -> None:
        self.first: Entry | None = None
        """The one with the least number of all that end here or further down."""
        self.ends: dict[Meaning, Entry] = {}
        """Of entries that end here and mean the same, only the first can ever count."""
        self.deep: _Node | None = None
        """Where the patterns go on that let any folders come first."""
        self._spelling = spelling
        self._skips = skips
        self._names: dict[str, _Node] = {}
        self._wild: NameIndex[_Node] | None = None
        self._todo: list[tuple[Steps, int, Entry]] = []

    def add(self, steps: Steps, at: int, entry: Entry) -> None:
        """Takes up an entry that comes here with its steps before `at`. The one with the least number comes first."""
        self.first = self.first or entry
        self._todo.append((steps, at, entry))

    def arrive(self) -> Iterator["_Node"]:
        """Where one is when one is here: at this node, and at the one behind any number of folders."""
        if self._todo:
            self._take_apart()
        yield self
        if self.deep is not None:
            yield from self.deep.arrive()

    def after(self, name: Segment) -> Iterator["_Node"]:
        """Where this name leads from here."""
        if self._skips:
            yield self
        below = self._names.get(name.key)
        if below is not None:
            yield from below.arrive()
        if self._wild is not None:
            for node in self._wild.matching(name):
                yield from node.arrive()

    def _take_apart(self) -> None:
        todo, self._todo = self._todo, []
        wild: dict[str, _Node] = {}
        for steps, at, entry in todo:
            if at == len(steps):
                self.ends.setdefault(entry.meaning, entry)
            elif steps[at].deep and not self._skips:
                self.deep = self.deep or _Node(self._spelling, skips=True)
                self.deep.add(steps, at, entry)
            else:
                self._below(steps[at], wild).add(steps, at + 1, entry)

    def _below(self, step: Step, wild: dict[str, "_Node"]) -> "_Node":
        """The node behind this step; `wild` has those that were made for the other patterns of one name."""
        if step.plain is not None:
            return _node_of(self._names, self._spelling.name(step.plain), self._spelling)
        known = wild.get(step.text)
        if known is None:
            known = wild[step.text] = _Node(self._spelling)
            self._wild = self._wild or NameIndex(self._spelling)
            self._wild.add(step.tokens, known)
        return known


def _node_of(nodes: dict[str, _Node], key: str, spelling: Spelling) -> _Node:
    found = nodes.get(key)
    if found is None:
        found = nodes[key] = _Node(spelling)
    return found


class PatternTree:
    """Entries by the steps of their patterns, in one spelling. They are added in the order of their numbers."""

    def __init__(self, spelling: Spelling) -> None:
        self._top = _Node(spelling)

    @property
    def first(self) -> Entry | None:
        """The entry with the least number."""
        return self._top.first

    def add(self, steps: Steps, entry: Entry) -> None:
        self._top.add(steps, 0, entry)

    def hits(
        self, names: Segments, *, with_all_below: bool = False, at_any_depth: bool = False
    ) -> Iterator[tuple[Entry, Hit]]:
        """The entries that mean the path with these names, a folder that it lies in, or what is below it.

        `at_any_depth` leaves out those that say where they start. Of what is only below, the first entry is enough.
        """
        nodes: Iterable[_Node] = self._top.arrive()
        if at_any_depth:
            nodes = (node for node in nodes if node is not self._top)
        live = set(nodes)
        for name in (*names, None):
            hit = Hit.ITSELF if name is None else Hit.ABOVE
            for node in live:
                for entry in node.ends.values():
                    yield entry, hit
            if name is None or not live:
                break
            live = {following for node in live for following in node.after(name)}
        for node in live if with_all_below else ():
            if node.first is not None:
                yield node.first, Hit.BELOW
