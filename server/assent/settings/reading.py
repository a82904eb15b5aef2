"""Reads a settings file of a workspace: a stranger's file, so nothing but a regular file of bounded size is read."""

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from assent.lazy_dataclasses import dataclass
from assent.settings.faults import JsonFault, SettingsFault
from assent.settings.jsonc import MAX_LENGTH, Document, Place, parse

MAX_BYTES = MAX_LENGTH
# Up to this size the bytes are compared instead of the file's times: two edits can share one tick of the file system.
_COMPARED_BYTES = 64 * 1024
# A named pipe must not make the server wait, and a terminal must not become the server's own.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

_Stamp: TypeAlias = tuple[tuple[int, ...], bytes | None]
"""Identity, times and size of a file, and of a small file its bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a settings file says now. With a fault, `last_good` is what it said when it could last be read.

    Two readings are equal only if they are the same one: then nothing changed between them.
    """

    file: Path
    document: Document | None
    fault: str | None = None
    line: int | None = None
    last_good: Document | None = None
    place: Place | None = None
    """Where the fault is, if it is in the text."""

    @property
    def exists(self) -> bool:
        return self.document is not None or self.fault is not None


def is_workspace_file(file: Path) -> bool:
    """Whether this is a file of the kind that says which folders a workspace has, and holds its settings."""
    return file.is_absolute() and file.suffix.casefold() == ".code-workspace"


def settings_within(file: Path) -> str | None:
    """The member of this file that holds the settings, where they are not all that stands there."""
    return "settings" if is_workspace_file(file) else None


class SettingsFile:
    """One settings file, read anew when it changed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._stamp: _Stamp | None = None
        self._reading = Reading(file, None)

    def read(self) -> Reading:
        """What the file says now; never raises. A missing file says nothing and has no fault."""
        try:
            stamp, data = _content(self.file, self._stamp)
        except FileNotFoundError:
            self._stamp = None
            if self._reading.exists:
                self._reading = Reading(self.file, None)
        except (OSError, SettingsFault) as fault:
            self._stamp, self._reading = None, self._faulty(explain(fault))
        else:
            if data is not None and stamp != self._stamp:
                self._reading = self._parsed(data)
            self._stamp = stamp
        return self._reading

    def _parsed(self, data: bytes) -> Reading:
        try:
            document = parse(decode(data))
        except JsonFault as broken:
            return self._faulty(str(broken), broken.line, _place_of(broken, data))
        within = settings_within(self.file)
        if (fault := self._no_object(document, "the file")) is not None:
            return fault
        if within is not None:
            document = replace(document, root=document.find(within))
        if (fault := self._no_object(document, f"“{within}”")) is not None:
            return fault
        return Reading(self.file, document, last_good=document)

    def _no_object(self, document: Document, what: str) -> Reading | None:
        root = document.root
        if root is None or root.members is not None:
            return None
        place = Place(document, root.start, root.end)
        return self._faulty(f"{what} should hold {{ }} and holds something else", document.line(root.start), place)

    def _faulty(self, fault: str, line: int | None = None, place: Place | None = None) -> Reading:
        before = self._reading
        if (before.fault, before.line) == (fault, line):
            return before
        return Reading(self.file, None, fault=fault, line=line, last_good=before.last_good, place=place)


def _place_of(fault: JsonFault, data: bytes) -> Place | None:
    """The character at which the text stops making sense, in the text as an editor shows it."""
    if fault.offset is None:
        return None
    text = data.decode("utf-8", "replace")
    # At the end of the text there is no character to show: the one before it stands for it.
    start = min(fault.offset, len(text) - 1) if text else 0
    return Place(Document(text, None), start, min(start + 1, len(text)))


def _content(file: Path, known: _Stamp | None) -> tuple[_Stamp, bytes | None]:
    """A stamp that changes with the content, and the content where it may be new."""
    info = file.stat()
    _require_plain(info)
    times = (info.st_dev, info.st_ino, info.st_mtime_ns, info.st_ctime_ns, info.st_size)
    if known == (times, None):
        return known, None
    data = read_bytes(file)
    return (times, None if len(data) > _COMPARED_BYTES else data), data


def read_bytes(file: Path) -> bytes:
    """The bytes of a regular file of bounded size; OSError or SettingsFault otherwise."""
    _require_plain(file.stat())
    descriptor = os.open(file, _FLAGS)
    with os.fdopen(descriptor, "rb") as stream:
        _require_plain(os.fstat(stream.fileno()))
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise SettingsFault(_TOO_BIG)
    return data


_TOO_BIG = f"the file is larger than {MAX_BYTES // (1024 * 1024)} MiB, too large for settings"


def _require_plain(info: os.stat_result) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise SettingsFault("this is not a regular file")
    if info.st_size > MAX_BYTES:
        raise SettingsFault(_TOO_BIG)


def decode(data: bytes) -> str:
    """The text of a file, or a JsonFault where it is no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode("utf-8")
        line, column = Document(before, None).place(len(before))
        raise JsonFault("this byte is no UTF-8; save the file as UTF-8", line, column, len(before)) from None


def explain(fault: Exception) -> str:
    """What went wrong with a file, in words for a person, without the names of system calls."""
    if isinstance(fault, PermissionError):
        return "the permissions of the file or its folder do not allow it"
    if isinstance(fault, OSError):
        return fault.strerror or type(fault).__name__
    return str(fault)
