"""Chunks of an answer to deltas."""

from collections.abc import Iterator

from assent.model.conversation import Delta, StopReason, TextDelta, TurnEnd, Usage
from assent.model.json import Json
from assent.providers.dialects.openai_chat.calls import Calls
from assent.providers.dialects.openai_chat.thoughts import Thoughts, part_deltas
from assent.providers.dialects.openai_faults import SERVER, broken_off, reported
from assent.providers.fields import as_object, count_in, items, json_in, member, text_in

_ENDED = ("stop", "tool_calls", "function_call", "eos", "eos_token", "stop_sequence", "end_turn", "tool_use")
_TOO_LONG = ("length", "max_tokens", "model_length", "max_length")
_REFUSED = ("content_filter", "refusal", "safety")
_FAILED = ("error", "abort", "cancelled", "insufficient_system_resource")


class Reader:
    """Reads one answer. It is whole once its server gave a reason for its end, or said [DONE]; the numbers of tokens
    come after the reason, so the end of the turn is told with [DONE], or with the end of the stream."""

    def __init__(self, mark: str) -> None:
        self._calls = Calls(mark)
        self._thoughts = Thoughts(mark)
        self._reason: StopReason | None = None
        self._refused = False
        self._usage = Usage()
        self._over = False

    def feed(self, name: str, data: str) -> Iterator[Delta]:
        """One event."""
        if self._over or not data.strip():
            return
        if data.strip() != "[DONE]":
            chunk = as_object(json_in(data, SERVER), SERVER)
            if name == "error":
                raise reported(member(chunk, "error") or chunk)
            yield from self.read(chunk)
        elif self._reason is not None or not self._calls.any_open:
            yield from self.finish()
        # Otherwise: a call was begun, and nobody said that it is complete. That is a stream that was cut.

    def end(self) -> Iterator[Delta]:
        """The stream ended."""
        if self._over:
            return
        if self._reason is not None:
            yield from self.finish()
        elif self._calls.ended:
            yield from self._thoughts.memo(self._calls.ended)

    def read(self, chunk: Json, part: str = "delta") -> Iterator[Delta]:
        """One chunk; `part` is where it holds what the model said."""
        if error := member(chunk, "error"):
            raise reported(error)
        if member(chunk, "object") == "error":
            raise reported(chunk)
        self._count(member(chunk, "usage") or member(member(chunk, "x_groq"), "usage"))
        for choice in items(member(chunk, "choices")):
            # Only one answer was asked for. Some servers do not number it.
            if member(choice, "index") in (0, None):
                yield from self._said(member(choice, part))
                yield from self._stopped(text_in(member(choice, "finish_reason")).lower())

    def finish(self) -> Iterator[Delta]:
        """The end of the turn."""
        self._over = True
        if self._calls.ended:
            yield from self._thoughts.memo(self._calls.ended)
        yield TurnEnd(self._why(), self._usage)

    @property
    def has_reason(self) -> bool:
        """Whether the server said why the answer ended."""
        return self._reason is not None

    def close_whole_calls(self) -> Iterator[Delta]:
        """For an answer that came whole, without a reason for its end."""
        yield from self._calls.finish(sure=False)

    def _said(self, delta: Json) -> Iterator[Delta]:
        yield from self._thoughts.feed(delta)
        content = member(delta, "content")
        if text := text_in(content):
            yield from self._calls.pause()
            yield TextDelta(text)
        yield from part_deltas(content)
        if refusal := text_in(member(delta, "refusal")):
            self._refused = True
            yield TextDelta(refusal)
        for piece in items(member(delta, "tool_calls")):
            yield from self._calls.feed(piece)

    def _stopped(self, reason: str) -> Iterator[Delta]:
        if not reason:
            return
        if reason in _FAILED:
            raise broken_off(reason)
        if reason in _TOO_LONG:
            # The call that was being written may lack its end. It stays open.
            self._reason = StopReason.LENGTH
        elif reason in _REFUSED:
            self._reason = StopReason.REFUSED
        else:
            self._reason = StopReason.END
            yield from self._calls.finish(sure=reason in _ENDED)

    def _why(self) -> StopReason:
        """Servers say “stop” after calls as well, and “tool_calls” without any: what was said counts."""
        if self._refused:
            return StopReason.REFUSED
        if self._reason in (StopReason.LENGTH, StopReason.REFUSED):
            return self._reason
        return StopReason.TOOL_USE if self._calls.ended else StopReason.END

    def _count(self, usage: Json) -> None:
        """Numbers of the whole answer so far: later ones replace earlier ones."""
        cached = count_in(member(member(usage, "prompt_tokens_details"), "cached_tokens"))
        found = Usage(
            count_in(member(usage, "prompt_tokens")),
            count_in(member(usage, "completion_tokens")),
            cached if cached is not None else count_in(member(usage, "prompt_cache_hit_tokens")),
        )
        if found != Usage():
            self._usage = found
