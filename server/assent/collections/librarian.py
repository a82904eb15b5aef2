"""The one thread that reads documents and knows their index; whoever asks waits for it, and not without end.

While documents are read for the first time, a question waits a while; then it is answered from what is there, and says
so. Reading goes on by itself until all is read.
"""

import asyncio
import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from assent.collections import words
from assent.collections.files import index_file
from assent.collections.index import Candidate, Found
from assent.collections.shelf import Shelf, is_busy, is_of_the_disk
from assent.collections.walking import Secrets
from assent.lazy_dataclasses import dataclass
from assent.model.collections import Collection
from assent.model.errors import ToolFault
from assent.model.paths import PathUse
from assent.tools.collection_calls import use_of
from assent.tools.library import Hit, MayShow, Reply, State

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_SECONDS = 20.0
"""How long a question waits for documents to be read."""
_STUCK_SECONDS = 60.0
_SLICE_SECONDS = 0.2
_END_SECONDS = 5.0
"""How long the end of the server waits for what is being read. An index that is cut off is whole all the same."""
_TRIES = 3
MOST_CANDIDATES = 400
_MORE = 8
_MOST_IN_ALL = MOST_CANDIDATES * _MORE**4
"""Where those may not be shown, so many times as many are looked at next, up to this: more than fit into an index."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What there is to be read: the workspace's folders and the collections."""

    folders: tuple[str, ...]
    collections: tuple[Collection, ...]


