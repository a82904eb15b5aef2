"""Traps: programs, modules and an address that leave a mark when anything starts, imports or contacts them."""

import contextlib
import socket
import stat
import threading
from pathlib import Path
from shlex import quote
from typing import Self

CONTACTED = "something connected to the trap's address"


class Traps:
    """A folder of marks, one for each trap that was sprung, and a listener that notes every connection."""

    def __init__(self, folder: Path) -> None:
        self._marks = folder
        self._marks.mkdir(parents=True)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._ended = False
        self._thread = threading.Thread(target=self._listen, name="trap", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def address(self) -> tuple[str, int]:
        """Where the listener waits."""
        host, port = self._socket.getsockname()
        return host, port

    @property
    def url(self) -> str:
        """The same, for settings that take one."""
        host, port = self.address
        return f"http://{host}:{port}"

    def mark(self, name: str) -> Path:
        """The file that this trap leaves."""
        return self._marks / name

    def program(self, file: Path, name: str) -> str:
        """Makes `file` a program that leaves its mark, and returns its path."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{self.command(name)}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return str(file)

    def command(self, name: str) -> str:
        """A command of a shell that leaves this mark."""
        return f": > {quote(str(self.mark(name)))}"

    def module(self, file: Path, name: str) -> None:
        """Makes `file` a Python module that leaves its mark when it is imported. It needs no other module."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"open({str(self.mark(name))!r}, 'w').close()\n")

    def sprung(self) -> list[str]:
        """The marks so far. There must be none."""
        return sorted(file.name for file in self._marks.iterdir())

    def reset(self) -> None:
        """Forgets what was sprung."""
        for file in self._marks.iterdir():
            file.unlink()

    def close(self) -> None:
        """Nobody listens any more."""
        self._ended = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _listen(self) -> None:
        while not self._ended:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            connection.close()
            self.mark(CONTACTED).touch()
