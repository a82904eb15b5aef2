"""A chat with what goes on in it: one run at a time, and the messages that wait for their turn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from assent.agent.chat import Agent, Chat
from assent.agent.resume import Resumption
from assent.agent.run import Run, RunEnd, Surroundings
from assent.app.agent_of_now import take_agent_of_now
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.events import DoneReason, Notice
from assent.model.ids import RunId, ViewId
from assent.model.message_parts import Part
from assent.model.modes import Mode
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup

Agents = Callable[[], Mapping[str, Agent]]
"""The agents as they are defined now, by name."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a message."""

    run_id: RunId
    end: RunEnd
    begun: bool = True
    """False where a stop, or a message in its place, dropped it while it waited for its turn."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a message was sent. A stop, or a looser mode, that came later came behind it, however long it is read."""

    mode: Mode
    stops: int


_WAITS = "Files are being rolled back in this chat: your message waits until that is over."


class Seat:
    """Messages are run one after another, in the order in which they came; never two at once."""

    def __init__(
        self,
        chat: Chat,
        surroundings: Surroundings,
        tasks: TaskGroup,
        agents: Agents,
        interrupted: Resumption | None = None,
    ) -> None:
        self.chat = chat
        self.run: Run | None = None
        self.views: set[ViewId] = set()
        self.rehearsals = TaskGroup("rehearsals")
        self.interrupted = interrupted
        """The calls that waited when an earlier server ended; only a chat that was restored has any."""
        self._around = surroundings
        self._tasks = tasks
        self._agents = agents
        self._turnstile = asyncio.Lock()
        self._messages: set[asyncio.Task[Sent]] = set()
        """The one that runs, and those that wait for their turn."""
        self._stops = 0
        self._rested = asyncio.Event()
        """No roll back goes on in this chat."""
        self._rested.set()

    @property
    def busy(self) -> bool:
        """Whether a run goes on, or a message waits for its turn."""
        return len(self._messages) > 0

    def moment(self) -> Moment:
        """This one, for a message that is not whole yet."""
        return Moment(self.chat.mode, self._stops)

    def take(
        self, message: tuple[Part, ...] | None, sent: Moment | None = None, replaces: RunId | None = None
    ) -> "asyncio.Task[Sent]":
        """Runs a message to its end once it is its turn; None goes on from where the chat is, without one.

        The task outlives whoever waits for it. Cancelling it stops its run. The mode in which it was sent holds for
        the run, however long it waits. Where it is said instead of the message that began a run, all else was ended
        before: `make_way`.
        """
        if not self._rested.is_set():
            self.chat.events.add(Notice(_WAITS))
        task = self._tasks.start(self._in_turn(message, sent or self.moment(), replaces), "message")
        self._messages.add(task)
        task.add_done_callback(self._messages.discard)
        return task

    @asynccontextmanager
    async def rest(self) -> AsyncIterator[None]:
        """Meanwhile no run begins here, and no call of an earlier server is asked for anew."""
        async with self._turnstile:
            self._rested.clear()
            try:
                yield
            finally:
                self._rested.set()

    async def rested(self) -> None:
        """Returns when no roll back goes on here."""
        await self._rested.wait()

    def make_way(self, sent: Moment, *, calls_too: bool = False) -> Moment:
        """Ends the run and drops the messages behind it, so that the next message takes its place once it has ended.

        Calls of an earlier server are no part of a run, and go on waiting: unless they end with it, too. One that was
        stopped itself since it was sent ends nothing.
        """
        if self._stops != sent.stops:
            return sent
        if calls_too:
            self.end(ResolvedBy.STOP)
        else:
            self._end_runs(ResolvedBy.STOP)
        return replace(sent, stops=self._stops)

    def end(self, by: ResolvedBy) -> None:
        """From this moment on nothing here begins: no call, no request to the model, none of the messages that wait."""
        self._end_runs(by)
        if self.interrupted is not None:
            self.interrupted.end(by)

    async def stop(self, by: ResolvedBy) -> bool:
        """Ends all that goes on, drops the messages that wait, and says whether there was anything."""
        active = self.busy or len(self.rehearsals) + len(self.interrupted or ()) > 0
        # The run of this moment: a message that comes while the rehearsals end was sent after the stop.
        run = self.run
        # Before anything is waited for: else its model could go on while a rehearsal takes its time to end.
        self.end(by)
        await self.rehearsals.cancel()
        if self.interrupted is not None:
            await self.interrupted.withdraw(by)
        if run is not None:
            await run.stop(by)
        return active

    def _end_runs(self, by: ResolvedBy) -> None:
        self._stops += 1
        if self.run is not None:
            self.run.end(by)

    async def _in_turn(self, message: tuple[Part, ...] | None, sent: Moment, replaces: RunId | None) -> Sent:
        async with self._turnstile:
            if replaces is not None and not self._is_stopped(sent):
                await self._quiet()
            # Another message may have been said instead of it meanwhile.
            is_gone = replaces is not None and self.chat.history.begin_of(replaces) is None
            if is_gone or self._is_stopped(sent):
                return _never_begun(RunId(new_id()))
            return await self._run(message, sent.mode, replaces)

    def _is_stopped(self, sent: Moment) -> bool:
        return self._stops != sent.stops or self.chat.closed

    async def _quiet(self) -> None:
        """Returns when nothing that was ended can write into the history any more."""
        await self.rehearsals.cancel()
        if self.interrupted is not None:
            await self.interrupted.withdraw(ResolvedBy.STOP)

    async def _run(self, message: tuple[Part, ...] | None, mode: Mode, replaces: RunId | None) -> Sent:
        run_id = RunId(new_id())
        redefined = take_agent_of_now(self.chat, self._agents())
        run = self.run = Run(run_id, self.chat, mode, self._around)
        if redefined:
            run.tell_grants()
        try:
            task = run.start(message, self._tasks, replaces)
            await asyncio.wait({task})
            return Sent(run_id, task.result()) if run.begun else _never_begun(run_id)
        except asyncio.CancelledError:
            await _stop_for_good(run)
            raise
        finally:
            self.run = None


def _never_begun(run_id: RunId) -> Sent:
    return Sent(run_id, RunEnd(DoneReason.CANCELLED), begun=False)


async def _stop_for_good(run: Run) -> None:
    """Waits until the run has ended, however often the wait is cancelled: the next message must find the chat quiet."""
    stopping = asyncio.ensure_future(run.stop(ResolvedBy.STOP))
    while not stopping.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({stopping})
