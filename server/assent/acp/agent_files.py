"""Files that an agent has the client read and write, as tools of the gate: what it then does is done here, as asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from assent.acp.claimed_look import Change
from assent.acp.promises import Promise, Promises
from assent.agent.ports import Prepared, Tool, ToolAnswer, wrapped
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, OfGuest
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.change_preview import MAX_BYTES
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import read_regular
from assent.tools.faults import elsewhere
from assent.tools.obstacles import reading_obstacle
from assent.tools.open_documents import OpenDocument, OpenDocuments, document_of
from assent.tools.places import Place, Roots, locate
from assent.tools.text import decode, why_no_text

_AGREED = "You allowed exactly this with a call of the agent that is still under way."


@dataclass(frozen=True)
class Reading:
    """What an agent wants of a file."""

    path: str
    line: int | None = None
    limit: int | None = None


class ReadForAgent:
    """Gives an agent the text of a file, exactly, or the lines of it that it wants."""

    spec = ToolSpec("read_file", "Reads a text file for an agent.", {"type": "object"})
    category = Category.READ

    def __init__(
        self,
        wanted: Reading,
        roots: Roots,
        give: Callable[[str], None],
        documents: OpenDocuments,
        *,
        missing_is_empty: bool,
    ) -> None:
        self._wanted = wanted
        self._roots = roots
        self._give = give
        self._documents = documents
        self._missing_is_empty = missing_is_empty

    def fault(self, args: JsonObject) -> str | None:
        return None

    async def prepare(self, args: JsonObject) -> Prepared:
        place = await asyncio.to_thread(locate, self._wanted.path, self._roots())
        return Prepared(
            headline=f"Read {place.shown}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._read(place),
            editable=False,
        )

    async def _read(self, place: Place) -> ToolAnswer:
        document = await document_of(place, self._documents)
        text = await asyncio.to_thread(self._text, place, document)
        self._give(text)
        return ToolAnswer(f"The agent got {len(text)} characters of {place.shown}.", path=place.shown)

    def _text(self, place: Place, document: OpenDocument | None) -> str:
        if not place.is_still(locate(self._wanted.path, self._roots())):
            raise elsewhere(place.shown, "nothing was read")
        content = read_regular(place.target, MAX_BYTES)
        if content is None:
            if self._missing_is_empty:
                return ""
            raise reading_obstacle(place) or ToolFault("not_found", f"{place.shown} does not exist.")
        if document is not None and document.unsaved is not None:
            return self._part(document.unsaved)
        text = decode(content.data, declared=declared_for(place)) if content.whole else None
        if text is None:
            why = why_no_text(content.data) if content.whole else f"it is longer than {MAX_BYTES} bytes"
            raise ToolFault("not_text", f"{place.shown} cannot be read: {why}.")
        return self._part(text)

    def _part(self, text: str) -> str:
        wanted = self._wanted
        if wanted.line is None and wanted.limit is None:
            return text
        lines = text.splitlines(keepends=True)
        begin = max((wanted.line or 1) - 1, 0)
        return "".join(lines[begin : None if wanted.limit is None else begin + max(wanted.limit, 0)])


class WriteForAgent:
    """Writes a file for an agent. What the user agreed to with the agent's own call is not asked for twice."""

    def __init__(self, writing: Tool, promises: Promises) -> None:
        self._writing = writing
        self._promises = promises

    @property
    def spec(self) -> ToolSpec:
        return self._writing.spec

    @property
    def category(self) -> Category:
        return self._writing.category

    def fault(self, args: JsonObject) -> str | None:
        return self._writing.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        prepared = await self._writing.prepare(args)
        promised = Change.to(str(args["content"]), prepared.paths[0].real)
        return kept_promise(prepared, promised, self._promises)


def kept_promise(prepared: Prepared, promised: Promise, promises: Promises) -> Prepared:
    """The same call, where it is what the user agreed to with another one: once."""
    if promises.holds(promised) is None:
        return replace(prepared, editable=False)

    async def once(run: Callable[[], Awaitable[ToolAnswer]]) -> ToolAnswer:
        if not promises.use(promised):
            raise ToolFault("changed_since", "What was allowed was done by another call meanwhile; this did not run.")
        return await run()

    return replace(wrapped(prepared, once), guest=OfGuest(agreed=_AGREED), editable=False)
