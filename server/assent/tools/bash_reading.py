"""Commands that only read: what of them is held by the sandbox, so that a wrong reading of their text does no harm."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command
from assent.model.modes import Category
from assent.runtime.processes import Start
from assent.sandbox.confined import Held
from assent.sandbox.words import Reading
from assent.shells.shell import Epilogue, Shell
from assent.tools.bash_look import Look
from assent.tools.command_facts import category_of
from assent.tools.shell import Shell as Program

_TELL_OF_IT = """
df dmesg findmnt free htop ifconfig iostat ip journalctl last launchctl lsblk lsmod lsof lspci lsusb mount mpstat
netstat pgrep pidof pmap ps pstree ss sysctl systemctl top uptime users vmstat w who
"""
_OF_THE_MACHINE = frozenset(_TELL_OF_IT.split())
"""Programs that tell of what runs on the machine: of nothing but themselves, where they see nothing else."""
_OF_THE_REPOSITORY = "git"
"""It compares all files of a repository, and would take those that are hidden for changed."""
_NOT_FOUND = 1
"""What programs that look for something say where there is none."""


_OF_VARIABLES = frozenset(
    {
        *("echo", "printf", "printenv", "env", "test", "[", "true", "false", "type", "which"),
        *("cut", "grep", "head", "sort", "tail", "tr", "uniq", "wc"),
    }
)
"""Programs that tell of variables, or pass on what is told, and that none of those which commands get makes do anything
else."""


def only_tells(command: Command) -> bool:
    """Whether it may have all variables, though nobody agreed to it and nothing holds it: it would tell wrong of them
    otherwise."""
    return _programs(command) <= _OF_VARIABLES


def can_be_held(command: Command) -> bool:
    """Whether nothing else is to hold it: it only reads, and would read the same. A line that is more than plain
    commands has to be held nevertheless."""
    if category_of(command) is not Category.READ:
        return False
    return bool(command.doubt) or _programs(command).isdisjoint((*_OF_THE_MACHINE, _OF_THE_REPOSITORY))


def reading_of(found: Look, roots: tuple[str, ...], scratch: str) -> Reading:
    """All that it may read."""
    repository = tuple(_top(found.place.real)) if _OF_THE_REPOSITORY in _programs(found.command) else ()
    path = found.shell.environment.get("PATH", "") if isinstance(found.shell, Program) else ""
    installed = found.python.installation if found.python is not None else ()
    return Reading((*roots, scratch, *repository), roots, found.place.real, tuple(path.split(os.pathsep)), installed)


def _programs(command: Command) -> set[str]:
    return {part.steps[0] for part in command.all() if part.steps}


def _top(directory: str) -> Iterator[str]:
    """The folder of the repository that it works in, which may lie above the workspace."""
    folder = directory
    while folder != "/":
        if os.path.lexists(f"{folder}/.git"):
            yield folder
            return
        folder = folder.rpartition("/")[0] or "/"


@dataclass(frozen=True, slots=True)
class EnteredToRead:
    """Where a command is started that can do nothing but read."""

    held: Held
    command: Command

    @property
    def name(self) -> str | None:
        """No sandbox that anybody has asked for."""
        return None

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command inside."""
        with self.held.applied(start) as inside:
            yield inside

    async def leave(self, shell: Shell | None = None) -> Epilogue:
        """After its end: what it may not have seen."""
        code = shell.exit.code if shell is not None and shell.exit is not None else None
        told = []
        blind = sorted(_programs(self.command) & _OF_THE_MACHINE)
        if blind:
            told.append(f"It ran by itself, so {', '.join(blind)} saw nothing of what else runs on this machine.")
        if code not in (0, _NOT_FOUND):
            told.append(
                f"It was held to reading ({self.held.tier.label}): the workspace and the system's programs are there, "
                "no network, nothing that can be written. If it failed because of that, call bash again with "
                "sandbox: false; the user is asked then."
            )
        return Epilogue(tuple(told))
