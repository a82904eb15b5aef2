"""What runs changed, for the user: listed, shown against what was there before, and rolled back as one."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass

from assent.checkpoints.book import Book
from assent.checkpoints.kept import Checkpoint, KeptFile
from assent.checkpoints.review import Reviewed, State, digest_of_review, reviewed
from assent.checkpoints.rolling_back import remove_new_folders, roll_back
from assent.model.errors import InvalidRequest, ReviewIsOld, ToolFault
from assent.model.events import Event, Notice
from assent.model.ids import SessionId
from assent.runtime.tasks import TaskGroup
from assent.tools.open_documents import OpenDocuments
from assent.tools.places import Roots, locate
from assent.tools.text import decode
from assent.tools.writing import Writer

_OLD = "Files changed after this was shown, so nothing was rolled back. Look at it again."
_BUSY = "A run is active in this chat: stop it, or wait for its end, and then roll back."
_ROLLING = "Another roll back is not over yet: wait for its end, and look at this one again."
LAST_SECONDS = 1.2
"""For which the server waits for the end of a roll back when it ends itself; a client gives it two seconds."""


@dataclass(frozen=True, slots=True)
class Review:
    """All that a run changed, and what stands for that as a whole."""

    checkpoint: Checkpoint
    files: tuple[Reviewed, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class RolledBack:
    """What became of it. Where there is a fault, nothing was rolled back as far as it does not say otherwise."""

    restored: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    """Files that are as they were, and why."""
    fault: str | None = None


class Checkpoints:
    """Asked by the user, never by an agent: nothing here is a tool."""

    def __init__(
        self,
        book: Book,
        roots: Roots,
        documents: OpenDocuments,
        rolling: TaskGroup,
        running: Callable[[SessionId], bool],
        tell: Callable[[SessionId, Event], None],
    ) -> None:
        self.book = book
        self._roots = roots
        self._documents = documents
        self._rolling = rolling
        self._writer = Writer(documents, tasks=rolling)
        self._running = running
        self._tell = tell

    async def of_chat(self, session_id: SessionId) -> tuple[Checkpoint, ...]:
        """The runs of this chat that wrote files, the newest first."""
        return await self.book.all_of(session_id)

    async def review(self, session_id: SessionId, run_id: str) -> Review:
        """What this run changed, as it is at this moment."""
        checkpoint = await self.book.get(session_id, run_id)
        files = [await self._reviewed(checkpoint, file) for file in checkpoint.files if file.made is not None]
        return Review(checkpoint, tuple(files), digest_of_review(files))

    async def text_before(self, session_id: SessionId, run_id: str, path: str) -> str | None:
        """The text that a file had before the run; None where there was none, or no copy of it."""
        checkpoint = await self.book.get(session_id, run_id)
        file = checkpoint.file(path)
        if file is None:
            raise InvalidRequest("this run did not write that file", "params.path")
        data = await self.book.content(checkpoint, file)
        return None if data is None else decode(data)

    async def roll_back(
        self, session_id: SessionId, run_id: str, digest: str, also_changed: Collection[str]
    ) -> RolledBack:
        """Puts back what was looked at; what changed since only where the user named it.

        Once begun, it is seen to its end, also when whoever asked for it waits no more.
        """
        self._check_free(session_id)
        review = await self.review(session_id, run_id)
        if review.digest != digest:
            raise ReviewIsOld(_OLD)
        # Looking took its time. From here until the task is started nobody else gets a turn.
        self._check_free(session_id)
        work = self._put_back(session_id, review, also_changed)
        return await asyncio.shield(self._rolling.start(work, "roll back"))

    async def end(self) -> None:
        """The server ends: what is being rolled back gets a moment, so that it is not left half-done."""
        await self._rolling.finish(LAST_SECONDS)

    def _check_free(self, session_id: SessionId) -> None:
        if self._running(session_id):
            raise InvalidRequest(_BUSY, "params.sessionId")
        if len(self._rolling):
            raise InvalidRequest(_ROLLING, "params.sessionId")

    async def _put_back(self, session_id: SessionId, review: Review, also_changed: Collection[str]) -> RolledBack:
        chosen = [one for one in review.files if _is_wanted(one, also_changed)]
        left = tuple((one.place.shown, one.note or "") for one in review.files if _is_left(one, chosen))
        try:
            await roll_back(chosen, self._writer)
        except ToolFault as fault:
            return RolledBack(left=left, fault=str(fault))
        await remove_new_folders(chosen, review.files)
        restored = tuple(one.place.shown for one in chosen)
        if restored:
            count = "1 file is" if len(restored) == 1 else f"{len(restored)} files are"
            self._tell(session_id, Notice(f"You rolled a run back: {count} as before it."))
        return RolledBack(restored, left)

    async def _reviewed(self, checkpoint: Checkpoint, file: KeptFile) -> Reviewed:
        content = await self.book.content(checkpoint, file)
        place = await asyncio.to_thread(locate, file.path, self._roots())
        document = await self._documents.find((place.real,))
        return await asyncio.to_thread(reviewed, file, content, self._roots(), document)


def _is_wanted(one: Reviewed, also_changed: Collection[str]) -> bool:
    return one.can_be_rolled_back and (one.state is not State.CHANGED_SINCE or one.file.path in also_changed)


def _is_left(one: Reviewed, chosen: Collection[Reviewed]) -> bool:
    return one.state is not State.SAME and all(one is not other for other in chosen)
