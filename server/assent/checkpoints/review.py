"""What a run changed: each file as it was before it and as it is now, and whether somebody else changed it since."""

import hashlib
from collections.abc import Iterable
from enum import StrEnum

from assent.checkpoints.kept import KeptFile
from assent.checkpoints.shelf import LOST
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.preview import DiffPreview
from assent.tools.change_preview import Before, look
from assent.tools.declared_encoding import declared_for
from assent.tools.diff import bounded_diff
from assent.tools.disk import MISSING
from assent.tools.form import read_text
from assent.tools.open_documents import OpenDocument
from assent.tools.places import Place, locate

ELSEWHERE = "Its name leads somewhere else now, so it is left as it is."
UNSAVED_NEW = "It is open in the editor with unsaved changes, so it is not removed: save or discard them first."
TOO_LONG = "It is too long by now to be kept while it is rolled back, so it is left as it is."
NOT_TEXT = "It is not text, so its lines cannot be compared."
SINCE = "It changed after the run last wrote it."


class State(StrEnum):
    """How a file stands to what the run found and made."""

    CHANGED = "changed"
    """It is as the run left it, and was there before."""
    CREATED = "created"
    """The same, and it was not there before: rolling back removes it."""
    CHANGED_SINCE = "changed_since"
    """Somebody else changed, made or removed it after the run."""
    SAME = "same"
    """It is as it was before the run."""
    LEFT = "left"
    """It cannot be rolled back; the note says why."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One file, as it would be rolled back."""

    file: KeptFile
    state: State
    now: Before
    before: bytes | None = None
    """What it held before the run."""
    diff: DiffPreview | None = None
    """What became of it, from before the run until now."""
    note: str | None = None

    @property
    def place(self) -> Place:
        return self.now.place

    @property
    def document(self) -> OpenDocument | None:
        return self.now.document

    @property
    def can_be_rolled_back(self) -> bool:
        """Perhaps only with a word of its own."""
        return self.state in (State.CHANGED, State.CREATED, State.CHANGED_SINCE)


def reviewed(file: KeptFile, content: bytes | None, roots: tuple[str, ...], document: OpenDocument | None) -> Reviewed:
    """How this file stands; `content` is the copy of what it held before, where there is one."""
    place = locate(file.path, roots)
    now = look(place, document)
    if place.real != file.path:
        return Reviewed(file, State.LEFT, now, note=ELSEWHERE)
    if now.fault is not None:
        return Reviewed(file, State.LEFT, now, note=str(now.fault))
    if now.content is not None and not now.content.whole:
        return Reviewed(file, State.LEFT, now, note=TOO_LONG)
    if now.state == (file.before if file.existed else MISSING):
        return Reviewed(file, State.SAME, now, content)
    if file.existed and content is None:
        return Reviewed(file, State.LEFT, now, note=file.why_not or LOST)
    if not file.existed and now.is_unsaved:
        return Reviewed(file, State.LEFT, now, note=UNSAVED_NEW)
    return _with_diff(file, content, now)


def digest_of_review(files: Iterable[Reviewed]) -> str:
    """Stands for all that is shown of it: what is rolled back is what was looked at."""
    told = [[one.file.path, one.state.value, one.now.state, one.file.before] for one in files]
    return hashlib.sha256(readable_json(told).encode("utf-8", "surrogatepass")).hexdigest()


def _with_diff(file: KeptFile, content: bytes | None, now: Before) -> Reviewed:
    since = now.state != file.made
    state = State.CHANGED_SINCE if since else State.CHANGED if file.existed else State.CREATED
    old = read_text(content or b"", declared_for(now.place))
    new = now.text.text if now.text is not None else "" if now.content is None else None
    notes = [SINCE] if since else []
    if old is None or new is None:
        return Reviewed(file, state, now, content, note=" ".join([*notes, NOT_TEXT]))
    lines = bounded_diff(old.text, new)
    diff = DiffPreview(
        path=now.place.shown,
        real_path=now.place.real,
        is_new=not file.existed,
        lines=lines.lines,
        added=lines.added,
        removed=lines.removed,
        note=None,
        whole=lines.whole,
    )
    return Reviewed(file, state, now, content, diff, " ".join(notes) or None)
