"""Commands that do not want to end, in every way there is, and how to find them: by a name nobody else has."""

import os
from pathlib import Path
from uuid import uuid4

import psutil

from assent.runtime.linux_starter import LinuxStarter
from assent.runtime.processes import Processes

_SLEEP = "exec -a {name} sleep 100000"
KINDS = {
    "plain": f"bash -c '{_SLEEP}' &",
    "another session": f"setsid bash -c '{_SLEEP}' &",
    "deaf": f"bash -c 'trap \"\" TERM HUP INT QUIT; {_SLEEP}' &",
    "double fork": f"( ( setsid bash -c '{_SLEEP}' & ) & )",
    "no environment": f"env -i setsid /bin/bash -c '{_SLEEP}' &",
    "nohup": f"nohup bash -c '{_SLEEP}' > /dev/null 2>&1 &",
    "deaf and away": f"( env -i setsid /bin/bash -c 'trap \"\" TERM HUP INT QUIT; {_SLEEP}' & )",
}
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def new_name() -> str:
    """A name for processes that no other process has."""
    return f"stubborn-{uuid4().hex}"


def script(name: str, kinds: tuple[str, ...], *, stays: bool) -> tuple[str, ...]:
    """A command that starts one of each kind; then it stays itself, or ends."""
    lines = [KINDS[kind].format(name=name) for kind in kinds]
    lines.append(_SLEEP.format(name=name) if stays else "exit 0")
    return ("/bin/bash", "--noprofile", "--norc", "-c", "\n".join(lines))


def named(name: str) -> list[int]:
    """The living processes of this name."""
    found = []
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdecimal() and (Path(entry.path) / "cmdline").read_bytes().startswith(name.encode() + b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def kept_by(pid: int, what: str = "assent-keeper") -> list[int]:
    """The keepers, or wardens, below a process."""
    try:
        below = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return [one.pid for one in below if _name_of(one) == what]


def warden_of(processes: Processes) -> int:
    """The number of the process that starts the commands of this home."""
    starter = processes._starter
    assert isinstance(starter, LinuxStarter)
    assert starter.warden.pid is not None
    return starter.warden.pid


def _name_of(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.Error:
        return ""
