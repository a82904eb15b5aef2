"""What the loop needs from outside: a model that streams, and tools that say what they would do before they do it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Protocol, runtime_checkable

from assent.lazy_dataclasses import dataclass
from assent.model.addresses import Addresses
from assent.model.approval import OwnOption, Risk
from assent.model.calls import CallFacts, OfGuest, PathUse
from assent.model.commands import Command
from assent.model.conversation import AssistantTurn, Delta, MadeFile, Message, ModelRequest, ToolOutcome, ToolSpec
from assent.model.errors import ToolFault
from assent.model.events import Event
from assent.model.forms import FormAnswer, FormAsked
from assent.model.ids import CallId, RunId, SessionId
from assent.model.json import JsonObject
from assent.model.message_parts import Attachment
from assent.model.modes import Category, Mode
from assent.model.nodes import NodeUse
from assent.model.preview import Changes, Preview
from assent.model.records import Entry


class ModelProvider(Protocol):
    """A model. `stream` yields deltas and, last, TurnEnd; it raises ProviderFault and nothing else of its own.

    A stream that stops without TurnEnd was cut off. Closing the generator ends the request to the model.
    """

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]: ...


@dataclass(frozen=True, slots=True)
class Left:
    """What a call made of a place: the state in which it found it, and the one in which it left it."""

    path: str
    """Its real name."""
    found: str
    made: str


@dataclass(frozen=True, slots=True)
class Found:
    """A place in the state in which it was looked at."""

    path: str
    """Its real name."""
    state: str

    def after(self, left: "tuple[Left, ...]") -> str:
        """The state in which it is when these calls, one after the other, went on from there."""
        state = self.state
        for one in left:
            if one.path == self.path and one.found == state:
                state = one.made
        return state


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool says when it has done its work: text for the model, a path and a content for the user."""

    text: str
    path: str | None = None
    content: str | None = None
    truncated: bool = False
    left: tuple[Left, ...] = ()
    """The places that it has changed, where it can say how."""
    code: str | None = None
    """A word for what became of it, where that is not simply that it is done."""
    shell: str | None = None
    """The id of the shell that goes on after it, where it started one."""
    made: MadeFile | None = None
    """A picture or a sound that it has written, to be shown."""
    pictures: tuple[Attachment, ...] = ()
    """For a model that sees. The text names each."""
    masked: tuple[str, int] | None = None
    """The text with marks for its secrets, and how many, where that takes more than the text: the rest of a file."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a call that is permitted is carried out. Whoever permits it says so; the tool does exactly that."""

    sandboxed: bool = False
    """It is permitted because it runs in the sandbox, so it must."""
    held: bool = False
    """It is permitted because it only reads, and runs where it can do nothing else."""
    unseen: bool = False
    """Nobody looked at it and it does not only read: what is protected is kept from it wherever that can be done."""
    in_background: bool = False
    """It goes on by itself, because the user wants that."""
    named: bool = False
    """A rule that names what it is about permits it, not one for the whole tool: as good as a click on just that."""
    call_id: CallId = CallId("")
    run_id: RunId = RunId("")
    """Of which run it is; of none where it was asked for anew after a restart."""
    session_id: SessionId = SessionId("")
    """Of which chat."""
    asking: Callable[[], AbstractContextManager[None]] = nullcontext
    """Around every wait for a person while it is carried out: that is no time in which the run works."""
    clicked: bool = False
    """The user clicked it, on a card that showed what it does."""
    own: str | None = None
    """The id of the agent's own answer that the user chose, where it is an agent of others that asks."""


