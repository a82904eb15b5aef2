"""Typed events of an answer to deltas."""

from collections.abc import Iterator

from assent.model.conversation import Delta, MemoDelta, StopReason, TextDelta, ThinkingDelta, TurnEnd, Usage
from assent.model.json import Json
from assent.providers.dialects.openai_faults import SERVER, broken_off, reported
from assent.providers.dialects.openai_responses.calls import Calls
from assent.providers.fields import as_object, count_in, items, json_in, member, text_in

_TEXT = ("response.output_text.delta", "response.refusal.delta")
_THINKING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_LAST = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


class Reader:
    """Reads one answer: a list of items, each of which is told in pieces and then whole."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._calls = Calls()
        self._told: set[str] = set()
        """Places whose text, and whose reasoning, came in pieces: it is not told again when the item is whole."""
        self._refused = False
        self._over = False

    def feed(self, name: str, data: str) -> Iterator[Delta]:
        """One event."""
        if self._over or not data.strip() or data.strip() == "[DONE]":
            return
        event = as_object(json_in(data, SERVER), SERVER)
        kind = text_in(event.get("type")) or name
        if kind == "error" or member(event, "error"):
            raise reported(member(event, "error") or event)
        if kind in _LAST:
            yield from self.finish(member(event, "response"), kind.removeprefix("response."))
        else:
            yield from self._piece(kind, event)

    def end(self) -> Iterator[Delta]:
        """The stream ended. What is whole was told before."""
        return iter(())

    def finish(self, response: Json, status: str) -> Iterator[Delta]:
        """The end of the answer, with what stands in it beside its items."""
        self._over = True
        if status == "failed" or member(response, "error"):
            raise reported(member(response, "error"))
        usage = _usage(member(response, "usage"))
        if status == "incomplete":
            reason = text_in(member(member(response, "incomplete_details"), "reason"))
            yield TurnEnd(StopReason.REFUSED if reason == "content_filter" else StopReason.LENGTH, usage)
        elif status == "completed":
            yield TurnEnd(self._why(), usage)
        else:
            raise broken_off(status)

    def item(self, place: str, item: Json) -> Iterator[Delta]:
        """One item, whole."""
        match text_in(member(item, "type")):
            case "function_call":
                yield from self._calls.whole(place, item)
            case "message" if place not in self._told:
                yield from self._message(item)
            case "reasoning":
                if place not in self._told:
                    yield from _reasoning(item)
                # Without this only a server that keeps answers could make sense of it.
                if text_in(member(item, "encrypted_content")):
                    yield MemoDelta(self._mark, {"item": item})

    def _piece(self, kind: str, event: Json) -> Iterator[Delta]:
        place, piece = _place(event), text_in(member(event, "delta"))
        if kind in _TEXT:
            self._told.add(place)
            self._refused = self._refused or "refusal" in kind
            yield TextDelta(piece)
        elif kind in _THINKING:
            self._told.add(place)
            yield ThinkingDelta(piece)
        elif kind == "response.reasoning_summary_part.added" and place in self._told:
            yield ThinkingDelta("\n\n")
        elif kind == "response.output_item.added":
            yield from self._calls.begin(place, member(event, "item"))
        elif kind == "response.function_call_arguments.delta":
            yield from self._calls.add(place, piece)
        elif kind == "response.function_call_arguments.done":
            yield from self._calls.settle(place, member(event, "arguments"))
        elif kind == "response.output_item.done":
            yield from self.item(place, member(event, "item"))

    def _message(self, item: Json) -> Iterator[Delta]:
        for part in items(member(item, "content")):
            refusal = text_in(member(part, "refusal"))
            self._refused = self._refused or bool(refusal)
            if text := text_in(member(part, "text")) or refusal:
                yield TextDelta(text)

    def _why(self) -> StopReason:
        if self._refused:
            return StopReason.REFUSED
        return StopReason.TOOL_USE if self._calls.ended else StopReason.END


def _place(event: Json) -> str:
    """What tells the items of an answer apart: their number in it, or where there is none, their id."""
    number = count_in(member(event, "output_index"))
    if number is not None:
        return str(number)
    return text_in(member(event, "item_id")) or text_in(member(member(event, "item"), "id"))


def _reasoning(item: Json) -> Iterator[Delta]:
    parts = [*items(member(item, "summary")), *items(member(item, "content"))]
    texts = [text for part in parts if (text := text_in(member(part, "text")))]
    if texts:
        yield ThinkingDelta("\n\n".join(texts))


def _usage(usage: Json) -> Usage:
    return Usage(
        count_in(member(usage, "input_tokens")),
        count_in(member(usage, "output_tokens")),
        count_in(member(member(usage, "input_tokens_details"), "cached_tokens")),
    )
