"""Has programs started by the warden. Linux only."""

import os
import socket
import threading
from contextlib import ExitStack
from itertools import count
from tempfile import TemporaryFile

from assent.lazy_dataclasses import dataclass
from assent.runtime import leftovers
from assent.runtime.keeper_hold import KeeperHold
from assent.runtime.orders import order_of
from assent.runtime.pipe_reader import PipeReader
from assent.runtime.pipe_writer import PipeWriter
from assent.runtime.running import Printed, Running, all_over
from assent.runtime.starts import Start, Stream
from assent.runtime.warden.words import Order
from assent.runtime.warden_client import WardenClient

_WAIT_FOR_LOCK = 0.5


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Our ends of what a program reads and prints."""

    readers: tuple[PipeReader, ...]
    writer: PipeWriter | None


class LinuxStarter:
    """Starts programs through one warden, which starts with the first of them."""

    def __init__(self) -> None:
        self.warden = WardenClient()
        self._held: set[KeeperHold] = set()
        self._over = False
        self._ordering = threading.Lock()
        """Held while an order is given: the end, which may come from another thread, then knows of it."""
        self._numbers = count(1)

    async def start(self, start: Start, printed: Printed) -> Running:
        """Raises OSError where it cannot be started."""
        mark = f"{leftovers.own_mark()}-{next(self._numbers)}"
        order = order_of(start, {leftovers.NAME: mark})
        with ExitStack() as ours:
            pipes, hold = self._ordered(order, start, mark, printed, ours)
            pid = await hold.begun(start.argv[0])
            ours.pop_all()
        return Running(pid, hold, hold.life, pipes.readers, pipes.writer)

    def end_all(self) -> None:
        """Kills everything that was started here, and lets nothing more start. Any thread may call."""
        self._over = True
        # Where even ordering one takes too long, the others are ended all the same.
        known = self._ordering.acquire(timeout=_WAIT_FOR_LOCK)
        # A copy is made in one step, whatever the loop does meanwhile.
        for hold in self._held.copy():
            hold.kill()
        if known:
            self._ordering.release()
        self.warden.let_go()

    def _ordered(
        self, order: Order, start: Start, mark: str, printed: Printed, ours: ExitStack
    ) -> tuple[_Pipes, KeeperHold]:
        """Hands the order over. What must be closed where it comes to nothing is put into `ours`."""
        with ExitStack() as theirs:
            written = _written(order.packed(), theirs)
            directory = os.open(start.directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            theirs.callback(os.close, directory)
            readers, ends = [], []
            for stream in Stream:
                end, their_end = os.pipe()
                theirs.callback(os.close, their_end)
                ends.append(their_end)
                readers.append(PipeReader(end, stream, printed))
                ours.callback(readers[-1].close)
            writer = _input(ends, ours, theirs) if start.talks else None
            control, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            theirs.callback(its.close)
            ours.callback(control.close)
            hold = KeeperHold(control, mark, self._held.discard)
            ours.callback(hold.close)
            files = [handle for _, handle in start.files]
            with self._ordering:
                if self._over:
                    raise all_over()
                self._held.add(hold)
                self.warden.order([its.fileno(), written, directory, *ends, *files])
        return _Pipes(tuple(readers), writer), hold


def _input(ends: list[int], ours: ExitStack, theirs: ExitStack) -> PipeWriter:
    """Our end of an input. Theirs is the first of what is passed on."""
    their_end, end = os.pipe()
    theirs.callback(os.close, their_end)
    ends.append(their_end)
    writer = PipeWriter(end)
    ours.callback(writer.close)
    return writer


def _written(data: bytes, stack: ExitStack) -> int:
    # Pythons that were built for very old systems have no files in memory.
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("assent-order", os.MFD_CLOEXEC)
        stack.callback(os.close, handle)
    else:
        handle = stack.enter_context(TemporaryFile(buffering=0)).fileno()  # noqa: SIM115 - the stack is one
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    return handle
