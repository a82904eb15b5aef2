"""A whole agent without disk and network: real gate, ledger, runs and desk; tools that count; a model by hand.

world = World(turns=[[*call("count", n=1)], [*say("done")]])
chat = world.chat()
sent = world.send(chat)
question = await world.question()
await world.allow(question)
await sent
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from assent.agent.chat import Agent, Chat
from assent.agent.eventlog import Happened
from assent.agent.gate import Gate
from assent.agent.grants import Held
from assent.agent.nowhere import NoKeeper
from assent.agent.ports import Keeper, Prepared, ToolAnswer
from assent.agent.prompt import Briefing, Instructions
from assent.agent.recorder import Recorder
from assent.agent.run import Limits, Surroundings
from assent.agent.toolbelt import Toolbelt
from assent.app.answers import Accepted, Answers
from assent.app.consents import ConsentQuestion
from assent.app.desk import Desk, Sent
from assent.app.forms import Forms
from assent.app.hub import Hub
from assent.app.trust import Trust
from assent.approvals.broker import Broker
from assent.approvals.timekeeper import Timekeeper
from assent.model.approval import Answer, OptionKind, Question, Resolution
from assent.model.calls import PathUse
from assent.model.conversation import (
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    ModelRequest,
    StopReason,
    TextDelta,
    ToolOutcome,
    ToolResults,
    ToolSpec,
    TurnEnd,
    UserText,
)
from assent.model.errors import ToolFault
from assent.model.events import Event, ToolCalled, ToolFinished
from assent.model.forms import FormAction, OpenForm
from assent.model.grants import AgentBypass, Grant, RuleGrant, ToolGrant
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category, Mode, tightest
from assent.model.preview import JsonPreview
from assent.policy.decide import Rules
from assent.policy.granting import with_grant
from assent.settings.effective import Effective
from assent.settings.layers import Diagnostic
from assent.settings.store import Stored
from assent.tools.run_subtask import RunSubtask
from tests.support.clock import FakeClock
from tests.support.journal import MemoryJournal
from tests.support.scale import limit

AGENT = "Agent"

Step = Delta | Callable[[], Awaitable[None]] | Exception
"""What a model by hand does next: sends a delta, waits for something, or fails."""


def call(tool: str, *, index: int = 1, **args: Any) -> list[Step]:
    """A complete call."""
    return raw_call(tool, json.dumps(args), index=index)


def raw_call(tool: str, text: str, *, index: int = 1) -> list[Step]:
    """A complete call with any argument text."""
    return [CallStart(index, tool), CallArguments(index, text), BlockEnd(index)]


def say(text: str) -> list[Step]:
    """Text."""
    return [TextDelta(text)]


END: list[Step] = [TurnEnd(StopReason.END)]


Talks = Mapping[str, Iterable[list[Step]]]
"""The turns of conversations that begin with just these words: those of sub-agents."""


class HandModel:
    """Plays the turns that a test wrote, request by request; after the last one it says so and ends."""

    def __init__(self, turns: Iterable[list[Step]], *, ended: bool = True, talks: Talks | None = None) -> None:
        end = END if ended else []
        self.turns = [list(turn) + end for turn in turns]
        self._talks = {words: [list(turn) + end for turn in talk] for words, talk in (talks or {}).items()}
        self.requests: list[ModelRequest] = []
        self.closed = 0

    def requests_of(self, words: str | None) -> list[ModelRequest]:
        """Those of the conversation that begins with these words; None: of the chat's own."""
        return [request for request in self.requests if self._words(request) == words]

    def _words(self, request: ModelRequest) -> str | None:
        first = request.messages[0] if request.messages else None
        return first.text if isinstance(first, UserText) and first.text in self._talks else None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        words = self._words(request)
        turns = self.turns if words is None else self._talks[words]
        number = len(self.requests_of(words))
        self.requests.append(request)
        try:
            for step in turns[number] if number < len(turns) else [*say("no more"), *END]:
                if isinstance(step, Exception):
                    raise step
                if callable(step):
                    await step()
                else:
                    yield step
        finally:
            self.closed += 1


