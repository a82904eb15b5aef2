"""Files that an agent has the client read and write, as tools of the gate: what it then does is done here, as asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from assent.acp.claimed_look import Change
from assent.acp.promises import Promise, Promises
from assent.agent.ports import Prepared, Tool, ToolAnswer, wrapped
from assent.agent.secrets_in_results import SecretsRule
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_tokens, masked_part
from assent.masking.marks import MARK
from assent.masking.restoring import restored
from assent.model.calls import Access, OfGuest
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.model.secrets_reading import SecretsReading
from assent.tools.change_preview import MAX_BYTES
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import read_regular
from assent.tools.faults import elsewhere
from assent.tools.obstacles import reading_obstacle
from assent.tools.open_documents import OpenDocument, OpenDocuments, document_of
from assent.tools.places import Place, Roots, locate
from assent.tools.text import decode, why_no_text

_PIECE = 500_000
_BY_HAND = "The agent would get what looks like secrets, and `assent.secrets.reading` says that you are asked."
_AGREED = "You allowed exactly this with a call of the agent that is still under way."


@dataclass(frozen=True, slots=True)
class Reading:
    """What an agent wants of a file."""

    path: str
    line: int | None = None
    limit: int | None = None


class ReadForAgent:
    """Gives an agent the text of a file, exactly but for secrets, or the lines of it that it wants."""

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
        secrets: SecretsRule,
    ) -> None:
        self._wanted = wanted
        self._roots = roots
        self._give = give
        self._documents = documents
        self._missing_is_empty = missing_is_empty
        self._secrets = secrets

    def fault(self, args: JsonObject) -> str | None:
        return None

    async def prepare(self, args: JsonObject) -> Prepared:
        place = await asyncio.to_thread(locate, self._wanted.path, self._roots())
        asks = self._secrets.reading() is SecretsReading.ASK and await self._holds_secrets(place)
        return Prepared(
            headline=f"Read {place.shown}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state=f"{place.bound()}{' with secrets' if asks else ''}",
            grant_key=self.spec.name,
            perform=lambda: self._read(place, as_it_is=asks),
            guest=OfGuest(by_hand=_BY_HAND if asks else ""),
            editable=False,
        )

    async def _holds_secrets(self, place: Place) -> bool:
        document = await document_of(place, self._documents)
        try:
            text = await asyncio.to_thread(self._text, place, document)
        except ToolFault:
            return False
        return (await asyncio.to_thread(self._part, text))[1] > 0

    async def _read(self, place: Place, *, as_it_is: bool) -> ToolAnswer:
        document = await document_of(place, self._documents)
        text = await asyncio.to_thread(self._text, place, document)
        as_it_is = as_it_is or self._secrets.reading() is SecretsReading.SHOW
        part, count = await asyncio.to_thread(self._part, text, as_it_is=as_it_is)
        self._give(part)
        marks = f", with marks for {count} secrets in it" if count else ""
        return ToolAnswer(f"The agent got {len(part)} characters of {place.shown}{marks}.", path=place.shown)

    def _text(self, place: Place, document: OpenDocument | None) -> str:
        if not place.is_still(locate(self._wanted.path, self._roots())):
            raise elsewhere(place.shown, "nothing was read")
        content = read_regular(place.target, MAX_BYTES)
        if content is None:
            if self._missing_is_empty:
                return ""
            raise reading_obstacle(place) or ToolFault("not_found", f"{place.shown} does not exist.")
        if document is not None and document.unsaved is not None:
            return document.unsaved
        text = decode(content.data, declared=declared_for(place)) if content.whole else None
        if text is None:
            why = why_no_text(content.data) if content.whole else f"it is longer than {MAX_BYTES} bytes"
            raise ToolFault("not_text", f"{place.shown} cannot be read: {why}.")
        return text

    def _part(self, text: str, *, as_it_is: bool = False) -> tuple[str, int]:
        """What is wanted of it, and how many secrets are masked there."""
        wanted = self._wanted
        start, end = 0, len(text)
        if wanted.line is not None or wanted.limit is not None:
            lines = text.splitlines(keepends=True)
            begin = max((wanted.line or 1) - 1, 0)
            start = sum(map(len, lines[:begin]))
            end = start + sum(map(len, lines[begin : None if wanted.limit is None else begin + max(wanted.limit, 0)]))
        if as_it_is:
            return text[start:end], 0
        return _masked(text, start, end, self._secrets.known())


class Unmasking:
    """Puts secrets back where an agent writes marks that it has read."""

    def __init__(self, roots: Roots, documents: OpenDocuments, secrets: SecretsRule) -> None:
        self._roots = roots
        self._documents = documents
        self._secrets = secrets

    async def __call__(self, path: str, content: str) -> str:
        """The content as it is, where there is nothing to put back or it is not sure where."""
        if MARK.search(content) is None:
            return content
        place = await asyncio.to_thread(locate, path, self._roots())
        document = await document_of(place, self._documents)
        return await asyncio.to_thread(self._restored, place, document, content)

    def _restored(self, place: Place, document: OpenDocument | None, content: str) -> str:
        try:
            found = read_regular(place.target, MAX_BYTES)
        except ToolFault:
            return content
        old = document.unsaved if document is not None else None
        if old is None and found is not None and found.whole:
            old = decode(found.data, declared=declared_for(place))
        if old is None:
            return content
        masked, _ = _masked(old, 0, len(old), self._secrets.known())
        return restored(content, old, masked) or content


def _masked(text: str, start: int, end: int, known: frozenset[str]) -> tuple[str, int]:
    """A part of a text with marks for its secrets, and how many there are: piece by piece, because a long text at once
    would hold up everything else."""
    pieces, count = list[str](), 0
    while start < end:
        stop = min(text.find("\n", start + _PIECE) + 1 or end, end)
        piece, found = masked_part(text, start, stop)
        piece, more = mask_tokens(piece, known)
        pieces.append(piece)
        count, start = count + found + more, stop
    return "".join(pieces), count


class WriteForAgent:
    """Writes a file for an agent. What the user agreed to with the agent's own call is not asked for twice."""

    def __init__(self, writing: Tool, promises: Promises, unmasked: Callable[[str, str], Awaitable[str]]) -> None:
        """`unmasked` gives a text for a path with the secrets in it that its file holds behind marks."""
        self._writing = writing
        self._promises = promises
        self._unmasked = unmasked

    @property
    def spec(self) -> ToolSpec:
        return self._writing.spec

    @property
    def category(self) -> Category:
        return self._writing.category

    def fault(self, args: JsonObject) -> str | None:
        return self._writing.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        content = await self._unmasked(str(args["path"]), str(args["content"]))
        if content != args["content"]:
            # Another text than the one that a promise could be about.
            return replace(await self._writing.prepare({**args, "content": content}), editable=False)
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
