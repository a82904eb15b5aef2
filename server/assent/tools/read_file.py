"""read_file: the text of a file, or a part of it by lines."""

import asyncio
from collections.abc import Sequence

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.agent.tool_pictures import shown
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.masking import masked_part
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import Content, read_regular
from assent.tools.encodings import UTF_8, name_of
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST
from assent.tools.obstacles import reading_obstacle
from assent.tools.open_documents import NO_DOCUMENTS, UNSAVED, OpenDocument, OpenDocuments, document_of
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.text import decoded, hex_head, may_be_text, why_no_text

MAX_BYTES = 10 * 1024 * 1024
MAX_RESULT = 50_000
BLOCK = 65_536
_OTHER_COPY = "A smaller or mended copy could be read, where a program here can make one."
UNSAVED_TEXT = "[this is the text in the editor, with changes that are not saved; the file on the disk is another one]"
UNSAVED_TOO_LONG = "[this is the file on the disk; the editor has it open with changes that are not saved]"


class ReadFileArguments(Arguments):
    """What read_file takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )
    offset: int = Field(1, ge=1, description="The first line to read, counted from 1.")
    limit: int | None = Field(None, ge=1, description="How many lines to read; all where not given.")


class ReadFile:
    """Reads text; says so where a file is binary, cut or missing."""

    spec = ToolSpec(
        "read_file",
        "Reads a text file in any usual encoding, whole or from a line on, with what is unsaved in the editor; shows a"
        " picture (PNG, JPEG, WebP, GIF).",
        schema_of(ReadFileArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, documents: OpenDocuments = NO_DOCUMENTS) -> None:
        self._roots = roots
        self._documents = documents

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(ReadFileArguments, args) or path_fault(str(args["path"]), self._roots())

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = ReadFileArguments.model_validate(args)
        place, impossible = await asyncio.to_thread(_look, wanted, self._roots())
        return Prepared(
            headline=f"Read {place.shown}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._read(place, wanted),
            impossible=impossible,
        )

    async def _read(self, place: Place, wanted: ReadFileArguments) -> ToolAnswer:
        document = await document_of(place, self._documents)
        return await asyncio.to_thread(_read, place, wanted, self._roots, document)


def _look(wanted: ReadFileArguments, roots: tuple[str, ...]) -> tuple[Place, ToolFault | None]:
    place = locate(wanted.path, roots)
    return place, reading_obstacle(place)


def _read(place: Place, wanted: ReadFileArguments, roots: Roots, document: OpenDocument | None = None) -> ToolAnswer:
    if not place.is_still(locate(wanted.path, roots())):
        raise elsewhere(place.shown, "it was not read")
    content = read_regular(place.target, MAX_BYTES)
    if content is None:
        raise ToolFault("not_found", f"{place.shown} does not exist.")
    if document is not None and document.dirty:
        return _unsaved(place, wanted, document) or _told(place, wanted, content, UNSAVED_TOO_LONG)
    return _told(place, wanted, content)


def _unsaved(place: Place, wanted: ReadFileArguments, document: OpenDocument) -> ToolAnswer | None:
    """What the user sees in the editor, which is not on the disk yet."""
    if document.unsaved is None:
        return None
    part = _part(document.unsaved, wanted)
    return part.answer(place, (UNSAVED_TEXT,), code=UNSAVED)


def _told(place: Place, wanted: ReadFileArguments, content: Content, flag: str = "") -> ToolAnswer:
    found = decoded(content.data, cut=not content.whole, declared=declared_for(place))
    if found is None:
        return _picture(place, content)
    text, encoding, _ = found
    notes = [flag] if flag else []
    if encoding != UTF_8:
        notes.append(f"[the file is {name_of(encoding)}; write_file and edit_file keep that]")
    if not content.whole:
        notes.append(f"[only the first {MAX_BYTES} of {content.size} bytes were read]")
    return _part(text, wanted).answer(place, notes, whole=content.whole)


def _picture(place: Place, content: Content) -> ToolAnswer:
    """Raises ToolFault where it is none that a model can be sent."""
    looked = shown(place.shown, content.data, content.size)
    if looked is None:
        raise _no_text(place, content)
    text, picture = looked
    if picture is None:
        raise ToolFault("picture_not_sent", f"{text[1:-1].removeprefix('image ')}. {_OTHER_COPY}")
    return ToolAnswer(text, path=place.shown, pictures=(picture,))


def _no_text(place: Place, content: Content) -> ToolFault:
    if may_be_text(content.data):
        return ToolFault("unknown_encoding", f"{place.shown} cannot be read: {why_no_text(content.data)}.")
    head = f"{content.size} bytes, beginning {hex_head(content.data)}"
    return ToolFault("binary", f"{place.shown} is not text: {head}")


@dataclass(frozen=True, slots=True)
class _Part:
    """What is told of a text."""

    chosen: str
    left: int
    """Characters that were wanted and are not told."""
    masked: tuple[str, int]
    """The same with marks for its secrets: one that begins before it is known only here."""

    def answer(self, place: Place, notes: Sequence[str], code: str | None = None, *, whole: bool = True) -> ToolAnswer:
        more = f"[{self.left} more characters; read on with offset and limit]"
        rest = "".join(f"\n{note}" for note in ([more, *notes] if self.left else notes))
        text, count = self.masked
        return ToolAnswer(
            self.chosen + rest,
            path=place.shown,
            content=self.chosen,
            truncated=bool(self.left) or not whole,
            code=code,
            masked=(text + rest, count) if count else None,
        )


def _part(text: str, wanted: ReadFileArguments) -> _Part:
    start = _start_of_line(text, wanted.offset, 0)
    end = len(text) if wanted.limit is None else _start_of_line(text, wanted.limit + 1, start)
    stop = min(end, start + MAX_RESULT)
    return _Part(text[start:stop], end - stop, masked_part(text, start, stop))


def _start_of_line(text: str, number: int, start: int) -> int:
    """Where the line of this number begins, counted from 1 at `start`. Lines are counted, never all held at once."""
    left = number - 1
    while left and start < len(text):
        count = text.count("\n", start, start + BLOCK)
        if count >= left:
            break
        left, start = left - count, start + BLOCK
    for _ in range(left if start < len(text) else 0):
        start = text.find("\n", start) + 1
    return min(start, len(text))
