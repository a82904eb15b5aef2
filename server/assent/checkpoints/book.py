"""The checkpoints of all chats: one for each run that writes, begun with its first write."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from assent.checkpoints.begun import Begun
from assent.checkpoints.kept import Checkpoint, KeptFile
from assent.checkpoints.shelf import MOST_FILE_BYTES, MOST_RUN_FILES, Shelf
from assent.model.errors import InvalidRequest, ToolFault
from assent.model.ids import SessionId
from assent.runtime.clock import Clock
from assent.tools.disk import read_regular
from assent.tools.places import Place

logger = logging.getLogger(__name__)

UNREAD = "It could not be read before it was written, so no copy of it was kept."
MOST_IN_MEMORY = 100


class Book:
    """What is known of the runs of this process stands in memory too; what earlier ones kept, on the disk."""

    def __init__(self, shelf: Shelf, clock: Clock, run_of: Callable[[SessionId], str]) -> None:
        self._shelf = shelf
        self._clock = clock
        self._run_of = run_of
        """The id of the run that goes on in a chat."""
        self._runs: dict[str, Checkpoint] = {}
        self._one_at_a_time = asyncio.Lock()

    def keeping(self, session_id: SessionId) -> "KeepingOfChat":
        """Who keeps what the files were that this chat writes."""
        return KeepingOfChat(self, session_id)

    async def before(self, session_id: SessionId, place: Place) -> str:
        """A run of this chat is about to write this. Says which."""
        run_id = self._run_of(session_id)
        async with self._one_at_a_time:
            if run_id not in self._runs:
                await asyncio.to_thread(self._shelf.tidy)
                self._begin(Checkpoint(run_id, session_id, self._clock.timestamp()))
            checkpoint = self._runs[run_id]
            if checkpoint.file(place.real) is None:
                await self._note(await asyncio.to_thread(self._with, checkpoint, place))
        return run_id

    async def after(self, run_id: str, place: Place, digest: str) -> None:
        """This run has written it."""
        async with self._one_at_a_time:
            checkpoint = self._runs.get(run_id)
            file = checkpoint.file(place.real) if checkpoint is not None else None
            if checkpoint is not None and file is not None:
                await self._note(checkpoint.with_file(replace(file, made=digest)))

    async def all_of(self, session_id: SessionId) -> tuple[Checkpoint, ...]:
        """The runs of this chat that wrote something, the newest first."""
        kept = {one.run_id: one for one in await asyncio.to_thread(self._shelf.all_of, session_id)}
        live = {run_id: one for run_id, one in self._runs.items() if one.session_id == session_id}
        found = sorted({**kept, **live}.values(), key=lambda one: one.began, reverse=True)
        return tuple(one for one in found if any(file.made is not None for file in one.files))

    async def get(self, session_id: SessionId, run_id: str) -> Checkpoint:
        """The checkpoint of this run."""
        found = next((one for one in await self.all_of(session_id) if one.run_id == run_id), None)
        if found is None:
            raise InvalidRequest("nothing is kept of what this run found, or not any more", "params.runId")
        return found

    async def content(self, checkpoint: Checkpoint, file: KeptFile) -> bytes | None:
        """What the file held before the run; None where no copy of that is there."""
        return await asyncio.to_thread(self._shelf.content, checkpoint, file)

    async def begin(self, begun: Begun) -> None:
        """A roll back is about to touch its first file: from here until it is over, that stands on the disk.

        Raises OSError where it cannot be written down.
        """
        checkpoint = await self.get(SessionId(begun.session_id), begun.run_id)
        copies = [file.copy for one in begun.files if (file := checkpoint.file(one.path)) is not None and file.copy]
        await asyncio.to_thread(self._shelf.marks.begin, begun, copies)

    async def over(self, run_id: str) -> None:
        """A roll back of this run is over, and told."""
        await asyncio.to_thread(self._shelf.marks.over, run_id)

    async def begun_of(self, session_id: SessionId) -> list[Begun]:
        """The roll backs of this chat that a server has begun, and of which no end is known."""
        return await asyncio.to_thread(self._shelf.marks.all_of, session_id)

    def _begin(self, checkpoint: Checkpoint) -> None:
        self._runs[checkpoint.run_id] = checkpoint
        while len(self._runs) > MOST_IN_MEMORY:
            del self._runs[next(iter(self._runs))]

    def _with(self, checkpoint: Checkpoint, place: Place) -> Checkpoint:
        if len(checkpoint.files) >= MOST_RUN_FILES:
            return replace(checkpoint, more=checkpoint.more + 1)
        try:
            content = read_regular(place.target, MOST_FILE_BYTES)
        except ToolFault as fault:
            logger.info("a file could not be kept before it was written (%s)", fault.code)
            return checkpoint.with_file(KeptFile(place.real, place.shown, existed=True, why_not=UNREAD))
        return checkpoint.with_file(self._shelf.entry(checkpoint, place, content))

    async def _note(self, checkpoint: Checkpoint) -> None:
        self._runs[checkpoint.run_id] = checkpoint
        await asyncio.to_thread(self._shelf.save, checkpoint)


class KeepingOfChat:
    """What the tools of one chat tell of what they write."""

    def __init__(self, book: Book, session_id: SessionId) -> None:
        self._book = book
        self._session_id = session_id

    async def before(self, place: Place) -> str:
        return await self._book.before(self._session_id, place)

    async def after(self, part_of: str, place: Place, digest: str) -> None:
        await self._book.after(part_of, place, digest)
