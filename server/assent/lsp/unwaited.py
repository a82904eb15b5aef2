"""Writes to a descriptor what it takes without waiting, in as few pieces as can be.

Each piece wakes whoever reads. On a busy machine a reader that is woken for half a message takes the processor from
the one who has the other half.
"""

import os
import select
import socket
import stat
import sys

if sys.platform == "linux":
    import fcntl
    import termios

_LEAST = getattr(select, "PIPE_BUF", 512)
"""Bytes that a pipe takes without waiting, when it says that it takes any."""


class Unwaited:
    """The end of a pipe or of a socket that nobody else writes to meanwhile."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._socket: socket.socket | None = None
        if sys.platform == "linux" and stat.S_ISSOCK(os.fstat(fd).st_mode):
            self._socket = socket.socket(fileno=os.dup(fd))

    def write(self, data: bytes) -> int:
        """Writes from the start of it; how many bytes were taken. Raises OSError where nobody reads any more."""
        if self._socket is not None:
            return _sent(self._socket, data)
        room = self._room()
        return os.write(self._fd, data[:room]) if room else 0

    def close(self) -> None:
        """Gives back what it holds; the descriptor itself stays open."""
        if self._socket is not None:
            self._socket.close()

    def _room(self) -> int:
        """Bytes that can be written without waiting, as far as the system can tell."""
        if sys.platform == "linux" and (whole := _size_of_empty_pipe(self._fd)):
            return whole
        return _LEAST if _takes_any(self._fd) else 0


def _sent(to: socket.socket, data: bytes) -> int:
    try:
        return to.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
    except BlockingIOError:
        return 0


def _size_of_empty_pipe(fd: int) -> int:
    """What it holds altogether; 0 where something waits in it, and where this is no pipe."""
    if sys.platform != "linux":
        return 0
    waiting = bytearray(4)
    try:
        fcntl.ioctl(fd, termios.FIONREAD, waiting)
        return 0 if any(waiting) else fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)
    except OSError:
        return 0


def _takes_any(fd: int) -> bool:
    if sys.platform == "win32":
        return False  # nobody tells there
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    return any(events & select.POLLOUT for _, events in poll.poll(0))
