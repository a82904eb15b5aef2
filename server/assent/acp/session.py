"""One chat with an agent of others: what is said, what it does, and every question of it on its way to the gate."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from assent.acp.client_side import ClientSide
from assent.acp.connection import INVALID_REQUEST
from assent.acp.endings import end_of_turn, end_without_answer, slow_words, waiting_words
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.habits import UNKNOWN_HABITS
from assent.acp.house import House, Stay
from assent.acp.open_calls import OpenCalls
from assent.acp.promises import Promises
from assent.acp.prompt_blocks import left_out, prompt_blocks
from assent.acp.questions import CANCELLED, Questions, Surroundings
from assent.acp.reading import question_of
from assent.acp.recognising import known_agent
from assent.acp.session_modes import SessionModes
from assent.acp.standing import Standing, Tell
from assent.acp.whereabouts import Whereabouts
from assent.acp.words import (
    CommandsTold,
    Login,
    ModeTold,
    Opened,
    PlanTold,
    RequestId,
    Said,
    SettingsTold,
    ToolTold,
    Update,
)
from assent.agent.broken import Broken
from assent.agent.guest import Host
from assent.agent.loop_end import LoopEnd
from assent.model.approval import ResolvedBy
from assent.model.errors import InvalidRequest
from assent.model.events import Notice, NoticeLevel
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Part
from assent.model.modes import Mode
from assent.runtime.clock import Clock
from assent.tools.places import LastRoots, Roots

logger = logging.getLogger(__name__)

Meanwhile = Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]
"""Does something that no turn waits for."""
_ENDED_BY_NO = "{agent} ended its turn with your no, and says nothing more about it."
_TAKES_NO_PICTURES = (
    "{agent} takes no pictures, so nothing of your message was sent to it. It has: {names}. Send it without them, or "
    "ask an agent that takes pictures."
)
_SAYS_WHAT, _SAYS_WHAT_TO_DO = 5.0, 20.0
"""Seconds that an agent may take to begin until its chat says what it waits for, and what can be done."""
_GRACE_AFTER_STOP = 5.0
"""Seconds in which an agent that is stopped has to end its turn. Then its process is ended."""


class Session:
    """A guest's session of one chat. It lives as long as the chat, through any number of processes of its agent."""

    def __init__(
        self,
        house: "House[Session]",
        roots: Roots,
        clock: Clock,
        client: ClientSide,
        promises: Promises,
        tell: Tell,
        meanwhile: Meanwhile,
    ) -> None:
        self._house = house
        self._roots = LastRoots(roots)
        self._clock = clock
        self._client = client
        self._promises = promises
        self._meanwhile = meanwhile
        self.acp_id: str | None = None
        """The session's id in the agent that runs now."""
        self.before: str | None = None
        """The id that it had in an agent that has ended: one that keeps its chats can go on with it."""
        self.was_talked_to = False
        """The agent was told something in this chat, by this server or an earlier one."""
        self.is_replayed = False
        """The agent tells again what was said before, which stands in the chat already."""
        self._standing = Standing(tell, house.launch_words)
        self._modes = SessionModes(house.agent_name, self._standing)
        self._stay: Stay | None = None
        self._entering = asyncio.Lock()
        self._waking: asyncio.Task[None] | None = None
        self._host: Host | None = None
        self._calls: OpenCalls | None = None
        self._questions: Questions | None = None
        self._whereabouts: Whereabouts | None = None
        self._stopped = False
        self._in_disorder = False
        """The agent answered a turn that was stopped with a fault: after that, some take no message here any more."""
        self._turn_over = asyncio.Event()
        self._turn_over.set()

    @property
    def host(self) -> Host | None:
        """Of the turn that goes on. None: there is none, or it is being stopped."""
        return None if self._stopped else self._host

    @property
    def takes_pictures(self) -> bool | None:
        """Whether the agent that runs now takes them. None where it has not said who it is."""
        introduction = self._house.introduction
        return introduction.takes_images if introduction is not None else None

    def wake(self, mode: Mode) -> None:
        """Somebody looks at the chat: what the agent offers can be chosen before the first message."""
        if self._waking is None and self._stay is None:
            self._waking = self._meanwhile(self._wake(mode), "an agent that is looked at")

    async def close(self) -> None:
        """Nothing begins any more."""
        if self._waking is not None:
            self._waking.cancel()
            await asyncio.wait({self._waking})

    async def converse(self, message: tuple[Part, ...], host: Host) -> LoopEnd:
        self._host, self._stopped, self._in_disorder = host, False, False
        try:
            stay = await self._entered(host)
            end = await self._turns(stay, message, self._begin_turn(stay, host), host)
        except (AgentFault, OSError) as fault:
            end = self._end_without_answer(fault)
        # A stop comes as a cancellation, which leaves this to `settle`: the agent is to hear of it first.
        await self._close_turn()
        return end

    def begun(self, opened: Opened) -> None:
        """The agent has answered that it is in this session."""
        self._modes.begun(opened)

    async def choose(self, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user wants this of what the agent lets its user choose. Raises InvalidRequest, or NotConfirmed."""
        stay, acp_id = self._stay, self.acp_id
        if stay is None or acp_id is None:
            name = self._house.agent_name
            raise InvalidRequest(f"{name} does not run now: send it a message first, then it can be set otherwise")
        await self._modes.choose(stay, acp_id, setting_id, value, confirmed=confirmed)

    def stop(self) -> None:
        self._stopped = True
        if self._waking is not None:
            self._waking.cancel()
        if self._questions is not None:
            self._questions.stop()
        if self._stay is not None and self.acp_id is not None:
            self._stay.connection.notify("session/cancel", {"sessionId": self.acp_id})

    async def settle(self) -> None:
        await self._client.terminals.end_all("The run was stopped.")
        try:
            async with asyncio.timeout(_GRACE_AFTER_STOP):
                await self._turn_over.wait()
        except TimeoutError:
            await self._house.throw_out("it was told to stop, and did not")
        finally:
            await self._close_turn()
        if self._in_disorder and self._house.turn_away(self):
            self._meanwhile(self._house.throw_out("it lost its way when it was stopped"), "an agent that lost its way")

    def told(self, update: Update) -> None:
        """The agent tells something, in its order. What it can do, and is to do, it may also tell between turns."""
        match update:
            case PlanTold() | CommandsTold():
                self._standing.told(update)
            case ModeTold() | SettingsTold():
                self._modes.told(update)
            case _:
                self._told_in_turn(update)

    def forgotten(self) -> None:
        """The agent does not know any more what was said in this chat."""
        if not self.was_talked_to:
            return
        words = f"{self._house.agent_name} was started anew and does not know what was said in this chat before."
        self._standing.tell(Notice(words))

    def _told_in_turn(self, update: Update) -> None:
        host, calls, questions = self._host, self._calls, self._questions
        if host is None or self.is_replayed:
            return
        match update:
            case Said(text, thinking):
                host.said(text, thinking=thinking)
                if questions is not None and not thinking:
                    questions.refused_last = False
            case ToolTold() if calls is not None and questions is not None:
                calls.told(update)
                questions.told()
            case _:
                pass

    @property
    def is_entered(self) -> bool:
        """Whether the agent has answered that it is in this session. What it wants before is not looked at."""
        return self._stay is not None and not self.is_replayed

    def asked(self, request_id: RequestId, params: Json) -> None:
        """The agent asks whether it may do something."""
        question, stay = question_of(request_id, params), self._stay
        if question is not None and self._questions is not None and not self._turn_over.is_set():
            self._questions.asked(question)
        elif stay is not None:
            # Nobody is asked in a turn that is over, or about what cannot be read.
            stay.connection.answer(request_id, CANCELLED)

    def wants(self, request_id: RequestId, method: str, params: Json) -> None:
        """The agent wants its client to do something."""
        stay, host = self._stay, self.host
        if stay is None:
            return
        if host is None or self._turn_over.is_set():
            stay.connection.refuse(request_id, INVALID_REQUEST, "no turn goes on, so nothing is done for the agent")
        else:
            self._client.asked(request_id, method, params, host, stay.connection)

    def withdrawn(self, request_id: RequestId) -> None:
        """The agent does not want an answer any more."""
        self._client.withdraw(request_id)
        if self._questions is not None:
            self._questions.end(request_id, ResolvedBy.AGENT)

    def gone(self) -> None:
        """The agent's process has ended, and everything that it had asked with it."""
        self.before, self.acp_id = self.acp_id or self.before, None
        self._modes.gone()
        self._whereabouts = None
        self._stay = None
        if self._waking is not None and self._waking.done():
            self._waking = None
        if self._questions is not None:
            self._questions.end_all(ResolvedBy.AGENT_EXIT)
        self._turn_over.set()
        self._meanwhile(self._client.terminals.end_all("The agent ended."), "terminals of an agent that ended")

    def noticed(self, notice: str) -> None:
        """The agent printed what is no message."""
        if self._host is not None:
            self._host.tell(Notice(notice))

    def has_asked(self, request_id: RequestId) -> bool:
        """Whether this question is one of its own."""
        asked = self._questions is not None and self._questions.has(request_id)
        return asked or self._client.has_asked(request_id)

    async def _wake(self, mode: Mode) -> None:
        try:
            async with self._entering:
                if self._host is None and self._stay is None:
                    await self._enter(mode)
        except (AgentFault, OSError) as fault:
            broken = self._end_without_answer(fault).broken
            if broken is not None:
                self._standing.tell(Notice(broken.message, NoticeLevel.WARNING))

    async def _entered(self, host: Host) -> Stay:
        """With words about the wait, where it takes long: some agents are fetched when they are started."""
        waiting = self._meanwhile(self._tell_waiting(host), "a wait for an agent")
        try:
            async with self._entering:
                return await self._enter(host.mode)
        finally:
            waiting.cancel()

    async def _tell_waiting(self, host: Host) -> None:
        await self._clock.sleep(_SAYS_WHAT)
        host.tell(Notice(waiting_words(self._house.agent_name, self._house.waits_for)))
        await self._clock.sleep(_SAYS_WHAT_TO_DO - _SAYS_WHAT)
        house = self._house
        words = slow_words(
            house.agent_name, house.waits_for, int(_SAYS_WHAT_TO_DO), house.launch_words, house.last_words
        )
        host.tell(Notice(words, NoticeLevel.WARNING))

    async def _enter(self, mode: Mode) -> Stay:
        self._stay = None
        if self.acp_id is None:
            self._modes.expect()
        stay = self._stay = await self._house.enter(self)
        await self._put_right(stay, mode)
        return stay

    async def _put_right(self, stay: Stay, mode: Mode) -> None:
        await self._modes.put_right(stay, self._acp_id(), plans=mode is Mode.PLAN)

    def _end_without_answer(self, fault: AgentFault | OSError) -> LoopEnd:
        return end_without_answer(fault, self._house.agent_name, self._house.last_words, self._logins())

    def _begin_turn(self, stay: Stay, host: Host) -> Questions:
        known = known_agent(stay.introduction, stay.words)
        habits = known.habits if known is not None else UNKNOWN_HABITS
        self._client.missing_is_empty = habits.expects_no_missing_file
        name = self._house.agent_name
        self._whereabouts = self._whereabouts or Whereabouts(self._house.folder, habits)
        self._calls = OpenCalls(
            name,
            host,
            self._clock,
            habits,
            self._client.has_done,
            self._whereabouts,
            self._house.folder,
            self._roots,
            self._client.terminals.printed,
        )
        self._client.begin_turn()
        self._questions = Questions(
            Surroundings(
                name, known, stay.connection, host, self._calls, self._roots, self._promises, self._house.folder
            )
        )
        return self._questions

    async def _turns(self, stay: Stay, message: tuple[Part, ...], questions: Questions, host: Host) -> LoopEnd:
        if missing := left_out(message, stay.introduction):
            words = _TAKES_NO_PICTURES.format(agent=self._house.agent_name, names=", ".join(missing))
            return LoopEnd(None, Broken("no_pictures", words, again=False))
        end = await self._prompt(stay, message, questions)
        while questions.feedback and end.broken is None and not self._stopped:
            told, questions.feedback = "\n".join(questions.feedback), []
            # For the agent it is a turn like any other, and it may have left its mode in the one before.
            await self._put_right(stay, host.mode)
            end = await self._prompt(stay, (told,), questions)
        if questions.refused_last and end.broken is None:
            host.tell(Notice(_ENDED_BY_NO.format(agent=self._house.agent_name)))
        return end

    async def _prompt(self, stay: Stay, message: tuple[Part, ...], questions: Questions) -> LoopEnd:
        self._turn_over.clear()
        self.was_talked_to = True
        params: JsonObject = {"sessionId": self._acp_id(), "prompt": [*prompt_blocks(message, stay.introduction)]}

        def over(_: Json) -> None:
            if self._questions is questions:
                self._turn_is_over()

        def ended(asking: "asyncio.Task[Json]") -> None:
            fault = None if asking.cancelled() else asking.exception()
            self._in_disorder = self._stopped and isinstance(fault, AgentFault) and not isinstance(fault, AgentGone)
            over(None)

        asking = asyncio.ensure_future(stay.connection.request("session/prompt", params, None, arrived=over))
        # However it ends, and whoever still waits for it: some answer a turn that is stopped with an error.
        asking.add_done_callback(ended)
        result = await asyncio.shield(asking)
        await questions.ended()
        return end_of_turn(result, self._house.agent_name)

    def _turn_is_over(self) -> None:
        self._turn_over.set()
        if self._calls is not None:
            self._calls.turn_is_over()
        if self._questions is not None:
            self._questions.end_all(ResolvedBy.AGENT)

    async def _close_turn(self) -> None:
        self._turn_is_over()
        if self._questions is not None:
            await self._questions.ended()
            # Once more for calls whose question nobody has come to look at.
            self._turn_is_over()
        if self._calls is not None:
            await self._calls.looked()
        self._host, self._calls, self._questions = None, None, None
        self._promises.forget()

    def _logins(self) -> tuple[Login, ...]:
        introduction = self._house.introduction
        return introduction.logins if introduction is not None else ()

    def _acp_id(self) -> str:
        if self.acp_id is None:
            raise AgentGone("the agent ended while a chat with it began")
        return self.acp_id
