"""A file as it is and as it would be, for people: the lines that change, and what the lines alone do not show."""

from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.media.opaque import opaque
from assent.model.approval import Risk, RiskLevel
from assent.model.errors import ToolFault
from assent.model.preview import DiffPreview
from assent.tools.declared_encoding import declared_for
from assent.tools.diff import bounded_diff
from assent.tools.disk import MISSING, Content, read_regular
from assent.tools.form import AS_GIVEN, CRLF, LF, Form, Text, as_kept, form_of, form_of_new, line_end_of, read_text
from assent.tools.open_documents import UNSAVED, OpenDocument
from assent.tools.places import Place
from assent.tools.text import why_no_text

MAX_BYTES = 10 * 1024 * 1024
_WITH_UNSAVED = "The file has unsaved changes in the editor: they are part of what is there now, and saved with it."


@dataclass(frozen=True, slots=True)
class Before:
    """What is there now."""

    place: Place
    content: Content | None = None
    """None: nothing is there, or it cannot be read."""
    text: Text | None = None
    fault: ToolFault | None = None
    """Why it cannot be read."""
    document: OpenDocument | None = None
    """The file as the editor has it open: where something is unsaved there, that is the text."""

    @property
    def is_unsaved(self) -> bool:
        """Whether the text is one that only the editor has."""
        return self.document is not None and self.document.dirty

    @property
    def never(self) -> ToolFault | None:
        """Why nothing can be made of it before the user has done something about it."""
        return self.fault if self.fault is not None and self.fault.code == UNSAVED and self.place.inside else None

    @property
    def data(self) -> bytes:
        """The bytes of that which is there, as the user sees it."""
        if self.is_unsaved and self.text is not None:
            return self.text.form.encoded(self.text.text)
        return self.content.data if self.content is not None else b""

    @property
    def form(self) -> Form:
        """What a new content keeps of it; of a file that is not there, what its folder's settings say of new ones."""
        if self.content is None and self.fault is None:
            return form_of_new(declared_for(self.place))
        return self.text.form if self.text is not None else AS_GIVEN

    @property
    def state(self) -> str:
        """What stands for that which is there."""
        if self.fault is not None:
            return self.fault.code
        on_disk = MISSING if self.content is None else self.content.digest
        return on_disk if self.document is None else self.document.state(on_disk)


@dataclass(frozen=True, slots=True)
class Change:
    """What a card says of it."""

    preview: DiffPreview
    state: str
    risk: Risk | None = None
    of_text: bool = False
    """What is there now is a text."""


def look(place: Place, document: OpenDocument | None = None) -> Before:
    """Reads what is there, as far as one call may change it; of a file that is open in the editor, as it is there."""
    try:
        content = read_regular(place.target, MAX_BYTES) if "\0" not in place.real else None
    except ToolFault as fault:
        return Before(place, fault=fault)
    text = read_text(content.data, declared_for(place)) if content is not None and content.whole else None
    if document is None or not document.dirty:
        return Before(place, content, text, document=document)
    return _unsaved(place, content, text, document)


def _unsaved(place: Place, content: Content | None, text: Text | None, document: OpenDocument) -> Before:
    typed = document.unsaved
    if content is None or text is None or typed is None or not _can_be_saved(typed, text.form):
        words = f"{place.shown} is open in the editor with unsaved changes, and they cannot be looked at from here"
        return Before(place, fault=ToolFault(UNSAVED, f"{words}: the user has to save or discard them first."))
    form = replace(text.form, line_end=line_end_of(typed))
    return Before(place, content, Text(typed, form), document=document)


def _can_be_saved(text: str, form: Form) -> bool:
    try:
        form.encoded(text)
    except ToolFault:
        return False
    return True


def compare(place: Place, content: str) -> tuple[DiffPreview, str, Risk | None]:
    """What changes by exactly this content, a digest of what is there now, and what to look out for."""
    change = change_of(look(place), content, AS_GIVEN)
    return change.preview, change.state, change.risk


def change_of(before: Before, content: str, form: Form) -> Change:
    """What changes where the file gets this content in this form."""
    new = as_kept(content, form)
    if before.fault is not None:
        told = str(before.fault)
        return Change(_preview(before, "", new, told), before.state, Risk(RiskLevel.HIGH, (told,)))
    if before.content is None:
        return Change(_preview(before, "", new, None), before.state)
    if before.text is None:
        note = f"What is there now is not shown: {_why_hidden(before.content)}."
        return Change(_preview(before, "", new, note), before.state, Risk(RiskLevel.MEDIUM, (note,)))
    beside = _beside_lines(before.data, before.text, new, content, form)
    notes = (_WITH_UNSAVED if before.is_unsaved else None, beside)
    note = " ".join(one for one in notes if one)
    return Change(_preview(before, before.text.text, new, note or None), before.state, of_text=True)


def _why_hidden(current: Content) -> str:
    return why_no_text(current.data) if current.whole else f"it is {current.size} bytes long"


def _preview(before: Before, old: str, new: str, note: str | None) -> DiffPreview:
    diff = bounded_diff(old, new)
    # Where its lines are shown, they are told of there.
    found = None if diff.whole else opaque(new)
    told = f"What would be written is this: {found.words()}." if found is not None else None
    return DiffPreview(
        path=before.place.shown,
        real_path=before.place.real,
        is_new=before.state == MISSING,
        lines=diff.lines,
        added=diff.added,
        removed=diff.removed,
        note=" ".join(one for one in (told, note) if one) or None,
        whole=diff.whole,
    )


def _beside_lines(data: bytes, before: Text, new: str, given: str, form: Form) -> str | None:
    """What a diff by lines does not show, or does not explain."""
    notes, old = [], before.text
    try:
        written = form.encoded(new)
    except ToolFault as fault:
        return str(fault)
    # A mark among the characters that are given, or a zero, makes something else of the file.
    after = form if form.is_other and (form.mark or "\0" not in new) else form_of(written)
    if data == written:
        notes.append("The content stays the same.")
    elif after is None:
        notes.append("The file would be no text any more: it would hold NUL characters.")
    elif (after.encoding, after.mark) != (before.form.encoding, before.form.mark):
        notes.append(f"The encoding changes: the file becomes {after.named}.")
    elif old.replace(CRLF, LF) == new.replace(CRLF, LF):
        notes.append("Only line ends change.")
    if old.endswith(LF) and new and not new.endswith(LF):
        notes.append("The new content has no line end at its end.")
    if old and not old.endswith(LF) and new.endswith(LF):
        notes.append("The new content has a line end at its end.")
    if CRLF in old and CRLF not in new:
        notes.append("Line ends change from CRLF to LF.")
    if CRLF in new and CRLF not in old:
        notes.append("Line ends change from LF to CRLF.")
    return " ".join((*notes, *_what_stays(given, new, form))) or None


def _what_stays(given: str, new: str, form: Form) -> list[str]:
    """What is written otherwise than it was given, because the file has it so."""
    notes = []
    if form.mark or form.is_other:
        notes.append(f"It stays {form.named}.")
    if form.line_end == CRLF and new.count(CRLF) != given.count(CRLF):
        notes.append("Its line ends stay CRLF.")
    return notes
