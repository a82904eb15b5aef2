"""A guest: an agent of others that leads its own conversation, in a process of its own, and asks before it acts."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from assent.agent.loop_end import LoopEnd
from assent.agent.permit import Refusal
from assent.agent.ports import Tool
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.events import Event
from assent.model.forms import Form, FormAnswer
from assent.model.message_parts import Part
from assent.model.modes import Category, Mode

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is special about a call that a guest wants."""

    tool: Tool
    """Stands for the call at the gate."""
    refused: Callable[[Refusal], None] = lambda refusal: None
    """Told why, where it does not run."""
    ended_by: Callable[[], ResolvedBy | None] = lambda: None
    """What ended just this call while it waited, if something did beside the end of the run."""
    is_told: bool = False
    """It stands in the chat already."""
    fault: str | None = None
    """Why its arguments make no sense."""


class Host(Protocol):
    """What a guest meets while a turn of its goes on. Only `carry` takes its time; the rest returns at once."""

    @property
    def mode(self) -> Mode:
        """The tightest mode that holds for this turn."""

    def said(self, text: str, *, thinking: bool) -> None:
        """A piece of its answer."""

    def tell(self, event: Event) -> None:
        """Something that happened in it."""

    def announce(self, call: ToolCall, category: Category, headline: str) -> None:
        """It carries out a call without having asked."""

    async def carry(self, call: ToolCall, wanted: "Wanted") -> ToolOutcome:
        """Takes a call that it wants through the gate, to its one result."""

    async def ask(self, form: Form) -> FormAnswer:
        """Puts its form to the user. Raises NotAskable. Being cancelled withdraws the form."""

    def finish(self, outcome: ToolOutcome, seconds: float, *, done_here: bool = False) -> None:
        """A call for which it did not ask has ended. `done_here`: it had Assent do that, where it was decided."""

    def start(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        """Does this meanwhile; it ends with the run."""


class Guest(Protocol):
    """The session of one chat with such an agent."""

    def wake(self, mode: Mode) -> None:
        """Somebody looks at the chat, in which nothing was said yet."""

    async def converse(self, message: tuple[Part, ...], host: Host) -> LoopEnd:
        """Says this to the agent, and returns when its turn is over."""

    def stop(self) -> None:
        """The user wants nothing more of this turn: the agent is told at once."""

    async def settle(self) -> None:
        """Returns when a turn that was stopped is over. All that it had asked has been answered by then."""
