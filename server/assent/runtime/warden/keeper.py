"""Keeps one command: starts it, watches it, says how it ended, and leaves nothing of it behind.

Whatever the program starts stays below its keeper, in whichever session or group: what loses its parent is given to the
keeper by the kernel. So nothing is left exactly when the keeper has no children left.
"""

import os
import select
import signal
import socket

from assent.runtime.warden import family, kernel, words
from assent.runtime.warden.bounds import Watch, in_words
from assent.runtime.warden.program import Handles, become

_FIRST_PAUSE, _LAST_PAUSE = 0.002, 0.5
"""Seconds between two attempts to kill what is left."""


class Keeper:
    """One command. It is made in the process that keeps it, which does nothing else and ends after `run`."""

    def __init__(self, control: socket.socket, order: words.Order, handles: Handles) -> None:
        self._control = control
        self._order = order
        self._handles = handles
        self._watch = Watch(order)
        self._poll = select.poll()
        self._woken, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._wake = wake
        self._news = -1
        self._program = -1
        self._told_start = False
        self._told_end = False
        self._status: int | None = None
        self._limit: str | None = None
        self._killing: float | None = None
        """While all is being killed: the pause until the next attempt."""

    def run(self) -> None:
        """Returns when nothing of the command is left."""
        try:
            self._begin()
        except OSError as fault:
            self._say(words.FAULT, "a process of its own", fault.errno)
            return
        while not self._step():
            pass
        self._say(words.GONE, self._limit)

    def _begin(self) -> None:
        os.setsid()
        kernel.prctl(kernel.SET_NAME, b"assent-keeper")
        kernel.prctl(kernel.TAKE_ORPHANS, 1)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._news, tell = os.pipe2(os.O_CLOEXEC)
        keeper = os.getpid()
        self._program = os.fork()
        if self._program == 0:
            try:
                become(self._order, self._handles, tell, keeper)
            finally:
                os._exit(127)
        os.close(tell)
        self._handles.close()
        for handle in (self._woken, self._news, self._control.fileno()):
            self._poll.register(handle, select.POLLIN)

    def _step(self) -> bool:
        """Waits for whatever happens next, and deals with it. True when nothing is left."""
        pauses = [pause for pause in (self._killing, self._watch.pause) if pause is not None]
        happened = {handle for handle, _ in self._poll.poll(1_000 * min(pauses) + 1 if pauses else None)}
        if self._woken in happened:
            os.read(self._woken, 4_096)
        if self._news in happened:
            self._hear_of_the_start()
        if self._control.fileno() in happened:
            self._obey()
        alone = self._reap()
        if self._status is not None and self._told_start and not self._told_end:
            self._told_end = True
            self._say(words.ENDED, self._status, self._reason())
        if alone:
            return self._news < 0
        self._keep_bounds()
        if self._killing is not None:
            family.kill_all(os.getpid())
            self._killing = min(2 * self._killing, _LAST_PAUSE)
        return False

    def _hear_of_the_start(self) -> None:
        fault = os.read(self._news, words.LONGEST_MESSAGE)
        self._poll.unregister(self._news)
        os.close(self._news)
        self._news = -1
        if fault:
            self._say(words.FAULT, *words.heard(fault))
            self._kill()
        else:
            self._told_start = True
            self._say(words.STARTED, self._program)

    def _obey(self) -> None:
        try:
            word = self._control.recv(words.LONGEST_MESSAGE)
        except OSError:
            word = b""
        if word == words.TERMINATE:
            self._terminate()
        elif word == words.KILL:
            self._kill()
        elif not word:
            # The server let go, or died.
            self._poll.unregister(self._control.fileno())
            self._kill()

    def _terminate(self) -> None:
        try:
            if self._status is None:
                os.killpg(self._program, signal.SIGTERM)
            else:
                family.tell_group(os.getpid(), self._program, signal.SIGTERM)
        except OSError:
            # Nothing is left of the group, or it has not even begun.
            return

    def _kill(self) -> None:
        if self._killing is None:
            self._killing = _FIRST_PAUSE
            family.kill_all(os.getpid())

    def _keep_bounds(self) -> None:
        if self._killing is None and (limit := self._watch.exceeded()) is not None:
            self._limit = limit
            self._kill()

    def _reap(self) -> bool:
        """True when there is nobody left to be waited for."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self._program:
                self._status = status

    def _reason(self) -> str | None:
        too_large = self._status is not None and os.WIFSIGNALED(self._status)
        if too_large and self._order.file_bytes is not None and os.WTERMSIG(self._status or 0) == signal.SIGXFSZ:
            return f"a file of more than {in_words(self._order.file_bytes)}"
        return self._limit

    def _say(self, *told: str | int | None) -> None:
        try:
            self._control.send(words.said(*told))
        except OSError:
            # Nobody is there to be told.
            return
