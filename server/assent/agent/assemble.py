"""From a stream's deltas to complete parts, without I/O. Calls are collected by block index; cut ones are reported."""

from dataclasses import field

from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import (
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    MemoDelta,
    TextDelta,
    ThinkingDelta,
    TryingAgain,
    TurnEnd,
)

LONGEST_ARGUMENTS = 2_000_000
"""Characters of one call's arguments. Of a longer one nothing is kept, and it does not run."""
LONGEST_NAME = 200
"""Characters of a tool's name. No tool has a longer one, so of a call with one only the beginning is kept."""
LONGEST_TURN = 8_000_000
"""Characters of everything that a model says in one turn."""
WEIGHT_OF_A_CALL = 1_000
"""What each call counts as beside its arguments: many small ones are much, too."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text to show at once."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """Reasoning to show folded."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A complete call: its block has ended."""

    index: int
    tool: str
    arguments: str
    fault: str | None = None
    """Why it cannot run whatever it says, or None."""


@dataclass(frozen=True, slots=True)
class CutCall:
    """A call whose block never ended. It is neither asked nor run."""

    tool: str


Part = TextPart | ThinkingPart | CallPart | MemoDelta | TryingAgain
"""What a memo says, and that a request is made again, needs no collecting: it is handed on in its place."""


@dataclass(slots=True)
class _OpenCall:
    tool: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, text: str) -> None:
        self.length += len(text)
        if self.length > LONGEST_ARGUMENTS:
            self.pieces.clear()
        else:
            self.pieces.append(text)

    def complete(self, index: int) -> CallPart:
        fault = None
        if self.length > LONGEST_ARGUMENTS:
            fault = (
                f"The arguments of this call are longer than {LONGEST_ARGUMENTS:,} characters, so it did not run. "
                "Do it in smaller steps."
            )
        return CallPart(index, self.tool, "".join(self.pieces), fault)


class Assembler:
    """Feed it deltas in order; it hands out each part as soon as it is complete."""

    def __init__(self) -> None:
        self._open: dict[int, _OpenCall] = {}
        self._ended: TurnEnd | None = None
        self._length = 0

    def feed(self, delta: Delta) -> Part | None:
        """The part that this delta completes, if any. What comes after the turn's end is not part of it."""
        if self._ended is not None or self.overfull:
            return None
        self._length += _weight(delta)
        return self._part(delta) if self._length <= LONGEST_TURN else None

    def _part(self, delta: Delta) -> Part | None:
        match delta:
            case TextDelta(text):
                return TextPart(text) if text else None
            case ThinkingDelta(text):
                return ThinkingPart(text) if text else None
            case MemoDelta() | TryingAgain():
                return delta
            case CallStart(index, tool):
                # A second start of the same block replaces a call that never ended: nothing half-made is run.
                self._open[index] = _OpenCall(_kept_name(tool))
            case CallArguments(index, text):
                if index in self._open:
                    self._open[index].add(text)
            case BlockEnd(index):
                call = self._open.pop(index, None)
                return call.complete(index) if call else None
            case TurnEnd():
                self._ended = delta
        return None

    @property
    def end(self) -> TurnEnd | None:
        """The model's own end of the turn, or None where the stream was cut."""
        return self._ended

    @property
    def overfull(self) -> bool:
        """The turn is longer than any answer that makes sense; nothing more of it is taken."""
        return self._length > LONGEST_TURN

    def cut_calls(self) -> tuple[CutCall, ...]:
        """Calls that were begun and never finished."""
        return tuple(CutCall(call.tool) for call in self._open.values())


def _kept_name(tool: str) -> str:
    """The name under which a call goes on. One that was cut off says so, and is no tool's."""
    return tool if len(tool) <= LONGEST_NAME else f"{tool[:LONGEST_NAME]}… ({len(tool):,} characters)"


def _weight(delta: Delta) -> int:
    match delta:
        case TextDelta(text) | ThinkingDelta(text) | CallArguments(_, text):
            return len(text)
        case CallStart(_, tool):
            return len(tool) + WEIGHT_OF_A_CALL
        case MemoDelta(_, value):
            return len(readable_json(value))
        case TryingAgain(why):
            return len(why)
        case _:
            return 0
