"""One command that runs: who waits for it, what it printed, how it ended. It is never started a second time."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum

from assent.lazy_dataclasses import dataclass
from assent.model.events import ShellStatus
from assent.model.ids import CallId, RunId, SessionId
from assent.runtime.clock import Clock
from assent.runtime.kept_output import KeptOutput
from assent.runtime.processes import Exit, Running, Stream
from assent.shells.output import Output

GRACE_TO_END = 1.0
"""Seconds between the polite signal and the end."""
GRACE_TO_BE_GONE = 10.0
"""Seconds for which somebody who ended it waits until nothing of it is left."""
GRACE_FOR_OUTPUT = 0.5
"""Seconds for which the output of a program that has ended is waited for: another may hold it open."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command that was allowed: for whom it runs and what people are told of it."""

    session_id: SessionId
    call_id: CallId
    run_id: RunId
    command: str
    directory: str
    sandbox: str | None = None
    """The name of the sandbox in which it runs."""


Afterwards = Callable[["Shell"], Awaitable["Epilogue"]]
"""What is done once nothing of a command is left."""


@dataclass(frozen=True, slots=True)
class Epilogue:
    """What there is to say after the end of a command, beside how it ended."""

    notes: tuple[str, ...] = ()
    """For the agent."""
    warning: str | None = None
    """For the user."""


class Waited(Enum):
    """Why somebody who waited for a command waits no more."""

    ENDED = "ended"
    MOVED = "moved"
    LATE = "late"


class Shell:
    """A started command. Its own task sees it to its end, whoever waits for it."""

    def __init__(self, shell_id: str, order: Order, clock: Clock, *, background: bool, most: int, kept: int) -> None:
        self.shell_id = shell_id
        self.order = order
        self.in_background = background
        self.output = Output(most)
        self.exit: Exit | None = None
        """How its program ended, once it has and nothing of it is left."""
        self.ended_for: str | None = None
        """Why it was ended, where it did not end by itself."""
        self.held_open = False
        """Something that it had left running was ended with it."""
        self.epilogue = Epilogue()
        self.pid = 0
        self._clock = clock
        self._started = clock.monotonic()
        self._seconds: float | None = None
        self._kept = {stream: KeptOutput(kept) for stream in Stream} if not background else {}
        self._running: Running | None = None
        self._over = asyncio.Event()
        self._moved = asyncio.Event()

    @property
    def status(self) -> ShellStatus:
        """Whether it runs, or how it ended."""
        if self.exit is None:
            return ShellStatus.RUNNING
        if self.exit.code is None and self.exit.signal is None:
            return ShellStatus.FAILED
        return ShellStatus.EXITED if self.ended_for is None else ShellStatus.KILLED

    @property
    def age(self) -> float:
        """Seconds since its start; of one that has ended, how long it ran."""
        return self._clock.monotonic() - self._started if self._seconds is None else self._seconds

    @property
    def idle(self) -> float:
        """Seconds since its end."""
        return 0.0 if self._seconds is None else self._clock.monotonic() - self._started - self._seconds

    def kept(self, stream: Stream) -> KeptOutput:
        """The beginning and the end of a stream, for the result of a call that waited to the end."""
        return self._kept[stream]

    def printed(self, stream: Stream, data: bytes) -> str:
        """The next bytes; what of them became text."""
        if stream in self._kept:
            self._kept[stream].add(data)
        return self.output.add(stream, data)

    async def see_to_its_end(self, running: Running, afterwards: Afterwards | None) -> None:
        """Returns when it has ended and nothing of it is left."""
        self._running = running
        self.pid = running.pid
        if self.ended_for is not None:
            # Somebody ended it while it began.
            running.kill()
        exit_of_program = await running.ended()
        quick = self.ended_for is not None
        self.held_open = not await running.silent(0.0 if quick else GRACE_FOR_OUTPUT) and not quick
        await running.end()
        await running.silent(GRACE_FOR_OUTPUT)
        self.output.close()
        self.ended_for = self.ended_for or exit_of_program.limit
        self._seconds = self._clock.monotonic() - self._started
        self.exit = exit_of_program
        try:
            self.epilogue = await afterwards(self) if afterwards is not None else Epilogue()
        finally:
            self._over.set()

    async def wait(self, seconds: float | None) -> Waited:
        """Returns when it has ended, was moved to the background, or after so many seconds."""
        events = [asyncio.ensure_future(event.wait()) for event in (self._over, self._moved)]
        try:
            await asyncio.wait(events, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for event in events:
                event.cancel()
        if self._over.is_set():
            return Waited.ENDED
        return Waited.MOVED if self._moved.is_set() else Waited.LATE

    def move(self) -> None:
        """From here on it goes on by itself."""
        self.in_background = True
        self._kept = {}
        self._moved.set()

    def never_began(self) -> None:
        """It could not be started: whoever waits for its end waits no more."""
        self._seconds = 0.0
        self.exit = Exit(None, None)
        self._over.set()

    async def end(self, why: str) -> None:
        """Ends it with all that it started, politely first; returns when nothing of it is left.

        One that is just being started ends as soon as it is there.
        """
        if self.exit is not None:
            return
        self.ended_for = self.ended_for or why
        if self._running is not None:
            self._running.terminate()
            await self.wait_for_end(GRACE_TO_END)
            if self.exit is None:
                self._running.kill()
        # What even that does not end waits for a device: nobody waits with it.
        await self.wait_for_end(GRACE_TO_BE_GONE)

    async def wait_for_end(self, seconds: float | None) -> bool:
        """Whether it has ended within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return False
        return True

    def kill(self, why: str) -> None:
        """Ends it at once, without waiting."""
        self.ended_for = self.ended_for or why
        if self._running is not None:
            self._running.kill()