AS_SHOWN = Manner()
"""As the card shows it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call frozen as it would run: shown on the card, bound by the digest, and carried out by `perform`."""

    headline: str
    directory: str
    preview: Preview
    paths: tuple[PathUse, ...]
    state: str
    """A digest of what the call rests on, such as the content of the file that a diff was made against."""
    grant_key: str
    perform: Callable[[], Awaitable[ToolAnswer]]
    """Does it, once. Raises ToolFault; also where the state is no longer the one that was prepared."""
    perform_in: Callable[[Manner], Awaitable[ToolAnswer]] | None = None
    """The same, in this manner. None where there is only one."""
    perform_after: Callable[[tuple[Left, ...]], Awaitable[ToolAnswer]] | None = None
    """The same, where calls of this run that come before it have left places otherwise since it was prepared. None
    where that makes no difference. It does exactly what was shown, on what they left as on what was looked at."""
    found: Found | None = None
    """The place whose state it rests on, where that is one and other calls can say what they made of it."""
    risk: Risk | None = None
    impossible: ToolFault | None = None
    """Why this can never work, where that is known beforehand: what nobody needs to be asked about. Only told of places
    inside the roots; carrying it out raises the same."""
    impossible_by_content: bool = False
    """That says something of what the file holds, so it is told only where that may be read without a question."""
    command: Command | None = None
    """The shell command that it would run, taken apart, with every path resolved."""
    category: Category | None = None
    """What this very call does, where its content is known: it counts instead of what the tool declares."""
    shell: str | None = None
    """The id of the shell that it talks to, where that goes on after the call."""
    ends_with_run: bool = False
    """It ends by itself when its run is stopped, and that is waited for."""
    sandbox: str | None = None
    """The sandbox that is in force for it, by its name; None where there is none that would hold."""
    wall: str | None = None
    """What holds it where it only reads, by its name; None where nothing would."""
    unguarded: bool = False
    """It wants to run without what would keep protected files from it otherwise."""
    can_go_on: bool = False
    """It can be carried out in the background."""
    also: tuple[str, ...] = ()
    """Other tools that do what this call does as well: what restricts them restricts it."""
    addresses: Addresses = Addresses()
    """What it would reach in the network."""
    guest: OfGuest = OfGuest()
    steps: tuple[CallFacts, ...] = ()
    """The calls that it would make itself, as far as they are known."""
    part_of: str = ""
    """The grant key of the call that makes this one, where what it does was known with that."""
    node: NodeUse | None = None
    """The node that it would run."""
    own_options: tuple[OwnOption, ...] | None = None
    """The answers that the agent offers to its own question, where it is one of others that asks."""
    begins_with_yes: bool = False
    """Nothing lies between a click that allows it and its beginning, such as calls before it that it waits for: both
    are written down as one."""
    changes: Callable[[], Awaitable[Changes]] | None = None
    """All of what its files would hold, made anew because it is seldom wanted. Raises ToolFault where that is not what
    was looked at any more."""
    editable: bool = True
    """A person may change its arguments. Not where an agent of others has it done, or does it, and counts on them."""

    def carry_out(self, left: tuple[Left, ...], manner: Manner = AS_SHOWN) -> Awaitable[ToolAnswer]:
        """Does it, once, after calls of this run that left these places so."""
        if self.perform_in is not None:
            return self.perform_in(manner)
        return self.perform() if self.perform_after is None else self.perform_after(left)


Around = Callable[[Callable[[], Awaitable[ToolAnswer]]], Awaitable[ToolAnswer]]
"""Carries out what it is given, and does something of its own before or after that."""


def wrapped(prepared: Prepared, around: Around) -> Prepared:
    """The same call, with something around its carrying out: for a tool that stands before another one."""

    def perform_in(manner: Manner) -> Awaitable[ToolAnswer]:
        return around(lambda: prepared.carry_out((), manner))

    return replace(prepared, perform=lambda: perform_in(AS_SHOWN), perform_in=perform_in, perform_after=None)


@dataclass(frozen=True, slots=True)
class Errand:
    """What a sub-agent is to do."""

    title: str
    instructions: str
    tools: tuple[str, ...] | None = None
    """Those that it may use; None: all that the agent has that hands it on."""
    output_schema: JsonObject | None = None
    """What its answer has to fit."""


HandOn = Callable[[Errand], Awaitable[ToolAnswer]]
"""Lets a sub-agent do something, and returns with what it says. Raises ToolFault."""


