"""The chats of this server and what clients do with them."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from assent.agent.chat import Agent, Chat
from assent.agent.eventlog import EventLog, Happened, Reader
from assent.agent.history import History
from assent.agent.ports import Keeper
from assent.agent.resume import Interrupted, Resumption
from assent.agent.run import Run, RunEnd, Surroundings
from assent.app.rehearsal import rehearse
from assent.approvals.broker import Broker
from assent.model.approval import Resolution, ResolvedBy
from assent.model.conversation import Message
from assent.model.errors import InvalidRequest, SessionNotFound
from assent.model.events import DoneReason, Event, ModeChanged
from assent.model.ids import RunId, SessionId, ViewId
from assent.model.modes import Mode
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

MAX_PROMPT = 1_000_000

Keepers = Callable[[SessionId, Agent, Mode], Keeper]
"""Where a new chat is kept."""


@dataclass(slots=True)
class _Seat:
    """A chat with what goes on in it. Messages are run one after another, in the order in which they came."""

    chat: Chat
    run: Run | None = None
    turnstile: asyncio.Lock = field(default_factory=asyncio.Lock)
    messages: set["asyncio.Task[Sent]"] = field(default_factory=set)
    """The one that runs, and those that wait for their turn."""
    stops: int = 0
    views: set[ViewId] = field(default_factory=set)
    rehearsals: TaskGroup = field(default_factory=lambda: TaskGroup("rehearsals"))
    interrupted: Resumption | None = None
    """The calls that waited when an earlier server ended; only a chat that was restored has any."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a message."""

    run_id: RunId
    end: RunEnd
    begun: bool = True
    """False where a stop dropped it while it waited for its turn."""


