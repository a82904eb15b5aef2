"""Calls out of the events that tell of them."""

from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import BlockEnd, CallArguments, CallStart, Delta
from assent.model.json import Json
from assent.providers.dialects.openai_faults import nonsense
from assent.providers.fields import arguments_text, member, text_in


@dataclass(slots=True)
class _Call:
    block: int
    tool: str
    pieces: list[str]
    """The arguments so far."""
    open: bool = True


class Calls:
    """The calls of one answer. One is complete when its item is, and its server says so."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}
        self.ended = 0
        """How many are complete."""

    def begin(self, place: str, item: Json) -> Iterator[Delta]:
        """An item begins. Its arguments come later, or stand in it already."""
        if member(item, "type") != "function_call":
            return
        tool = text_in(member(item, "name"))
        if not tool:
            raise nonsense("it holds a tool call without a name")
        if place in self._calls:
            raise nonsense("it begins the same tool call twice")
        call = self._calls[place] = _Call(len(self._calls), tool, [])
        yield CallStart(call.block, tool, text_in(member(item, "call_id")) or None)
        yield from self.add(place, arguments_text(member(item, "arguments")))

    def add(self, place: str, piece: str) -> Iterator[Delta]:
        """A piece of the arguments."""
        call = self._calls.get(place)
        if not piece:
            return
        if call is None or not call.open:
            raise nonsense("it holds arguments of a tool call that is not being made")
        call.pieces.append(piece)
        yield CallArguments(call.block, piece)

    def settle(self, place: str, arguments: Json) -> Iterator[Delta]:
        """All arguments, once more: what did not come in pieces is added."""
        if arguments is None:
            return
        call, told = self._calls.get(place), arguments_text(arguments)
        so_far = "".join(call.pieces) if call else ""
        if not told.startswith(so_far):
            raise nonsense("it gives two different arguments for one tool call")
        yield from self.add(place, told[len(so_far) :])

    def whole(self, place: str, item: Json) -> Iterator[Delta]:
        """An item is over. Only one that is called completed is a call to make."""
        if place not in self._calls:
            yield from self.begin(place, {**item, "arguments": None} if isinstance(item, dict) else item)
        call = self._calls[place]
        if text_in(member(item, "name")) not in ("", call.tool):
            raise nonsense("it gives two names for one tool call")
        yield from self.settle(place, member(item, "arguments"))
        if call.open and member(item, "status") == "completed":
            call.open = False
            self.ended += 1
            yield BlockEnd(call.block)
