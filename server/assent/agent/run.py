"""One run: from a user's message to the last turn without calls, or to a stop, a limit or a fault."""

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from assent.agent.broken import Broken
from assent.agent.chat import Chat
from assent.agent.hosting import Hosting
from assent.agent.loop import Conversation, Loop
from assent.agent.loop_end import LoopEnd
from assent.agent.mending import RUN_ENDED
from assent.agent.run_state import RunState
from assent.agent.subtasks import Belt
from assent.agent.surroundings import Surroundings
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller
from assent.model.conversation import UserText
from assent.model.events import DoneReason, Prompt, RunDone, RunFailed, RunRetried
from assent.model.ids import RunId
from assent.model.limits import Limits
from assent.model.message_parts import Part, images, inlined, named, names_of_files
from assent.model.modes import Mode
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from assent.agent.budget import Exhausted

__all__ = ["Limits", "Run", "RunEnd", "Surroundings"]

logger = logging.getLogger(__name__)

_INTERNAL = Broken(
    "internal_error", "Assent met an internal fault and ended this run; details are in the log.", again=True
)


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended: a reason, or the message of the fault."""

    reason: DoneReason | None
    message: str | None = None


class Leader(Protocol):
    """Leads the conversation of a run: the server itself with a model, or an agent of others by itself."""

    async def turns(self) -> LoopEnd:
        """Returns when there is nothing more to do."""

    def keep_stopped_turn(self) -> None:
        """A stopped turn stays in the history as far as it came. To be called when its calls have ended."""


class Run:
    """Owns everything that one message sets going."""

    def __init__(self, run_id: RunId, chat: Chat, mode: Mode, around: Surroundings) -> None:
        self.run_id = run_id
        self._chat = chat
        self._state = RunState(run_id, chat, mode, around)
        caller = Caller(chat.agent.agent_id, chat.agent.name, chat.session_id, run_id)
        self._leader = self._leading(caller)
        self.begun = False
        """It has been told of; one that is stopped before never was."""
        self._main: asyncio.Task[RunEnd] | None = None
        self._reached: Exhausted | None = None
        """The limit that ended it from outside its turns."""

    def _leading(self, caller: Caller) -> Leader:
        chat, state = self._chat, self._state
        if chat.agent.guest is not None:
            return Hosting(chat.agent.guest(chat.session_id), state, caller)
        tools = state.around.toolbelt.in_chat(chat.session_id)
        talk = Conversation(chat.history, chat.keeper, chat.context, caller, Belt(state, caller, tools))
        return Loop(talk, state)

    def start(
        self, message: tuple[Part, ...] | None, owner: TaskGroup, replaces: RunId | None = None
    ) -> "asyncio.Task[RunEnd]":
        """Sets it going, with a message or from where the chat is; the task ends when the run does, however it does.

        The message may be said instead of the one that began an earlier run.
        """
        self._main = owner.start(self._live(message, replaces), f"run {self.run_id}")
        return self._main

    def end(self, by: ResolvedBy) -> None:
        """Ends the stream, every waiting call and every running tool. From this moment on nothing of it begins."""
        if self._main is not None and not self._main.done() and not self._state.over:
            self._state.end(by)
            self._main.cancel()

    async def stop(self, by: ResolvedBy) -> None:
        """Ends it, and waits until it has ended."""
        self.end(by)
        if self._main is not None:
            await asyncio.wait({self._main})

    def hold(self, mode: Mode) -> None:
        """The chat's mode is this one now. What it tightens stays so for this run, also when it is loosened again."""
        self._state.modes |= {mode}

    def apply_mode(self, mode: Mode) -> None:
        """Lets a looser mode count for this run, because the user said so."""
        self._state.modes = frozenset({mode})

    def tell_grants(self) -> None:
        """Says what runs in its chat without asking, where that is not what was said last."""
        self._state.grants_changed(released=False)

    async def _live(self, message: tuple[Part, ...] | None, replaces: RunId | None) -> RunEnd:
        self.begun = True
        if message is None:
            self._chat.events.add(RunRetried(), self.run_id)
            self._state.message = self._chat.message
        else:
            self._say(message, replaces)
        self._chat.grants.begin_run(self.run_id)
        timer = self._state.tasks.start(self._end_in_time(), "its time")
        try:
            end = await self._leader.turns()
        except asyncio.CancelledError:
            await self._end_all()
            end = self._by_limit() or self._by_end_of_server() or LoopEnd(DoneReason.CANCELLED)
        except Exception:
            logger.exception("run %s failed", self.run_id)
            await self._end_all()
            end = LoopEnd(None, _INTERNAL)
        finally:
            timer.cancel()
            ended = self._chat.grants.end_run(self.run_id)
        if ended:
            self.tell_grants()
        if end.broken is None or not end.broken.can_go_on:
            # Nobody tries it again, so that what went along with it is held no longer.
            self._chat.message = None
        return self._tell_end(end)

    def _say(self, message: tuple[Part, ...], replaces: RunId | None) -> None:
        self._state.message = self._chat.message = message
        history = self._chat.history
        said = self._said(message)
        self._chat.events.add(Prompt(named(message), replaces, names_of_files(message)), self.run_id)
        place = None if replaces is None else history.begin_of(replaces)
        if place is None:
            history.append(said)
        else:
            history.go_on_from(place, said)

    def _said(self, message: tuple[Part, ...]) -> UserText:
        """A model of Assent's own is told all in words and pictures; an agent of others gets the parts as they are."""
        pictures = images(message)
        names = tuple(one.name or "without a name" for one in pictures)
        if self._chat.agent.guest is not None:
            return UserText(named(message), run_id=self.run_id, picture_names=names)
        return UserText(inlined(message), run_id=self.run_id, picture_names=names, pictures=pictures)

    async def _end_in_time(self) -> None:
        """Ends the run, as a stop does, when it has worked for as long as it may."""
        watch, budget = self._state.watch, self._state.budget
        reached = None
        while reached is None:
            await watch.worked(budget.limits.wall_clock_seconds)
            reached = budget.wall_clock(watch.seconds)
        self._reached = reached
        if not self._state.over and self._main is not None:
            self._state.end(None)
            self._main.cancel()

    def _by_limit(self) -> LoopEnd | None:
        if self._reached is None:
            return None
        return LoopEnd(DoneReason.LIMIT, message=self._reached.message)

    def _by_end_of_server(self) -> LoopEnd | None:
        if self._state.ended_by is not ResolvedBy.SHUTDOWN:
            return None
        # The user did not stop it: whoever finds the chat again can go on from here.
        return LoopEnd(None, Broken("server_ended", RUN_ENDED, again=True))

    async def _end_all(self) -> None:
        self._state.end(None)
        await self._state.tasks.cancel()
        self._leader.keep_stopped_turn()

    def _tell_end(self, end: LoopEnd) -> RunEnd:
        if end.broken is not None:
            failed = end.broken
            self._chat.events.add(RunFailed(failed.message, failed.code, failed.can_go_on), self.run_id)
            return RunEnd(None, failed.message)
        assert end.reason is not None
        self._chat.events.add(RunDone(end.reason), self.run_id)
        return RunEnd(end.reason, end.message)
