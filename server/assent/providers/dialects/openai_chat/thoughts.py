"""Reasoning: what is shown of it, and what its server wants to see again together with the calls it led to.

Two kinds of servers do. DeepSeek, and those that follow it, name the text `reasoning_content` and refuse a later
request in which a turn with calls comes without it. OpenRouter sends `reasoning_details`, among them signatures that
models behind it ask for. Whoever sends neither is sent neither: other servers refuse fields that they do not know.
"""

from collections.abc import Iterator, Sequence

from assent.model.conversation import AssistantTurn, Delta, MemoDelta, TextDelta, ThinkingDelta
from assent.model.json import Json, JsonObject
from assent.providers.fields import items, member, text_in

_IN_PIECES = {"reasoning.text": "text", "reasoning.summary": "summary"}


class Thoughts:
    """The reasoning of one answer."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._named = False
        self._details: list[dict[str, Json]] = []

    def feed(self, delta: Json) -> Iterator[Delta]:
        """One piece of an answer. Servers that send both names send the same text twice."""
        content = text_in(member(delta, "reasoning_content"))
        if content and not self._named:
            self._named = True
            yield MemoDelta(self._mark, {"thinking": "reasoning_content"})
        if said := content or text_in(member(delta, "reasoning")):
            yield ThinkingDelta(said)
        for detail in items(member(delta, "reasoning_details")):
            self._keep(detail)

    def memo(self, calls: Sequence[str]) -> Iterator[Delta]:
        """What is kept of the details, with the server's names of the calls that they may speak of."""
        if self._details:
            details, self._details = self._details, []
            yield MemoDelta(self._mark, {"reasoning_details": details, "calls": list(calls)})

    def _keep(self, detail: Json) -> None:
        last = self._details[-1] if self._details else {}
        where = _IN_PIECES.get(text_in(member(detail, "type")))
        if where and all(member(detail, key) == last.get(key) for key in ("type", "index")):
            last[where] = text_in(member(last, where)) + text_in(member(detail, where))
            rest = ((key, member(detail, key)) for key in ("id", "format", "signature"))
            last.update((key, value) for key, value in rest if value is not None)
        elif isinstance(detail, dict):
            self._details.append(dict(detail))


def handed_back(turn: AssistantTurn, mark: str, ids: Sequence[str]) -> JsonObject:
    """The fields of a turn with calls that show its reasoning to the server it came from. `ids` name its calls."""
    fields: dict[str, Json] = {}
    for memo in turn.memos:
        if memo.dialect != mark:
            continue
        if member(memo.value, "thinking") == "reasoning_content":
            fields["reasoning_content"] = turn.thinking
        if details := items(member(memo.value, "reasoning_details")):
            names = dict(zip(map(str, items(member(memo.value, "calls"))), ids, strict=False))
            fields["reasoning_details"] = [_renamed(detail, names) for detail in details]
    return fields


def extra_contents(turn: AssistantTurn, mark: str) -> dict[int, Json]:
    """What a server hung on a call and wants to see on it again, by the place of the call in its turn."""
    found = ((memo, member(memo.value, "extra_content")) for memo in turn.memos if memo.dialect == mark)
    return {memo.before: extra for memo, extra in found if extra is not None}


def part_deltas(parts: Json) -> Iterator[Delta]:
    """Content that comes as a list of parts, reasoning among them."""
    for part in items(parts):
        if said := text_in(member(part, "text")):
            yield TextDelta(said)
        thought = member(part, "thinking")
        said = (
            thought if isinstance(thought, str) else "".join(text_in(member(piece, "text")) for piece in items(thought))
        )
        if said:
            yield ThinkingDelta(said)


def _renamed(detail: Json, names: dict[str, str]) -> Json:
    """A detail may name the call it belongs to, and calls have names of our own in requests."""
    name = text_in(member(detail, "id"))
    return {**detail, "id": names[name]} if isinstance(detail, dict) and name in names else detail