class Tool(Protocol):
    """A tool never asks for permission: it says what it would do, and the gate decides."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def category(self) -> Category: ...

    def fault(self, args: JsonObject) -> str | None:
        """Why these arguments do not fit the schema, or None."""

    async def prepare(self, args: JsonObject) -> Prepared:
        """Looks, without changing anything, at what the call would do. Arguments that fit never make it fail."""


class FormPort(Protocol):
    """Puts forms of others to the user."""

    @property
    def can_be_asked(self) -> bool:
        """Whether anybody is there who could answer one."""

    async def ask(self, asked: FormAsked) -> FormAnswer:
        """What the user did with it. Raises NotAskable. Being cancelled withdraws the form."""


@runtime_checkable
class OpenArguments(Tool, Protocol):
    """A tool whose arguments hold those of something else, which they name."""

    async def schema_for(self, args: JsonObject) -> JsonObject:
        """The schema of its arguments, with that of what they name; empty where that is not known."""


class HandingOn(Tool, Protocol):
    """The tool that hands something on to a sub-agent."""

    def for_call(self, hand_on: HandOn, known: tuple[str, ...]) -> Tool:
        """The same for one call of a conversation that has the tools of these names."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a call would do that another call is about to make, as far as it can be known beforehand."""

    facts: CallFacts
    prepared: Prepared | None
    """None where it makes no sense; the facts say why."""
    digest: str
    """Over all that somebody agrees to who agrees to it: the call, the places that it touches, and their state."""
    args: JsonObject
    """Its arguments as they would count."""


class InnerCalls(Protocol):
    """Makes calls for the call that it belongs to. Each goes the way of every other call, by itself."""

    def declared(self, tool: str) -> Category | None:
        """What this tool declares of itself; None where there is none."""

    def look_anew(self) -> None:
        """Another look begins: what was looked at before counts no more towards how much one look may take."""

    async def foresee(self, tool: str, args: JsonObject) -> Foreseen:
        """What this call would do now. Nothing is changed by that, and nobody is asked."""

    async def make(self, tool: str, args: JsonObject, basis: "Basis") -> ToolOutcome:
        """Makes it: gate, execution, its one result."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What is known of a call that another one makes: what of it was shown with that one, and agreed to."""

    shown: str = ""
    """Its digest as it was shown. Empty: what it would do was not known then."""
    agreed: str = ""
    """That the user agreed to what was shown, as a sentence. Empty: nobody clicked."""
    part_of: str = ""
    """The grant key of the call that makes it."""
    call_id: CallId = CallId("")
    """Its id, where whoever makes it has noted it before. Empty: it gets one."""


@runtime_checkable
class CallingOthers(Tool, Protocol):
    """A tool that does what it does by calls of other tools."""

    def with_calls(self, calls: InnerCalls) -> Tool:
        """The same for one call, which makes its calls by these."""


AskModel = Callable[[str, str], Awaitable[str]]
"""Asks the model of the chat something beside the conversation: by these rules, this. Raises ToolFault."""


@runtime_checkable
class AskingModel(Tool, Protocol):
    """A tool that has the model of the chat do a part of its work."""

    def asking(self, ask: AskModel) -> Tool:
        """The same for one call, whose run it is that asks."""


class Journal(Protocol):
    """Where it is written down what is decided and what runs. What is written first is kept first."""

    async def write(self, *entries: Entry) -> None:
        """Returns when these, and all before them, would survive a power cut. Raises NotRecorded: then none is kept."""

    def note(self, entry: Entry) -> None:
        """Writes it without anyone waiting for it: what does not run, and what has run."""

    async def settle(self) -> None:
        """Returns when what was noted is kept, or cannot be for now."""


class Keeper(Protocol):
    """Where a chat is kept beyond this process. Telling it never waits and never fails; the order is kept."""

    def agent(self, digest: str) -> None:
        """The agent of the chat is defined otherwise now."""

    def mode(self, mode: Mode) -> None: ...

    def event(self, number: int, run_id: RunId, event: Event) -> None: ...

    def message(self, index: int, message: Message) -> None:
        """The message in this place of the history: a new one, or in the place of the one before."""

    def cut(self, index: int, messages: Sequence[Message]) -> None:
        """From this place on the history is these, and nothing else: both at once, or neither."""

    def turn(self, turn: AssistantTurn) -> None:
        """How far the model's turn has come that is not in the history yet. Told again, it replaces what was told."""

    def outcome(self, outcome: ToolOutcome) -> None:
        """A result of that turn; with the message that holds the turn, both are kept as the history has them."""

    def closed(self) -> None:
        """The user closed the chat: nothing of it comes back."""
