"""One chat with an agent of others: what is said, what it does, and every question of it on its way to the gate."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Protocol

from assent.acp.claim import claim_of
from assent.acp.claimed_look import tool_name
from assent.acp.claimed_tool import Asked, ClaimedTool
from assent.acp.client_side import ClientSide
from assent.acp.connection import INVALID_REQUEST, Connection
from assent.acp.endings import end_of_turn, end_without_answer
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.habits import NO_HABITS
from assent.acp.open_calls import OpenCall, OpenCalls, claimed_arguments
from assent.acp.promises import Promise, Promises, promised_by
from assent.acp.reading import question_of
from assent.acp.recognising import habits_of
from assent.acp.session_modes import SessionModes
from assent.acp.standing import Standing, Tell
from assent.acp.words import (
    CommandsTold,
    Introduction,
    Login,
    ModeTold,
    Opened,
    PlanTold,
    Question,
    RequestId,
    Said,
    SettingsTold,
    ToolTold,
    Update,
)
from assent.agent.guest import Host, Wanted
from assent.agent.loop_end import LoopEnd
from assent.agent.permit import Refusal
from assent.agent.ports import Manner, ToolAnswer
from assent.model.approval import OwnOption, ResolvedBy
from assent.model.calls import ToolCall
from assent.model.errors import InvalidRequest, ToolFault
from assent.model.events import Notice
from assent.model.json import Json, JsonObject
from assent.model.verdict import Reason
from assent.policy.own_options import only_once, refusal
from assent.runtime.clock import Clock
from assent.tools.places import Roots

logger = logging.getLogger(__name__)

_CANCELLED: JsonObject = {"outcome": {"outcome": "cancelled"}}
_GRACE_AFTER_STOP = 10.0
"""Seconds in which an agent that is stopped has to end its turn. Then its process is ended."""


class Stay(Protocol):
    """The running agent that a session is in."""

    @property
    def connection(self) -> Connection: ...

    @property
    def introduction(self) -> Introduction: ...


class House(Protocol):
    """Where sessions of one agent live. It starts the agent when it is needed."""

    @property
    def agent_name(self) -> str: ...

    @property
    def last_words(self) -> str:
        """What the agent printed last beside the protocol, also after its end."""

    async def enter(self, session: "Session") -> tuple[Stay, Opened | None]:
        """The running agent, and this session as it begins in it. None: it goes on as it was."""

    async def throw_out(self, why: str) -> None:
        """Ends the agent's process, because it does not do what it is told."""


@dataclass(slots=True)
class _OpenQuestion:
    request_id: RequestId
    options: tuple[OwnOption, ...]
    call: OpenCall
    task: "asyncio.Task[None] | None" = None
    answered: bool = False
    refused: Refusal | None = None
    ended_by: ResolvedBy | None = None


