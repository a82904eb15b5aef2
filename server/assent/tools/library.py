"""What the tools that ask collections need from outside: somebody who has read the documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.collections import Collection
from assent.model.paths import PathUse

MayShow = Callable[[], Callable[[PathUse, PathUse], bool]]
"""Looks up the rules of this moment; they say whether what stands in a file may be shown to who searches a folder."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that fits, with lines counted from 1."""

    path: str
    heading: str
    first: int
    last: int
    snippet: str
    score: float
    """The smaller, the better."""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a collection."""

    documents: int = 0
    """Those that there are; `indexed` of them are found by what they say."""
    indexed: int = 0
    left_out: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    """Why the others are not: how many, and the paths of some."""
    whole: bool = True
    """Not more of them than are looked for."""
    hidden: bool = False
    """All of it lies in what git ignores."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was found, and what is known, by the name of the collection."""

    hits: Mapping[str, tuple[Hit, ...]]
    states: Mapping[str, State]
    finished: bool = True
    """All documents were looked into; where not, that goes on, and later more may be found."""


class Library(Protocol):
    """Somebody who has read them all and notices when one changes."""

    def collections(self) -> tuple[Collection, ...]:
        """Those that there are now."""

    async def find(self, names: Sequence[str], query: str, most: int, may_show: MayShow) -> Reply:
        """The best passages of each of these collections. Raises ToolFault."""

    async def survey(self, may_show: MayShow) -> Reply:
        """What is known of all of them. Raises ToolFault."""
