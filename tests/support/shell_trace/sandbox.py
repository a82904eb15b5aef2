"""Runs commands where they can harm nobody, each in an untouched world, under a record of their system calls."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.scale import limit
from tests.support.shell_trace.places import Places

SECONDS = 5
_TRACED = (
    "execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,symlink,"
    "symlinkat,link,linkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,truncate,ftruncate,"
    "setxattr,lsetxattr,fsetxattr,connect,socket,chdir,fchdir,clone,clone3,fork,vfork"
)
_DRIVER = r"""
ulimit -c 0 -f 16384 -v 2000000 -n 256
while IFS= read -r -d '' text; do
    number=$((${number:--1} + 1))
    cd / && find "$1" -mindepth 1 -delete && cp -a /template/. "$1" && cd "$1/workspace" || exit
    timeout -s KILL "$2" strace -f -y -qq --seccomp-bpf -s 65536 -e signal=none -e trace="$3" -o "/traces/$number" \
        "$4" --noprofile --norc -c "$text" </dev/null >/dev/null 2>&1
    echo "$number $?" >>/traces/ended
    # Whatever it has left running.
    kill -KILL -1
done
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """One command that ran: its exit code, and the record of what it asked of the system."""

    code: int
    trace: str

    @property
    def cut_off(self) -> bool:
        return self.code == 137


@dataclass(frozen=True, slots=True)
class Sandbox:
    """No network, nothing writable but a world of its own, and the same environment that the gate gives commands."""

    places: Places
    shell: str
    environment: Mapping[str, str]

    def run(self, texts: Sequence[str]) -> list[Ran]:
        """Runs these commands one after the other."""
        with _devices_as_they_are(), tempfile.TemporaryDirectory(prefix="traces") as folder:
            traces = Path(folder)
            done = subprocess.run(
                self._command(traces),
                input=b"".join(text.encode() + b"\0" for text in texts),
                capture_output=True,
                timeout=limit(60 + (SECONDS + 5) * len(texts)),
                check=False,
            )
            ended = _ended(traces / "ended")
            if len(ended) != len(texts):
                raise AssertionError(f"{len(ended)} of {len(texts)} commands ran: {done.stderr.decode()}")
            return [Ran(code, _text(traces / str(number))) for number, code in enumerate(ended)]

    def _command(self, traces: Path) -> list[str]:
        world = str(self.places.world)
        variables = [word for name, value in self.environment.items() for word in ("--setenv", name, value)]
        return [
            *_BARE,
            *("--tmpfs", "/tmp", "--size", "67108864", "--tmpfs", world),
            *("--ro-bind", world, "/template", "--bind", str(traces), "/traces"),
            *("--clearenv", *variables, "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin"),
            *(self.shell, "-c", _DRIVER, "driver", world, str(SECONDS), _TRACED, self.shell),
        ]


@cache
def _modes() -> dict[Path, int]:
    devices = [Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty")]
    return {device: device.stat().st_mode & 0o777 for device in devices if device.exists()}


@contextmanager
def _devices_as_they_are() -> Iterator[None]:
    """The devices inside are those of the machine, and whoever owns them may set their modes there."""
    modes = _modes()
    try:
        yield
    finally:
        for device, mode in modes.items():
            if device.stat().st_mode & 0o777 != mode:
                device.chmod(mode)


_BARE = (
    "bwrap",
    *("--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"),
    *(word for name in ("bin", "sbin", "lib", "lib64") for word in ("--symlink", f"usr/{name}", f"/{name}")),
    *("--dev", "/dev", "--proc", "/proc"),
)


@cache
def obstacle() -> str:
    """Why commands cannot be run and watched here; empty where they can."""
    for name in ("bwrap", "strace", "bash", "git"):
        if shutil.which(name) is None:
            return f"{name} is missing; on Debian and Ubuntu, `python3 dev.py setup` installs it."
    tried = subprocess.run([*_BARE, "strace", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"This machine does not let a process be shut in and watched: {tried.stderr.strip()}"
    return ""


def _ended(file: Path) -> list[int]:
    lines = file.read_text().splitlines() if file.exists() else []
    return [int(line.split()[1]) for line in lines]


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="surrogateescape")