class Session:
    """A guest's session of one chat. It lives as long as the chat, through any number of processes of its agent."""

    def __init__(
        self, house: House, roots: Roots, clock: Clock, client: ClientSide, promises: Promises, tell: Tell
    ) -> None:
        self._house = house
        self._roots = roots
        self._clock = clock
        self._client = client
        self._promises = promises
        self.acp_id: str | None = None
        """The session's id in the agent that runs now."""
        self.before: str | None = None
        """The id that it had in an agent that has ended: one that keeps its chats can go on with it."""
        self.is_replayed = False
        """The agent tells again what was said before, which stands in the chat already."""
        self._standing = Standing(tell)
        self._modes = SessionModes(house.agent_name, self._standing)
        self._stay: Stay | None = None
        self._host: Host | None = None
        self._calls: OpenCalls | None = None
        self._questions: dict[RequestId, _OpenQuestion] = {}
        self._stopped = False
        self._turn_over = asyncio.Event()
        self._turn_over.set()
        self._feedback: list[str] = []

    @property
    def host(self) -> Host | None:
        """Of the turn that goes on. None: there is none, or it is being stopped."""
        return None if self._stopped else self._host

    async def converse(self, text: str, host: Host) -> LoopEnd:
        self._host, self._stopped, self._feedback = host, False, []
        self._calls = OpenCalls(self._house.agent_name, host, self._clock)
        try:
            self._stay = None
            self._stay, opened = await self._house.enter(self)
            self._calls.habits = habits_of(self._stay.introduction)
            self._client.missing_is_empty = self._calls.habits.expects_no_missing_file
            await self._modes.prepare(self._stay, self._acp_id(), opened, host)
            end = await self._turns(self._stay, text)
        except (AgentFault, OSError) as fault:
            end = end_without_answer(fault, self._house.agent_name, self._house.last_words, self._logins())
        # A stop comes as a cancellation, which leaves this to `settle`: the agent is to hear of it first.
        await self._close_turn()
        return end

    async def choose(self, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user wants this of what the agent lets its user choose. Raises InvalidRequest, or NotConfirmed."""
        stay, acp_id = self._stay, self.acp_id
        if stay is None or acp_id is None:
            name = self._house.agent_name
            raise InvalidRequest(f"{name} does not run now: send it a message first, then it can be set otherwise")
        await self._modes.choose(stay, acp_id, setting_id, value, confirmed=confirmed)

    def stop(self) -> None:
        self._stopped = True
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
        words = f"{self._house.agent_name} was started anew and does not know what was said in this chat before."
        self._standing.tell(Notice(words))

    def _told_in_turn(self, update: Update) -> None:
        host, calls = self._host, self._calls
        if host is None or calls is None or self.is_replayed:
            return
        match update:
            case Said(text, thinking):
                host.said(text, thinking=thinking)
            case ToolTold():
                calls.told(update)
            case _:
                pass

    def asked(self, request_id: RequestId, params: Json) -> None:
        """The agent asks whether it may do something."""
        question = question_of(request_id, params)
        host, calls, stay = self.host, self._calls, self._stay
        if stay is None:
            return
        call = calls.asking(question.told) if question is not None and host is not None and calls is not None else None
        if question is None or host is None or call is None:
            # Nobody is asked in a turn that is over, or about what cannot be read.
            stay.connection.answer(request_id, _CANCELLED)
            return
        opened = self._questions[request_id] = _OpenQuestion(request_id, question.options, call)
        opened.task = host.start(self._decide(host, question, opened), "question of an agent")

    def wants(self, request_id: RequestId, method: str, params: Json) -> None:
        """The agent wants its client to do something."""
        stay, host = self._stay, self.host
        if stay is None:
            return
        if host is None:
            stay.connection.refuse(request_id, INVALID_REQUEST, "no turn goes on, so nothing is done for the agent")
        else:
            self._client.asked(request_id, method, params, host, stay.connection)

    def withdrawn(self, request_id: RequestId) -> None:
        """The agent does not want an answer any more."""
        self._end(request_id, ResolvedBy.AGENT)

    def gone(self) -> None:
        """The agent's process has ended, and everything that it had asked with it."""
        self.before, self.acp_id = self.acp_id or self.before, None
        for request_id in tuple(self._questions):
            self._end(request_id, ResolvedBy.AGENT_EXIT)
        self._turn_over.set()

    def noticed(self, notice: str) -> None:
        """The agent printed what is no message."""
        if self._host is not None:
            self._host.tell(Notice(notice))

    def has_asked(self, request_id: RequestId) -> bool:
        """Whether this question is one of its own."""
        return request_id in self._questions

    def _end(self, request_id: RequestId, by: ResolvedBy) -> None:
        question = self._questions.get(request_id)
        if question is not None and question.task is not None and not question.answered:
            question.ended_by = by
            question.task.cancel()

    async def _turns(self, stay: Stay, text: str) -> LoopEnd:
        end = await self._prompt(stay, text)
        while self._feedback and end.broken is None and not self._stopped:
            # An answer has no room for what the user has to say beside it.
            told, self._feedback = "\n".join(self._feedback), []
            end = await self._prompt(stay, told)
        return end

    async def _prompt(self, stay: Stay, text: str) -> LoopEnd:
        self._turn_over.clear()
        params: JsonObject = {"sessionId": self._acp_id(), "prompt": [{"type": "text", "text": text}]}
        try:
            result = await asyncio.shield(
                asyncio.ensure_future(
                    stay.connection.request("session/prompt", params, None, arrived=lambda result: self._turn_is_over())
                )
            )
        except AgentFault:
            self._turn_is_over()
            raise
        await self._questions_ended()
        return end_of_turn(result, self._house.agent_name)

    def _turn_is_over(self) -> None:
        self._turn_over.set()
        if self._calls is not None:
            self._calls.turn_is_over()
        for request_id, question in tuple(self._questions.items()):
            if not question.answered:
                self._end(request_id, ResolvedBy.AGENT)

    async def _questions_ended(self) -> None:
        tasks = [one.task for one in self._questions.values() if one.task is not None]
        if tasks:
            await asyncio.wait(tasks)

    async def _close_turn(self) -> None:
        self._turn_is_over()
        await self._questions_ended()
        self._host, self._calls = None, None
        self._promises.forget()

    async def _decide(self, host: Host, question: Question, opened: _OpenQuestion) -> None:
        try:
            await self._carry(host, question, opened)
        finally:
            opened.call.asked -= 1
            self._questions.pop(opened.request_id, None)
            self._answer_no(opened)

    async def _carry(self, host: Host, question: Question, opened: _OpenQuestion) -> None:
        call, agent = opened.call, self._house.agent_name
        habits = self._calls.habits if self._calls is not None else NO_HABITS
        claim = claim_of(call.picture, habits)
        tool = ClaimedTool(
            Asked(agent, claim, question.options),
            self._roots,
            lambda manner, found: self._allowed(opened, manner, promised_by(claim, found.directory, found.changes)),
        )

        def refused(why: Refusal) -> None:
            opened.refused = why

        wanted = Wanted(tool, refused, lambda: opened.ended_by, is_told=call.told)
        call.told = True
        made = ToolCall(
            call.call_id, tool_name(claim), claimed_arguments(call.picture, habits), says=call.picture.title
        )
        await host.carry(made, wanted)
        call.finished = True

    async def _allowed(self, opened: _OpenQuestion, manner: Manner, promised: tuple[Promise, ...]) -> ToolAnswer:
        """It may: the agent is told so, and what comes of it is waited for."""
        once = only_once(opened.options)
        chosen = manner.own or (once.option_id if once is not None else None)
        stay, calls = self._stay, self._calls
        if chosen is None or stay is None or calls is None or self._stopped:
            raise ToolFault("not_started", "The agent could not be told, so it does not run.")
        opened.answered = True
        with self._promises.made(opened.call.call_id, promised):
            selected: JsonObject = {"outcome": {"outcome": "selected", "optionId": chosen}}
            if not stay.connection.answer(opened.request_id, selected):
                raise ToolFault("not_started", "The agent has withdrawn its question, so it does not run.")
            return await calls.ended(opened.call)

    def _answer_no(self, opened: _OpenQuestion) -> None:
        """Whatever has become of the question: an agent that waits for an answer gets one."""
        if opened.answered or self._stay is None:
            return
        opened.answered = True
        why = opened.refused
        no = None
        if why is not None and why.code != Reason.CANCELLED and opened.ended_by is None and not self._stopped:
            option = refusal(opened.options)
            no = why.own or (option.option_id if option is not None else None)
            if why.feedback:
                self._feedback.append(f"I did not allow “{opened.call.picture.title or 'this'}”: {why.feedback}")
        result = _CANCELLED if no is None else {"outcome": {"outcome": "selected", "optionId": no}}
        self._stay.connection.answer(opened.request_id, result)

    def _logins(self) -> tuple[Login, ...]:
        return self._stay.introduction.logins if self._stay is not None else ()

    def _acp_id(self) -> str:
        if self.acp_id is None:
            raise AgentGone("the agent ended while a chat with it began")
        return self.acp_id
