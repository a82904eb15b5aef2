"""What a process asks of the system, as strace writes it down: what it starts, contacts, changes and looks at.

Every attempt counts, whether or not it worked.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

_WITHOUT = "ASSENT_TEST_WITHOUT_STRACE"

_NETWORK = {"socket", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup"}
_OPENING = {"open", "openat", "openat2", "creat"}
_FOR_CHANGE = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b")
_CHANGING = re.compile(
    r"(?:mkdir|mknod|rmdir|unlink|rename|link|symlink|f?chmod|f?chown|lchown|f?truncate|utimens|f?setxattr|lsetxattr"
    r"|f?removexattr|lremovexattr|mount|umount2?|pivot_root|swapon|acct|utimes?|futimesat)(?:at2?)?"
)
_BY_HANDLE = "fchmod,fchown,ftruncate,fsetxattr,fremovexattr,io_uring_setup"
_HARMLESS = {Path("/dev/null"), Path("/proc/self/mem")}
"""Nothing, and the program's own memory."""

_CALL = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<arguments>.*)(?:\) += .*| <unfinished \.\.\.>)$")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
# What follows is the answer.
_ASKED_ABOUT = {"readlink": 1, "readlinkat": 1, "getcwd": 0}
_WORKING_DIRECTORY = re.compile(r"AT_FDCWD<(?P<folder>[^>]*)>")
_HANDLE = re.compile(r"^\d+<(?P<path>/[^>]*)>")


@dataclass(frozen=True)
class Call:
    """One call of the system, with the paths that it names."""

    name: str
    arguments: str
    paths: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})"

    @property
    def starts(self) -> bool:
        """Whether it starts a process or another program. A thread is neither."""
        if self.name in {"clone", "clone3"}:
            return "CLONE_THREAD" not in self.arguments
        return self.name in {"fork", "vfork", "execve", "execveat"}

    @property
    def contacts(self) -> bool:
        """Whether it makes a socket that could reach another process. A pair for the process itself is none."""
        return self.name in _NETWORK or (self.name.startswith("send") and "sa_family=" in self.arguments)

    @property
    def opens(self) -> bool:
        return self.name in _OPENING

    @property
    def changes(self) -> bool:
        """Whether it changes what is on the disk, or opens a file so that it could."""
        if self.opens:
            return self.name == "creat" or _FOR_CHANGE.search(self.arguments) is not None
        return _CHANGING.fullmatch(self.name) is not None


class Trace:
    """The record of one command and everything that it starts."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def command(self, words: Sequence[str]) -> list[str]:
        """The command that runs these words and keeps the record."""
        return ["strace", *_OPTIONS, "-o", str(self._file), *words]

    def calls(self) -> list[Call]:
        """The calls so far, oldest first, without the one that started the command itself."""
        return list(_calls(self._file))[1:]

    @property
    def size(self) -> int:
        """How much was written down so far: it stays the same while nothing is asked of the system."""
        return self._file.stat().st_size if self._file.exists() else 0

    def started(self) -> list[str]:
        """Every process and program that was started."""
        return [str(call) for call in self.calls() if call.starts]

    def contacted(self) -> list[str]:
        """Every attempt to reach somebody."""
        return [str(call) for call in self.calls() if call.contacts]

    def changed_outside(self, *folders: Path) -> list[str]:
        """Every change of a file that lies in none of these folders."""
        return [str(call) for call in self.calls() if call.changes and _elsewhere(call, folders)]

    def looked_at(self, folder: Path) -> set[str]:
        """What lies in a folder and was opened, or only asked about, by its path within."""
        paths = (path for call in self.calls() for path in call.paths)
        return {str(path.relative_to(folder)) for path in paths if path.is_relative_to(folder)}

    def opened_in(self, folder: Path) -> set[str]:
        """What lies in a folder and was opened."""
        paths = (path for call in self.calls() if call.opens for path in call.paths)
        return {str(path.relative_to(folder)) for path in paths if path.is_relative_to(folder)}

    def looks(self, file: Path) -> int:
        """How often this file was looked at so far."""
        return len(re.findall(rf'stat(?:at|x)?\((?:\S+, )?"{re.escape(str(file))}"', _text(self._file)))


_OPTIONS = (
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-y",
    "-s",
    "4096",
    "-e",
    "signal=none",
    "-e",
    f"trace=process,network,%file,{_BY_HANDLE}",
)


def require_strace() -> None:
    """Skips a test where processes cannot be watched at all; fails where only the program for it is missing."""
    if sys.platform != "linux":
        pytest.skip("strace is there on Linux only")
    if os.environ.get(_WITHOUT) == "1":
        pytest.skip(f"{_WITHOUT}=1: what the server asks of the system is not watched")
    fault = _fault()
    if fault:
        pytest.fail(f"{fault} To leave these tests out, set {_WITHOUT}=1.", pytrace=False)


@cache
def _fault() -> str:
    if shutil.which("strace") is None:
        return "strace is missing; `python3 dev.py setup` installs it, or says how."
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return ""
    return f"This machine forbids to watch a process (a container may need the right SYS_PTRACE): {tried.stderr}"


def _calls(file: Path) -> Iterator[Call]:
    text = _text(file)
    # Nobody changes the working directory: what is named without a folder lies where everything else does.
    known = _WORKING_DIRECTORY.search(text)
    cwd = known["folder"] if known else "/"
    for line in text.splitlines():
        match = _CALL.match(line)
        if match:
            arguments = match["arguments"]
            yield Call(match["name"], arguments, tuple(_paths(match["name"], arguments, cwd)))


def _text(file: Path) -> str:
    """What was written down so far; strace writes whole lines."""
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _paths(name: str, arguments: str, cwd: str) -> Iterator[Path]:
    if name in {"execve", "execveat"}:
        arguments = arguments.partition(", [")[0]
    for match in islice(_PATH.finditer(arguments), _ASKED_ABOUT.get(name)):
        path = match["path"].encode("latin-1", "replace").decode("unicode_escape")
        yield Path(os.path.normpath(os.path.join(match["folder"] or cwd, path)))  # noqa: PTH118
    by_handle = _HANDLE.match(arguments)
    if by_handle and name.startswith("f"):
        yield Path(by_handle["path"])


def _elsewhere(call: Call, folders: Sequence[Path]) -> bool:
    places = [path for path in call.paths if path not in _HARMLESS]
    return not call.paths or any(not any(place.is_relative_to(folder) for folder in folders) for place in places)
