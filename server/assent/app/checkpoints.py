"""What runs changed, for the user: listed, shown against what was there before, and rolled back as one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager

from assent.checkpoints import words
from assent.checkpoints.begun import Begun
from assent.checkpoints.book import Book
from assent.checkpoints.finishing import agreed, finish
from assent.checkpoints.kept import Checkpoint, KeptFile
from assent.checkpoints.review import Reviewed, State, digest_of_review, reviewed
from assent.checkpoints.rolling_back import NotRolledBack, remove_new_folders, roll_back
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest, ReviewIsOld
from assent.model.events import Event, Notice, NoticeLevel
from assent.model.ids import SessionId
from assent.runtime.tasks import TaskGroup
from assent.tools.declared_encoding import declared_for
from assent.tools.open_documents import OpenDocuments
from assent.tools.places import Roots, locate
from assent.tools.text import decode
from assent.tools.writing import Writer

logger = logging.getLogger(__name__)

_OLD = "Files changed after this was shown, so nothing was rolled back. Look at it again."
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
    """Files that are as before the run, also where others could not be."""
    left: tuple[tuple[str, str], ...] = ()
    """Files that are as they were, and why."""
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class InChats:
    """What a roll back has to do with the chat whose run it is."""

    busy: Callable[[SessionId], str | None]
    """Why nothing of it can be rolled back at this moment."""
    rest: Callable[[SessionId], AbstractAsyncContextManager[None]]
    """Meanwhile no run of it begins: what is sent waits."""
    tell: Callable[[SessionId, Event], None]
    tell_model: Callable[[SessionId, str], None]
    """Its agent knows this from its next turn on."""
    settle: Callable[[], Awaitable[None]]
    """Returns when what was told is kept."""


class Checkpoints:
    """Asked by the user, never by an agent: nothing here is a tool."""

    def __init__(
        self,
        book: Book,
        roots: Callable[[SessionId], Roots],
        documents: OpenDocuments,
        rolling: TaskGroup,
        chats: InChats,
    ) -> None:
        self.book = book
        self._roots = roots
        self._documents = documents
        self._rolling = rolling
        self._writer = Writer(documents, tasks=rolling)
        self._chats = chats
        self._under_way = 0
        self._server_ends = False

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
        return None if data is None else await asyncio.to_thread(_text_of, path, data, self._roots(session_id)())

    async def found_by_run(self, session_id: SessionId, run_id: str, path: str) -> str | None:
        """The text that the run found there, which is none where it made the file; None where that is not known."""
        try:
            checkpoint = await self.book.get(session_id, run_id)
        except InvalidRequest:
            return None
        file = checkpoint.file(path)
        if file is None:
            return None
        if not file.existed:
            return ""
        data = await self.book.content(checkpoint, file)
        return None if data is None else await asyncio.to_thread(_text_of, path, data, self._roots(session_id)())

    async def roll_back(
        self, session_id: SessionId, run_id: str, digest: str, also_changed: Collection[str]
    ) -> RolledBack:
        """Puts back what was looked at; what changed since only where the user named it.

        Once begun, it is seen to its end, also when whoever asked for it waits no more; the chat tells what came of it.
        """
        self._check_free(session_id)
        review = await self.review(session_id, run_id)
        if review.digest != digest:
            raise ReviewIsOld(_OLD)
        # Looking took its time. From here until the task is started nobody else gets a turn.
        self._check_free(session_id)
        self._under_way += 1
        return await asyncio.shield(self._rolling.start(self._put_back(session_id, review, also_changed), "roll back"))

    def go_on(self, session_id: SessionId) -> None:
        """A chat of an earlier server is here: a roll back in the middle of which that one ended is finished.

        A run that is begun from this moment on waits for it.
        """
        self._rolling.start(self._finish_all(session_id), "finish a roll back")

    def server_ends(self) -> None:
        """From here on nothing that is told is kept: what is not told yet is left to be found by the next server."""
        self._server_ends = True

    async def end(self) -> None:
        """The server ends: what is being rolled back gets a moment, so that it is not left half-done."""
        await self._rolling.finish(LAST_SECONDS)

    def _check_free(self, session_id: SessionId) -> None:
        busy = self._chats.busy(session_id)
        if busy is not None:
            raise InvalidRequest(busy, "params.sessionId")
        if self._under_way:
            raise InvalidRequest(_ROLLING, "params.sessionId")

    async def _put_back(self, session_id: SessionId, review: Review, also_changed: Collection[str]) -> RolledBack:
        chosen = [one for one in review.files if _is_wanted(one, also_changed)]
        left = tuple((one.place.shown, one.note or "") for one in review.files if _is_left(one, chosen))
        async with self._chats.rest(session_id):
            try:
                if not chosen:
                    return RolledBack(left=left)
                done = await self._rolled_back(session_id, review, chosen, left)
            finally:
                # It is told by now: whoever reads that may look at the next one.
                self._under_way -= 1
            await self._over(review.checkpoint.run_id)
        return done

    async def _rolled_back(
        self, session_id: SessionId, review: Review, chosen: Sequence[Reviewed], left: tuple[tuple[str, str], ...]
    ) -> RolledBack:
        run = review.checkpoint
        try:
            await self.book.begin(Begun(run.run_id, session_id, tuple(map(agreed, chosen))))
        except OSError as fault:
            why = words.not_begun(fault.strerror or type(fault).__name__)
            self._warn(session_id, words.failed(why))
            return RolledBack(left=left, fault=why)
        try:
            await roll_back(chosen, self._writer)
        except NotRolledBack as fault:
            self._tell_model(session_id, run, [one.file for one in fault.stuck], ())
            self._warn(session_id, words.failed(str(fault)))
            return RolledBack(_names(fault.stuck), left, str(fault))
        await remove_new_folders([one.file for one in chosen], run.files)
        self._tell_model(session_id, run, [one.file for one in chosen], left)
        self._chats.tell(session_id, Notice(words.rolled_back(_names(chosen), left)))
        return RolledBack(_names(chosen), left)

    async def _finish_all(self, session_id: SessionId) -> None:
        async with self._chats.rest(session_id):
            for begun in await self.book.begun_of(session_id):
                self._under_way += 1
                try:
                    await self._finish(session_id, begun)
                finally:
                    self._under_way -= 1
                await self._over(begun.run_id)

    async def _finish(self, session_id: SessionId, begun: Begun) -> None:
        known = (one for one in await self.book.all_of(session_id) if one.run_id == begun.run_id)
        run = next(known, None)
        end = await finish(begun, run, self._reviewed, self._writer)
        if run is not None:
            self._tell_model(session_id, run, end.restored, end.left)
        self._warn(session_id, words.finished(begun, end))

    async def _over(self, run_id: str) -> None:
        """What is to be said was said. Not before that is kept, the mark goes."""
        if not self._server_ends:
            await self._chats.settle()
            await self.book.over(run_id)

    def _tell_model(
        self, session_id: SessionId, run: Checkpoint, restored: Sequence[KeptFile], left: words.Left
    ) -> None:
        if restored:
            self._chats.tell_model(session_id, words.for_model(run.began, restored, left))

    def _warn(self, session_id: SessionId, text: str) -> None:
        self._chats.tell(session_id, Notice(text, NoticeLevel.WARNING))

    async def _reviewed(self, checkpoint: Checkpoint, file: KeptFile) -> Reviewed:
        content = await self.book.content(checkpoint, file)
        roots = self._roots(SessionId(checkpoint.session_id))()
        place = await asyncio.to_thread(locate, file.path, roots)
        document = await self._documents.find((place.real,))
        return await asyncio.to_thread(reviewed, file, content, roots, document)


def _names(files: Sequence[Reviewed]) -> tuple[str, ...]:
    return tuple(one.place.shown for one in files)


def _is_wanted(one: Reviewed, also_changed: Collection[str]) -> bool:
    return one.can_be_rolled_back and (one.state is not State.CHANGED_SINCE or one.file.path in also_changed)


def _is_left(one: Reviewed, chosen: Collection[Reviewed]) -> bool:
    return one.state is not State.SAME and all(one is not other for other in chosen)


def _text_of(path: str, data: bytes, roots: tuple[str, ...]) -> str | None:
    return decode(data, declared=declared_for(locate(path, roots)))
