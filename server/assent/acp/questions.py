"""The questions of one turn of an agent: each on its way to the gate, and its answer on the way back."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from assent.acp.as_tools import tool_name
from assent.acp.call_contents import claimed_arguments
from assent.acp.claim import Claim
from assent.acp.claimed_tool import Asked, ClaimedTool
from assent.acp.connection import Connection
from assent.acp.open_call import OpenCall
from assent.acp.open_calls import OpenCalls
from assent.acp.picture import Picture
from assent.acp.promises import Promise, Promises, promised_by
from assent.acp.well_known import KnownAgent
from assent.acp.words import Question, RequestId
from assent.agent.guest import Host, Wanted
from assent.agent.permit import Refusal
from assent.agent.ports import Manner, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.model.approval import OwnKind, OwnOption, ResolvedBy
from assent.model.calls import ToolCall
from assent.model.errors import ToolFault
from assent.model.events import Notice, NoticeLevel
from assent.model.json import Json, JsonObject
from assent.model.verdict import Reason
from assent.policy.own_options import only_once, refusal
from assent.tools.places import LastRoots

CANCELLED: JsonObject = {"outcome": {"outcome": "cancelled"}}
MOST_QUESTIONS = 200
"""Of one turn that are open, or were answered with yes and are carried out."""
_FULL = (
    "{agent} asks more than {most} questions at once. Those beyond are cancelled, so what they ask for does not run."
)
MOMENT = 0.5
"""Seconds in which an agent that tells where a command runs only behind its question does so."""
MOST_TIMES_ANEW = 20
"""So often an agent may say that it means something else than what it has asked for. Then it gets no answer but no."""


@dataclass(slots=True, eq=False)
class _OpenQuestion:
    request_id: RequestId
    options: tuple[OwnOption, ...]
    call: OpenCall
    picture: Picture
    """What the agent had told of the call when it was looked at last."""
    claim: Claim
    """What is asked, from the moment that it was: the call may go on to mean something else."""
    times_anew: int = 0
    complete: asyncio.Event | None = None
    """Set when the agent has told what it is known to tell behind its question. Before, nobody is asked."""
    task: "asyncio.Task[None] | None" = None
    answered: bool = False
    """Told to the agent, or for another card to answer."""
    refused: Refusal | None = None
    ended_by: ResolvedBy | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the questions of a turn come from, and what they lead to."""

    agent: str
    known: KnownAgent | None
    connection: Connection
    host: Host
    calls: OpenCalls
    roots: LastRoots
    promises: Promises
    folder: str
    """Where the agent works."""