@dataclass(slots=True)
class _Job:
    """Something for the thread to do."""

    work: "Callable[[_Job], Any]"
    future: "Future[Any]" = field(default_factory=Future)
    until: float = field(default_factory=lambda: monotonic() + PATIENCE_SECONDS)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the thread says to a question."""

    candidates: Mapping[str, list[Candidate]]
    states: Mapping[str, State]
    finished: bool


class Librarian:
    """A `tools.library.Library`. Its thread begins with the first question."""

    def __init__(self, directory: Path, holding: Callable[[], Holding], secrets: Secrets) -> None:
        self._directory = directory
        self._holding = holding
        self._secrets = secrets
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ending = False
        self._shelf: tuple[tuple[str, ...], Shelf] | None = None
        self._unfinished: Holding | None = None

    def collections(self) -> tuple[Collection, ...]:
        """Those that there are now."""
        return self._holding().collections

    async def find(self, names: Sequence[str], query: str, most: int, may_show: MayShow) -> Reply:
        """The best passages of each of these collections that may be shown now."""
        expression = words.expression(query)
        if expression is None:
            raise ToolFault("no_words", "The query has no words to look for: give some that the documents may hold.")
        seen = await self._ask(names, expression)
        chosen = await self._chosen(seen, expression, most, may_show)
        ids = [one.id for found in chosen.values() for one in found]
        holding, shows = self._holding(), self._shows_of(names, may_show)
        shown = await self._do(lambda _: self._shown(holding, expression, ids)) if ids else {}
        hits = {name: tuple(_hits(found, shown)) for name, found in chosen.items()}
        return Reply(hits, _told(seen.states, shows), seen.finished)

    async def _chosen(
        self, seen: _Seen, expression: str, most: int, may_show: MayShow
    ) -> Mapping[str, list[Candidate]]:
        """The best that may be shown, however many there are before them that may not."""
        candidates, holding, limit = dict(seen.candidates), self._holding(), MOST_CANDIDATES
        while True:
            # Between the question and this moment rules may have changed: those of now decide.
            shows = self._shows_of(tuple(candidates), may_show)
            chosen = await asyncio.to_thread(_best, candidates, most, shows)
            short = [name for name, found in candidates.items() if len(chosen[name]) < most and len(found) >= limit]
            if not short or limit >= _MOST_IN_ALL:
                return chosen
            limit *= _MORE
            candidates |= await self._do(partial(self._further, holding, short, expression, limit))

    def _further(
        self, holding: Holding, names: Sequence[str], expression: str, most: int, _: _Job
    ) -> dict[str, list[Candidate]]:
        return self._tried(holding, lambda shelf: {name: shelf.ask(expression, name, most) for name in names})

    async def survey(self, may_show: MayShow) -> Reply:
        """What is known of all of them."""
        names = [one.name for one in self.collections()]
        seen = await self._ask(names, None)
        return Reply({}, _told(seen.states, self._shows_of(names, may_show)), seen.finished)

    async def end(self) -> None:
        """Closes the file. Nothing is answered any more."""
        with self._changed:
            self._ending = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            await asyncio.to_thread(thread.join, _END_SECONDS)

    def _shows_of(self, names: Sequence[str], may_show: MayShow) -> "dict[str, Callable[[str], bool]]":
        """By the name of the collection that is searched: whether a file of it may be shown now."""
        shows = may_show()
        folders = {one.name: one.folders for one in self.collections()}
        return {name: partial(_shows, folders.get(name, ()), shows) for name in names}

    async def _ask(self, names: Sequence[str], expression: str | None) -> _Seen:
        holding = self._holding()
        return await self._do(lambda job: self._seen(holding, names, expression, job))

    async def _do(self, work: Callable[[_Job], T]) -> T:
        job = _Job(work)
        with self._changed:
            if self._ending:
                raise ToolFault("cancelled", "The server is shutting down.")
            self._jobs.append(job)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="collections", daemon=True)
                self._thread.start()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS + _STUCK_SECONDS):
                found: T = await asyncio.wrap_future(job.future)
        except TimeoutError:
            raise ToolFault(
                "index_stuck", "The documents could not be looked through in time; their disk may be slow. Try again."
            ) from None
        return found

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                _settle(job.future, job.work(job))
            except ToolFault as fault:
                _fail(job.future, fault)
            except Exception as fault:
                # Whatever it was, whoever waits must hear of it, and the thread goes on.
                logger.exception("the collections met a fault that was not expected")
                self._unfinished = None
                words = f"The documents could not be searched ({type(fault).__name__}); the server's log says more."
                _fail(job.future, ToolFault("index_failed", words))
        if self._shelf is not None:
            self._shelf[1].close()

    def _next(self) -> _Job | None:
        """What is to be done now: a question, else what is left to be read. None at the end."""
        with self._changed:
            while True:
                if self._ending:
                    for job in self._jobs:
                        _fail(job.future, ToolFault("cancelled", "The server is shutting down."))
                    return None
                if self._jobs:
                    return self._jobs.popleft()
                if self._unfinished is not None:
                    return self._slice(self._unfinished)
                self._changed.wait()

    def _slice(self, holding: Holding) -> _Job:
        """A little of what is left to be read, so that a question never waits for all of it."""

        def go_on(job: _Job) -> None:
            self._tried(holding, lambda shelf: self._bring(shelf, holding, job))

        return _Job(go_on, until=monotonic() + _SLICE_SECONDS)

    def _seen(self, holding: Holding, names: Sequence[str], expression: str | None, job: _Job) -> _Seen:
        def look(shelf: Shelf) -> _Seen:
            finished = self._bring(shelf, holding, job)
            candidates = {name: shelf.ask(expression, name, MOST_CANDIDATES) for name in names} if expression else {}
            return _Seen(candidates, {name: shelf.state(name) for name in names}, finished)

        return self._tried(holding, look)

    def _shown(self, holding: Holding, expression: str, ids: Sequence[int]) -> Mapping[int, Found]:
        return self._tried(holding, lambda shelf: shelf.shown(expression, ids))

    def _bring(self, shelf: Shelf, holding: Holding, job: _Job) -> bool:
        def gone() -> bool:
            return self._ending or job.future.cancelled()

        try:
            finished = shelf.bring(holding.collections, job.until, gone)
        except sqlite3.OperationalError as fault:
            if not (is_busy(fault) and shelf.index.is_open):
                raise
            # Another server writes: what it has read is there to be asked, and the rest comes with the next question.
            self._unfinished = None
            return False
        self._unfinished = None if finished else holding
        return finished

    def _tried(self, holding: Holding, work: Callable[[Shelf], T]) -> T:
        """Does it, and again with a fresh index where the one that is there is damaged."""
        for _ in range(_TRIES):
            shelf = self._shelf_of(holding)
            try:
                return work(shelf)
            except sqlite3.OperationalError as fault:
                if is_busy(fault) and shelf.index.is_open:
                    raise ToolFault("index_busy", "Another server writes the index of documents; try again.") from fault
                _mend(shelf, fault)
            except sqlite3.DatabaseError as fault:
                _mend(shelf, fault)
            except OSError as fault:
                if shelf.index.is_in_memory:
                    raise
                shelf.index.in_memory(fault)
        raise ToolFault("index_failed", "The index of documents could not be made; the server's log says more.")

    def _shelf_of(self, holding: Holding) -> Shelf:
        if self._shelf is not None and self._shelf[0] == holding.folders:
            return self._shelf[1]
        if self._shelf is not None:
            self._shelf[1].close()
        shelf = Shelf(index_file(self._directory, holding.folders), self._secrets)
        self._shelf = holding.folders, shelf
        return shelf


def _mend(shelf: Shelf, fault: sqlite3.Error) -> None:
    if isinstance(fault, sqlite3.OperationalError) and (is_of_the_disk(fault) or is_busy(fault)):
        shelf.index.in_memory(fault)
    else:
        shelf.index.begin_anew(fault)


def _best(
    candidates: Mapping[str, Iterable[Candidate]], most: int, shows: Mapping[str, Callable[[str], bool]]
) -> dict[str, list[Candidate]]:
    return {name: _first(found, most, shows[name]) for name, found in candidates.items()}


def _first(found: Iterable[Candidate], most: int, shows: Callable[[str], bool]) -> list[Candidate]:
    chosen: list[Candidate] = []
    asked: dict[str, bool] = {}
    for one in found:
        if len(chosen) == most:
            break
        if one.path not in asked:
            asked[one.path] = shows(one.path)
        if asked[one.path]:
            chosen.append(one)
    return chosen


def _shows(folders: Sequence[str], shows: Callable[[PathUse, PathUse], bool], path: str) -> bool:
    folder = next((one for one in folders if path.startswith(one.rstrip(os.sep) + os.sep)), None)
    return folder is not None and shows(use_of(path), use_of(folder, is_directory=True))


def _told(states: Mapping[str, State], shows: Mapping[str, Callable[[str], bool]]) -> dict[str, State]:
    """The same, without the names of files that may not be shown."""
    return {
        name: replace(
            state,
            left_out={
                why: (count, tuple(filter(shows[name], paths))) for why, (count, paths) in state.left_out.items()
            },
        )
        for name, state in states.items()
    }


def _hits(found: Iterable[Candidate], shown: Mapping[int, Found]) -> Iterable[Hit]:
    for one in found:
        passage = shown.get(one.id)
        if passage is not None:
            yield Hit(one.path, passage.heading, passage.first, passage.last, passage.snippet, one.score)


def _settle(future: "Future[Any]", result: object) -> None:
    # It may have been cancelled in between.
    with suppress(InvalidStateError):
        future.set_result(result)


def _fail(future: "Future[Any]", fault: ToolFault) -> None:
    with suppress(InvalidStateError):
        future.set_exception(fault)
