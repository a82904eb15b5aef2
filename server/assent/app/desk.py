"""The chats of this server and what clients do with them."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager

from assent.agent.chat import Agent, Chat
from assent.agent.eventlog import EventLog, Reader
from assent.agent.history import History
from assent.agent.ports import Keeper
from assent.agent.resume import Interrupted, Resumption
from assent.agent.run import Surroundings
from assent.app.picture_takers import as_sent
from assent.app.rehearsal import rehearse
from assent.app.seat import Agents, Moment, Seat, Sent
from assent.approvals.broker import Broker
from assent.lazy_dataclasses import write_dataclasses
from assent.model.approval import Resolution, ResolvedBy
from assent.model.conversation import Message
from assent.model.errors import InvalidRequest, SessionNotFound
from assent.model.events import Event, ModeChanged
from assent.model.ids import RunId, SessionId, ViewId
from assent.model.message_parts import Part, inlined
from assent.model.modes import Mode
from assent.runtime.ids import new_id
from assent.runtime.tasks import TaskGroup
from assent.settings.likeness import closest, meant, shown

MAX_PROMPT = 1_000_000
_OF_EACH_CALL = ("assent.agent", "assent.commandline", "assent.model", "assent.policy")

Keepers = Callable[[SessionId, Agent, Mode], Keeper]
"""Where a new chat is kept."""


class Desk:
    """Opens and closes chats, starts and stops their runs."""

    def __init__(
        self,
        agents: Agents,
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
        self._seats: dict[SessionId, Seat] = {}
        self._tasks = TaskGroup("desk")

    def open(self, agent_id: str, mode: Mode | None) -> Chat:
        """A new chat. A mode that is asked for is the user's own choice."""
        agent = self._agents().get(agent_id)
        if agent is None:
            raise no_such_agent(agent_id, self._agents())
        session_id = SessionId(new_id())
        mode = mode or self._new_chat_mode()
        keeper = self._keepers(session_id, agent, mode)
        events = EventLog(session_id, self._reader, self._around.clock, keeper)
        chat = Chat(session_id, agent, mode, events, History(keeper), keeper)
        self._seats[session_id] = Seat(chat, self._around, self._tasks, self._agents)
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
        events = EventLog(session_id, self._reader, self._around.clock, keeper, told)
        chat = Chat(session_id, agent, mode, events, History(keeper, messages), keeper)
        self._seats[session_id] = Seat(chat, self._around, self._tasks, self._agents, Resumption(chat, self._around))
        return chat

    def resume(self, session_id: SessionId, interrupted: Sequence[Interrupted]) -> None:
        """Asks anew for the calls that waited when the earlier server ended."""
        seat = self._seat(session_id)
        if seat.interrupted is not None:
            seat.interrupted.ask(interrupted, seat.rested)

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
        return self._seat(session_id).busy

    def why_busy(self, session_id: SessionId) -> str | None:
        """Why nothing that runs of this chat changed can be rolled back now."""
        seat = self._seat(session_id)
        if seat.busy:
            return "A run is active in this chat: stop it, or wait for its end, and then roll back."
        if len(seat.interrupted or ()) > 0:
            return "Calls that waited when the server ended wait still, or run: answer them first, and then roll back."
        return None

    def rest(self, session_id: SessionId) -> AbstractAsyncContextManager[None]:
        """While files that a run of this chat changed are rolled back: no run of it begins, what is sent waits."""
        return self._seat(session_id).rest()

    def run_of(self, session_id: SessionId) -> RunId | None:
        """The run that goes on in this chat."""
        seat = self._seats.get(session_id)
        return seat.run.run_id if seat is not None and seat.run is not None else None

    def about_to_wait(self, session_id: SessionId) -> int:
        """How many calls of an earlier server are on their way to the user: they count as waiting already."""
        interrupted = self._seat(session_id).interrupted
        return 0 if interrupted is None else interrupted.unasked

    def busy(self) -> bool:
        """Whether a run goes on in any chat."""
        return any(seat.run is not None for seat in self._seats.values())

    def moment(self, session_id: SessionId) -> Moment:
        """This one, in this chat."""
        return self._seat(session_id).moment()

    def send(
        self,
        session_id: SessionId,
        message: str | tuple[Part, ...],
        mode: Mode | None,
        *,
        replace: bool = False,
        sent: Moment | None = None,
        instead_of: RunId | None = None,
    ) -> "asyncio.Task[Sent]":
        """Runs a message to its end. While another runs in this chat, it waits for its turn, or takes its place.

        `sent`: when the user sent it, where it took a while to be whole. `instead_of`: it is said instead of the
        message that began this run: all that goes on is stopped first.
        """
        seat = self._seat(session_id)
        moment = sent or seat.moment()
        parts = (message,) if isinstance(message, str) else as_sent(seat.chat.agent, message)
        text = inlined(parts)
        if not text.strip():
            raise InvalidRequest("the message is empty", "params.text")
        if len(text) > MAX_PROMPT:
            raise InvalidRequest(f"the message is longer than {MAX_PROMPT} characters", "params.text")
        if instead_of is not None:
            _check_said(seat.chat, instead_of)
        if replace or instead_of is not None:
            moment = seat.make_way(moment, calls_too=instead_of is not None)
        if mode is not None and mode is not seat.chat.mode:
            self._change_mode(seat, mode)
        return seat.take(parts, moment if mode is None else Moment(mode, moment.stops), instead_of)

    def retry(self, session_id: SessionId) -> "asyncio.Task[Sent]":
        """Goes on from where a run failed, without a new message."""
        seat = self._seat(session_id)
        if seat.busy:
            raise InvalidRequest("a run is active in this chat: it can be tried again when that has ended")
        if len(seat.interrupted or ()) > 0:
            raise InvalidRequest("calls that waited when the server ended wait still, or run: answer them first")
        if not seat.chat.may_be_retried:
            raise InvalidRequest("the last run of this chat did not fail in a way that can be tried again")
        return seat.take(None)

    async def stop(self, session_id: SessionId, by: ResolvedBy = ResolvedBy.STOP) -> bool:
        """Ends the run of this chat and drops the messages that wait behind it."""
        return await self._seat(session_id).stop(by)

    async def close(self, session_id: SessionId) -> None:
        """Stops and forgets a chat."""
        seat = self._seat(session_id)
        seat.chat.closed = True
        await self.stop(session_id)
        # What a roll back has to say is said in the chat.
        await seat.rested()
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

    def get_ready(self, session_id: SessionId) -> None:
        """Loads what the first message of a chat will need, while its user still writes it."""
        chat = self._seat(session_id).chat
        if not chat.history and chat.agent.get_ready is not None:
            self._tasks.start(chat.agent.get_ready(), "get ready")
        self._tasks.start(asyncio.to_thread(write_dataclasses, _OF_EACH_CALL), "write dataclasses")

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

    def followed(self) -> tuple[Chat, ...]:
        """The chats that somebody shows or lets run; where there is none, the latest one."""
        followed = tuple(seat.chat for seat in self._seats.values() if seat.views or seat.busy)
        return followed or self.chats()[-1:]

    def attended(self) -> bool:
        """Whether any view shows any chat."""
        return any(seat.views for seat in self._seats.values())

    async def shut_down(self) -> None:
        """Ends everything, because the server ends."""
        seats = tuple(self._seats.values())
        for seat in seats:
            seat.chat.closed = True
            # All at once: no chat goes on while another takes its time to end.
            seat.end(ResolvedBy.SHUTDOWN)
        for seat in seats:
            await seat.stop(ResolvedBy.SHUTDOWN)
        await self._tasks.cancel()

    def _change_mode(self, seat: Seat, mode: Mode) -> None:
        seat.chat.mode = mode
        seat.chat.keeper.mode(mode)
        seat.chat.events.add(ModeChanged(mode))
        if seat.run is not None:
            seat.run.hold(mode)
        self._reconsider()

    def _seat(self, session_id: SessionId) -> Seat:
        seat = self._seats.get(session_id)
        if seat is None:
            raise SessionNotFound("there is no such chat here; it was closed, or it is open in another window")
        return seat


def no_such_agent(name: str, known: Collection[str]) -> InvalidRequest:
    """Somebody asks for an agent that the settings do not define, or not so that it could be used."""
    text = f'There is no agent named "{shown(name)}".{meant(closest(name, known))} Known agents: {", ".join(known)}.'
    return InvalidRequest(text, "params.agent")


def _check_said(chat: Chat, run_id: RunId) -> None:
    """Nothing is stopped for a message that nothing can be said instead of."""
    if chat.agent.guest is not None:
        words = "this agent leads the conversation by itself: nothing can be taken out of what it was told"
        raise InvalidRequest(words, "params.replacesMessage")
    if chat.history.begin_of(run_id) is None:
        words = "that message is no part of what the model is told any more, so that nothing can be said instead of it"
        raise InvalidRequest(words, "params.replacesMessage")