class Questions:
    """All of one turn. Each gets one answer, whatever becomes of it."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._open: dict[RequestId, _OpenQuestion] = {}
        """By the agent's own numbers. One that was answered may be used again while its call is still carried out."""
        self._carried: list[_OpenQuestion] = []
        """All that were asked and did not come to their end, answered or not."""
        self._stopped = False
        self._said_full = False
        self.feedback: list[str] = []
        """What the user had to say to what was refused: an answer has no room for it."""
        self.refused_last = False
        """The last that the agent heard was a no."""

    def asked(self, question: Question) -> None:
        """The agent asks whether it may do something."""
        around = self._around
        full = len(self._carried) >= MOST_QUESTIONS
        if full and not self._stopped and not self._said_full:
            self._said_full = True
            around.host.tell(Notice(_FULL.format(agent=around.agent, most=MOST_QUESTIONS), NoticeLevel.WARNING))
        call = None if self._stopped or full else around.calls.asking(question.told)
        if call is None:
            around.connection.answer(question.request_id, CANCELLED)
            return
        options = known_options(question.options, around.known)
        claim = around.calls.claim(call)
        opened = _OpenQuestion(question.request_id, options, call, call.picture, claim)
        if claim.lacks_folder and around.known is not None and around.known.habits.tells_folder_late:
            opened.complete = asyncio.Event()
        self._ask(opened)

    def told(self) -> None:
        """The agent has told more of a call. Where it means something else by now, that is asked instead."""
        for question in tuple(self._carried):
            is_open = not question.answered and question.ended_by is None
            if is_open and question.call.picture is not question.picture:
                question.picture = question.call.picture
                claim = self._around.calls.claim(question.call)
                if question.complete is not None:
                    question.claim = claim
                    if not claim.lacks_folder:
                        question.complete.set()
                elif not _shows_the_same(claim, question.claim):
                    self._ask_anew(question, claim)

    def has(self, request_id: RequestId) -> bool:
        """Whether this question is open."""
        return request_id in self._open

    def end(self, request_id: RequestId, by: ResolvedBy) -> None:
        """No answer of the user counts for it any more."""
        question = self._open.get(request_id)
        if question is not None:
            self._end(question, by)

    def _end(self, question: _OpenQuestion, by: ResolvedBy) -> None:
        if question.task is None or question.answered or question.ended_by is not None:
            return
        # An agent that is told to stop is often quicker to end its turn than the stop is to get here.
        question.ended_by = ResolvedBy.STOP if self._stopped and by is ResolvedBy.AGENT else by
        question.task.cancel()

    def end_all(self, by: ResolvedBy) -> None:
        """Nobody waits for any answer any more."""
        for question in tuple(self._carried):
            self._end(question, by)

    def stop(self) -> None:
        """The turn is being stopped: nothing is asked any more, and nothing allowed."""
        self._stopped = True

    async def ended(self) -> None:
        """Returns when every one has had its answer and its result."""
        tasks = [one.task for one in self._carried if one.task is not None]
        if tasks:
            await asyncio.wait(tasks)

    def _ask(self, question: _OpenQuestion) -> None:
        self._open[question.request_id] = question
        self._carried.append(question)
        question.task = self._around.host.start(self._carry(question), "question of an agent")
        # Not at the end of the task itself: one that is cancelled at once never begins.
        question.task.add_done_callback(lambda _: self._close(question))

    def _ask_anew(self, question: _OpenQuestion, claim: Claim) -> None:
        self._end(question, ResolvedBy.AGENT)
        if question.times_anew >= MOST_TIMES_ANEW:
            return
        question.answered = True
        another = self._around.calls.again(question.call)
        another.asked += 1
        picture, times = another.picture, question.times_anew + 1
        self._ask(_OpenQuestion(question.request_id, question.options, another, picture, claim, times))

    def _close(self, question: _OpenQuestion) -> None:
        question.call.asked -= 1
        self._carried.remove(question)
        if self._open.get(question.request_id) is question:
            del self._open[question.request_id]
        self._answer_no(question)

    async def _carry(self, question: _OpenQuestion) -> None:
        await self._completed(question)
        call, claim, around = question.call, question.claim, self._around
        tool = ClaimedTool(
            Asked(around.agent, claim, question.options, around.folder, lambda: around.calls.begins(call)),
            around.roots,
            lambda manner, found: self._allowed(question, manner, promised_by(claim, found.directory, found.changes)),
        )

        def refused(why: Refusal) -> None:
            question.refused = why

        wanted = Wanted(tool, refused, lambda: question.ended_by, is_told=call.told)
        call.told = True
        made = ToolCall(call.call_id, tool_name(claim), claimed_arguments(claim), says=question.picture.title)
        await around.host.carry(made, wanted)
        call.finished = True

    async def _completed(self, question: _OpenQuestion) -> None:
        """One that was asked before all was told waits for the rest, for a moment: else it would be asked twice."""
        if question.complete is None:
            return
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(MOMENT):
                    await question.complete.wait()
        except asyncio.CancelledError:
            # It gets no, and no row: whatever is told of it now is only that it does not run.
            question.call.finished = True
            raise
        question.complete = None

    async def _allowed(self, question: _OpenQuestion, manner: Manner, promised: tuple[Promise, ...]) -> ToolAnswer:
        """It may: the agent is told so, and what comes of it is waited for."""
        once = only_once(question.options)
        chosen = manner.own or (once.option_id if once is not None else None)
        if chosen is None or self._stopped or question.ended_by is not None:
            raise ToolFault("not_started", "The agent could not be told, so it does not run.")
        question.answered = question.call.answered = True
        with self._around.promises.made(question.call.call_id, promised):
            selected: JsonObject = {"outcome": {"outcome": "selected", "optionId": chosen}}
            if not self._around.connection.answer(question.request_id, selected):
                raise ToolFault("not_started", "The agent has withdrawn its question, so it does not run.")
            self.refused_last = False
            return await self._around.calls.ended(question.call)

    def _answer_no(self, question: _OpenQuestion) -> None:
        """Whatever has become of the question: an agent that waits for an answer gets one."""
        if question.answered:
            return
        question.answered = question.call.answered = True
        self._around.calls.refused(question.call)
        why = question.refused
        no = None
        if why is not None and why.code != Reason.CANCELLED and question.ended_by is None and not self._stopped:
            option = refusal(question.options)
            no = why.own or (option.option_id if option is not None else None)
            self.refused_last = True
            if why.feedback:
                self.feedback.append(f"I did not allow “{question.call.picture.title or 'this'}”: {why.feedback}")
        result: Json = CANCELLED if no is None else {"outcome": {"outcome": "selected", "optionId": no}}
        self._around.connection.answer(question.request_id, result)


def _shows_the_same(claim: Claim, other: Claim) -> bool:
    """Whether a card would say the same of both calls. The title is only words."""
    same = claimed_arguments(claim) == claimed_arguments(other)
    return same and replace(claim, title="", raw={}) == replace(other, title="", raw={})


def known_options(options: Sequence[OwnOption], known: KnownAgent | None) -> tuple[OwnOption, ...]:
    """The options, where an agent is known to call something an allowance of this call alone that reaches further."""
    once = [one.option_id for one in options if one.kind is OwnKind.ALLOW_ONCE]
    named = known.two_ways_once if known is not None else None
    if named is None or once.count(named) != 1:
        return tuple(options)
    return tuple(
        replace(one, kind=OwnKind.ALLOW_ALWAYS) if one.kind is OwnKind.ALLOW_ONCE and one.option_id != named else one
        for one in options
    )
