"""What a kind of model server has to say about itself. Everything in it is a function of its arguments: no I/O."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import Delta, ModelRequest
from assent.model.json import Json, JsonObject


class Framing(StrEnum):
    """How a stream is divided into events."""

    SSE = "sse"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model, and how it is to answer. None leaves it to the model's server."""

    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    context_window: int | None = None
    thinking: bool | None = None
    """Whether the model is to reason before it answers, where its server lets that be chosen."""
    pictures: bool | None = None
    """Whether it sees any, as far as its user says."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent to the server: a path below its base address."""

    path: str
    body: JsonObject | None = None
    """None: nothing is sent, the server is only asked."""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a server has."""

    name: str
    context_window: int | None = None
    tools: bool | None = None
    """Whether it can call tools. None where its server does not say."""


class EventReader(Protocol):
    """Turns the events of one stream into deltas, in order.

    Raises ProviderFault for what the server reports as a fault, and for what makes no sense.
    """

    def feed(self, name: str, data: str) -> Iterable[Delta]:
        """One event: its name (empty where it has none) and its text."""

    def end(self) -> Iterable[Delta]:
        """The stream ended. What the server leaves to the end of the stream is told now; a TurnEnd only where the
        server had said that the turn is whole."""


class Dialect(Protocol):
    """One kind of model server."""

    @property
    def name(self) -> str:
        """Stands in memos, and in messages to people."""

    @property
    def framing(self) -> Framing: ...

    def key_headers(self, key: str) -> Mapping[str, str]:
        """How the server wants to be shown the key."""

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn, streamed or whole."""

    def reader(self) -> EventReader:
        """For one streamed answer."""

    def whole(self, answer: Json) -> Iterable[Delta]:
        """The deltas of an answer that came whole, the TurnEnd last. Raises ProviderFault as a reader does."""

    def models_request(self) -> HttpRequest:
        """Asks which models there are."""

    def models(self, answer: Json) -> Iterable[ModelInfo]:
        """The models in its answer."""

    def fault_text(self, answer: Json) -> str | None:
        """The server's own words in the body of an answer that reports a fault."""


@runtime_checkable
class TellsSight(Protocol):
    """A kind of server that takes pictures for any model, also for one that does not see them: it can be asked."""

    def sight_request(self, options: ModelOptions) -> HttpRequest:
        """Asks what the model can do."""

    def sees(self, answer: Json) -> bool | None:
        """Whether it sees pictures. None where the server does not say."""
