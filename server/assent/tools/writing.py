"""A file gets new content: in the editor where it is open there, so that it can be undone; on the disk in any case.

What was shown is what is written: an editor has its own line ends and may run a formatter when it saves, so what it
made is read back, and where it is anything else it is put right.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.runtime.tasks import TaskGroup
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import MISSING, Content, digest_of, read_regular
from assent.tools.faults import changed
from assent.tools.form import MARK, read_text
from assent.tools.open_documents import NO_DOCUMENTS, UNSAVED, EditorSilent, OpenDocument, OpenDocuments, document_of
from assent.tools.places import Place
from assent.tools.replacing import replace_file

_NOTHING = "nothing was written"
SILENT, NOT_SAVED = "editor_silent", "not_saved"
"""What becomes of a write that the editor has a part in, as codes of faults."""


class Keeping(Protocol):
    """Who keeps what files were before they are written. It never fails: a write does not wait for it in vain."""

    async def before(self, place: Place) -> str:
        """This is about to be written. Says as part of what."""

    async def after(self, part_of: str, place: Place, digest: str) -> None:
        """It was written, and this stands for what it holds."""


class NothingKept:
    """Where nobody wants to know what was there."""

    async def before(self, place: Place) -> str:
        return ""

    async def after(self, part_of: str, place: Place, digest: str) -> None:
        return


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes are in their place."""

    found: str
    """What stands for that which they replaced, as the user saw it."""
    lasting: bool = True
    """False: the system failed to promise that they will outlast a loss of power."""
    in_editor: bool = False
    """The editor made it, and can undo it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell of how it was done."""
        in_editor = ("It is open in the editor, where it can be undone.",) if self.in_editor else ()
        passing = ("The system failed to confirm that it would outlast a loss of power.",) if not self.lasting else ()
        return (*in_editor, *passing)


class Writer:
    """Of one chat. Each tool that writes a file does it here."""

    def __init__(
        self,
        documents: OpenDocuments = NO_DOCUMENTS,
        keeping: Keeping | None = None,
        writes: Callable[[str], None] = lambda path: None,
        tasks: TaskGroup | None = None,
    ) -> None:
        self._documents = documents
        self._keeping: Keeping = keeping or NothingKept()
        self._writes = writes
        """Told of each path right before it is written."""
        self._tasks = tasks or TaskGroup("writes")

    async def document(self, place: Place) -> OpenDocument | None:
        """The file as the editor has it now, where it is open there."""
        return await document_of(place, self._documents)

    async def put(
        self,
        place: Place,
        data: bytes,
        *,
        expected: frozenset[str],
        limit: int,
        document: OpenDocument | None = None,
    ) -> Written:
        """Puts these bytes in the place of what is there; refuses where that is nothing of what was expected.

        It is seen to its end, also when whoever waits for it is stopped: an editor is not left in the middle of it.
        """
        work = self._tried(self._put(place, data, expected, limit, document))
        done = await asyncio.shield(self._tasks.start(work, "write a file"))
        if isinstance(done, ToolFault):
            raise done
        return done

    async def _tried(self, work: Awaitable[Written]) -> Written | ToolFault:
        """A fault is a result like any other, and none of the task."""
        try:
            return await work
        except ToolFault as fault:
            return fault

    async def _put(
        self, place: Place, data: bytes, expected: frozenset[str], limit: int, document: OpenDocument | None
    ) -> Written:
        self._writes(place.real)
        part_of = await self._keeping.before(place)
        written = None if document is None else await self._in_editor(document, place, data, expected, limit)
        if written is None:
            done = await asyncio.to_thread(replace_file, place.target, data, expected=expected, limit=limit)
            written = Written(done.found, done.lasting)
        await self._keeping.after(part_of, place, digest_of(data))
        return written

    async def _in_editor(
        self, document: OpenDocument, place: Place, data: bytes, expected: frozenset[str], limit: int
    ) -> Written | None:
        """None: it is for the disk alone. Where nothing is unsaved, the editor takes over what changes there."""
        if document.dirty and document.text is None:
            raise _unsaved(place)
        current = await asyncio.to_thread(read_regular, place.target, limit)
        found = document.state(current.digest if current is not None else MISSING)
        if found not in expected:
            raise changed(place.real, _NOTHING)
        text = await asyncio.to_thread(self._as_editor_writes, document, place, current, data)
        if text is None and document.dirty:
            raise _unsaved(place)
        if text is None:
            return None
        await self._replace(document, place, text)
        saved = await self._saved(document)
        return await self._checked(document, place, data, text, found, saved=saved, limit=limit)

    def _as_editor_writes(
        self, document: OpenDocument, place: Place, current: Content | None, data: bytes
    ) -> str | None:
        """The text, where the editor would write just these bytes for it: it keeps the encoding of the file."""
        if not self._documents.writes or current is None or not current.whole:
            return None
        old = read_text(current.data, declared_for(place))
        new = old.form.of_same(data) if old is not None else None
        if old is None or new is None or (new.startswith(MARK) and not old.form.mark):
            return None
        # A document that is not what is on the disk has yet to take that over.
        return new if document.dirty or document.text == old.text else None

    async def _replace(self, document: OpenDocument, place: Place, text: str) -> None:
        try:
            done = await self._documents.replace(document, text)
        except EditorSilent as fault:
            await self._take_back(document, text)
            words = f"The editor, in which {place.shown} is open, did not answer when it was to change it"
            raise ToolFault(SILENT, f"{words}; nothing was written to the disk. It can be tried again.") from fault
        if not done:
            raise changed(place.real, _NOTHING)

    async def _saved(self, document: OpenDocument) -> bool:
        try:
            return await self._documents.save(document)
        except EditorSilent:
            return False

    async def _checked(
        self, document: OpenDocument, place: Place, data: bytes, text: str, found: str, *, saved: bool, limit: int
    ) -> Written:
        """What is on the disk now is what was shown, or is made so."""
        now = await asyncio.to_thread(read_regular, place.target, limit)
        if now is not None and now.digest == digest_of(data):
            return Written(found, in_editor=True)
        if saved:
            beside = frozenset({now.digest if now is not None else MISSING})
            done = await asyncio.to_thread(replace_file, place.target, data, expected=beside, limit=limit)
            return Written(found, done.lasting, in_editor=True)
        await self._take_back(document, text)
        words = f"The editor, in which {place.shown} is open, did not save it; {_NOTHING}."
        raise ToolFault(NOT_SAVED, f"{words} Perhaps it shows why. It can be tried again.")

    async def _take_back(self, document: OpenDocument, text: str) -> None:
        """The document gets its text back, where it still has the one that it got."""
        now = await self._documents.find((document.path,)) if document.text is not None else None
        if now is None or document.text is None or now.text != text:
            return
        try:
            await self._documents.replace(now, document.text)
        except EditorSilent:
            return


def _unsaved(place: Place) -> ToolFault:
    words = f"{place.shown} has changes in the editor that are not saved, and the editor cannot write this."
    return ToolFault(UNSAVED, f"{words} The user has to save or discard them first; {_NOTHING}.")
