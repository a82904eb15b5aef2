"""write_file: a file gets this content, in the form that it has, at once or not at all."""

import asyncio
import hashlib
from functools import partial

from pydantic import Field

from assent.agent.ports import Found, Left, Prepared, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.masking import stray_mark
from assent.model.calls import Access, PathUse
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import Changes, FileChange
from assent.tools.change_preview import MAX_BYTES, Change, change_of, look
from assent.tools.disk import digest_of
from assent.tools.faults import MASKED_TEXT, elsewhere, masked_text
from assent.tools.form import AS_GIVEN, Form, as_kept
from assent.tools.names import LONGEST
from assent.tools.obstacles import writing_obstacle
from assent.tools.open_documents import OpenDocument
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.writing import Writer, Written


class WriteFileArguments(Arguments):
    """What write_file takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )
    content: str = Field(description="The whole new content.")


class WriteFile:
    """Shows the difference to what is there now, and refuses to write where that changes before it runs."""

    spec = ToolSpec(
        "write_file",
        "Writes a text file, replacing what it holds. Missing folders are made. A file that is there keeps its encoding"
        " (which must have all characters of the content) and byte order mark, and its CRLF line ends where the content"
        " has plain ones.",
        schema_of(WriteFileArguments),
    )
    category = Category.WRITE

    def __init__(self, roots: Roots, writer: Writer | None = None, *, exact: bool = False) -> None:
        self._roots = roots
        self._writer = writer or Writer()
        self._exact = exact

    def exactly(self) -> "WriteFile":
        """The same for whoever counts on each byte: exactly the given characters, as UTF-8."""
        return WriteFile(self._roots, self._writer, exact=True)

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(WriteFileArguments, args) or path_fault(str(args["path"]), self._roots())
        if found is not None:
            return found
        return _unwritable(WriteFileArguments.model_validate(args).content)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = WriteFileArguments.model_validate(args)
        place = await asyncio.to_thread(locate, wanted.path, self._roots())
        document = await self._writer.document(place)
        found = await asyncio.to_thread(_look, place, wanted, document, exact=self._exact)
        preview = found.change.preview
        # It may wait for long, and with many others: no more of it is kept than is needed to carry it out.
        write = partial(self._write, found, wanted)
        return Prepared(
            headline=f"Write {place.shown} (+{preview.added} −{preview.removed})",
            directory=place.directory,
            preview=preview,
            paths=(found.use,),
            state=f"{place.bound()}|{found.change.state}>{found.digest}",
            grant_key=self.spec.name,
            perform=write,
            perform_after=write,
            found=found.found,
            risk=found.change.risk,
            impossible=found.impossible,
            changes=partial(_changes, found, wanted),
        )

    async def _write(self, found: "_Look", wanted: WriteFileArguments, left: tuple[Left, ...] = ()) -> ToolAnswer:
        place, content = found.place, as_kept(wanted.content, found.form)
        if found.impossible is not None and found.impossible.code == MASKED_TEXT:
            raise found.impossible
        data = found.form.encoded(content)
        if len(data) > MAX_BYTES:
            raise too_long(len(data))
        if not place.is_still(await asyncio.to_thread(locate, wanted.path, self._roots())):
            raise elsewhere(place.shown, "nothing was written")
        # The whole content is written, as it was shown, so nothing of theirs has any part in it. What anybody else has
        # put there in between is not among what they made.
        expected = frozenset({found.change.state, found.found.after(left)})
        document = await self._writer.document(place)
        written = await self._writer.put(place, data, expected=expected, limit=MAX_BYTES, document=document)
        return _answer(found, wanted, content, data, written)


@dataclass(frozen=True, slots=True)
class _Look:
    place: Place
    use: PathUse
    change: Change
    form: Form
    digest: str
    impossible: ToolFault | None

    @property
    def found(self) -> Found:
        return Found(self.place.real, self.change.state)


async def _changes(found: _Look, wanted: WriteFileArguments) -> Changes:
    text = as_kept(wanted.content, found.form)
    change = FileChange(found.place.shown, found.place.real, text, beside_file=found.change.of_text)
    return Changes((change,), tell_all=True)


def _look(place: Place, wanted: WriteFileArguments, document: OpenDocument | None, *, exact: bool) -> _Look:
    before = look(place, document)
    form = AS_GIVEN if exact else before.form
    change = change_of(before, wanted.content, form)
    never = writing_obstacle(place) or before.never
    try:
        data = form.encoded(as_kept(wanted.content, form))
    except ToolFault as fault:
        # What the file holds decides about it: of a file that has to be asked for, that is told once it is allowed.
        return _Look(place, place.use(Access.WRITE), change, form, fault.code, never or fault)
    mark = stray_mark(wanted.content, before.text.text if before.text is not None else "")
    never = never or (masked_text(place.shown, mark) if mark is not None else None)
    never = never or (too_long(len(data)) if len(data) > MAX_BYTES else None)
    return _Look(place, place.use(Access.WRITE), change, form, hashlib.sha256(data).hexdigest(), never)


def too_long(size: int) -> ToolFault:
    """A file would become longer than one call may make it."""
    return ToolFault("too_long", f"The file would hold {size} bytes; one call writes {MAX_BYTES} at most.")


def _unwritable(content: str) -> str | None:
    try:
        size = len(content.encode("utf-8"))
    except UnicodeEncodeError:
        return "The arguments do not fit. content: it holds half of a surrogate pair, which no file can hold"
    if size > MAX_BYTES:
        return f"The arguments do not fit. content: {size} bytes are more than the {MAX_BYTES} that one call may write"
    return None


def _answer(found: _Look, wanted: WriteFileArguments, content: str, data: bytes, written: Written) -> ToolAnswer:
    place = found.place
    notes = [f"Wrote {len(data)} bytes to {place.shown}."]
    if found.form.is_other:
        notes.append(f"It is {found.form.named}.")
    if content != wanted.content:
        notes.append("The line ends and the encoding are those that the file had.")
    if written.found != found.change.state:
        notes.append("That replaces what an earlier call of this run had put there.")
    notes += written.notes
    changed = Left(place.real, written.found, digest_of(data))
    return ToolAnswer(" ".join(notes), path=place.shown, content=content, left=(changed,))