class Desk:
    """Opens and closes chats, starts and stops their runs."""

    def __init__(
        self,
        agents: Callable[[], Mapping[str, Agent]],
        new_chat_mode: Callable[[], Mode],
        surroundings: Surroundings,
        reader: Reader,
        reconsider: Callable[[], None],
        keepers: Keepers,
    ) -> None:
        self._agents = agents
        self._new_chat_mode = new_chat_mode
        self._around = surroundings
        self._reader = reader
        self._reconsider = reconsider
        self._keepers = keepers
        self._seats: dict[SessionId, _Seat] = {}
        self._tasks = TaskGroup("desk")

    def open(self, agent_id: str, mode: Mode | None) -> Chat:
        """A new chat. A mode that is asked for is the user's own choice."""
        agent = self._agents().get(agent_id)
        if agent is None:
            known = ", ".join(self._agents())
            raise InvalidRequest(f"there is no agent named {agent_id!r}; known are: {known}", "params.agent")
        session_id = SessionId(new_id())
        mode = mode or self._new_chat_mode()
        keeper = self._keepers(session_id, agent, mode)
        events = EventLog(session_id, self._reader, self._around.clock, keeper)
        chat = Chat(session_id, agent, mode, events, History(keeper), keeper)
        self._seats[session_id] = _Seat(chat)
        return chat

    def restore(
        self,
        session_id: SessionId,
        agent: Agent,
        mode: Mode,
        told: Sequence[tuple[RunId, Event]],
        messages: Sequence[Message],
        keeper: Keeper,
    ) -> Chat:
        """A chat of an earlier server, as it was."""
        kept = [Happened(session_id, run_id, n, event) for n, (run_id, event) in enumerate(told, start=1)]
        events = EventLog(session_id, self._reader, self._around.clock, keeper, kept)
        chat = Chat(session_id, agent, mode, events, History(keeper, messages), keeper)
        self._seats[session_id] = _Seat(chat, interrupted=Resumption(chat, self._around))
        return chat

    def resume(self, session_id: SessionId, interrupted: Sequence[Interrupted]) -> None:
        """Asks anew for the calls that waited when the earlier server ended."""
        seat = self._seat(session_id)
        if seat.interrupted is not None:
            seat.interrupted.ask(interrupted)

    def has(self, session_id: SessionId) -> bool:
        """Whether there is such a chat."""
        return session_id in self._seats

    def chats(self) -> tuple[Chat, ...]:
        """All chats, oldest first: those of an earlier server were there before all others."""
        seats = sorted(self._seats.values(), key=lambda seat: seat.interrupted is None)
        return tuple(seat.chat for seat in seats)

    def chat(self, session_id: SessionId) -> Chat:
        """The chat with this id."""
        return self._seat(session_id).chat

    def running(self, session_id: SessionId) -> bool:
        """Whether a run goes on in this chat, or waits for its turn."""
        return len(self._seat(session_id).messages) > 0

    def about_to_wait(self, session_id: SessionId) -> int:
        """How many calls of an earlier server are on their way to the user: they count as waiting already."""
        interrupted = self._seat(session_id).interrupted
        return 0 if interrupted is None else interrupted.unasked

    def busy(self) -> bool:
        """Whether a run goes on in any chat."""
        return any(seat.run is not None for seat in self._seats.values())

    def send(self, session_id: SessionId, text: str, mode: Mode | None) -> "asyncio.Task[Sent]":
        """Runs a message to its end; while another runs in this chat, it waits for its turn.

        The task is the desk's, so that it outlives whoever waits for it. Cancelling it stops this message's run.
        """
        seat = self._seat(session_id)
        if not text.strip():
            raise InvalidRequest("the message is empty", "params.text")
        if len(text) > MAX_PROMPT:
            raise InvalidRequest(f"the message is longer than {MAX_PROMPT} characters", "params.text")
        if mode is not None and mode is not seat.chat.mode:
            self._change_mode(seat, mode)
        # The mode that the message is sent with holds for its run, however long it waits for its turn.
        task = self._tasks.start(self._in_turn(seat, text, seat.chat.mode, seat.stops), "message")
        seat.messages.add(task)
        task.add_done_callback(seat.messages.discard)
        return task

    async def stop(self, session_id: SessionId, by: ResolvedBy = ResolvedBy.STOP) -> bool:
        """Ends the run of this chat and drops the messages that wait behind it."""
        seat = self._seat(session_id)
        active = len(seat.messages) + len(seat.rehearsals) + len(seat.interrupted or ()) > 0
        # The run of this moment: a message that comes while the rehearsals end was sent after the stop.
        run, seat.stops = seat.run, seat.stops + 1
        await seat.rehearsals.cancel()
        if seat.interrupted is not None:
            await seat.interrupted.withdraw(by)
        if run is not None:
            await run.stop(by)
        return active

    async def close(self, session_id: SessionId) -> None:
        """Stops and forgets a chat."""
        seat = self._seat(session_id)
        seat.chat.closed = True
        await self.stop(session_id)
        seat.chat.keeper.closed()
        self._seats.pop(session_id, None)

    async def rehearse(self, session_id: SessionId, broker: Broker, directory: str) -> Resolution:
        """Shows a card that leads to nothing in this chat."""
        seat = self._seat(session_id)
        if seat.chat.closed:
            raise SessionNotFound("this chat is being closed")
        task = seat.rehearsals.start(rehearse(seat.chat, broker, directory), "rehearsal")
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            raise InvalidRequest("the test request was withdrawn")
        return task.result()

    def set_mode(self, session_id: SessionId, mode: Mode, *, apply_now: bool) -> None:
        """Sets the mode: a tighter one counts at once, a looser one with the next message or with `apply_now`."""
        seat = self._seat(session_id)
        self._change_mode(seat, mode)
        if apply_now and seat.run is not None:
            seat.run.apply_mode(mode)
            self._reconsider()

    def show(self, session_id: SessionId, view_id: ViewId) -> None:
        """A view shows this chat, and no other one from now on."""
        seat = self._seat(session_id)
        for other in self._seats.values():
            other.views.discard(view_id)
        seat.views.add(view_id)

    def hide(self, session_id: SessionId, view_id: ViewId) -> None:
        """A view does not show this chat any more."""
        self._seat(session_id).views.discard(view_id)

    def shows(self, view_id: ViewId, session_id: SessionId) -> bool:
        """Whether this view shows this chat."""
        seat = self._seats.get(session_id)
        return seat is not None and view_id in seat.views

    def leave(self, view_id: ViewId) -> None:
        """A view is gone, whatever it showed."""
        for seat in self._seats.values():
            seat.views.discard(view_id)

    def attended(self) -> bool:
        """Whether any view shows any chat."""
        return any(seat.views for seat in self._seats.values())

    async def shut_down(self) -> None:
        """Ends everything, because the server ends."""
        for seat in tuple(self._seats.values()):
            seat.chat.closed = True
            seat.stops += 1
            await seat.rehearsals.cancel()
            if seat.interrupted is not None:
                await seat.interrupted.withdraw(ResolvedBy.SHUTDOWN)
            if seat.run is not None:
                await seat.run.stop(ResolvedBy.SHUTDOWN)
        await self._tasks.cancel()

    async def _in_turn(self, seat: _Seat, text: str, mode: Mode, stops: int) -> Sent:
        async with seat.turnstile:
            return await self._run(seat, text, mode, stopped=seat.stops != stops or seat.chat.closed)

    async def _run(self, seat: _Seat, text: str, mode: Mode, *, stopped: bool) -> Sent:
        run_id = RunId(new_id())
        if stopped:
            return Sent(run_id, RunEnd(DoneReason.CANCELLED), begun=False)
        run = Run(run_id, seat.chat, mode, self._around)
        seat.run = run
        try:
            task = run.start(text, self._tasks)
            await asyncio.wait({task})
            return Sent(run_id, task.result())
        except asyncio.CancelledError:
            await _stop_for_good(run)
            raise
        finally:
            seat.run = None

    def _change_mode(self, seat: _Seat, mode: Mode) -> None:
        seat.chat.mode = mode
        seat.chat.keeper.mode(mode)
        seat.chat.events.add(ModeChanged(mode))
        if seat.run is not None:
            seat.run.hold(mode)
        self._reconsider()

    def _seat(self, session_id: SessionId) -> _Seat:
        seat = self._seats.get(session_id)
        if seat is None:
            raise SessionNotFound("there is no such chat here; it was closed, or it is open in another window")
        return seat


async def _stop_for_good(run: Run) -> None:
    """Waits until the run has ended, however often the wait is cancelled: the next message must find the chat quiet."""
    stopping = asyncio.ensure_future(run.stop(ResolvedBy.STOP))
    while not stopping.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({stopping})
