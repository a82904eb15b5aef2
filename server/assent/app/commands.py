"""The commands of all chats: told of in the chat that they belong to, listed, read, moved and ended."""

import asyncio
import logging
from collections.abc import Callable

from assent.agent.chat import Chat
from assent.agent.toolbelt import OfEachChat
from assent.model.errors import InvalidRequest, ShellsFull
from assent.model.events import Phase, ShellChanged, ShellPrinted, ShellStatus, ToolProgress
from assent.model.ids import CallId, SessionId
from assent.model.limits import ShellLimits
from assent.runtime.clock import Clock
from assent.runtime.processes import Processes, Stream
from assent.runtime.tasks import TaskGroup
from assent.shells.book import Shells
from assent.shells.shell import Shell
from assent.shells.workplace import Workplace, Workplaces, sweep_scratch
from assent.tools.bash import Bash, Runner
from assent.tools.bash_output import BashOutput
from assent.tools.kill_bash import KillBash
from assent.tools.places import Roots

logger = logging.getLogger(__name__)

_BY_USER = "You ended it."


class Commands:
    """What a page can do with running commands, and what it is told of them."""

    def __init__(
        self,
        processes: Processes,
        clock: Clock,
        limits: Callable[[], ShellLimits],
        chat: Callable[[SessionId], Chat | None],
    ) -> None:
        self.shells = Shells(processes, clock, limits, self)
        self._processes = processes
        self._workplaces = Workplaces()
        self._chat = chat
        self._tasks = TaskGroup("commands")
        self._begun = False
        self._swept = asyncio.Event()
        self._swept.set()
        self._tidied = False

    def begin(self, further: Callable[[], None]) -> None:
        """Ends what an earlier server has left running that was killed, and what else there is of it: once."""
        if not self._begun:
            self._begun = True
            self._swept.clear()
            self._tasks.start(self._sweep(further), "sweep")

    async def _sweep(self, further: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(self._end_what_runs, further)
        finally:
            self._swept.set()

    def _end_what_runs(self, further: Callable[[], None]) -> None:
        ended = self._processes.sweep()
        if ended:
            logger.warning("an earlier server was killed: ended %d programs of it", ended)
        further()

    def tidy(self) -> None:
        """Takes away folders of servers that were killed, once.

        With a first command or page, or a chat that is taken over: a server that has none of these touches nothing.
        """
        if not self._tidied:
            self._tidied = True
            self._tasks.start(self._tidy(), "tidy")

    async def _tidy(self) -> None:
        # What still runs could go on writing there.
        await self._swept.wait()
        await asyncio.to_thread(sweep_scratch)

    def workplace(self, session_id: SessionId) -> Workplace:
        """Where the commands of this chat work."""
        return self._workplaces.of(session_id)

    def tools(self, runner: Runner, inside: Callable[[SessionId], Roots]) -> tuple[OfEachChat, ...]:
        """Those by which each chat runs them, reads of them and ends them."""
        return (
            OfEachChat(lambda chat: Bash(inside(chat), runner, self.workplace(chat))),
            OfEachChat(lambda chat: BashOutput(self.shells, chat)),
            OfEachChat(lambda chat: KillBash(self.shells, chat)),
        )

    def printed(self, shell: Shell, stream: Stream, text: str) -> None:
        chat = self._chat(shell.order.session_id)
        if chat is None:
            return
        if shell.in_background:
            chat.events.pass_on(ShellPrinted(shell.shell_id, stream.value, text))
        else:
            told = ToolProgress(shell.order.call_id, Phase.RUNNING, output_delta=text, shell_id=shell.shell_id)
            chat.events.pass_on(told, shell.order.run_id)

    def warned(self, shell: Shell, text: str) -> None:
        chat = self._chat(shell.order.session_id)
        if chat is not None:
            chat.warn(text)

    def changed(self, shell: Shell) -> None:
        self.tidy()
        chat = self._chat(shell.order.session_id)
        if chat is None:
            return
        if shell.status is ShellStatus.RUNNING and not shell.in_background:
            begun = ToolProgress(shell.order.call_id, Phase.RUNNING, shell_id=shell.shell_id)
            chat.events.add(begun, shell.order.run_id)
            return
        ended = shell.exit
        told = ShellChanged(
            shell.shell_id,
            shell.status,
            shell.order.call_id,
            shell.order.command,
            ended.code if ended is not None else None,
            ended.signal if ended is not None else None,
            shell.ended_for,
        )
        chat.events.add(told)

    def move(self, call_id: CallId) -> Shell:
        """The command of this running call goes on by itself."""
        shell = self.shells.of_call(call_id)
        try:
            self.shells.move(shell)
        except ShellsFull as fault:
            raise InvalidRequest(str(fault), "params.toolCallId") from fault
        return shell

    async def kill(self, shell_id: str | None, call_id: CallId | None) -> bool:
        """Ends a command with everything that it started; says whether it still ran."""
        if (shell_id is None) == (call_id is None):
            raise InvalidRequest("name either the command or the call that waits for it", "params.shellId")
        shell = self.shells.get(shell_id) if shell_id is not None else self.shells.of_call(CallId(call_id or ""))
        if shell.exit is not None:
            return False
        await shell.end(_BY_USER)
        return True

    async def close(self, session_id: SessionId) -> None:
        """The chat is closed: what runs of it ends, and its scratch folder goes."""
        await self.shells.end_chat(session_id)
        await asyncio.to_thread(self._workplaces.close, session_id)

    async def end(self) -> None:
        """The server ends."""
        await self._tasks.cancel()
        await self.shells.end()
        await asyncio.to_thread(self._workplaces.close_all)
