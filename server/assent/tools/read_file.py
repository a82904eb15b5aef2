"""read_file: the text of a file, or a part of it by lines."""

import asyncio

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.disk import read_regular
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.tools.text import decode, hex_head

MAX_BYTES = 10 * 1024 * 1024
MAX_RESULT = 50_000


class ReadFileArguments(Arguments):
    """What read_file takes."""

    path: str = Field(min_length=1, description="The file, relative to the workspace folder or absolute.")
    offset: int = Field(1, ge=1, description="The first line to read, counted from 1.")
    limit: int | None = Field(None, ge=1, description="How many lines to read; all where not given.")


class ReadFile:
    """Reads text; says so where a file is binary, cut or missing."""

    spec = ToolSpec(
        "read_file",
        "Reads a text file, whole or from a line on.",
        schema_of(ReadFileArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots) -> None:
        self._roots = roots

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(ReadFileArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = ReadFileArguments.model_validate(args)
        place = locate(wanted.path, self._roots())
        return Prepared(
            headline=f"Read {place.shown}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state="",
            grant_key=self.spec.name,
            perform=lambda: asyncio.to_thread(_read, place, wanted, self._roots),
        )


def _read(place: Place, wanted: ReadFileArguments, roots: Roots) -> ToolAnswer:
    if locate(wanted.path, roots()).real != place.real:
        raise ToolFault("changed_since", f"{place.shown} leads somewhere else now; it was not read.")
    content = read_regular(place.real, MAX_BYTES)
    if content is None:
        raise ToolFault("not_found", f"{place.shown} does not exist.")
    text = decode(content.data, cut=not content.whole)
    if text is None:
        raise ToolFault(
            "binary", f"{place.shown} is not text: {content.size} bytes, beginning {hex_head(content.data)}"
        )
    chosen, note = _part(text, wanted)
    if not content.whole:
        note = f"\n[only the first {MAX_BYTES} of {content.size} bytes were read]" + note
    return ToolAnswer(chosen + note, path=place.shown, content=chosen, truncated=bool(note))


def _part(text: str, wanted: ReadFileArguments) -> tuple[str, str]:
    lines = text.splitlines(keepends=True)
    last = len(lines) if wanted.limit is None else wanted.offset - 1 + wanted.limit
    chosen = "".join(lines[wanted.offset - 1 : last])
    if len(chosen) <= MAX_RESULT:
        return chosen, ""
    return chosen[:MAX_RESULT], f"\n[{len(chosen) - MAX_RESULT} more characters; read on with offset and limit]"
