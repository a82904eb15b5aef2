"""grep: the lines of files in which a regular expression is found."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from importlib.util import find_spec
from pathlib import Path

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
from assent.tools.declared import NOTHING_DECLARED
from assent.tools.faults import elsewhere
from assent.tools.glob import glob_fault
from assent.tools.globs import LONGEST as LONGEST_PATTERN
from assent.tools.names import LONGEST, printable
from assent.tools.obstacles import searching_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.search.dialect import common
from assent.tools.search.looking import Looked, Take, look
from assent.tools.search.order import Hit, Order
from assent.tools.search.programs import Program, ended_badly, in_other_encodings, obeys, own, ripgrep, version
from assent.tools.search.scan import globs_of
from assent.tools.search.scope import Scope, Withheld, nothing_withheld
from assent.tools.search.sparing import sparing
from assent.tools.search.telling import Mode, Telling, Told
from assent.tools.search.walking import ignored_below
from assent.tools.text import decode, may_be_text

MOST_TOLD = 1_000
_LONGEST_PART = 60_000
_MOST_PARTS = 4
"""Where more files are in other encodings than that, ours looks through all."""


class GrepArguments(Arguments):
    """What grep takes."""

    pattern: str = Field(
        min_length=1,
        max_length=LONGEST_PATTERN,
        description="A regular expression as Python has them, found within a line; \\w, \\d, \\s mean ASCII.",
    )
    path: str = Field(
        ".",
        min_length=1,
        max_length=LONGEST,
        description="A folder, or one file; relative to the workspace folder or absolute.",
    )
    glob: str | None = Field(
        None, min_length=1, max_length=LONGEST_PATTERN, description="Only files whose paths fit this: `*.{ts,tsx}`."
    )
    ignore_case: bool = Field(False, description="Capital and small letters are the same.")
    ignored: bool = Field(False, description="Also what .gitignore leaves out, and node_modules.")
    context: int = Field(0, ge=0, le=20, description="How many lines before and after each to tell as well.")
    mode: str = Field(
        "lines",
        pattern="^(lines|files|count)$",
        description="`lines`: those that fit; `files`: only which files have one; `count`: how many each has.",
    )
    limit: int = Field(200, ge=1, le=MOST_TOLD, description="How many lines, or files, to tell at most.")


class Grep:
    """Searches files that nobody needs to be asked about; another one only where it is named itself."""

    spec = ToolSpec(
        "grep",
        "Searches the text files below a folder, or one file. Links are not followed. Files that look as if they held"
        " secrets, and those that rules restrict, are only searched where `path` names the file itself.",
        schema_of(GrepArguments),
    )
    category = Category.READ

    def __init__(
        self,
        roots: Roots,
        processes: Processes,
        withheld: Callable[[], Withheld] = lambda: nothing_withheld,
        program: Callable[[tuple[str, ...]], str | None] = lambda _: None,
    ) -> None:
        self._roots = roots
        self._processes = processes
        self._withheld = withheld
        """Asked when it is carried out: what may be told of at that moment."""
        self._program = program
        """Where ripgrep is, outside of these roots; it is used where it finds the same."""

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(GrepArguments, args) or path_fault(str(args.get("path", ".")), self._roots())
        glob = args.get("glob")
        if found is not None:
            return found
        pattern = str(args["pattern"])
        if "\n" in pattern:
            return "The arguments do not fit. pattern: it is found within a line, so it cannot hold a line end"
        return glob_fault("glob", glob) if isinstance(glob, str) else None

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = GrepArguments.model_validate(args)
        place, impossible = await asyncio.to_thread(_look, wanted, self._roots())
        where = "" if place.shown == "." else f" in {place.shown}"
        return Prepared(
            headline=f"Search for {printable(wanted.pattern)}{where}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ, is_directory=place.target.is_folder),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._search(place, wanted),
            impossible=impossible,
        )

    async def _search(self, place: Place, wanted: GrepArguments) -> ToolAnswer:
        scope = await asyncio.to_thread(_scope, place, wanted, self._roots())
        order, withheld = _order(scope, wanted), self._withheld()
        told = Told(Mode(wanted.mode), wanted.context, wanted.limit)
        # Of a single file that it is given, ripgrep does not ask how long it is.
        theirs = order.common and order.file is None and order.declared == NOTHING_DECLARED
        program = await asyncio.to_thread(self._program, self._roots()) if theirs else None
        if program is not None and await self._obeys(program):
            answer = await self._with_ripgrep(program, scope, order, told, withheld)
            if answer is not None:
                return answer
        # Ours finds whatever the other one finds, and says what is wrong with a pattern.
        telling = Telling(scope, told, withheld)
        spared = await sparing(self._processes, order, scope, withheld)
        looked = await look(self._processes, own(spared), telling.take) if isinstance(spared, Order) else spared
        if looked.end.fault:
            raise ToolFault("invalid_pattern", f"The pattern cannot be used: {looked.end.fault}.")
        return await asyncio.to_thread(telling.answer, looked)

    async def _obeys(self, program: str) -> bool:
        """Asked once of each, which may be another one tomorrow under the same name: then it is asked again."""
        try:
            key = (program, await asyncio.to_thread(_changed_at, program))
            if key not in _OBEYING:
                ended = await self._processes.run(version(program), _SECONDS_FOR_VERSION, _MOST_OF_VERSION)
                _OBEYING[key] = ended.code == 0 and obeys(ended.output.text())
        except OSError:
            return False
        return _OBEYING[key]

    async def _with_ripgrep(
        self, program: str, scope: Scope, order: Order, told: Told, withheld: Withheld
    ) -> ToolAnswer | None:
        """What it finds, and what ours finds in the files that it cannot read; None where it could not do it."""
        others = _Others(scope, withheld, await asyncio.to_thread(_left_out, order))
        if await _looked_by_ripgrep(self._processes, in_other_encodings(program, order), others.take) is None:
            return None
        parts = tuple(others.parts())
        if len(parts) > _MOST_PARTS:
            return None
        telling = Telling(scope, told, withheld, others.hides)
        looked = await _looked_by_ripgrep(self._processes, ripgrep(program, order), telling.take)
        await asyncio.to_thread(telling.finish)
        others.are_told = True
        for part in parts if looked is not None else ():
            if looked is not None and looked.end.whole and not looked.enough:
                looked = await look(self._processes, own(replace(order, only=part)), telling.take)
        return await asyncio.to_thread(telling.answer, looked) if looked is not None else None


_OBEYING: dict[tuple[str, int], bool] = {}
_SECONDS_FOR_VERSION = 5.0
_MOST_OF_VERSION = 10_000


def _changed_at(program: str) -> int:
    return Path(program).stat().st_mtime_ns


@dataclass(slots=True)
class _Others:
    """The files in other encodings than UTF-8, as far as they may be told of."""

    scope: Scope
    withheld: Withheld
    left_out: Callable[[tuple[str, ...]], bool]
    names: dict[str, None] = field(default_factory=dict)
    are_told: bool = False
    """It is their turn, by our own program."""

    def hides(self, way: tuple[str, ...]) -> bool:
        """Whether a file is not to be told of now."""
        return self.left_out(way) or (not self.are_told and "/".join(way) in self.names)

    def take(self, hits: Sequence[Hit]) -> bool:
        """Those that can be texts: most of what is not UTF-8 is none, and is seen by how it begins."""
        for hit in hits:
            left_out = self.left_out(tuple(hit.path.split("/")))
            if not left_out and self.scope.may_tell(hit.path, self.withheld, content=True):
                head = self.scope.head(hit.path)
                if may_be_text(head) or decode(head, cut=True) is not None:
                    self.names[hit.path] = None
        return True

    def parts(self) -> Iterator[tuple[str, ...]]:
        """As many at a time as fit into one order."""
        part: list[str] = []
        size = 0
        for name in sorted(self.names):
            size += 2 * len(name.encode("utf-8", "surrogateescape")) + 4
            if part and size > _LONGEST_PART:
                yield tuple(part)
                part, size = [], 0
            part.append(name)
        if part:
            yield tuple(part)


async def _looked_by_ripgrep(processes: Processes, program: Program, take: Take) -> Looked | None:
    """How it went; None where it could not do it, for whatever reason."""
    try:
        looked = await look(processes, program, take)
    except ToolFault:
        return None
    ended_itself = not looked.enough and looked.end.whole
    return None if ended_itself and ended_badly(looked.code) else looked


def _look(wanted: GrepArguments, roots: tuple[str, ...]) -> tuple[Place, ToolFault | None]:
    place = locate(wanted.path, roots)
    return place, searching_obstacle(place)


def _scope(place: Place, wanted: GrepArguments, roots: tuple[str, ...]) -> Scope:
    now = locate(wanted.path, roots)
    if not place.is_still(now):
        raise elsewhere(place.shown, "nothing was searched")
    # What an earlier call has made meanwhile is as good as what was there.
    found = now if place.target.mode is None else place
    never = searching_obstacle(found, agreed=True)
    if never is not None:
        raise never
    if found.target.mode is None:
        raise ToolFault("not_found", f"{place.shown} does not exist.")
    return Scope.of(found, roots)


def _order(scope: Scope, wanted: GrepArguments) -> Order:
    plain = common(wanted.pattern, ignore_case=wanted.ignore_case)
    per_file = {Mode.LINES: wanted.limit + 1, Mode.FILES: 1, Mode.COUNT: 0}
    return Order(
        scope.folder,
        scope.file,
        scope.root,
        globs=(wanted.glob,) if wanted.glob is not None else (),
        ignored=wanted.ignored,
        pattern=wanted.pattern if plain is None else plain,
        common=plain is not None,
        ignore_case=wanted.ignore_case,
        most_lines=per_file[Mode(wanted.mode)],
        declared=scope.declared,
        packages=_packages(),
    )


def _packages() -> str:
    """Where the library lies that tells encodings: found without loading it."""
    found = find_spec("charset_normalizer")
    return str(Path(found.origin).parent.parent) if found is not None and found.origin is not None else ""


def _left_out(order: Order) -> Callable[[tuple[str, ...]], bool]:
    """What ripgrep may find although it is to be left out."""
    ignored = ignored_below(order.folder, order.root, everything=order.ignored)
    globs = tuple(globs_of(order.globs))
    return lambda path: ignored.hides(path) or (bool(globs) and not any(glob.matches(path) for glob in globs))
