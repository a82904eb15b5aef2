"""bash: a shell command runs in a folder, and what it prints comes back; or it goes on in the background."""

import asyncio
from collections.abc import Callable

from assent.agent.ports import AS_SHOWN, Manner, Prepared, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.limits import ShellLimits
from assent.model.modes import Category
from assent.model.sandbox import SandboxChoice
from assent.policy.commands import grant_key
from assent.runtime.processes import Bounds
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.words import Reading, Wanted
from assent.shells.book import Shells
from assent.shells.workplace import Workplace
from assent.shells.written import Written
from assent.tools.bash_arguments import DEFAULT_SECONDS, MAX_BYTES, BashArguments, unusable
from assent.tools.bash_look import Look, look
from assent.tools.bash_reading import reading_of
from assent.tools.bash_run import BashRun
from assent.tools.bash_sandbox import SandboxOfCommand, Standing
from assent.tools.command_facts import category_of
from assent.tools.command_preview import duration, headline_of, preview_of, risk_of
from assent.tools.faults import explained
from assent.tools.places import Roots
from assent.tools.schema import path_fault, schema_fault, schema_of

__all__ = ["MAX_BYTES", "Bash", "Runner"]


@dataclass(frozen=True, slots=True)
class Runner:
    """What commands of all chats run by."""

    shells: Shells
    sandbox: Sandbox
    written: Written
    limits: Callable[[], ShellLimits]
    choice: Callable[[], SandboxChoice]
    secrets: Callable[[], frozenset[str]] = frozenset
    """Values that no command gets from the environment."""

    def bounds(self) -> Bounds:
        """How much one command may take."""
        limits = self.limits()
        memory = None if limits.max_memory_mb is None else limits.max_memory_mb * 1024 * 1024
        return Bounds(processes=limits.max_processes, memory_bytes=memory)


class Bash:
    """Says what a command would do as far as that can be read from it, and runs exactly what was shown."""

    spec = ToolSpec(
        "bash",
        "Runs a command in a shell and gives its output and exit code. Nobody can type into it. Each call is a new "
        "shell: only the folder is kept that the last command has gone to with cd. What a command leaves running ends "
        "with it; with background it goes on by itself until it ends.",
        schema_of(BashArguments),
    )
    category = Category.EXECUTE

    def __init__(self, roots: Roots, runner: Runner, workplace: Workplace) -> None:
        self._roots = roots
        self._runner = runner
        self._workplace = workplace

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(BashArguments, args)
        if found is not None:
            return found
        wanted = BashArguments.model_validate(args)
        where = path_fault(wanted.cwd, self._roots()) if wanted.cwd is not None else None
        return where.replace(" path: ", " cwd: ", 1) if where is not None else unusable(wanted.command)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = BashArguments.model_validate(args)
        found = await self._look(wanted, wanted.cwd or self._workplace.directory or ".")
        standing = await self._standing(wanted, found)
        command = found.command
        preview = preview_of(command, found.folders, note=_note(wanted), sandbox=standing.told)
        return Prepared(
            headline=headline_of(command.text, sandbox=standing.by_wish, background=wanted.background),
            directory=found.place.real,
            preview=preview,
            paths=found.uses,
            state=f"{found.state}:{standing.state}",
            grant_key=grant_key(command),
            perform=lambda: self._run(wanted, found, standing, AS_SHOWN),
            perform_in=lambda manner: self._run(wanted, found, standing, manner),
            risk=risk_of(command, preview),
            impossible=found.impossible,
            command=command,
            category=category_of(command),
            sandbox=standing.in_force,
            wall=await self._sandbox_of(wanted).wall(command, self._reading_of(found)),
            unguarded=await self._sandbox_of(wanted).unguarded(command),
            can_go_on=not wanted.background,
        )

    async def _look(self, wanted: BashArguments, directory: str) -> Look:
        runner = self._runner
        where = (self._roots(), directory, self._workplace.scratch)
        return await asyncio.to_thread(look, wanted, *where, runner.limits(), runner.secrets())

    async def _run(self, wanted: BashArguments, found: Look, standing: Standing, manner: Manner) -> ToolAnswer:
        now = await self._look(wanted, found.place.real)
        if not found.is_still(now):
            text = "What this command would do is not what was looked at: files or settings changed. It did not run."
            raise ToolFault("changed_since", text)
        if isinstance(found.shell, ToolFault):
            raise found.shell
        await self._scratch_made()
        inside = await self._sandbox_of(wanted).enter(
            found.command, standing, manner, self._wanted_of(found), self._reading_of(found)
        )
        run = BashRun(
            shells=self._runner.shells,
            workplace=self._workplace,
            roots=self._roots,
            wanted=wanted,
            found=found,
            program=found.shell,
            inside=inside,
            manner=manner,
            bounds=self._runner.bounds(),
        )
        return await run.answer()

    async def _standing(self, wanted: BashArguments, found: Look) -> Standing:
        return await self._sandbox_of(wanted).standing(self._wanted_of(found))

    async def _scratch_made(self) -> None:
        try:
            await asyncio.to_thread(self._workplace.make_scratch)
        except OSError as fault:
            raise explained(fault, self._workplace.scratch) from fault

    def _sandbox_of(self, wanted: BashArguments) -> SandboxOfCommand:
        runner = self._runner
        return SandboxOfCommand(
            runner.sandbox, runner.choice(), runner.written, wish=wanted.sandbox, background=wanted.background
        )

    def _reading_of(self, found: Look) -> Reading:
        return reading_of(found, self._roots(), self._workplace.scratch)

    def _wanted_of(self, found: Look) -> Wanted:
        choice = self._runner.choice()
        scratch = self._workplace.scratch
        roots = tuple(root for root in self._roots() if root != scratch)
        return Wanted(roots, choice.writable, scratch, found.place.real, choice.network)


def _note(wanted: BashArguments) -> str | None:
    """What its text alone does not show."""
    told = []
    if wanted.background:
        told.append("It runs in the background, until it ends or the chat is closed.")
    if wanted.timeout is not None and (wanted.background or wanted.timeout != DEFAULT_SECONDS):
        told.append(f"It may run for up to {duration(wanted.timeout)}.")
    if wanted.shellExecutable is not None:
        told.append(f"The shell is {wanted.shellExecutable}.")
    return " ".join(told) or None
