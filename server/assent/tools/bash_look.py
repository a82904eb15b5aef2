"""A look at a command before it runs: where, by which shell, what it would touch, and what an approval rests on."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, PathUse
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.limits import ShellLimits
from assent.tools.bash_arguments import BashArguments
from assent.tools.command_environment import given_to_commands
from assent.tools.command_facts import look_at
from assent.tools.command_notes import either_ways
from assent.tools.command_places import paths_of
from assent.tools.obstacles import working_obstacle
from assent.tools.places import OneLook, Place
from assent.tools.python_environment import PythonEnvironment, python_environment
from assent.tools.shell import SHELLS, Shell, find_shell
from assent.tools.terminal_programs import terminal_fault

_CHANGES = (Access.WRITE, Access.DELETE)


@dataclass(frozen=True, slots=True)
class Look:
    """What was found."""

    place: Place
    command: Command
    uses: tuple[PathUse, ...]
    shell: Shell | ToolFault
    state: str
    impossible: ToolFault | None
    folders: frozenset[str]
    """Which of the paths that are written, themselves or something in them, are folders now: for words only."""
    python: PythonEnvironment | None = None
    """The one that `python` means in it."""

    def is_still(self, now: "Look") -> bool:
        """Whether the command means the same now, and no place of it has left the workspace."""
        inside = {use.real for use in now.uses if use.inside}
        return self.state == now.state and all(use.real in inside for use in self.uses if use.inside)


def look(
    wanted: BashArguments,
    roots: tuple[str, ...],
    directory: str,
    scratch: str,
    limits: ShellLimits,
    secrets: frozenset[str],
) -> Look:
    """Looks at the disk: belongs into a thread. `secrets` are values that no command gets."""
    now = OneLook(roots)
    place = now.locate(directory)
    text = wanted.command.replace("\r\n", "\n")
    asked_for = wanted.shellExecutable or limits.path
    given = given_to_commands(os.environ, limits.passed, limits.withheld, secrets)
    shell = find_shell(roots, os.environ, asked_for, given)
    python, name = None, "bash"
    if isinstance(shell, Shell):
        python, name = python_environment(place.real, roots, shell.environment, limits.interpreter), shell.name
        shell = shell.with_scratch(scratch).with_python(python)
    command = look_at(text, place.real, roots, name, now, python)
    uses = dict.fromkeys(
        (place.use(Access.RUN, is_directory=True), *_of_shell(shell, asked_for, now), *paths_of(command))
    )
    return Look(
        place,
        command,
        tuple(uses),
        shell,
        _state(place, command, shell, wanted),
        working_obstacle(place) or (shell if isinstance(shell, ToolFault) else None) or terminal_fault(command),
        frozenset(name for part in command.all() for name in either_ways(part) if Path(name).is_dir()),
        python,
    )


def _of_shell(shell: Shell | ToolFault, asked_for: str | None, now: OneLook) -> Iterator[PathUse]:
    """A shell that is asked for by its path is a program like any other: where it lies counts."""
    if asked_for is not None and isinstance(shell, Shell) and Path(asked_for).is_absolute():
        yield now.locate(shell.path).use(Access.RUN)


def _state(place: Place, command: Command, shell: Shell | ToolFault, wanted: BashArguments) -> str:
    """Everything that an approval of this command rests on. Of the files that it runs, what is in the program itself
    and in the script of an interpreter is part of it, where they lie in the workspace."""
    bound = {
        "text": command.text,
        "directory": [place.real, place.target.anchor.identity],
        "shell": [shell.path, dict(shell.environment)] if isinstance(shell, Shell) else shell.code,
        "options": list(SHELLS[shell.name]) if isinstance(shell, Shell) else [],
        "seconds": wanted.seconds,
        "background": wanted.background,
        "sandbox": wanted.sandbox,
        "unreadable": command.unreadable,
        "parts": [
            {
                "written": part.written,
                "category": part.category.value,
                "identities": [list(one) for one in part.identities],
                "known": [*(danger.text for danger in part.dangers), *part.unknown],
                "paths": [
                    [use.access.value, use.real, use.is_directory and use.access in _CHANGES] for use in part.paths
                ],
            }
            for part in command.all()
        ],
    }
    return hashlib.sha256(canonical_json(bound)).hexdigest()
