"""A file as it is and as it would be, for people: the lines that change, and what the lines alone do not show."""

from assent.model.approval import Risk, RiskLevel
from assent.model.errors import ToolFault
from assent.model.preview import DiffPreview
from assent.tools.diff import bounded_diff
from assent.tools.disk import MISSING, Content, read_regular
from assent.tools.places import Place
from assent.tools.text import decode

MAX_BYTES = 10 * 1024 * 1024


def compare(place: Place, content: str) -> tuple[DiffPreview, str, Risk | None]:
    """What changes, a digest of what is there now, and what to look out for."""
    try:
        current = read_regular(place.target, MAX_BYTES) if "\0" not in place.real else None
    except ToolFault as fault:
        return _unreadable(place, content, str(fault)), fault.code, Risk(RiskLevel.HIGH, (str(fault),))
    if current is None:
        return _preview(place, "", content, is_new=True, note=None), MISSING, None
    old = decode(current.data) if current.whole else None
    if old is None:
        note = f"What is there now is not shown: {_why_hidden(current)}."
        return _unreadable(place, content, note), current.digest, Risk(RiskLevel.MEDIUM, (note,))
    shown = _preview(place, old, content, is_new=False, note=_beside_lines(current.data, old, content))
    return shown, current.digest, None


def _why_hidden(current: Content) -> str:
    return "it is not text" if current.whole else f"it is {current.size} bytes long"


def _preview(place: Place, old: str, new: str, *, is_new: bool, note: str | None) -> DiffPreview:
    diff = bounded_diff(old, new)
    return DiffPreview(
        path=place.shown,
        real_path=place.real,
        is_new=is_new,
        lines=diff.lines,
        added=diff.added,
        removed=diff.removed,
        note=note,
        whole=diff.whole,
    )


def _unreadable(place: Place, new: str, note: str) -> DiffPreview:
    return _preview(place, "", new, is_new=False, note=note)


def _beside_lines(data: bytes, old: str, new: str) -> str | None:
    """What a diff by lines does not show, or does not explain."""
    notes = []
    if data == new.encode("utf-8"):
        notes.append("The content stays the same.")
    elif data != old.encode("utf-8") and not new.startswith("\ufeff"):
        notes.append("The encoding changes: the file becomes UTF-8 without a byte order mark.")
    elif old.replace("\r\n", "\n") == new.replace("\r\n", "\n"):
        notes.append("Only line ends change.")
    if old.endswith("\n") and new and not new.endswith("\n"):
        notes.append("The new content has no line end at its end.")
    if old and not old.endswith("\n") and new.endswith("\n"):
        notes.append("The new content has a line end at its end.")
    if "\r\n" in old and "\r\n" not in new:
        notes.append("Line ends change from CRLF to LF.")
    if "\r\n" in new and "\r\n" not in old:
        notes.append("Line ends change from LF to CRLF.")
    return " ".join(notes) or None
