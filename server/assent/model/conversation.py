"""What a chat remembers, and what a model streams: the same shapes for every provider."""

from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId, RunId
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment

NOT_KEPT = {"kept": False}
"""Of a field that no row holds: it is there as long as this process is."""


@dataclass(frozen=True, slots=True)
class UserText:
    """A message of the user, or in the place of one."""

    text: str
    by_user: bool = True
    """False: it was written here, to tell the model of something that the user did."""
    run_id: RunId | None = field(default=None, compare=False)
    """The run that it began: what it is found by, and nothing that it says."""
    picture_names: tuple[str, ...] = ()
    """Of the pictures that went along with it. Its text names them too."""
    pictures: tuple[Attachment, ...] = field(default=(), compare=False, repr=False, metadata=NOT_KEPT)
    """Those pictures, as long as they are at hand."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call as it stands in the history; `args` is what was parsed, or the unparsable text."""

    call_id: CallId
    tool: str
    args: Json


@dataclass(frozen=True, slots=True)
class Memo:
    """Something that only models of one dialect can read, handed back to them as it came: a signature of a thought."""

    dialect: str
    before: int
    """How many calls of the turn came before it."""
    value: Json


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """One answer of the model: text, then calls, in the order in which it made them."""

    text: str
    calls: tuple[ToolUse, ...] = ()
    thinking: str = ""
    cut: bool = False
    """The stream ended before the model did."""
    memos: tuple[Memo, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A picture or a sound that a call has written. It is not kept here: it stands in its file, if that is still so."""

    path: str
    """Its real name."""
    mime: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The one result of a call, for three readers: model (`content`), user (`path`, `file_content`), tests (`code`)."""

    call_id: CallId
    tool: str
    content: str
    is_error: bool = False
    code: str | None = None
    path: str | None = None
    file_content: str | None = None
    truncated: bool = False
    ran: bool = False
    whole_length: int | None = None
    """How many characters its whole text has, where the model got a part of it and the rest is kept for the user."""
    made: MadeFile | None = None
    """A picture or a sound to show."""
    picture_names: tuple[str, ...] = ()
    """Of the pictures that belong to it. Its content names them too."""
    pictures: tuple[Attachment, ...] = field(default=(), compare=False, repr=False, metadata=NOT_KEPT)
    """Those pictures, as long as they are at hand."""
    masked: tuple[str, int] | None = field(default=None, compare=False, repr=False, metadata=NOT_KEPT)
    """The same content with marks for its secrets, and how many, where the tool has seen more than it tells."""


@dataclass(frozen=True, slots=True)
class ToolResults:
    """The results of one turn, in the order of its calls."""

    results: tuple[ToolOutcome, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the beginning of a long chat in requests from now on. The chat itself keeps it all."""

    text: str
    before: int
    """The place in the history of the first message that is still sent as it is."""


Spoken = UserText | AssistantTurn | ToolResults
"""What is sent to a model."""
Message = Spoken | Summary
"""What a chat remembers."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told about a tool."""

    name: str
    description: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a model."""

    system: str
    messages: tuple[Spoken, ...]
    tools: tuple[ToolSpec, ...]
    streaming: bool = True
    """False: the answer is to come whole, for a server whose streams do not work."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request cost, in tokens, as the model's server counted. None where it does not say."""

    input: int | None = None
    """All that was sent, with what was found in a cache."""
    output: int | None = None
    cached: int | None = None
    """How much of what was sent was found in a cache."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of the model's reasoning; never searched for tool calls."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStart:
    """A tool call begins in the block with this index. The id is the provider's, and may be missing or repeated."""

    index: int
    tool: str
    provider_id: str | None = None


@dataclass(frozen=True, slots=True)
class CallArguments:
    """A piece of the arguments' JSON text of the call in this block."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """The block with this index is complete."""

    index: int


@dataclass(frozen=True, slots=True)
class MemoDelta:
    """Something to hand back with this turn in every later request to a model of the same dialect."""

    dialect: str
    value: Json


@dataclass(frozen=True, slots=True)
class TryingAgain:
    """The request failed before the model said anything, and is made again after so many seconds."""

    why: str
    seconds: float


class StopReason(StrEnum):
    """Why the model ended its turn."""

    END = "end"
    TOOL_USE = "tool_use"
    LENGTH = "length"
    REFUSED = "refused"
    """The model, or who runs it, does not want to answer this."""


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The model's own end of its turn. A stream without one was cut off."""

    reason: StopReason = StopReason.END
    usage: Usage = Usage()


Delta = TextDelta | ThinkingDelta | MemoDelta | CallStart | CallArguments | BlockEnd | TryingAgain | TurnEnd
