"""One scripted turn in words of our own, and what each kind of server makes of it on the wire."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from assent.model.conversation import StopReason, Usage
from tests.support.model_servers.pictures import Picture


@dataclass(frozen=True, slots=True)
class SaidCall:
    """A call that the model makes. `args` is sent as the format sends arguments; a text as it is, also malformed."""

    tool: str
    args: dict[str, Any] | str
    provider_id: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of the model: thinking, then text, then calls."""

    text: str = ""
    calls: tuple[SaidCall, ...] = ()
    thinking: str = ""
    stop: StopReason | None = None
    """None: tool_use where there are calls, else end."""
    usage: Usage = field(default_factory=lambda: Usage(120, 30))
    piece_length: int = 5
    """Text, thinking and arguments are sent in pieces of so many characters, where the format sends pieces."""
    between: str = ""
    """Text after the first call, where there is one. A format that cannot place it joins it to the other text."""


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message in a request as the server understands it."""

    role: str
    """user, assistant or results."""
    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    """Tool and arguments of each call."""
    results: tuple[str, ...] = ()
    """The results' texts, in their order."""
    ids_match: bool = True
    """Each result names a call of the turn before it, where the format has ids."""
    pictures: tuple[Picture, ...] = ()
    """Those of the user, beside the text, or of results."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the server understands it. What its format does not allow is no request."""

    system: str
    messages: tuple[SeenMessage, ...]
    tools: tuple[str, ...]
    streaming: bool
    model: str = ""


class Wire(Protocol):
    """The server's side of one format, written from its public documentation and apart from the code under test."""

    provider: str
    """As `provider` in the settings of an agent."""

    def turn_path(self, path: str) -> bool:
        """Whether a turn is asked for at this path (with its query)."""

    def stream(self, said: Said) -> list[bytes]:
        """The streamed answer, one item an event, all together the body."""

    def whole(self, said: Said) -> bytes:
        """The same answer in one piece."""

    def content_type(self, *, streaming: bool) -> str: ...

    def fault(self, status: int, message: str) -> bytes:
        """The body of an answer with this status."""

    def mid_stream_fault(self, message: str) -> bytes | None:
        """An event that reports a fault in an answer that had begun well; None where the format has none."""

    def seen(self, path: str, body: Any) -> Seen:
        """Reads a request strictly. Raises ValueError for what the real server would answer with 400."""

    def key(self, headers: dict[str, str]) -> str | None:
        """The key that was shown; header names are in small letters."""

    def models(self, names: list[str]) -> bytes: ...

    def models_path(self, path: str) -> bool: ...
