"""edit_file: parts of a file become others, all of them at once or none."""

import asyncio
import hashlib
from collections.abc import Sequence
from functools import partial

from pydantic import Field

from assent.agent.ports import Found, Left, Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.masking import stray_mark
from assent.model.approval import Risk, RiskLevel
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import Changes, DiffPreview, FileChange
from assent.policy.protected import is_secret
from assent.tools.change_preview import MAX_BYTES, Before, Change, change_of, look
from assent.tools.disk import digest_of
from assent.tools.edits import Edit, replaced, replacements, touched
from assent.tools.faults import changed, elsewhere, masked_text
from assent.tools.form import Form
from assent.tools.names import LONGEST
from assent.tools.obstacles import writing_obstacle
from assent.tools.open_documents import OpenDocument
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.text import why_no_text
from assent.tools.writing import Writer, Written

MOST_EDITS = 200


class EditArguments(Arguments):
    """One replacement."""

    old: str = Field(min_length=1, description="Exactly what stands there now, with all its blanks.")
    new: str = Field(description="What comes in its place; nothing, to take it out.")
    all: bool = Field(False, description="Replace it wherever it is. Otherwise it must be in the file just once.")


class EditFileArguments(Arguments):
    """What edit_file takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )
    edits: list[EditArguments] = Field(
        min_length=1,
        max_length=MOST_EDITS,
        description="Made together, each in the file as it is now: none sees what another does, and none may overlap.",
    )

    @property
    def wanted(self) -> tuple[Edit, ...]:
        """The replacements."""
        return tuple(Edit(one.old, one.new, one.all) for one in self.edits)


class EditFile:
    """Shows the difference that its replacements make, and refuses where the file changes before they are made."""

    spec = ToolSpec(
        "edit_file",
        "Replaces parts of a text file, several at once, all or none. Its line ends and encoding stay.",
        schema_of(EditFileArguments),
    )
    category = Category.WRITE

    def __init__(self, roots: Roots, writer: Writer | None = None) -> None:
        self._roots = roots
        self._writer = writer or Writer()

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(EditFileArguments, args) or path_fault(str(args["path"]), self._roots())
        return found or _unusable(EditFileArguments.model_validate(args).wanted)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = EditFileArguments.model_validate(args)
        place = await asyncio.to_thread(locate, wanted.path, self._roots())
        found = await asyncio.to_thread(_look, place, wanted, await self._writer.document(place))
        preview = found.change.preview
        edit = partial(self._edit, found, wanted)
        return Prepared(
            headline=f"Edit {place.shown} (+{preview.added} −{preview.removed})",
            directory=place.directory,
            preview=preview,
            paths=(place.use(Access.WRITE),),
            state=f"{place.bound()}|{found.change.state}>{found.outcome}",
            grant_key=self.spec.name,
            perform=edit,
            perform_after=edit,
            found=Found(place.real, found.change.state),
            risk=found.change.risk,
            impossible=found.told_at_once,
            impossible_by_content=True,
            changes=partial(self._changes, found, wanted) if found.never is None else None,
        )

    async def _changes(self, found: "_Look", wanted: EditFileArguments) -> Changes:
        place = found.place
        document = await self._writer.document(place)
        before = await asyncio.to_thread(look, place, document)
        if before.fault is None and before.state == found.change.state:
            made = await asyncio.to_thread(_made, before, wanted.wanted)
            change = FileChange(place.shown, place.real, made.text, beside_file=True)
            return Changes((change,), tell_all=True)
        raise changed(place.real, "it has to be looked at again")

    async def _edit(self, found: "_Look", wanted: EditFileArguments, left: tuple[Left, ...] = ()) -> ToolAnswer:
        place = found.place
        if found.never is not None:
            raise found.never
        if not place.is_still(await asyncio.to_thread(locate, wanted.path, self._roots())):
            raise elsewhere(place.shown, "nothing was written")
        document = await self._writer.document(place)
        state, made = await asyncio.to_thread(_again, found, wanted, document, left)
        written = await self._writer.put(
            place, made.data, expected=frozenset({state}), limit=MAX_BYTES, document=document
        )
        return _answer(found, made, written)


@dataclass(frozen=True, slots=True)
class _Made:
    """What the edits make of a file."""

    text: str
    data: bytes
    touched: str
    """Stands for the lines that change, wherever they are: for all that is shown of it."""
    form: Form


@dataclass(frozen=True, slots=True)
class _Look:
    place: Place
    change: Change
    touched: str
    encoded: tuple[str, bytes]
    """In which encoding it was, with which mark."""
    outcome: str
    """Stands for what the file would hold, or says why nothing can be done."""
    never: ToolFault | None

    @property
    def told_at_once(self) -> ToolFault | None:
        """Why it can never work: it tells whether something is in the file, so not where that has to be asked for."""
        hidden = not self.place.inside or any(map(is_secret, (self.place.real, self.place.named)))
        return None if hidden else self.never


def _look(place: Place, wanted: EditFileArguments, document: OpenDocument | None) -> _Look:
    before = look(place, document)
    try:
        made = _made(before, wanted.wanted)
    except ToolFault as fault:
        never = writing_obstacle(place) or fault
        return _Look(place, _nothing(before, never), "", ("", b""), f"{never.code}:{never}", never)
    change = change_of(before, made.text, before.form)
    digest = hashlib.sha256(made.data).hexdigest()
    encoded = (made.form.encoding, made.form.mark)
    return _Look(place, change, made.touched, encoded, digest, writing_obstacle(place))


def _made(before: Before, edits: Sequence[Edit]) -> _Made:
    """Raises ToolFault where nothing can be made of it."""
    if before.fault is not None:
        raise before.fault
    shown = before.place.shown
    if before.content is None:
        raise ToolFault("not_found", f"{shown} does not exist. write_file makes new files.")
    if before.text is None:
        too_long = f"it is longer than the {MAX_BYTES} bytes that one call may change"
        why = why_no_text(before.content.data) if before.content.whole else too_long
        raise ToolFault("not_text", f"{shown} cannot be edited: {why}.")
    text = before.text.text
    for edit in edits:
        # What does not stand there cannot be found there, so a mark that does is a part of the file like any other.
        mark = stray_mark(edit.old, text) or stray_mark(edit.new, edit.old)
        if mark is not None:
            raise masked_text(shown, mark)
    found = replacements(text, edits)
    new = replaced(text, found)
    data = before.form.encoded(new)
    if data == before.data:
        raise ToolFault("no_change", f"These edits leave {shown} as it is.")
    if len(data) > MAX_BYTES:
        raise ToolFault("too_long", f"{shown} would hold {len(data)} bytes; one call writes {MAX_BYTES} at most.")
    lines = hashlib.sha256()
    for old_lines, new_lines in touched(text, found):
        lines.update(readable_json([old_lines, new_lines]).encode())
    return _Made(new, data, lines.hexdigest(), before.form)


def _nothing(before: Before, why: ToolFault) -> Change:
    """For a person who is asked although nothing can come of it."""
    told = f"This cannot be done: {why}"
    preview = DiffPreview(before.place.shown, before.place.real, is_new=False, lines=(), added=0, removed=0, note=told)
    return Change(preview, before.state, Risk(RiskLevel.MEDIUM, (told,)))


def _again(
    found: _Look, wanted: EditFileArguments, document: OpenDocument | None, left: tuple[Left, ...]
) -> tuple[str, _Made]:
    """The state in which the file is now, and what the edits make of it."""
    before = look(found.place, document)
    # What calls of this run made of it, whose cards the user saw together with this one, is no surprise.
    expected = Found(found.place.real, found.change.state).after(left)
    if before.fault is not None:
        raise before.fault
    if before.state not in (found.change.state, expected):
        raise changed(found.place.real, "nothing was written")
    return before.state, _made_again(before, wanted.wanted, found)


def _answer(found: _Look, made: _Made, written: Written) -> ToolAnswer:
    place = found.place
    notes = [f"Edited {place.shown}: {_count(found.change.preview)}."]
    if made.form.is_other:
        notes.append(f"It stays {made.form.named}.")
    if written.found != found.change.state:
        notes.append("That is made in what an earlier call of this run had put there.")
    notes += written.notes
    changes = Left(place.real, written.found, digest_of(made.data))
    return ToolAnswer(" ".join(notes), path=place.shown, content=made.text, left=(changes,))


def _made_again(before: Before, edits: Sequence[Edit], found: _Look) -> _Made:
    """The same lines become the same as was shown, or nothing is done."""
    try:
        made = _made(before, edits)
    except ToolFault as fault:
        raise ToolFault("changed_since", f"An earlier call changed this file meanwhile. {fault}") from fault
    if made.touched != found.touched or (made.form.encoding, made.form.mark) != found.encoded:
        raise changed(before.place.real, "other lines would change than those that were shown, so nothing was written")
    return made


def _count(preview: DiffPreview) -> str:
    lines = "line" if preview.added == 1 else "lines"
    return f"{preview.added} {lines} added, {preview.removed} removed"


def _unusable(edits: Sequence[Edit]) -> str | None:
    for number, edit in enumerate(edits):
        start = f"The arguments do not fit. edits.{number}"
        if edit.old == edit.new:
            return f"{start}: old and new are the same"
        try:
            (edit.old + edit.new).encode("utf-8")
        except UnicodeEncodeError:
            return f"{start}: it holds half of a surrogate pair, which no file can hold"
    size = sum(len(edit.new) for edit in edits)
    return (
        f"The arguments do not fit. edits: together they hold more than {MAX_BYTES} characters"
        if size > MAX_BYTES
        else None
    )
