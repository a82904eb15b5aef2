"""Runs a command that was looked at and allowed, waits for it where it is waited for, and says what came of it."""

import asyncio
import sys
from contextlib import ExitStack

from assent.agent.ports import Manner, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ShellsFull, ToolFault
from assent.model.modes import Category
from assent.runtime.processes import Bounds, Start
from assent.shells.book import Shells
from assent.shells.shell import Epilogue, Order, Shell, Waited
from assent.shells.workplace import Workplace
from assent.tools import bash_words as words
from assent.tools.bash_arguments import BashArguments
from assent.tools.bash_look import Look
from assent.tools.bash_reading import EnteredToRead, only_tells
from assent.tools.bash_sandbox import Entered
from assent.tools.command_facts import category_of
from assent.tools.directory_report import Report, goes_elsewhere, reporting
from assent.tools.faults import explained
from assent.tools.handles import Folder, folder_itself
from assent.tools.places import Roots, locate
from assent.tools.shell import Shell as Program


@dataclass(frozen=True, slots=True)
class BashRun:
    """One command on its way."""

    shells: Shells
    workplace: Workplace
    roots: Roots
    wanted: BashArguments
    found: Look
    program: Program
    inside: Entered | EnteredToRead | None
    manner: Manner
    bounds: Bounds

    @property
    def background(self) -> bool:
        """Whether nobody waits for it."""
        return self.wanted.background or self.manner.in_background

    async def answer(self) -> ToolAnswer:
        """Starts it and says what there is to say. Raises ToolFault."""
        with ExitStack() as held:
            reported = "" if self.background else self.found.command.text
            report = held.enter_context(reporting(reported, self.program.name))
            shell = await self._started_or_left(report)
            if not self.background:
                return await self._awaited(shell, report)
        if self.wanted.timeout is not None:
            self.shells.end_after(shell, float(self.wanted.timeout))
        return words.moved(shell)

    async def _started_or_left(self, report: Report | None) -> Shell:
        try:
            return await self._started(report)
        except BaseException:
            if self.inside is not None:
                await asyncio.shield(self.inside.leave())
            raise

    async def _started(self, report: Report | None) -> Shell:
        place = self.found.place
        try:
            with ExitStack() as held:
                folder = held.enter_context(folder_itself(place.target))
                start = self._start(folder, report)
                if self.inside is not None:
                    start = held.enter_context(self.inside.applied(start))
                return await self._begun(start)
        except OSError as fault:
            raise explained(fault, place.real) from fault

    async def _begun(self, start: Start) -> Shell:
        order = Order(
            session_id=self.workplace.session_id,
            call_id=self.manner.call_id,
            run_id=self.manner.run_id,
            command=self.found.command.text,
            directory=self.found.place.real,
            sandbox=self.inside.name if self.inside is not None else None,
        )
        try:
            return await self.shells.start(order, start, background=self.background, afterwards=self._afterwards)
        except ShellsFull as fault:
            raise ToolFault("limit_reached", str(fault)) from fault
        except OSError as fault:
            raise ToolFault("not_started", f"{self.program.path} could not be started: {fault.strerror}.") from fault

    def _start(self, folder: Folder, report: Report | None) -> Start:
        # By its handle, where the system can: it starts in the folder that was checked, whatever is renamed meanwhile.
        by_handle = folder.handle is not None and sys.platform == "linux"
        directory = f"/proc/self/fd/{folder.handle}" if by_handle else folder.path
        has_all = self._is_agreed or self._is_held or only_tells(self.found.command)
        own = self.program.environment if has_all else self.program.clean
        environment = {**own, **(report.environment if report is not None else {})}
        files = report.files if report is not None else ()
        return Start(self.program.argv(self.found.command.text), directory, environment, files, self.bounds)

    @property
    def _is_held(self) -> bool:
        return isinstance(self.inside, EnteredToRead)

    @property
    def _is_agreed(self) -> bool:
        """Whether somebody said yes, or may have. What only reads runs unasked on the reading of its text, which counts
        on programs that do what they do without any variables. In doubt of that it would have been held."""
        command = self.found.command
        return self.manner.clicked or category_of(command) is not Category.READ or bool(command.doubt)

    async def _awaited(self, shell: Shell, report: Report | None) -> ToolAnswer:
        seconds = self.wanted.seconds or 0.0
        try:
            waited = await shell.wait(seconds)
            if waited is Waited.MOVED:
                return words.moved(shell)
            if waited is Waited.LATE:
                await shell.end("Its time was over.")
                raise words.out_of_time(shell, seconds)
        except asyncio.CancelledError:
            if shell.in_background:
                return words.moved(shell)
            await shell.end("The run was stopped.")
            raise words.stopped(shell) from None
        if shell.ended_for is not None:
            raise words.was_ended(shell)
        gone = await asyncio.to_thread(self._follow, report) if report is not None else None
        return words.ended(shell, tuple(filter(None, (gone, self._withheld(shell)))))

    def _withheld(self, shell: Shell) -> str | None:
        """Once a chat, when a command did not do well: it may miss one of these, or the project's own Python."""
        well = shell.exit is not None and shell.exit.code == 0
        python = self.found.python if self.found.python is not None and self.found.python.stand_in else None
        if well or self.workplace.told_withheld or not (self.program.withheld or python):
            return None
        self.workplace.told_withheld = True
        told = [words.withheld(self.program.withheld)] if self.program.withheld else []
        return " ".join([*told, words.behind(python.programs, python.stand_in)] if python else told)

    async def _afterwards(self, shell: Shell) -> Epilogue:
        return await self.inside.leave(shell) if self.inside is not None else Epilogue()

    def _follow(self, report: Report) -> str | None:
        """The next command starts where this one has gone to, as long as that is in the workspace."""
        folder = report.read()
        if folder is None or folder == self.found.place.real or not goes_elsewhere(self.found.command.text):
            return None
        if not locate(folder, self.roots()).inside:
            stays = self.workplace.directory or "the workspace folder"
            return f"It ended in {folder}, outside the workspace: the next command starts in {stays}."
        self.workplace.directory = folder
        return f"The next command starts in {folder}."
