"""What Gemini wants back with its own words, on the same parts: signatures of its thoughts, and the ids of its calls.

A memo of a call comes right before the call, so that the number of calls before it says which one is meant. A memo of
a text says which piece of the turn's text was signed; a signed piece is sent back by itself, as it came.
"""

from collections.abc import Iterator, Sequence

from assent.model.conversation import AssistantTurn, Memo, MemoDelta
from assent.model.json import Json
from assent.providers.fields import count_in, member, text_in

DIALECT = "gemini"
_SIGNED = "thoughtSignature"

Part = dict[str, Json]


def of_call(part: Json) -> Iterator[MemoDelta]:
    """What is to be kept of a part with a call."""
    kept: dict[str, Json] = {}
    if signature := text_in(member(part, _SIGNED)):
        kept[_SIGNED] = signature
    if call_id := text_in(member(member(part, "functionCall"), "id")):
        kept["id"] = call_id
    if kept:
        yield MemoDelta(DIALECT, {"part": "call", **kept})


def of_text(part: Json, start: int, end: int) -> Iterator[MemoDelta]:
    """What is to be kept of a part with a piece of the answer."""
    if signature := text_in(member(part, _SIGNED)):
        yield MemoDelta(DIALECT, {"part": "text", "start": start, "end": end, _SIGNED: signature})


def of_thought(part: Json) -> Iterator[MemoDelta]:
    """What is to be kept of a part with a thought."""
    if signature := text_in(member(part, _SIGNED)):
        yield MemoDelta(DIALECT, {"part": "thought", "text": text_in(member(part, "text")), _SIGNED: signature})


def calls(turn: AssistantTurn) -> list[Part]:
    """For each call of the turn: what of `thoughtSignature` and `id` came with it."""
    kept: list[Part] = [{} for _ in turn.calls]
    for memo in _ours(turn.memos, "call"):
        if 0 <= memo.before < len(kept):
            kept[memo.before] = {key: value for key in (_SIGNED, "id") if (value := text_in(member(memo.value, key)))}
    return kept


def spoken(turn: AssistantTurn) -> Iterator[Part]:
    """The parts before the calls: signed thoughts, then the text, divided where a piece of it was signed."""
    for memo in _ours(turn.memos, "thought"):
        yield {"thought": True, "text": text_in(member(memo.value, "text")), **_signature(memo)}
    place = 0
    for memo in _ours(turn.memos, "text"):
        start, end = count_in(member(memo.value, "start")), count_in(member(memo.value, "end"))
        if start is None or end is None or not place <= start <= end <= len(turn.text):
            continue
        if start > place:
            yield {"text": turn.text[place:start]}
        yield {"text": turn.text[start:end], **_signature(memo)}
        place = end
    if turn.text[place:]:
        yield {"text": turn.text[place:]}


def _ours(memos: Sequence[Memo], part: str) -> list[Memo]:
    return [memo for memo in memos if memo.dialect == DIALECT and member(memo.value, "part") == part]


def _signature(memo: Memo) -> Part:
    return {_SIGNED: text_in(member(memo.value, _SIGNED))}
