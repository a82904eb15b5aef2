"""Starts the warden when it is needed, and hands orders to it. Linux only."""

import socket
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path

from assent.runtime import warden
from assent.runtime.warden.words import START

_unreaped: list[subprocess.Popen[bytes]] = []
"""All wardens that may not have been reaped yet, also those that were let go."""


class WardenClient:
    """One warden at a time. Where it has died, the next order goes to a new one."""

    def __init__(self) -> None:
        self._channel: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closing: weakref.finalize[[], WardenClient] | None = None
        self._using = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The number of its process, while there is one."""
        return self._process.pid if self._process is not None else None

    def order(self, handles: list[int]) -> None:
        """Hands over what is to be started. Raises OSError, and then nothing was handed over."""
        with self._using:
            try:
                self._send(handles)
            except (BrokenPipeError, ConnectionResetError):
                # It had died before: it has not seen the order.
                self._leave()
                self._send(handles)

    def let_go(self) -> None:
        """It ends as soon as its keepers have ended. Any thread may call."""
        with self._using:
            self._leave()

    def _send(self, handles: list[int]) -> None:
        channel = self._channel or self._begin()
        socket.send_fds(channel, [START], handles, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)

    def _begin(self) -> socket.socket:
        _reap()
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - this Python, with a file of this package
                    [sys.executable, "-I", "-S", str(Path(warden.__file__).with_name("__main__.py"))],
                    stdin=its.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env={},
                    start_new_session=True,
                )
            except BaseException:
                ours.close()
                raise
        _unreaped.append(self._process)
        # Where there is no thread for it, it is reaped when the next one begins.
        with suppress(RuntimeError):
            threading.Thread(target=self._process.wait, name="reaper of the warden", daemon=True).start()
        self._channel = ours
        # Whoever forgets to let go lets go all the same.
        self._closing = weakref.finalize(self, ours.close)
        return ours

    def _leave(self) -> None:
        if self._closing is not None:
            self._closing()
        self._channel = self._process = None


def _reap() -> None:
    for process in _unreaped.copy():
        if process.poll() is not None:
            with suppress(ValueError):
                _unreaped.remove(process)
