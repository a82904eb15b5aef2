"""What the writer has to do, in the order in which it was told."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.store.chain import Link
from assent.store.faults import Unwritable, failed_inside, is_of_the_disk
from assent.store.history import Ledger

logger = logging.getLogger(__name__)


class OneByOne(Exception):
    """Of jobs that were done together one has a fault of its own: nothing of them is kept, each is done for itself."""


@dataclass(slots=True)
class Waiting:
    """Whoever waits for a job, on an event loop of its own."""

    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"


@dataclass(slots=True)
class Job:
    """One thing to do inside a transaction: all of it or nothing. Nobody waits for a lazy one."""

    work: Callable[[sqlite3.Connection], Any]
    waiting: Waiting | None = None
    result: Any = None
    fault: Unwritable | None = None

    def attempt(self, connection: sqlite3.Connection) -> None:
        """Does it together with others, without a way back of its own: OneByOne where it has a fault of its own."""
        self.result, self.fault = None, None
        try:
            self.result = self.work(connection)
        except Exception as fault:
            if _is_of_all(fault, connection):
                raise
            raise OneByOne from fault

    def carry_out(self, connection: sqlite3.Connection) -> None:
        """Does it. A fault of its own undoes this job alone; one of the disk is for the whole transaction."""
        self.result, self.fault = None, None
        appended = getattr(connection, "appended", None)
        connection.execute("SAVEPOINT job")
        try:
            self.result = self.work(connection)
        except Unwritable as fault:
            # Not to be written down as things are, which is said in words already.
            self.fault = fault
            _take_back(connection, appended)
        except Exception as fault:
            if _is_of_all(fault, connection):
                raise
            logger.exception("a job of the store failed")
            self.fault = failed_inside(fault)
            _take_back(connection, appended)
        connection.execute("RELEASE job")

    def tell(self, fault: Unwritable | None = None) -> None:
        """Tells whoever waits what came of it, unless nobody is there any more."""
        waiting = self.waiting
        if waiting is None:
            return
        try:
            waiting.loop.call_soon_threadsafe(_settle, waiting.future, self.result, fault or self.fault)
        except RuntimeError:
            # The loop is closed: who waited is gone.
            logger.debug("nobody waits any more for what was written")


def _take_back(connection: sqlite3.Connection, appended: Link | None) -> None:
    connection.execute("ROLLBACK TO job")
    if isinstance(connection, Ledger):
        connection.appended = appended


def _is_of_all(fault: Exception, connection: sqlite3.Connection) -> bool:
    """Whether the fault is that of the whole transaction: the disk's, or one that has ended it."""
    return isinstance(fault, sqlite3.Error) and (is_of_the_disk(fault) or not connection.in_transaction)


def _settle(future: "asyncio.Future[Any]", result: Any, fault: Unwritable | None) -> None:
    if future.done():
        return
    if fault is None:
        future.set_result(result)
    else:
        future.set_exception(fault)
