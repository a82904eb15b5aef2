"""bash: a shell command runs in a folder, and what it prints comes back."""

import asyncio
import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import canonical_json
from assent.model.calls import Access, PathUse
from assent.model.commands import Command
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.policy.commands import grant_key
from assent.runtime.processes import Ended, Processes, Start
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_notes import either_ways
from assent.tools.command_places import paths_of
from assent.tools.command_preview import headline_of, preview_of, risk_of
from assent.tools.faults import explained
from assent.tools.handles import Folder, folder_itself
from assent.tools.names import LONGEST
from assent.tools.obstacles import working_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.shell import OPTIONS, Shell, find_shell

MAX_BYTES = 128 * 1024 - 1
"""One argument of a program can be no longer on Linux."""
KEPT_BYTES = 512 * 1024
"""Of what a command prints, and as much of its errors. A model gets less of it: the rest is for the user to open."""
_CHANGES = (Access.WRITE, Access.DELETE)
DEFAULT_SECONDS, MOST_SECONDS = 120, 3_600


class BashArguments(Arguments):
    """What bash takes."""

    command: str = Field(min_length=1, description="The command, as it would be typed into a shell.")
    timeout: int = Field(
        DEFAULT_SECONDS, ge=1, le=MOST_SECONDS, description="After so many seconds it is ended, with all it started."
    )
    cwd: str = Field(
        ".",
        min_length=1,
        max_length=LONGEST,
        description="The folder in which it runs, relative to the workspace folder or absolute.",
    )


class Bash:
    """Says what a command would do as far as that can be read from it, and runs exactly what was shown."""

    spec = ToolSpec(
        "bash",
        "Runs a command with bash and gives its output and exit code. Nobody can type into it. It has no state: each "
        "call starts in its folder again, and what it leaves running in the background ends with it.",
        schema_of(BashArguments),
    )
    category = Category.EXECUTE

    def __init__(self, roots: Roots, processes: Processes) -> None:
        self._roots = roots
        self._processes = processes

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(BashArguments, args)
        if found is not None:
            return found
        wanted = BashArguments.model_validate(args)
        where = path_fault(wanted.cwd, self._roots())
        return where.replace(" path: ", " cwd: ", 1) if where is not None else _unusable(wanted.command)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = BashArguments.model_validate(args)
        look = await asyncio.to_thread(_look, wanted, self._roots())
        command = look.command
        preview = preview_of(
            command, look.folders, seconds=wanted.timeout if wanted.timeout != DEFAULT_SECONDS else None
        )
        return Prepared(
            headline=headline_of(command.text),
            directory=look.place.real,
            preview=preview,
            paths=look.uses,
            state=look.state,
            grant_key=grant_key(command),
            perform=lambda: self._run(look, wanted),
            risk=risk_of(command, preview),
            impossible=look.impossible,
            command=command,
            category=category_of(command),
        )

    async def _run(self, look: "_Look", wanted: BashArguments) -> ToolAnswer:
        now = await asyncio.to_thread(_look, wanted, self._roots())
        if not look.is_still(now):
            text = "What this command would do is not what was looked at: files or settings changed. It did not run."
            raise ToolFault("changed_since", text)
        if isinstance(look.shell, ToolFault):
            raise look.shell
        try:
            with folder_itself(look.place.target) as folder:
                start = _start(look.shell, look.command.text, folder, wanted.timeout)
                return _answer(await self._started(start), wanted.timeout)
        except OSError as fault:
            raise explained(fault, look.place.real) from fault

    async def _started(self, start: Start) -> Ended:
        try:
            return await self._processes.run(start)
        except OSError as fault:
            raise ToolFault("not_started", f"{start.argv[0]} could not be started: {fault.strerror}.") from fault


