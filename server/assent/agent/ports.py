"""What the loop needs from outside: a model that streams, and tools that say what they would do before they do it."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from assent.model.approval import Risk
from assent.model.calls import PathUse
from assent.model.commands import Command
from assent.model.conversation import Delta, ModelRequest, ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import Preview


class ModelProvider(Protocol):
    """A model. `stream` yields deltas and, last, TurnEnd; it raises ProviderFault and nothing else of its own.

    A stream that stops without TurnEnd was cut off. Closing the generator ends the request to the model.
    """

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]: ...


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool says when it has done its work: text for the model, a path and a content for the user."""

    text: str
    path: str | None = None
    content: str | None = None
    truncated: bool = False


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
    risk: Risk | None = None
    impossible: ToolFault | None = None
    """Why this can never work, where that is known beforehand: what nobody needs to be asked about. Only told of places
    inside the roots; carrying it out raises the same."""
    command: Command | None = None
    """The shell command that it would run, taken apart, with every path resolved."""
    category: Category | None = None
    """What this very call does, where its content is known: it counts instead of what the tool declares."""


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
