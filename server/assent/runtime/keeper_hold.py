"""Holds a program by the socket of its keeper: when it closes, the keeper kills all of it. Linux only."""

import asyncio
import errno
import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from assent.runtime import leftovers
from assent.runtime.running import Life, happens
from assent.runtime.starts import Exit, exit_of
from assent.runtime.warden.words import ENDED, FAULT, GONE, KILL, LONGEST_MESSAGE, STARTED, TERMINATE, heard

logger = logging.getLogger(__name__)

MOST_SECONDS = 30.0
"""For which it is waited until a program has begun."""


class KeeperHold:
    """One command and its keeper, from the order on."""

    def __init__(self, control: socket.socket, mark: str, forget: Callable[["KeeperHold"], None]) -> None:
        self.life = Life()
        self._control = control
        self._mark = mark
        self._forget = forget
        self._loop = asyncio.get_running_loop()
        self._sending = threading.Lock()
        """A socket is not closed while another thread sends through it: its number could be another one's by then."""
        self._begun = asyncio.Event()
        self._pid = 0
        self._fault: OSError | None = None
        self._program = ""
        control.setblocking(False)
        self._loop.add_reader(control.fileno(), self._hear)

    async def begun(self, program: str) -> int:
        """The number of the process, when it runs. Raises OSError where it could not be started."""
        if not await happens(self._begun, MOST_SECONDS):
            raise OSError(errno.ETIMEDOUT, f"it did not begin within {MOST_SECONDS:.0f} seconds")
        if self._fault is not None:
            fault = self._fault
            raise OSError(fault.errno, fault.strerror, program) if fault.filename else fault
        return self._pid

    def terminate(self) -> None:
        """Asks the program's group to end."""
        self._send(TERMINATE)

    def kill(self) -> None:
        """Kills all of it. Any thread may call."""
        self._send(KILL)

    def close(self) -> None:
        """Lets go of it, which kills what is left."""
        with suppress(RuntimeError, ValueError, OSError):
            # The loop, or the socket, may be closed by now.
            self._loop.remove_reader(self._control.fileno())
        with self._sending:
            self._control.close()
        self._forget(self)

    def _send(self, word: bytes) -> None:
        # Where nobody is there to hear it, there is nothing left to be told.
        with self._sending, suppress(OSError):
            self._control.send(word, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)

    def _hear(self) -> None:
        try:
            data = self._control.recv(LONGEST_MESSAGE)
        except (BlockingIOError, InterruptedError, ConnectionResetError):
            # It is reset where a keeper has ended without reading all it was told; what it had said comes after that.
            return
        except OSError:
            data = b""
        if data:
            self._take(heard(data))
        else:
            self._loop.remove_reader(self._control.fileno())
            if not self.life.gone.is_set():
                self._lost()

    def _take(self, words: tuple[object, ...]) -> None:
        match words:
            case (str(kind), int(pid)) if kind == STARTED:
                self._pid = pid
                self._begun.set()
            case (str(kind), str(step), int(number)) if kind == FAULT:
                self._refused(step, number)
            case (str(kind), int(status), str() | None as limit) if kind == ENDED:
                self.life.tell_ended(exit_of(os.waitstatus_to_exitcode(status), limit))
            case (str(kind), str() | None as limit) if kind == GONE:
                self.life.tell_gone(limit)

    def _refused(self, step: str, number: int) -> None:
        words = os.strerror(number)
        self._fault = OSError(number, f"{step}: {words}") if step else OSError(number, words, "it")
        self._begun.set()
        self.life.tell_gone()

    def _lost(self) -> None:
        """The keeper was killed. The kernel kills its program; what else it kept is looked for by its mark."""
        logger.warning("the keeper of process %d was ended by somebody else", self._pid)
        self._fault = OSError(errno.ECONNRESET, "what was to start it was ended by somebody else")
        self._begun.set()
        self.life.tell_ended(Exit(None, "SIGKILL"))
        threading.Thread(target=self._kill_by_mark, name="leftovers", daemon=True).start()

    def _kill_by_mark(self) -> None:
        leftovers.kill_marked(self._mark)
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.life.tell_gone)
