"""Commands that an agent has the client run, in terminals that it reads, waits for and ends: each runs as bash does."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from assent.acp.agent_files import kept_promise
from assent.acp.command_lines import with_variables
from assent.acp.picture import MOST_PRINTED
from assent.acp.promises import CommandPromised, Promises
from assent.acp.shell_lines import wrapped_line
from assent.agent.ports import Prepared, Tool, ToolAnswer, wrapped
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import ToolSpec
from assent.model.errors import ShellNotFound
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.shells.book import Shells
from assent.shells.shell import Shell

_MOST_OUTPUT = 1_048_576
"""Bytes of output that an agent gets where it does not say how much it wants."""


@dataclass(frozen=True, slots=True)
class TerminalWanted:
    """The command of a terminal, as the agent gives it."""

    command: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
    most_output: int = _MOST_OUTPUT

    @property
    def own_text(self) -> str:
        """The command without its variables. Alone, with blanks in it, it is a whole command line."""
        if not self.args and any(sign.isspace() for sign in self.command):
            return self.command
        return shlex.join((self.command, *self.args))

    @property
    def text(self) -> str:
        """What runs."""
        one_program = bool(self.args) or not any(sign.isspace() for sign in self.command)
        return with_variables(self.own_text, self.env, is_one_program=one_program)


class RunForAgent:
    """Runs a command for an agent, which goes on while the agent looks at it."""

    def __init__(self, running: Tool, wanted: TerminalWanted, promises: Promises, began: Callable[[str], None]) -> None:
        self._running = running
        self._wanted = wanted
        self._promises = promises
        self._began = began

    @property
    def spec(self) -> ToolSpec:
        return self._running.spec

    @property
    def category(self) -> Category:
        return self._running.category

    def fault(self, args: JsonObject) -> str | None:
        return self._running.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        prepared = await self._running.prepare(args)
        wanted = self._wanted
        promised = CommandPromised(wanted.own_text, prepared.directory, tuple(sorted(wanted.env)))
        line = wrapped_line(wanted.command, wanted.args, wanted.env, prepared.directory)
        if line is not None and self._promises.holds(CommandPromised(line, prepared.directory, ())) is not None:
            promised = CommandPromised(line, prepared.directory, ())

        async def told(run: Callable[[], Awaitable[ToolAnswer]]) -> ToolAnswer:
            answer = await run()
            if answer.shell is not None:
                self._began(answer.shell)
            return answer

        started = replace(wrapped(prepared, told), can_go_on=False)
        return kept_promise(started, promised, self._promises)


class Terminals:
    """The terminals of one session."""

    def __init__(self, shells: Shells, session_id: SessionId) -> None:
        self._shells = shells
        self._session_id = session_id
        self._most: dict[str, int] = {}
        """By the id of the terminal: the bytes of output that its agent wants."""
        self._begun: set[str] = set()

    def began(self, terminal_id: str, most_output: int) -> None:
        """A command was started for the agent."""
        self._begun.add(terminal_id)
        self._most[terminal_id] = most_output

    def printed(self, terminal_id: str) -> str:
        """The end of what it has printed, for the row of the call that names it: the agent released it before."""
        shell = self._known(terminal_id) if terminal_id in self._begun else None
        return shell.output.tail(MOST_PRINTED) if shell is not None else ""

    def output(self, terminal_id: str) -> JsonObject | None:
        """What it has printed and how it ended. None: there is no such terminal."""
        shell = self._shell(terminal_id)
        if shell is None:
            return None
        piece = shell.output.read()
        text, cut = _end_of(piece.text, self._most[terminal_id])
        ended = exit_of(shell)
        told: JsonObject = {"output": text, "truncated": cut or piece.dropped > 0}
        return {**told, "exitStatus": ended} if ended is not None else told

    async def ended(self, terminal_id: str) -> JsonObject | None:
        """How it ended, once it has. None: there is no such terminal."""
        shell = self._shell(terminal_id)
        if shell is None:
            return None
        await shell.wait_for_end(None)
        return exit_of(shell)

    async def kill(self, terminal_id: str) -> bool:
        """Ends it; it can still be read. False: there is no such terminal."""
        shell = self._shell(terminal_id)
        if shell is None:
            return False
        await shell.end("The agent ended it.")
        return True

    async def release(self, terminal_id: str) -> bool:
        """Ends it, and forgets it."""
        known = await self.kill(terminal_id)
        self._most.pop(terminal_id, None)
        return known

    async def end_all(self, why: str) -> None:
        """The turn was stopped, or the agent is gone: nothing of it runs on."""
        known = tuple(self._running())
        await asyncio.gather(*(shell.end(why) for shell in known))

    def _running(self) -> Iterator[Shell]:
        for terminal_id in self._most:
            shell = self._shell(terminal_id)
            if shell is not None and shell.exit is None:
                yield shell

    def _shell(self, terminal_id: str) -> Shell | None:
        return self._known(terminal_id) if terminal_id in self._most else None

    def _known(self, terminal_id: str) -> Shell | None:
        try:
            return self._shells.get(terminal_id, self._session_id)
        except ShellNotFound:
            return None


def exit_of(shell: Shell) -> JsonObject | None:
    """How a command ended, in the protocol's words."""
    ended = shell.exit
    return None if ended is None else {"exitCode": ended.code, "signal": ended.signal}


def _end_of(text: str, most: int) -> tuple[str, bool]:
    data = text.encode("utf-8")
    return (text, False) if len(data) <= most else (data[len(data) - most :].decode("utf-8", "ignore"), True)
