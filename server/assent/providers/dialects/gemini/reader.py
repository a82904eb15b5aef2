"""Events of an answer to deltas. Of several candidates only the first is read."""

from collections.abc import Iterator

from assent.model.conversation import Delta, StopReason, TextDelta, ThinkingDelta, TurnEnd, Usage
from assent.model.json import Json, JsonObject
from assent.providers.dialects.gemini import memos
from assent.providers.dialects.gemini.faults import reported, unfinished
from assent.providers.fields import (
    as_object,
    count_in,
    items,
    json_in,
    member,
    senseless,
    sum_of,
    text_in,
    whole_call,
)

SERVER = "Gemini"

_REFUSED = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    }
)


class Reader:
    """Reads one answer. A call stands whole in its part, so it is complete at once."""

    def __init__(self) -> None:
        self._calls = 0
        self._text = 0
        self._usage = Usage()
        self._ended = False

    def feed(self, _name: str, data: str) -> Iterator[Delta]:
        """One event, which is a whole answer with a piece of the turn in it."""
        if not self._ended:
            yield from self.read(json_in(data, SERVER))

    def end(self) -> Iterator[Delta]:
        """Nothing is left to the end: an event says why the turn ended, or it is not whole."""
        return iter(())

    def read(self, value: Json) -> Iterator[Delta]:
        """What one answer says."""
        if fault := reported(value):
            raise fault
        answer = as_object(value, SERVER)
        self._usage = _usage(answer.get("usageMetadata")) or self._usage
        if text_in(member(answer.get("promptFeedback"), "blockReason")):
            yield self._turn_end(StopReason.REFUSED)
            return
        candidate = _first(answer)
        reason = text_in(member(candidate, "finishReason"))
        yield from self._parts(items(member(member(candidate, "content"), "parts")), reason)
        if reason:
            yield self._turn_end(self._stop(reason, text_in(member(candidate, "finishMessage"))))

    def _parts(self, parts: list[Json], reason: str) -> Iterator[Delta]:
        # All calls are looked at before the first is told: an answer that is wrong somewhere starts nothing.
        tools = [_tool_of(part) for part in parts]
        for part, tool in zip(parts, tools, strict=True):
            if tool is None:
                yield from self._said(part)
            elif reason in ("", "STOP", "MAX_TOKENS"):
                # A call that comes together with a refusal, or with word that it is malformed, is not made.
                yield from memos.of_call(part)
                call = member(part, "functionCall")
                yield from whole_call(self._calls, tool, member(call, "args"), member(call, "id"))
                self._calls += 1

    def _said(self, part: Json) -> Iterator[Delta]:
        text = text_in(member(part, "text"))
        if member(part, "thought") is True:
            if text:
                yield ThinkingDelta(text)
            yield from memos.of_thought(part)
            return
        if text:
            yield TextDelta(text)
        yield from memos.of_text(part, self._text, self._text + len(text))
        self._text += len(text)

    def _stop(self, reason: str, words: str) -> StopReason:
        if reason == "STOP":
            return StopReason.TOOL_USE if self._calls else StopReason.END
        if reason == "MAX_TOKENS":
            return StopReason.LENGTH
        if reason in _REFUSED:
            return StopReason.REFUSED
        raise unfinished(reason, words)

    def _turn_end(self, reason: StopReason) -> TurnEnd:
        self._ended = True
        return TurnEnd(reason, self._usage)


def _first(answer: JsonObject) -> Json:
    return next((one for one in items(answer.get("candidates")) if member(one, "index") in (None, 0)), None)


def _tool_of(part: Json) -> str | None:
    """The tool that a part calls, or None where it calls none."""
    call = member(part, "functionCall")
    if call is None:
        return None
    name = text_in(member(call, "name"))
    if not name:
        raise senseless(SERVER, "a function call names no function")
    if member(call, "partialArgs") is not None or member(call, "willContinue") is True:
        raise senseless(SERVER, f"it sends the call of {name} in pieces, which was not asked for")
    return name


def _usage(counts: Json) -> Usage | None:
    if counts is None:
        return None
    return Usage(
        count_in(member(counts, "promptTokenCount")),
        sum_of(count_in(member(counts, key)) for key in ("candidatesTokenCount", "thoughtsTokenCount")),
        count_in(member(counts, "cachedContentTokenCount")),
    )
