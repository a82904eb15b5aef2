"""Events of an answer to deltas. A block is told as it comes; one whose end never came is not told as ended."""

from collections.abc import Iterator
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import (
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    MemoDelta,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TurnEnd,
    Usage,
)
from assent.model.errors import ProviderFault
from assent.model.json import Json, JsonObject
from assent.providers.dialects.anthropic.request import DIALECT
from assent.providers.fields import (
    arguments_text,
    as_object,
    count_in,
    items,
    member,
    object_in,
    senseless,
    sum_of,
    text_in,
)

SERVER = "Anthropic"
_CODES = {
    "api_error": "server_trouble",
    "overloaded_error": "server_trouble",
    "rate_limit_error": "rate_limited",
    "timeout_error": "server_trouble",
}
"""Faults that pass."""
_REASONS = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "pause_turn": StopReason.END,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSED,
}
_CUT = frozenset(reason for reason, means in _REASONS.items() if means is StopReason.LENGTH)
"""The model was ended: the call that it was making may lack all of its arguments."""


@dataclass(slots=True)
class _Block:
    """A block that has begun."""

    kind: str
    start: JsonObject
    call: int = 0
    told: bool = False
    """Arguments came in pieces; else they stand in the start."""
    pieces: list[str] = field(default_factory=list)
    """Of the thought."""
    signature: str = ""


