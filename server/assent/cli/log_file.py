"""The log as files of bounded size that only the user can read, shared by all servers of that user."""

import logging
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from assent.runtime.file_lock import take

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "server.log"
MAX_BYTES = 1 << 20
KEPT = 3
"""Files in all: the one that is written, and older ones with numbers."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class LogFile(logging.Handler):
    """Appends line by line. Where it cannot write, it says so on standard error once, and the log goes on there."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._file = folder / NAME
        self._stream: TextIO | None = None
        self._told = False

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the record, or tries again with the next one."""
        line = self.format(record) + "\n"
        try:
            self._write(line)
            self._told = False
        except OSError as fault:
            self.close_stream()
            self._tell(fault)

    def _write(self, line: str) -> None:
        stream = self._opened()
        size = os.fstat(stream.fileno()).st_size
        if size and size + len(line.encode("utf-8", "backslashreplace")) > MAX_BYTES:
            self._make_room()
            stream = self._opened()
        stream.write(line)
        stream.flush()

    def _opened(self) -> TextIO:
        """The file of this name as it is now: another server may have put a new one there."""
        if self._stream is not None and not self._is_current(self._stream):
            self.close_stream()
        if self._stream is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._folder.stat().st_mode & 0o077 and os.name != "nt":
                self._folder.chmod(0o700)
            descriptor = os.open(self._file, _FLAGS, 0o600)
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, 0o600)
            self._stream = os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")
        return self._stream

    def _is_current(self, stream: TextIO) -> bool:
        try:
            return os.path.samestat(os.fstat(stream.fileno()), self._file.lstat())
        except FileNotFoundError:
            return False

    def _make_room(self) -> None:
        """Moves the files on by one number; the oldest goes. Another server that does the same at once is let do it."""
        with _alone(self._folder / "server.lock") as alone:
            if not alone or self._size() < MAX_BYTES // 2:
                return
            self.close_stream()
            for number in range(KEPT - 1, 0, -1):
                older = self._folder / f"{NAME}.{number}"
                newer = self._folder / (f"{NAME}.{number - 1}" if number > 1 else NAME)
                with suppress(FileNotFoundError):
                    newer.replace(older)

    def _size(self) -> int:
        """Of the file that has this name now; another server may just have moved it on."""
        try:
            return self._file.stat().st_size
        except FileNotFoundError:
            return 0

    def _tell(self, fault: OSError) -> None:
        if not self._told:
            self._told = True
            reason = fault.strerror or type(fault).__name__
            sys.stderr.write(f"assent: the log file {self._file} cannot be written ({reason}); the log is here only.\n")

    def close_stream(self) -> None:
        """Lets go of the file; the next line opens it anew."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()

    def close(self) -> None:
        """Lets go of the file for good."""
        self.close_stream()
        super().close()


@contextmanager
def _alone(file: Path) -> "Iterator[bool]":
    descriptor = os.open(file, _FLAGS, 0o600)
    try:
        try:
            take(descriptor)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def last_lines(state: Path, count: int) -> list[str]:
    """The last lines of the log in a state directory, the newest last; none where there is no log."""
    lines: list[str] = []
    for name in (NAME, *(f"{NAME}.{number}" for number in range(1, KEPT))):
        if len(lines) >= count:
            break
        with suppress(FileNotFoundError):
            text = (state / "logs" / name).read_text(encoding="utf-8", errors="replace")
            lines = [*text.splitlines(), *lines]
    return lines[-count:]
