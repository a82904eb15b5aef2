"""How tests start processes, and what those do, seen from outside."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]


def python(*arguments: str) -> list[str]:
    """A command that runs this Python."""
    return [sys.executable, *arguments]


def environment_with(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """This process's environment, with what a Python of the tests needs, and these changes: None removes a variable."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
    environment.pop("PYTHONUNBUFFERED", None)
    for name, value in (changes or {}).items():
        environment.pop(name, None) if value is None else environment.__setitem__(name, value)
    return environment


def is_running(pid: int) -> bool:
    """Whether the process is there and more than a zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def descendants(pid: int) -> list[psutil.Process]:
    """Everything that the process started and that still runs."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def listening(pid: int) -> list[tuple[str, int]]:
    """The addresses on which the process waits for connections."""
    connections = psutil.Process(pid).net_connections(kind="inet")
    return sorted((one.laddr.ip, one.laddr.port) for one in connections if one.status == psutil.CONN_LISTEN)


def resident_memory(pid: int) -> int:
    """Bytes of memory that the process holds."""
    return int(psutil.Process(pid).memory_info().rss)