class Reader:
    """Reads one answer. Blocks have numbers, and those of calls get ours, which never come twice."""

    def __init__(self) -> None:
        self._open: dict[int, _Block] = {}
        self._calls = 0
        self._bare: int | None = None
        """The last call, where it ended without any argument: whether it was meant so is told with what follows."""
        self._stop: str | None = None
        self._ended = False
        self._usage: dict[str, int] = {}

    def feed(self, name: str, data: str) -> Iterator[Delta]:
        """One event. What kind it is stands in it; kinds that are not known say nothing that counts."""
        event = object_in(data, SERVER)
        match event.get("type", name):
            case "message_start":
                self._count(member(event.get("message"), "usage"))
            case "content_block_start":
                yield from self._begin(_index(event), as_object(event.get("content_block"), SERVER))
            case "content_block_delta":
                yield from self._more(_index(event), as_object(event.get("delta"), SERVER))
            case "content_block_stop":
                yield from self._end_block(_index(event))
            case "message_delta":
                self._count(event.get("usage"))
                self._stop = text_in(member(event.get("delta"), "stop_reason")) or self._stop
                if self._stop is not None:
                    yield from self._settle_bare(meant=self._stop not in _CUT)
            case "message_stop":
                yield from self._end_turn()
            case "error":
                raise _reported(event)

    def end(self) -> Iterator[Delta]:
        """Why the model stopped is told after all it said: with that, the turn is whole."""
        if self._stop is not None:
            yield from self._end_turn()

    def _begin(self, index: int, start: JsonObject) -> Iterator[Delta]:
        if index in self._open:
            raise senseless(SERVER, f"block {index} begins twice")
        yield from self._settle_bare(meant=True)
        block = self._open[index] = _Block(text_in(start.get("type")), start)
        if block.kind == "tool_use":
            name = text_in(start.get("name"))
            if not name:
                raise senseless(SERVER, "a tool call names no tool")
            block.call, self._calls = self._calls, self._calls + 1
            yield CallStart(block.call, name, text_in(start.get("id")) or None)
        elif block.kind == "text":
            yield from _said(TextDelta(text_in(start.get("text"))))
        elif block.kind == "thinking":
            yield from self._think(block, text_in(start.get("thinking")))
            block.signature = text_in(start.get("signature"))

    def _more(self, index: int, delta: JsonObject) -> Iterator[Delta]:
        block = self._open.get(index)
        if block is None:
            raise senseless(SERVER, f"block {index} goes on before it begins")
        match block.kind, delta.get("type"):
            case "text", "text_delta":
                yield from _said(TextDelta(text_in(delta.get("text"))))
            case "tool_use", "input_json_delta":
                piece = delta.get("partial_json")
                if not isinstance(piece, str):
                    raise senseless(SERVER, "a piece of a tool call is no text")
                if piece:
                    block.told = True
                    yield CallArguments(block.call, piece)
            case "tool_use", _:
                # To pass over it could leave out a piece of the arguments, and the rest may make sense without it.
                raise senseless(SERVER, "a tool call goes on in a way that is not known")
            case "thinking", "thinking_delta":
                yield from self._think(block, text_in(delta.get("thinking")))
            case "thinking", "signature_delta":
                block.signature += text_in(delta.get("signature"))

    def _think(self, block: _Block, text: str) -> Iterator[Delta]:
        block.pieces.append(text)
        yield from _said(ThinkingDelta(text))

    def _end_block(self, index: int) -> Iterator[Delta]:
        block = self._open.pop(index, None)
        if block is None:
            return
        if block.kind == "tool_use":
            given = block.start.get("input")
            if not block.told and given is not None and given != {}:
                yield CallArguments(block.call, arguments_text(given))
                block.told = True
            if block.told:
                yield BlockEnd(block.call)
            else:
                yield from self._settle_bare(meant=True)
                self._bare = block.call
        elif block.kind == "thinking" and block.signature:
            yield MemoDelta(
                DIALECT, {"type": "thinking", "thinking": "".join(block.pieces), "signature": block.signature}
            )
        elif block.kind == "redacted_thinking":
            yield MemoDelta(DIALECT, {"type": "redacted_thinking", "data": text_in(block.start.get("data"))})

    def _settle_bare(self, *, meant: bool) -> Iterator[Delta]:
        call, self._bare = self._bare, None
        if call is not None and meant:
            yield BlockEnd(call)

    def _end_turn(self) -> Iterator[Delta]:
        yield from self._settle_bare(meant=self._stop not in _CUT)
        if not self._ended:
            self._ended = True
            yield TurnEnd(self._reason(), self._all_usage())

    def _reason(self) -> StopReason:
        usual = StopReason.TOOL_USE if self._calls else StopReason.END
        return _REASONS.get(self._stop or "", usual)

    def _count(self, usage: Json) -> None:
        """Later numbers replace earlier ones: they are of the whole turn."""
        for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"):
            count = count_in(member(usage, name))
            if count is not None:
                self._usage[name] = count

    def _all_usage(self) -> Usage:
        counts = self._usage
        cached = counts.get("cache_read_input_tokens")
        sent = counts.get("input_tokens")
        if sent is not None:
            sent = sum_of((sent, cached, counts.get("cache_creation_input_tokens")))
        return Usage(sent, counts.get("output_tokens"), cached)

    def whole(self, answer: JsonObject) -> Iterator[Delta]:
        """An answer that came in one piece: its blocks begin with all that they say."""
        if answer.get("type") == "error":
            raise _reported(answer)
        if not isinstance(answer.get("content"), list):
            raise senseless(SERVER, "it has no content")
        self._stop = text_in(answer.get("stop_reason"))
        content = items(answer.get("content"))
        for index, start in enumerate(content):
            yield from self._begin(index, as_object(start, SERVER))
            if index + 1 < len(content) or self._stop not in _CUT:
                yield from self._end_block(index)
        self._count(answer.get("usage"))
        yield from self._end_turn()


def whole(answer: Json) -> Iterator[Delta]:
    """The deltas of an answer that came in one piece."""
    return Reader().whole(as_object(answer, SERVER))


def _said(delta: TextDelta | ThinkingDelta) -> Iterator[Delta]:
    if delta.text:
        yield delta


def _index(event: JsonObject) -> int:
    index = count_in(event.get("index"))
    if index is None:
        raise senseless(SERVER, "a block has no number")
    return index


def _reported(answer: JsonObject) -> ProviderFault:
    error = answer.get("error")
    kind = text_in(member(error, "type"))
    words = text_in(member(error, "message")) or "it reports a fault and does not name it"
    return ProviderFault(_CODES.get(kind, "server_fault"), words, passing=kind in _CODES)
