"""The one thread that writes. What is queued goes to the disk together, in order; who waits is told after it is there.

What nobody waits for is written within a hundredth of a second, or with the next thing that somebody waits for: soon
enough that a click seldom waits for what was said long before it. When the disk does not take it, those who wait are
told so, and what nobody waits for is tried again with the next write.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from assent.store.database import Database
from assent.store.faults import Unwritable, ended, failed_inside, no_thread
from assent.store.jobs import Job, OneByOne, Waiting

logger = logging.getLogger(__name__)

T = TypeVar("T")

LAZY_SECONDS = 0.01
RETRY_SECONDS = 2.0
_MOST_TOGETHER = 256
MOST_LAZY = 20_000
"""Jobs that nobody waits for and that are kept while the disk takes nothing; the oldest are given up first."""


class Writer:
    """Takes jobs from any thread. Its own thread begins with the first of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._urgent = 0
        self._ending = False
        self._given_up = 0
        self.trouble: str | None = None

    def do(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        """Queues work that nobody waits for."""
        if not self._put(Job(work)):
            logger.warning("something came to be written down after the store had ended; it is not kept")

    async def ask(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does the work after all that was queued before, and returns when it would survive a power cut.

        Raises NotRecorded: then nothing of it is kept. One that is cancelled may still be done.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._put(Job(work, Waiting(loop, future))):
            raise ended()
        return await future

    async def settle(self) -> None:
        """Returns when what was queued is written, or cannot be written for now. Touches nothing where nothing was."""
        if self._thread is not None and not self._ending:
            with suppress(Unwritable):
                await self.ask(lambda connection: None)

    async def end(self) -> None:
        """Writes what is queued and closes the file. Nothing is taken any more."""
        with self._changed:
            self._ending = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            await asyncio.to_thread(thread.join)

    def _put(self, job: Job) -> bool:
        with self._changed:
            if self._ending:
                return False
            if not self._has_thread() and job.waiting is not None:
                raise no_thread()
            self._jobs.append(job)
            if job.waiting is not None:
                self._urgent += 1
                self._changed.notify()
            elif len(self._jobs) == 1:
                # Behind others it changes nothing: the thread has seen those, and waits for its time to be over.
                self._changed.notify()
        return True

    def _has_thread(self) -> bool:
        """Whether somebody writes, from now on at the latest. Where no thread can be started, the next job tries."""
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="store", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                logger.error("no thread could be started to write things down")  # noqa: TRY400 - it says no more
                return False
            self._thread = thread
        return True

    def _run(self) -> None:
        while batch := self._next():
            try:
                self._carry_out(batch)
            except BaseException as fault:
                # Whatever it was, whoever waits must hear of it, and the thread goes on.
                logger.critical("the store met a fault that it did not expect", exc_info=fault)
                self._failed(batch, failed_inside(fault))
        try:
            self._database.end()
        except sqlite3.Error as fault:
            logger.error("the database could not be closed (%s)", fault)  # noqa: TRY400

    def _next(self) -> list[Job]:
        """What is to be written together now; empty at the end."""
        with self._changed:
            while not self._jobs and not self._ending:
                self._changed.wait()
            pause = RETRY_SECONDS if self.trouble else LAZY_SECONDS
            self._changed.wait_for(lambda: self._urgent or self._ending, pause)
            batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), _MOST_TOGETHER))]
            self._urgent -= sum(job.waiting is not None for job in batch)
            return batch

    def _carry_out(self, batch: list[Job]) -> None:
        try:
            self._do_together(batch)
        except Unwritable as fault:
            self._failed(batch, fault)
            return
        self.trouble = None
        for job in batch:
            job.tell()

    def _do_together(self, batch: list[Job]) -> None:
        """A way back for each job costs more than the job: it is only made where one of them needs it."""
        try:
            self._database.run(lambda connection: _each(batch, lambda job: job.attempt(connection)))
        except OneByOne:
            self._database.run(lambda connection: _each(batch, lambda job: job.carry_out(connection)))

    def _failed(self, batch: list[Job], fault: Unwritable) -> None:
        if self.trouble != str(fault):
            logger.error("%s", fault)
        self.trouble = str(fault)
        with self._changed:
            # Those behind could not be written before these: they are told now and do not wait for nothing.
            behind, self._jobs = list(self._jobs), deque()
            self._urgent = 0
        everything = [*batch, *behind]
        for job in everything:
            job.tell(fault)
        self._keep_for_later([job for job in everything if job.waiting is None])

    def _keep_for_later(self, lazy: list[Job]) -> None:
        with self._changed:
            if self._ending:
                logger.error("%s things were not written down, because the disk did not take them", len(lazy))
                return
            self._jobs.extendleft(reversed(lazy))
            surplus = len(self._jobs) - MOST_LAZY
            if surplus > 0:
                self._give_up(surplus)

    def _give_up(self, surplus: int) -> None:
        kept: deque[Job] = deque()
        for job in self._jobs:
            if surplus and job.waiting is None:
                surplus -= 1
                self._given_up += 1
            else:
                kept.append(job)
        self._jobs = kept
        logger.error("%s things could not be written down and are given up", self._given_up)


def _each(batch: list[Job], do: Callable[[Job], None]) -> None:
    for job in batch:
        do(job)
