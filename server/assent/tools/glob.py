"""glob: the files below a folder whose paths fit a pattern, the newest first."""

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import field

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.runtime.processes import Processes
from assent.tools.faults import elsewhere
from assent.tools.globs import LONGEST as LONGEST_PATTERN
from assent.tools.globs import UnusableGlob
from assent.tools.names import LONGEST
from assent.tools.obstacles import listing_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.search.looking import look
from assent.tools.search.order import End, Hit, Order
from assent.tools.search.programs import own
from assent.tools.search.scan import globs_of
from assent.tools.search.scope import Scope, Withheld, nothing_withheld

MOST_TOLD = 500
MOST_KEPT = 5_000
"""Of the newest files so many are kept while it is looked further."""


class GlobArguments(Arguments):
    """What glob takes."""

    pattern: str = Field(
        min_length=1,
        max_length=LONGEST_PATTERN,
        description="As in .gitignore, with braces: `*.py` at any depth, `src/**/*.{ts,tsx}` from the folder on.",
    )
    path: str = Field(
        ".", min_length=1, max_length=LONGEST, description="The folder, relative to the workspace folder or absolute."
    )
    ignored: bool = Field(False, description="Also what .gitignore leaves out, and node_modules.")


class Glob:
    """Finds files by their names. It opens none of them."""

    spec = ToolSpec(
        "glob",
        "Finds files by a pattern of their paths, the newest first. Links are not followed, .git is left out.",
        schema_of(GlobArguments),
    )
    category = Category.READ

    def __init__(
        self, roots: Roots, processes: Processes, withheld: Callable[[], Withheld] = lambda: nothing_withheld
    ) -> None:
        self._roots = roots
        self._processes = processes
        self._withheld = withheld
        """Asked when it is carried out: what may be told of at that moment."""

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(GlobArguments, args) or path_fault(str(args.get("path", ".")), self._roots())
        return found or glob_fault("pattern", str(args["pattern"]))

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = GlobArguments.model_validate(args)
        place, impossible = await asyncio.to_thread(_look, wanted, self._roots())
        where = "" if place.shown == "." else f" in {place.shown}"
        return Prepared(
            headline=f"Find {wanted.pattern}{where}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ, is_directory=True),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._find(place, wanted),
            impossible=impossible,
        )

    async def _find(self, place: Place, wanted: GlobArguments) -> ToolAnswer:
        scope = await asyncio.to_thread(_scope, place, wanted, self._roots())
        order = Order(scope.folder, root=scope.root, globs=(wanted.pattern,), ignored=wanted.ignored)
        newest = _Newest()
        looked = await look(self._processes, own(order), newest.take)
        return await asyncio.to_thread(_told, newest, scope, self._withheld(), looked.end)


def glob_fault(name: str, pattern: str) -> str | None:
    """What is wrong with a pattern of paths, or None."""
    try:
        tuple(globs_of((pattern,)))
    except UnusableGlob as fault:
        return f"The arguments do not fit. {name}: {fault}"
    return None


def _look(wanted: GlobArguments, roots: tuple[str, ...]) -> tuple[Place, ToolFault | None]:
    place = locate(wanted.path, roots)
    return place, listing_obstacle(place)


def _scope(place: Place, wanted: GlobArguments, roots: tuple[str, ...]) -> Scope:
    now = locate(wanted.path, roots)
    if not place.is_still(now):
        raise elsewhere(place.shown, "nothing was looked for")
    # What an earlier call has made meanwhile is as good as what was there.
    found = now if place.target.mode is None else place
    never = listing_obstacle(found)
    if never is not None:
        raise never
    if found.target.mode is None:
        raise ToolFault("not_found", f"{place.shown} does not exist.")
    if not found.target.is_folder:
        raise ToolFault("not_a_directory", f"{place.shown} is not a folder.")
    return Scope.of(found, roots)


@dataclass(slots=True)
class _Newest:
    """The newest of the files that were found, however many there are."""

    found: list[tuple[float, str]] = field(default_factory=list)
    total: int = 0

    def take(self, hits: Sequence[Hit]) -> bool:
        for hit in hits:
            self.total += 1
            entry = (hit.changed, hit.path)
            if len(self.found) < MOST_KEPT:
                heapq.heappush(self.found, entry)
            else:
                heapq.heappushpop(self.found, entry)
        return True


def _told(newest: _Newest, scope: Scope, withheld: Withheld, end: End) -> ToolAnswer:
    ordered = sorted(newest.found, key=lambda one: (-one[0], one[1]))
    paths: list[str] = []
    kept_back = 0
    for _, path in ordered:
        if len(paths) >= MOST_TOLD:
            break
        if scope.may_tell(path, withheld, content=False):
            paths.append(scope.shown(path))
        else:
            kept_back += 1
    more = newest.total - kept_back - len(paths)
    notes = [f"{more} more files fit; make the pattern or the folder narrower"] if more else []
    notes += [f"not everything was looked at: {end.why}"] if not end.whole else []
    text = "\n".join((*paths, *(f"[{note}]" for note in notes)))
    return ToolAnswer(text or "[no file fits]", path=scope.place.shown, truncated=bool(notes))
