"""From a stream's deltas to complete parts, without I/O. Calls are collected by block index; cut ones are reported."""

from dataclasses import dataclass, field

from assent.model.conversation import BlockEnd, CallArguments, CallStart, Delta, TextDelta, ThinkingDelta, TurnEnd


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


@dataclass(frozen=True, slots=True)
class CutCall:
    """A call whose block never ended. It is neither asked nor run."""

    tool: str


Part = TextPart | ThinkingPart | CallPart


@dataclass(slots=True)
class _OpenCall:
    tool: str
    pieces: list[str] = field(default_factory=list)


class Assembler:
    """Feed it deltas in order; it hands out each part as soon as it is complete."""

    def __init__(self) -> None:
        self._open: dict[int, _OpenCall] = {}
        self._ended: TurnEnd | None = None

    def feed(self, delta: Delta) -> Part | None:
        """The part that this delta completes, if any. What comes after the turn's end is not part of it."""
        if self._ended is not None:
            return None
        match delta:
            case TextDelta(text):
                return TextPart(text) if text else None
            case ThinkingDelta(text):
                return ThinkingPart(text) if text else None
            case CallStart(index, tool):
                # A second start of the same block replaces a call that never ended: nothing half-made is run.
                self._open[index] = _OpenCall(tool)
            case CallArguments(index, text):
                if index in self._open:
                    self._open[index].pieces.append(text)
            case BlockEnd(index):
                call = self._open.pop(index, None)
                return CallPart(index, call.tool, "".join(call.pieces)) if call else None
            case TurnEnd():
                self._ended = delta
        return None

    @property
    def end(self) -> TurnEnd | None:
        """The model's own end of the turn, or None where the stream was cut."""
        return self._ended

    def cut_calls(self) -> tuple[CutCall, ...]:
        """Calls that were begun and never finished."""
        return tuple(CutCall(call.tool) for call in self._open.values())
