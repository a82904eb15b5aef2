"""All commands of this server: those that run, and those that ran in the background and can still be read.

A command belongs to a chat. In the foreground it ends with its call; in the background with its chat or the server.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Protocol

from assent.model.errors import ShellNotFound, ShellsFull
from assent.model.ids import CallId, SessionId
from assent.model.limits import ShellLimits
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id
from assent.runtime.processes import Processes, Running, Start, Stream
from assent.runtime.tasks import TaskGroup
from assent.shells.shell import GRACE_TO_END, Afterwards, Order, Shell
from assent.shells.telling import Telling

logger = logging.getLogger(__name__)

KEPT_OF_RESULT = 512 * 1024
"""Bytes of each stream that the result of a foreground call can hold. A model gets less of it."""
MOST_ENDED = 100
"""Ended commands of a chat whose exit codes are known."""
OUTPUT_AGE = 3_600.0
"""Seconds after its end for which the output of a command is kept."""
MOST_OUTPUT_OF_ENDED = 16 * 1024 * 1024
"""Characters of output of all ended commands together. What ended first goes first."""


class Listener(Protocol):
    """Who is told of commands. Telling never waits and never fails."""

    def printed(self, shell: Shell, stream: Stream, text: str) -> None:
        """It printed this, shortened where it prints fast."""

    def warned(self, shell: Shell, text: str) -> None:
        """Its end left something to tell the user."""

    def changed(self, shell: Shell) -> None:
        """A command has begun, was moved to the background, or one in the background has ended."""


class Shells:
    """Starts commands that were allowed, and knows them until nobody can ask for them any more."""

    def __init__(
        self, processes: Processes, clock: Clock, limits: Callable[[], ShellLimits], listener: Listener
    ) -> None:
        self._processes = processes
        self._clock = clock
        self._limits = limits
        self._listener = listener
        self._telling = Telling(listener.printed)
        self._shells: dict[str, Shell] = {}
        self._tasks = TaskGroup("shells")

    async def start(
        self, order: Order, start: Start, *, background: bool, afterwards: Afterwards | None = None
    ) -> Shell:
        """Starts it. Raises OSError where it cannot be started, ShellsFull where too many run in the background."""
        if background:
            self._check_room(order.session_id)
        shell = Shell(
            new_id(),
            order,
            self._clock,
            background=background,
            most=self._limits().max_output_bytes,
            kept=KEPT_OF_RESULT,
        )
        # Known before it starts: another that wants the last place finds it taken.
        self._shells[shell.shell_id] = shell
        try:
            running = await self._processes.start(start, lambda stream, data: self._printed(shell, stream, data))
        except BaseException:
            self._shells.pop(shell.shell_id, None)
            shell.never_began()
            raise
        self._tasks.start(self._see_to_its_end(shell, running, afterwards), f"shell {shell.shell_id}")
        self._listener.changed(shell)
        return shell

    def all(self, session_id: SessionId | None = None) -> tuple[Shell, ...]:
        """Those of this chat, or of all, in the order of their starts."""
        self._evict()
        return tuple(shell for shell in self._shells.values() if session_id in (None, shell.order.session_id))

    def get(self, shell_id: str, session_id: SessionId | None = None) -> Shell:
        """The one with this id; of this chat, where one is named. Raises ShellNotFound."""
        self._evict()
        shell = self._shells.get(shell_id)
        if shell is None or session_id not in (None, shell.order.session_id):
            raise ShellNotFound(
                f"there is no command with the id {shell_id!r} here; it is not kept any more, or never was"
            )
        return shell

    def of_call(self, call_id: CallId) -> Shell:
        """The one that this call waits for. Raises ShellNotFound."""
        found = next((shell for shell in self._shells.values() if shell.order.call_id == call_id), None)
        if found is None:
            raise ShellNotFound("this call waits for no command: it has ended, or has not begun")
        return found

    def move(self, shell: Shell) -> None:
        """Lets a command of a running call go on by itself. Raises ShellsFull, ShellNotFound where it has ended."""
        if shell.in_background:
            return
        if shell.exit is not None or shell.ended_for is not None:
            raise ShellNotFound("the command has ended already, or is being ended")
        self._check_room(shell.order.session_id)
        self._telling.flush(shell)
        shell.move()
        self._listener.changed(shell)

    def end_after(self, shell: Shell, seconds: float) -> None:
        """Ends it when this time is over, unless it has ended by then."""
        self._tasks.start(_end_after(shell, seconds), f"time of {shell.shell_id}")

    async def end_chat(self, session_id: SessionId) -> None:
        """The chat is closed: nothing of it runs on, and nothing of it is kept."""
        mine = self.all(session_id)
        for shell in mine:
            shell.kill("The chat was closed.")
        for shell in mine:
            await shell.end("The chat was closed.")
            self._shells.pop(shell.shell_id, None)

    async def end(self) -> None:
        """The server ends."""
        running = [shell for shell in self._shells.values() if shell.exit is None]
        for shell in running:
            shell.kill("The server ended.")
        await asyncio.gather(*(shell.wait_for_end(GRACE_TO_END) for shell in running))
        await self._tasks.cancel()

    async def _see_to_its_end(self, shell: Shell, running: Running, afterwards: Afterwards | None) -> None:
        await shell.see_to_its_end(running, afterwards)
        self._ended(shell)

    def _printed(self, shell: Shell, stream: Stream, data: bytes) -> None:
        self._telling.add(shell, stream, shell.printed(stream, data))

    def _ended(self, shell: Shell) -> None:
        self._telling.flush(shell)
        if shell.epilogue.warning is not None:
            self._listener.warned(shell, shell.epilogue.warning)
        if shell.in_background:
            self._listener.changed(shell)
        else:
            # Its call has the result; nobody asks for it under its own id.
            self._shells.pop(shell.shell_id, None)

    def _check_room(self, session_id: SessionId) -> None:
        most = self._limits().max_background
        mine = [shell for shell in self._shells.values() if shell.order.session_id == session_id]
        running = sum(shell.in_background and shell.exit is None for shell in mine)
        if running >= most:
            raise ShellsFull(
                f"{running} commands of this chat run in the background already, and {most} may "
                "(assent.shell.maxBackground). End one of them first: bash_output shows what each does, kill_bash "
                "ends it."
            )

    def _evict(self) -> None:
        """Forgets what is old, and what is too much: the output first, later that there ever was such a command."""
        ended = [shell for shell in self._shells.values() if shell.exit is not None and shell.in_background]
        room = MOST_OUTPUT_OF_ENDED
        for shell in sorted(ended, key=lambda one: one.idle):
            room -= shell.output.total - shell.output.dropped
            if room < 0 or shell.idle > OUTPUT_AGE:
                shell.output.forget()
        for shell in _oldest(ended):
            del self._shells[shell.shell_id]


async def _end_after(shell: Shell, seconds: float) -> None:
    if not await shell.wait_for_end(seconds):
        await shell.end("Its time was over.")


def _oldest(ended: list[Shell]) -> Iterator[Shell]:
    """Of each chat those beyond the number that is kept."""
    by_chat: dict[SessionId, list[Shell]] = {}
    for shell in sorted(ended, key=lambda one: one.idle):
        by_chat.setdefault(shell.order.session_id, []).append(shell)
    for shells in by_chat.values():
        yield from shells[MOST_ENDED:]
