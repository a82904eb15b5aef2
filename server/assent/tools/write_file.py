"""write_file: a file gets exactly this content, at once or not at all."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pydantic import Field

from assent.agent.ports import Found, Left, Prepared, ToolAnswer
from assent.model.approval import Risk
from assent.model.calls import Access, PathUse
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import DiffPreview
from assent.tools.change_preview import MAX_BYTES, compare
from assent.tools.disk import digest_of
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST
from assent.tools.obstacles import writing_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.replacing import replace_file
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of


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
        "Writes a text file, replacing what it holds. Missing folders are made.",
        schema_of(WriteFileArguments),
    )
    category = Category.WRITE

    def __init__(self, roots: Roots, writes: Callable[[str], None] = lambda path: None) -> None:
        self._roots = roots
        self._writes = writes
        """Told of each path right before it is written."""

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(WriteFileArguments, args) or path_fault(str(args["path"]), self._roots())
        if found is not None:
            return found
        return _unwritable(WriteFileArguments.model_validate(args).content)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = WriteFileArguments.model_validate(args)
        data = wanted.content.encode("utf-8")
        look = await asyncio.to_thread(_look, wanted, self._roots())
        place, preview = look.place, look.preview
        # It may wait for long, and with many others: no more of it is kept than is needed to carry it out.
        write = partial(asyncio.to_thread, _write, look, wanted, self._roots, self._writes)
        return Prepared(
            headline=f"Write {place.shown} (+{preview.added} −{preview.removed})",
            directory=place.directory,
            preview=preview,
            paths=(look.use,),
            state=f"{place.bound()}|{look.state}>{hashlib.sha256(data).hexdigest()}",
            grant_key=self.spec.name,
            perform=write,
            perform_after=write,
            found=look.found,
            risk=look.risk,
            impossible=look.impossible,
        )


@dataclass(frozen=True, slots=True)
class _Look:
    place: Place
    use: PathUse
    preview: DiffPreview
    state: str
    risk: Risk | None
    impossible: ToolFault | None

    @property
    def found(self) -> Found:
        return Found(self.place.real, self.state)


def _look(wanted: WriteFileArguments, roots: tuple[str, ...]) -> _Look:
    place = locate(wanted.path, roots)
    preview, state, risk = compare(place, wanted.content)
    return _Look(place, place.use(Access.WRITE), preview, state, risk, writing_obstacle(place))


def _unwritable(content: str) -> str | None:
    try:
        size = len(content.encode("utf-8"))
    except UnicodeEncodeError:
        return "The arguments do not fit. content: it holds half of a surrogate pair, which no file can hold"
    if size > MAX_BYTES:
        return f"The arguments do not fit. content: {size} bytes are more than the {MAX_BYTES} that one call may write"
    return None


def _write(
    look: _Look, wanted: WriteFileArguments, roots: Roots, writes: Callable[[str], None], left: tuple[Left, ...] = ()
) -> ToolAnswer:
    place, content = look.place, wanted.content
    data = content.encode("utf-8")
    if not place.is_still(locate(wanted.path, roots())):
        raise elsewhere(place.shown, "nothing was written")
    writes(place.real)
    # The whole content is written, as it was shown, so nothing of theirs has any part in it. What anybody else has put
    # there in between is not among what they made.
    made = look.found.after(left)
    replaced = replace_file(place.target, data, expected=frozenset({look.state, made}), limit=MAX_BYTES)
    notes = [f"Wrote {len(data)} bytes to {place.shown}."]
    if replaced.found != look.state:
        notes.append("That replaces what an earlier call of this run had put there.")
    if not replaced.lasting:
        notes.append("The system failed to confirm that it would outlast a loss of power.")
    changed = Left(place.real, replaced.found, digest_of(data))
    return ToolAnswer(" ".join(notes), path=place.shown, content=content, left=(changed,))