class CountingTool:
    """A tool that only counts how often it is entered, and with what. What it looks at can be changed by a test."""

    def __init__(self, name: str = "count", category: Category = Category.WRITE) -> None:
        self.spec = ToolSpec(name, "counts", {"type": "object"})
        self.category = category
        self.entered: list[JsonObject] = []
        self.entered_states: list[str] = []
        self.finished = 0
        self.looks = 0
        self.state = "s0"
        self.paths: tuple[PathUse, ...] = ()
        self.impossible: ToolFault | None = None
        self.hold: asyncio.Event | None = None
        self.look_hold: Callable[[], Awaitable[None]] | None = None
        self.fails: BaseException | None = None
        self.look_fails: Exception | None = None
        self.says: str | None = None
        self.begins_with_yes = False

    def fault(self, args: JsonObject) -> str | None:
        return "n must be a number" if not isinstance(args.get("n", 0), int) else None

    async def prepare(self, args: JsonObject) -> Prepared:
        self.looks += 1
        if self.look_fails is not None:
            raise self.look_fails
        state = self.state
        if self.look_hold is not None:
            await self.look_hold()
        return Prepared(
            headline=f"Count {args.get('n')} at {state}",
            directory="/w",
            preview=JsonPreview(json.dumps(args)),
            paths=self.paths,
            state=state,
            grant_key=self.spec.name,
            perform=lambda: self._perform(args, state),
            impossible=self.impossible,
            begins_with_yes=self.begins_with_yes,
        )

    async def _perform(self, args: JsonObject, state: str) -> ToolAnswer:
        self.entered.append(args)
        self.entered_states.append(state)
        if self.hold is not None:
            await self.hold.wait()
        if self.fails is not None:
            raise self.fails
        self.finished += 1
        return ToolAnswer(self.says or f"counted {args.get('n')}")


