"""How tests start processes, and what those do, seen from outside."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil

from assent.tools.command_environment import given_to_commands

ROOT = Path(__file__).resolve().parents[2]


def python(*arguments: str) -> list[str]:
    """A command that runs this Python."""
    return [sys.executable, *arguments]


def environment_with(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """This process's environment, with what a Python of the tests needs, and these changes: None removes a variable.

    What commands do not get is left out: an agent is told of it when one fails, and machines differ in it.
    """
    given = given_to_commands(os.environ)
    differs = {*given.secret, *given.redirecting} - {"PATH", "SHELL", "LD_LIBRARY_PATH"}
    environment = {name: value for name, value in os.environ.items() if name not in differs}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "server"), str(ROOT)])
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
