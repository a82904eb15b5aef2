"""The record of a command, read strictly: what it started, changed, read and contacted, where that worked."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class Did(StrEnum):
    """What was done."""

    START = "starts"
    CHANGE = "changes"
    READ = "reads"
    CONTACT = "contacts"


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a command really did."""

    did: Did
    what: str
    """The program, the file or folder, or the address. A path is absolute, its folder as the system names it."""
    by: str
    """The program that did it."""
    call: str = ""


_LINE = re.compile(r"(\d+) +(.*)", re.DOTALL)
_CALL = re.compile(r"(\w+)\((.*)\) += +(.*)", re.DOTALL)
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.DOTALL)
_UNFINISHED = " <unfinished ...>"
_NO_CALL = re.compile(r"(\+\+\+|---) .*|\?\?\?\(\) += \?")
"""Also one that was never made, because the process was killed on its way into it."""
_SUPERSEDED = re.compile(r"\+\+\+ superseded by execve in pid (\d+) \+\+\+")
_PATH = re.compile(r'(?:(AT_FDCWD|\d+)(?:<((?:[^>\\]|\\.)*)>)?, )?"((?:[^"\\]|\\.)*)"', re.DOTALL)
_HANDLE = re.compile(r"\d+<((?:[^>\\]|\\.)*)>", re.DOTALL)
_FOR_CHANGE = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b")
_INTERNET = re.compile(r"\bAF_(?:INET6?|PACKET|VSOCK)\b|\bPF_INET")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}
_FORKS = frozenset({"clone", "clone3", "fork", "vfork"})
_OPENS = frozenset({"open", "openat", "openat2", "creat"})
_CHANGES = {
    **dict.fromkeys(("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "chmod", "fchmodat", "truncate"), (0,)),
    **dict.fromkeys(("mknod", "mknodat", "chown", "lchown", "fchownat", "setxattr", "lsetxattr"), (0,)),
    **dict.fromkeys(("rename", "renameat", "renameat2"), (0, 1)),
    **dict.fromkeys(("link", "linkat", "symlink", "symlinkat"), (1,)),
}
"""Which of the paths that they name are changed."""
_BY_HANDLE = frozenset({"fchmod", "fchown", "ftruncate", "fsetxattr"})


class NotUnderstood(Exception):
    """A line of the record that makes no sense: then nothing is sure any more."""


@dataclass(slots=True)
class _Process:
    program: str
    directory: str


@dataclass(slots=True)
class _Reading:
    """Goes through the lines, and knows of each process which program it is and where."""

    first: str
    directory: str
    parents: dict[int, int]
    processes: dict[int, _Process] = field(default_factory=dict)

    def process(self, pid: int) -> _Process:
        if pid not in self.processes:
            parent = self.parents.get(pid)
            like = self.process(parent) if parent is not None else _Process(self.first, self.directory)
            self.processes[pid] = _Process(like.program, like.directory)
        return self.processes[pid]

    def deeds(self, pid: int, name: str, arguments: str, result: str) -> Iterator[Deed]:
        process = self.process(pid)
        call = f"{name}({arguments})"
        if name == "connect" or (name == "socket" and _INTERNET.search(arguments)):
            yield Deed(Did.CONTACT, arguments, process.program, call)
        if result.startswith("-1 "):
            return
        if name in {"execve", "execveat"}:
            process.program = self._paths(arguments.partition(", [")[0], process)[0]
            yield Deed(Did.START, process.program, process.program, call)
        elif name == "chdir":
            process.directory = self._paths(arguments, process)[0]
        elif name == "fchdir":
            process.directory = _handle(arguments)
        elif name in _OPENS:
            yield self._opened(process, call, arguments, result, changes=name == "creat")
        elif name in _BY_HANDLE:
            yield Deed(Did.CHANGE, _handle(arguments), process.program, call)
        elif name in _CHANGES:
            paths = self._paths(arguments, process)
            for at in _CHANGES[name]:
                yield Deed(Did.CHANGE, paths[at], process.program, call)

    def _opened(self, process: _Process, call: str, arguments: str, result: str, *, changes: bool) -> Deed:
        changes = changes or _FOR_CHANGE.search(arguments.rpartition('"')[2]) is not None
        # Where it really led, the system says itself; of what was cut off, only the name is known.
        what = _handle(result) if _HANDLE.match(result) else self._paths(arguments, process)[0]
        return Deed(Did.CHANGE if changes else Did.READ, what, process.program, call)

    def _paths(self, arguments: str, process: _Process) -> list[str]:
        found = [
            posixpath.normpath(posixpath.join(process.directory, _plain(folder or ""), _plain(path)))
            for _, folder, path in _PATH.findall(arguments)
        ]
        if not found:
            raise NotUnderstood(arguments)
        return found


def deeds(text: str, program: str, directory: str) -> list[Deed]:
    """Everything that worked, in its order; `program` is what was started, in this directory."""
    calls = list(_calls(text))
    parents = {
        int(result.split("<")[0]): pid
        for pid, name, _, result in calls
        if name in _FORKS and re.fullmatch(r"[1-9]\d*(<.*>)?", result)
    }
    reading = _Reading(program, directory, parents)
    return [deed for pid, name, arguments, result in calls for deed in reading.deeds(pid, name, arguments, result)]


def _calls(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Every call as process, name, arguments and result; `?` where it was cut off."""
    begun: dict[int, str] = {}
    for line in text.split("\n")[:-1]:
        match = _LINE.fullmatch(line)
        if match is None:
            raise NotUnderstood(line)
        pid, what = int(match[1]), match[2]
        if _NO_CALL.fullmatch(what):
            superseded = _SUPERSEDED.fullmatch(what)
            if superseded and int(superseded[1]) in begun:
                begun[pid] = begun.pop(int(superseded[1]))
            continue
        resumed = _RESUMED.fullmatch(what)
        if resumed is not None:
            start = begun.pop(pid, "")
            if not start.startswith(f"{resumed[1]}("):
                raise NotUnderstood(line)
            what = start + resumed[2]
        elif what.endswith(_UNFINISHED):
            begun[pid] = what.removesuffix(_UNFINISHED)
            continue
        call = _CALL.fullmatch(what)
        if call is None:
            raise NotUnderstood(line)
        yield pid, call[1], call[2], call[3]
    for pid, start in begun.items():
        name, _, arguments = start.partition("(")
        yield pid, name, arguments, "?"


def _handle(text: str) -> str:
    match = _HANDLE.match(text)
    if match is None:
        raise NotUnderstood(text)
    return _plain(match[1]).removesuffix("(deleted)")


def _plain(escaped: str) -> str:
    """The bytes that strace has written down with backslashes, as the system's name for a file."""
    raw = escaped.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_unescaped, raw).decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8) & 0xFF])
    return _LETTERS.get(match[2], match[2])
