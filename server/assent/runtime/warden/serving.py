"""Takes orders, and forks a keeper for each. What a keeper that was killed leaves behind, the warden ends."""

import errno
import os
import select
import signal
import socket

from assent.runtime.warden import family, kernel
from assent.runtime.warden.keeper import Keeper
from assent.runtime.warden.program import Handles
from assent.runtime.warden.words import FAULT, LONGEST_MESSAGE, MOST_HANDLES, said, unpacked

_DEAF_TO = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_PAUSE = 50
"""Milliseconds between two attempts to end what a dead keeper left."""


def main() -> None:
    """Serves until the server is gone and every keeper has done its work."""
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    kernel.prctl(kernel.SET_NAME, b"assent-warden")
    kernel.prctl(kernel.TAKE_ORPHANS, 1)
    channel = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    _Warden(channel).serve()


class _Warden:
    def __init__(self, channel: socket.socket) -> None:
        self._channel: socket.socket | None = channel
        self._keepers: set[int] = set()
        self._woken, self._wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._poll = select.poll()
        self._poll.register(self._woken, select.POLLIN)
        self._poll.register(channel.fileno(), select.POLLIN)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        strangers = False
        while self._channel is not None or self._keepers or strangers:
            happened = {handle for handle, _ in self._poll.poll(_PAUSE if strangers else None)}
            if self._woken in happened:
                os.read(self._woken, 4_096)
            if happened - {self._woken} and self._channel is not None:
                self._take_order(self._channel)
            strangers = self._reap()
            if strangers:
                family.kill_all(os.getpid(), without=self._keepers)

    def _take_order(self, channel: socket.socket) -> None:
        try:
            word, handles, flags, _ = socket.recv_fds(channel, LONGEST_MESSAGE, MOST_HANDLES, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            word, handles, flags = b"", [], 0
        if not word:
            self._poll.unregister(channel.fileno())
            channel.close()
            self._channel = None
            return
        try:
            if flags & socket.MSG_CTRUNC:
                _refuse(handles, errno.EMFILE)
            else:
                self._fork_keeper(channel, handles)
        finally:
            for handle in handles:
                os.close(handle)

    def _fork_keeper(self, channel: socket.socket, handles: list[int]) -> None:
        try:
            pid = os.fork()
        except OSError as fault:
            _refuse(handles, fault.errno)
            return
        if pid == 0:
            try:
                channel.close()
                os.close(self._woken)
                os.close(self._wake)
                _keep(handles)
            finally:
                os._exit(0)
        self._keepers.add(pid)

    def _reap(self) -> bool:
        """Whether there are children that are no keepers: a keeper was killed, and what it kept came here."""
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return any(pid not in self._keepers for pid in family.children(os.getpid()))
            self._keepers.discard(pid)


def _keep(handles: list[int]) -> None:
    control_handle, order_handle, *others = handles
    control = socket.socket(fileno=control_handle)
    try:
        order = unpacked(_whole(order_handle))
        os.close(order_handle)
        keeper = Keeper(control, order, Handles(*others))
    except (OSError, MemoryError) as fault:
        control.send(said(FAULT, "a process of its own", getattr(fault, "errno", None) or errno.ENOMEM))
        return
    keeper.run()


def _whole(handle: int) -> bytes:
    size = os.fstat(handle).st_size
    data = b""
    while len(data) < size and (piece := os.pread(handle, size - len(data), len(data))):
        data += piece
    return data


def _refuse(handles: list[int], number: int | None) -> None:
    """The warden itself goes on: it only has no process, or no handles, for this one now."""
    if not handles:
        return
    control = socket.socket(fileno=handles[0])
    try:
        control.send(said(FAULT, "a process of its own", number))
    except OSError:
        # Nobody is there to be told.
        return
    finally:
        control.detach()