@dataclass(eq=False)
class Watching:
    """A client that takes everything and writes it down."""

    happenings: list[Happened] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    endings: list[tuple[Question, Resolution]] = field(default_factory=list)
    consents: list[ConsentQuestion] = field(default_factory=list)
    consents_closed: list[str] = field(default_factory=list)
    diagnostics: tuple[Diagnostic, ...] = ()
    restored_chats: list[SessionId] = field(default_factory=list)
    agent_for_new_chats: str = ""
    forms: list[OpenForm] = field(default_factory=list)
    forms_ended: list[tuple[OpenForm, FormAction | None]] = field(default_factory=list)
    draws_forms: bool = True
    congested: bool = False
    deaf: bool = False

    def happened(self, happened: Happened) -> None:
        self.happenings.append(happened)

    def asked(self, question: Question) -> None:
        self.questions.append(question)

    def updated(self, question: Question) -> None:
        self.questions.append(question)

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self.endings.append((question, resolution))

    def consent_asked(self, question: ConsentQuestion) -> None:
        self.consents.append(question)

    def consent_resolved(self, consent_id: str) -> None:
        self.consents_closed.append(consent_id)

    def form_asked(self, form: OpenForm) -> None:
        self.forms.append(form)

    def form_ended(self, form: OpenForm, action: FormAction | None) -> None:
        self.forms_ended.append((form, action))

    def restored(self, session_ids: tuple[SessionId, ...]) -> None:
        self.restored_chats.extend(session_ids)

    def settings_found(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics

    def list_changed(self, for_new_chats: str) -> None:
        self.agent_for_new_chats = for_new_chats

    async def drained(self) -> None:
        while self.congested:  # noqa: ASYNC110 - a test sets it by hand
            await asyncio.sleep(0.001)


class TrustInMemory(Trust):
    """What the user trusts, without files: storing works, fails or hangs as the test says."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.storing: Callable[[Grant], Awaitable[Stored]] | None = None
        self.stored: list[Grant] = []

    def bypasses(self, now: Effective | None, agent: Agent) -> bool:
        return agent.agent_id in self.on

    def is_current(self, now: Effective | None, agent: Agent) -> bool:
        return True

    def hold(self, grant: ToolGrant | RuleGrant | AgentBypass) -> Held:
        return Held(grant)

    def still_held(self, now: Effective | None, held: Held, agent: Agent) -> bool:
        return not (isinstance(held.grant, AgentBypass) and self.bypasses(now, agent))

    async def store(self, grant: Grant) -> Stored:
        self.stored.append(grant)
        assert self.storing is not None
        stored = await self.storing(grant)
        if stored.written and isinstance(grant, AgentBypass):
            self.on.add(grant.agent)
        return stored


class World:
    """Everything from the message to the tool, wired as the app wires it."""

    def __init__(
        self,
        turns: Iterable[list[Step]] = (),
        *,
        tools: Iterable[CountingTool] = (),
        limits: Limits | None = None,
        ended: bool = True,
        talks: Talks | None = None,
    ) -> None:
        self.clock = FakeClock()
        self.model = HandModel(turns, ended=ended, talks=talks)
        self.tool = CountingTool()
        self.reader = CountingTool("look", Category.READ)
        handing_on = RunSubtask(lambda: ("/w",)) if talks is not None else None
        self.toolbelt = Toolbelt([self.tool, self.reader, *tools, *([handing_on] if handing_on else [])])
        self.broker = Broker(self.clock)
        self.hub = Hub()
        self.client = Watching()
        self.hub.attach(self.client)
        self.timekeeper = Timekeeper(self.broker, self.clock)
        self.broker.watch(self.hub)
        self.journal = MemoryJournal()
        self.gate = Gate(self.toolbelt, self.broker, Recorder(self.journal, self.clock, lambda: "/w"))
        self.rules = Rules(Mode.DEFAULT)
        self.trust = TrustInMemory()
        self.instructions: tuple[Instructions, ...] = ()
        self.around = Surroundings(
            gate=self.gate,
            toolbelt=self.toolbelt,
            clock=self.clock,
            limits=lambda: limits or Limits(),
            rules=self._rules_now,
            unattended=self.hub.unattended,
            ready=self.hub.drained,
            briefing=self._briefing,
            forms=Forms(self.hub, self.clock, _told_nobody),
            handing_on=handing_on,
        )
        agents = {AGENT: Agent(AGENT, AGENT, "by hand", lambda: self.model)}
        self.desk = Desk(lambda: agents, lambda: Mode.DEFAULT, self.around, self.hub, self.gate.reconsider, _not_kept)
        self.answers = Answers(self.broker, self.desk, self.trust, self.gate.recorder, self._changed)

    async def _briefing(self, session_id: SessionId) -> Briefing:
        return Briefing(("/w",), instructions=self.instructions)

    def _rules_now(self, chat: Chat, modes: frozenset[Mode]) -> Rules:
        base = replace(
            self.rules,
            mode=tightest(modes),
            beside=modes,
            bypass_agent=self.rules.bypass_agent or self.trust.bypasses(None, chat.agent),
            agent_name=chat.agent.name,
        )
        chat.grants.held = [held for held in chat.grants.held if self.trust.still_held(None, held, chat.agent)]
        return reduce(with_grant, chat.grants.all, base)

    def _changed(self) -> None:
        self.gate.reconsider()
        for chat in self.desk.chats():
            rules = self._rules_now(chat, frozenset({chat.mode}))
            chat.tell_grants(bypass_agent=rules.bypass_agent, bypass_chat=rules.bypass_session or chat.grants.bypass)

    def chat(self, mode: Mode = Mode.DEFAULT) -> Chat:
        """A new chat."""
        return self.desk.open(AGENT, mode)

    def send(self, chat: Chat, text: str = "go", mode: Mode | None = None) -> "asyncio.Task[Sent]":
        """Sends a message."""
        return self.desk.send(chat.session_id, text, mode)

    async def question(self, number: int = 1) -> Question:
        """The latest of so many questions that wait."""
        await until(lambda: len(self.broker.told()) >= number, f"{number} questions")
        return self.broker.told()[number - 1]

    async def answer(self, question: Question, kind: OptionKind, feedback: str | None = None) -> Accepted:
        """Clicks an option of a card."""
        answer = Answer(kind=kind, digest=question.card.digest, feedback=feedback)
        return await self.answers.take(question.approval_id, answer, question.session_id, None)

    async def allow(self, question: Question) -> Accepted:
        """Clicks Approve."""
        return await self.answer(question, OptionKind.ALLOW_ONCE)

    async def deny(self, question: Question, feedback: str | None = None) -> Accepted:
        """Clicks Deny."""
        return await self.answer(question, OptionKind.REJECT_ONCE, feedback)

    def events(self, chat: Chat) -> list[Event]:
        """What happened in a chat, after checking that all was told, numbered without a gap."""
        told = [happened for happened in self.client.happenings if happened.session_id == chat.session_id]
        assert [happened.n for happened in told] == list(range(1, len(told) + 1))
        assert tuple(told) == chat.events.since(0)
        return [happened.event for happened in told]

    def of(self, chat: Chat, kind: type) -> list[Any]:
        """The events of one kind."""
        return [event for event in self.events(chat) if isinstance(event, kind)]

    def outcomes(self, chat: Chat) -> list[ToolOutcome]:
        """The results in the history, after checking that calls, results and events agree with each other."""
        return check_story(chat, self.events(chat))


def _told_nobody(session_id: SessionId, event: Event) -> None:
    """Nothing is said of forms: nobody here draws any."""


def _not_kept(session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
    return NoKeeper()


async def until(condition: Callable[[], object], what: str = "the condition", within: float = 10) -> None:
    """Gives way until the condition holds."""
    try:
        async with asyncio.timeout(limit(within)):
            while not condition():  # noqa: ASYNC110 - any condition
                await asyncio.sleep(0)
    except TimeoutError:
        raise AssertionError(f"{what} did not come true") from None


async def settled() -> None:
    """Lets everything that can go on go on. Only for what works without threads and timers."""
    for _ in range(50):
        await asyncio.sleep(0)


def check_story(chat: Chat, events: list[Event]) -> list[ToolOutcome]:
    """Every call has exactly one result, in the history and in the events, in the right order of both."""
    outcomes = [outcome for message in chat.history if isinstance(message, ToolResults) for outcome in message.results]
    turns = list(chat.history)
    uses = []
    for index, message in enumerate(turns):
        calls = getattr(message, "calls", ())
        if calls:
            follows = turns[index + 1]
            assert isinstance(follows, ToolResults)
            assert [use.call_id for use in calls] == [outcome.call_id for outcome in follows.results]
            uses += calls
    assert [use.call_id for use in uses] == [outcome.call_id for outcome in outcomes]
    for outcome in outcomes:
        check_order(outcome, [event for event in events if getattr(event, "call_id", None) == outcome.call_id])
    told = {event.call_id for event in events if isinstance(event, (ToolCalled, ToolFinished))}
    assert told == {outcome.call_id for outcome in outcomes}
    return outcomes


def check_order(outcome: ToolOutcome, events: list[Event]) -> None:
    """ToolCall first, ToolResult last, each once; the result says what the history says."""
    names = [type(event).__name__ for event in events]
    assert names[0] == "ToolCalled", names
    assert names[-1] == "ToolFinished", names
    assert names.count("ToolCalled") == names.count("ToolFinished") == 1, names
    finished = events[-1]
    assert isinstance(finished, ToolFinished)
    assert (finished.output, finished.is_error, finished.code) == (outcome.content, outcome.is_error, outcome.code)