@dataclass(frozen=True, slots=True)
class _Look:
    place: Place
    command: Command
    uses: tuple[PathUse, ...]
    shell: Shell | ToolFault
    state: str
    impossible: ToolFault | None
    folders: frozenset[str]
    """Which of the paths that are written, themselves or something in them, are folders now: for words only."""

    def is_still(self, now: "_Look") -> bool:
        """Whether the command means the same now, and no place of it has left the workspace."""
        inside = {use.real for use in now.uses if use.inside}
        return self.state == now.state and all(use.real in inside for use in self.uses if use.inside)


def _look(wanted: BashArguments, roots: tuple[str, ...]) -> _Look:
    place = locate(wanted.cwd, roots)
    text = wanted.command.replace("\r\n", "\n")
    command = look_at(text, place.real, roots)
    shell = find_shell(roots, os.environ)
    return _Look(
        place,
        command,
        tuple(dict.fromkeys((place.use(Access.RUN, is_directory=True), *paths_of(command)))),
        shell,
        _state(place, command, shell, wanted.timeout),
        working_obstacle(place) or (shell if isinstance(shell, ToolFault) else None),
        frozenset(name for part in command.all() for name in either_ways(part) if Path(name).is_dir()),
    )


def _state(place: Place, command: Command, shell: Shell | ToolFault, seconds: int) -> str:
    """Everything that an approval of this command rests on. What is in the files that it runs is not part of it."""
    bound = {
        "text": command.text,
        "directory": [place.real, place.target.anchor.identity],
        "shell": [shell.path, dict(shell.environment)] if isinstance(shell, Shell) else shell.code,
        "options": list(OPTIONS),
        "seconds": seconds,
        "unreadable": command.unreadable,
        "parts": [
            {
                "written": part.written,
                "category": part.category.value,
                "known": [*(danger.text for danger in part.dangers), *part.unknown],
                "paths": [
                    [use.access.value, use.real, use.is_directory and use.access in _CHANGES] for use in part.paths
                ],
            }
            for part in command.all()
        ],
    }
    return hashlib.sha256(canonical_json(bound)).hexdigest()


def _unusable(command: str) -> str | None:
    if "\0" in command:
        return "The arguments do not fit. command: it holds a NUL character, which no command can hold"
    size = len(command.replace("\r\n", "\n").encode("utf-8"))
    if size > MAX_BYTES:
        return (
            f"The arguments do not fit. command: {size} bytes are more than the {MAX_BYTES} that one command can have"
        )
    return None


def _start(shell: Shell, text: str, folder: Folder, seconds: int) -> Start:
    # By its handle, where the system can: then it starts in the folder that was checked, whatever is renamed meanwhile.
    by_handle = folder.handle is not None and sys.platform == "linux"
    directory = f"/proc/self/fd/{folder.handle}" if by_handle else folder.path
    return Start((shell.path, *OPTIONS, text), directory, shell.environment, float(seconds), KEPT_BYTES)


def _answer(ended: Ended, seconds: int) -> ToolAnswer:
    """The exit code comes first: what a command prints must not look like it. A code is an answer, no fault."""
    output, errors = ended.output.text(), ended.errors.text()
    told = [_how(ended, seconds)]
    if ended.held_open:
        told.append("What it had left running in the background was ended.")
    body = output + (f"{_line_end(output)}[standard error]\n{errors}" if errors else "")
    text = f"{' '.join(told)}\n{body}" if body else f"{' '.join(told)} It printed nothing."
    if ended.timed_out:
        raise ToolFault("time_limit", text)
    return ToolAnswer(text, truncated=bool(ended.output.left_out or ended.errors.left_out))


def _how(ended: Ended, seconds: int) -> str:
    if ended.timed_out:
        return f"Ended after its {seconds} seconds were over, with everything that it had started."
    if ended.signal is not None:
        return f"Ended by {ended.signal}."
    return f"Exit code {ended.code}." if ended.code is not None else "It could not be ended and may still run."


def _line_end(text: str) -> str:
    return "" if not text or text.endswith("\n") else "\n"
