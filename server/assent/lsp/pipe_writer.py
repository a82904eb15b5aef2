"""Writes to the client's pipe: what it has room for at once, the rest in a thread, which alone waits for the client.

A client that does not read stops nobody but that thread.
"""

import logging
import os
import select
import sys
import threading
from collections.abc import Callable

from assent.lsp.outbox import Outbox
from assent.lsp.unwaited import Unwaited
from assent.runtime.turns import OnceTheTurnEnds

SLICE = 64 * 1024

log = logging.getLogger(__name__)


class PipeWriter:
    """Empties an outbox into a descriptor. Calls `on_broken` once, from its thread, when nobody reads any more."""

    def __init__(self, fd: int, outbox: Outbox, on_broken: Callable[[], None]) -> None:
        self._fd = fd
        self._outbox = outbox
        self._on_broken = on_broken
        self._unwaited = Unwaited(fd)
        self._bell = _Doorbell(fd)
        # What is said in one turn of the loop goes out together: each waking costs more than the message. And what was
        # clicked goes on before the page is told of it.
        outbox.wake = OnceTheTurnEnds(self._hand_out).ask
        self._turn = threading.Lock()
        """Held by whoever takes from the outbox, until it is written or put aside: nothing overtakes anything."""
        self._aside = b""
        """Taken from the outbox first, and for the thread to write."""
        # A daemon: a client that never reads keeps it inside of write() for ever.
        self._thread = threading.Thread(target=self._run, name="client-writer", daemon=True)

    def start(self) -> None:
        """Begins to write."""
        self._thread.start()

    def stop(self, within: float) -> bool:
        """Ends the thread. False when it is stuck in a write."""
        self._outbox.close()
        self._bell.ring()
        self._thread.join(within)
        return not self._thread.is_alive()

    def _hand_out(self) -> None:
        # The thread would have to wait for the loop, which may have more to do than to tell of this.
        if not self._written_at_once():
            self._bell.ring()

    def _written_at_once(self) -> bool:
        """Writes what waits, as far as there is room for it now; says whether that was all. Never waits."""
        if not self._thread.is_alive() or not self._turn.acquire(blocking=False):
            return False
        try:
            if not self._aside:
                self._aside = self._outbox.take()
            if len(self._aside) <= SLICE:
                self._write_what_fits()
        except OSError:
            # The thread meets the same, and says so.
            return False
        else:
            return self._outbox.size == 0
        finally:
            self._turn.release()

    def _write_what_fits(self) -> None:
        while self._aside and not self._outbox.closed and (count := self._unwaited.write(self._aside)):
            self._aside = self._aside[count:]
            self._outbox.written(count)

    def _run(self) -> None:
        try:
            while not self._outbox.closed:
                if self._write_next():
                    continue
                if self._bell.wait_for_ring():
                    raise BrokenPipeError
        except OSError as fault:
            if not self._outbox.closed:
                log.info("the client does not read any more: %s", type(fault).__name__)
            self._outbox.close()
            self._on_broken()
        finally:
            self._bell.close()
            self._unwaited.close()

    def _write_next(self) -> bool:
        with self._turn:
            data, self._aside = self._aside or self._outbox.take(), b""
            self._write(data)
        return bool(data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and not self._outbox.closed:
            count = os.write(self._fd, rest[:SLICE])
            self._outbox.written(count)
            rest = rest[count:]


class _Doorbell:
    """Wakes the writer when there is something to write, and where the system can tell also when the reader is gone."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rung = threading.Event()
        self._lock = threading.Lock()
        self._pipe: tuple[int, int] | None = None
        if sys.platform != "win32":
            self._pipe = os.pipe()

    def ring(self) -> None:
        """There is something to do."""
        if self._rung.is_set():
            return
        self._rung.set()
        with self._lock:
            if self._pipe is not None:
                os.write(self._pipe[1], b"!")

    def wait_for_ring(self) -> bool:
        """Waits; True when the reader is gone."""
        if self._pipe is None:
            self._rung.wait()
            self._rung.clear()
            return False
        return self._poll(self._pipe[0])

    def close(self) -> None:
        """Gives the descriptors back."""
        with self._lock:
            if self._pipe is not None:
                os.close(self._pipe[0])
                os.close(self._pipe[1])
                self._pipe = None

    def _poll(self, ring_fd: int) -> bool:
        if sys.platform == "win32":
            return False  # select knows no pipes there
        poll = select.poll()
        poll.register(ring_fd, select.POLLIN)
        poll.register(self._fd, 0)  # hang-up and error are always reported
        ready = dict(poll.poll())
        if ring_fd in ready:
            os.read(ring_fd, 1)
            self._rung.clear()
        return bool(ready.get(self._fd, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL))
