"""Which files a search does not even look into: how long a pattern takes there would already tell what they say.

They are known by their names before any file is opened. So time, memory and faults come from files that may be told of.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.tools.search.looking import Looked, look
from assent.tools.search.order import Hit, Order, to_text
from assent.tools.search.programs import own
from assent.tools.search.scope import Scope, Withheld

_LONGEST_ORDER = 100_000
"""Characters: systems take no longer arguments for a program."""


@dataclass(slots=True)
class _Sorted:
    """The files that there are, by whether they may be told of."""

    scope: Scope
    withheld: Withheld
    told: list[str] = field(default_factory=list)
    spared: list[str] = field(default_factory=list)

    def take(self, hits: Sequence[Hit]) -> bool:
        for hit in hits:
            may_tell = self.scope.may_tell(hit.path, self.withheld, content=True)
            (self.told if may_tell else self.spared).append(hit.path)
        return True


async def sparing(processes: Processes, order: Order, scope: Scope, withheld: Withheld) -> Order | Looked:
    """The same order without those files; how the looking for them went, where it came to no end. Raises ToolFault."""
    if order.file is not None:
        return order
    found = _Sorted(scope, withheld)
    looked = await look(processes, own(replace(order, pattern=None, common=False)), found.take)
    # Where there is more than is looked at, the search itself comes to the same end.
    if looked.end.fault or not (looked.end.whole or looked.code == 0):
        return looked
    spared = replace(order, spared=await asyncio.to_thread(lambda: tuple(folded(found.spared, found.told))))
    if len(to_text(spared)) > _LONGEST_ORDER:
        words = "Below this folder there are too many files that are kept back, between others that are not"
        raise ToolFault("too_many_kept_back", f"{words}; nothing was searched. Name a folder further down, or a file.")
    return spared


def folded(spared: Iterable[str], told: Iterable[str]) -> Iterator[str]:
    """These paths; one folder instead of all that lies below it, where nothing of that is told."""
    holding = {above for path in told for above in _above(path)}
    seen: set[str] = set()
    for path in spared:
        top = next((above for above in _above(path) if above not in holding), path)
        if top not in seen:
            seen.add(top)
            yield top


def _above(path: str) -> Iterator[str]:
    """The folders that a path goes through, the outermost first."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
