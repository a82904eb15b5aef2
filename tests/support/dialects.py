"""Dialects by hand: bytes of a stream to deltas as the provider reads them, and what the deltas come to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from assent.model.conversation import (
    AssistantTurn,
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    Memo,
    MemoDelta,
    ModelRequest,
    Spoken,
    TextDelta,
    ThinkingDelta,
    ToolOutcome,
    ToolResults,
    ToolSpec,
    ToolUse,
    TurnEnd,
)
from assent.model.ids import CallId
from assent.model.json import Json
from assent.providers.dialect import Dialect, ModelOptions
from assent.providers.framing import framer

OPTIONS = ModelOptions("m")


def streamed(dialect: Dialect, chunks: Iterable[bytes]) -> list[Delta]:
    """The deltas of a stream that comes in these chunks and then ends."""
    frames, reader = framer(dialect.framing), dialect.reader()
    deltas: list[Delta] = []
    for chunk in chunks:
        for event in frames.feed(chunk):
            deltas += reader.feed(event.name, event.data)
    for event in frames.end():
        deltas += reader.feed(event.name, event.data)
    return [*deltas, *reader.end()]


def in_chunks(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """The data cut at these places, wherever they are."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


@dataclass
class Told:
    """What deltas come to: a turn as the agent keeps it."""

    text: str = ""
    thinking: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Tool and text of the arguments of each call that is complete."""
    memos: list[Memo] = field(default_factory=list)
    end: TurnEnd | None = None
    _open: dict[int, tuple[str, str]] = field(default_factory=dict, repr=False)

    def feed(self, delta: Delta) -> None:
        match delta:
            case TextDelta(text):
                self.text += text
            case ThinkingDelta(text):
                self.thinking += text
            case MemoDelta(dialect, value):
                self.memos.append(Memo(dialect, len(self.calls), value))
            case CallStart(index, tool):
                self._open[index] = (tool, "")
            case CallArguments(index, text):
                tool, before = self._open[index]
                self._open[index] = (tool, before + text)
            case BlockEnd(index):
                self.calls.append(self._open.pop(index))
            case TurnEnd():
                self.end = delta

    @property
    def unfinished(self) -> list[str]:
        """The tools of calls that were begun only."""
        return [tool for tool, _ in self._open.values()]


def told(deltas: Iterable[Delta]) -> Told:
    """What these deltas come to. Nothing may come after the end."""
    all_of_it = Told()
    for delta in deltas:
        assert all_of_it.end is None, f"{delta} comes after the end"
        all_of_it.feed(delta)
    return all_of_it


def asking(*messages: Spoken, system: str = "", tools: Sequence[ToolSpec] = (), streaming: bool = True) -> ModelRequest:
    """A request with these messages."""
    return ModelRequest(system, messages, tuple(tools), streaming)


def use(number: int, tool: str, args: Json) -> ToolUse:
    """A call with an id that says its number."""
    return ToolUse(CallId(f"id-{number}"), tool, args)


def answered(turn: AssistantTurn, *contents: str, is_error: bool = False) -> ToolResults:
    """The results of a turn's calls."""
    pairs = zip(turn.calls, contents, strict=True)
    return ToolResults(tuple(ToolOutcome(one.call_id, one.tool, text, is_error) for one, text in pairs))
